import * as z from "zod";
import { DEFAULT_PREFIX, editionNumber, looseEditionNumber } from "../../../catalog/keys.ts";
import { keyOfEditionId, keyOfWorkId } from "../../../search/indexing/ids.ts";
import { type CarrelError, validationFailed } from "../../http/errors.ts";
import type { RequestContext } from "../../http/operation.ts";
import { integer } from "../../http/parameters.ts";

export const READING_BODY_BYTES = 16 * 1024;

const ANY_EDITION = /^(?:\/books\/)?[A-Z]{2}\d{1,15}M$/i;
const BARE_NUMBER = /^\d{1,15}$/;

export const workPath = { work_id: integer(z.int().gt(0)).describe("The digits of the work's number") };

/** Creates the schema of a form field that counts as absent if it is empty. */
export function optionalField<Output>(schema: z.ZodType<Output, string>) {
  return z
    .string()
    .optional()
    .transform((text) => (text === "" ? undefined : text))
    .pipe(schema.optional());
}

export const backField = z.string().optional().describe("For people: the page to go back to");

/** Creates a 422 about a value that no schema rejects. `loc` is the path of the field. */
export function valueError(loc: readonly string[], message: string, input?: unknown): CarrelError {
  const failure = { type: "value_error", loc, msg: `Value error, ${message}`, input };
  return validationFailed([{ ...failure, ctx: { error: {} } }]);
}

/** Creates the schema of an edition: `OL1M` or `/books/OL1M`, in any case. `isLoose` also allows a bare number. */
export function editionField({ isLoose = false }: { isLoose?: boolean } = {}) {
  return z
    .string()
    .superRefine((text, context) => {
      if (ANY_EDITION.test(text) || (isLoose && BARE_NUMBER.test(text))) return;
      const { type, msg: message, ctx } = editionMismatch(DEFAULT_PREFIX);
      context.addIssue({ code: "custom", params: { type, ctx }, message });
    })
    .describe("Such as OL1M or /books/OL1M");
}

/** Returns the number of a submitted edition; undefined without one. Throws 422 for the prefix of another service. */
export function editionOf(
  { settings }: Pick<RequestContext, "settings">,
  input: { field: string; text: string | null | undefined; isLoose?: boolean },
): number | undefined {
  const { field, text, isLoose = false } = input;
  if (text === undefined || text === null) return undefined;
  const prefix = settings.RECORD_PREFIX;
  const number = isLoose ? looseEditionNumber(text, prefix) : editionNumber(text, prefix);
  if (number !== undefined) return number;
  throw validationFailed([{ ...editionMismatch(prefix), loc: ["body", field], input: text }]);
}

function editionMismatch(prefix: string) {
  const pattern = String.raw`(?i)^(?:/books/)?${prefix}\d+M$`;
  const msg = `String should match pattern '${pattern}'`;
  return { type: "string_pattern_mismatch", msg, ctx: { pattern } };
}

export function editionKey(
  { settings }: Pick<RequestContext, "settings">,
  number: number | null,
): string | null {
  return number === null ? null : keyOfEditionId(number, settings.RECORD_PREFIX);
}

export function workKey({ settings }: Pick<RequestContext, "settings">, work: number): string {
  return keyOfWorkId(work, settings.RECORD_PREFIX);
}
