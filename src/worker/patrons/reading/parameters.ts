import * as z from "zod";
import { DEFAULT_PREFIX } from "../../../catalog/keys.ts";
import { editionNumber, looseEditionNumber } from "../../../catalog/patrons/references.ts";
import { keyOfEditionId, keyOfWorkId } from "../../../search/indexing/ids.ts";
import { type CarrelError, validationFailed } from "../../http/errors.ts";
import type { RequestContext } from "../../http/operation.ts";
import { integer } from "../../http/parameters.ts";

/** Largest form or JSON body of these routes but for notes, in bytes. */
export const READING_BODY_BYTES = 16 * 1024;

const ANY_EDITION = /^(?:\/books\/)?[A-Z]{2}\d{1,15}M$/i;
const BARE_NUMBER = /^\d{1,15}$/;

/** The path parameter of a work that is written to, or asked about: any number above 0. */
export const workPath = { work_id: integer(z.int().gt(0)).describe("The digits of the work's number") };

/** A field of a form that counts as absent when it is empty. */
export function field<Output>(schema: z.ZodType<Output, string>) {
  return z
    .string()
    .optional()
    .transform((text) => (text === "" ? undefined : text))
    .pipe(schema.optional());
}

/** Where people go on after a form: a path of this site. */
export const backField = z.string().optional().describe("For people: the page to go back to");

/** 422 about a value that no schema finds fault with. `loc` is the place of the field. */
export function valueError(loc: readonly string[], message: string, input?: unknown): CarrelError {
  const failure = { type: "value_error", loc, msg: `Value error, ${message}`, input };
  return validationFailed([{ ...failure, ctx: { error: {} } }]);
}

/** An edition: `OL1M` or `/books/OL1M`, in any case. `isLoose`: a bare number will do. */
export function edition({ isLoose = false }: { readonly isLoose?: boolean } = {}) {
  return z
    .string()
    .superRefine((text, context) => {
      if (ANY_EDITION.test(text) || (isLoose && BARE_NUMBER.test(text))) return;
      const { type, msg: message, ctx } = editionMismatch(DEFAULT_PREFIX);
      context.addIssue({ code: "custom", params: { type, ctx }, message });
    })
    .describe("Such as OL1M or /books/OL1M");
}

/** An edition that was named, with the name of the field. */
type NamedEdition = { field: string; text: string | null | undefined; isLoose?: boolean };

/** Its number; undefined when none was named. Throws a 422 when its prefix is another service's. */
export function editionOf(
  { settings }: Pick<RequestContext, "settings">,
  { field: name, text, isLoose = false }: NamedEdition,
): number | undefined {
  if (text === undefined || text === null) return undefined;
  const prefix = settings.RECORD_PREFIX;
  const number = isLoose ? looseEditionNumber(text, prefix) : editionNumber(text, prefix);
  if (number !== undefined) return number;
  throw validationFailed([{ ...editionMismatch(prefix), loc: ["body", name], input: text }]);
}

function editionMismatch(prefix: string) {
  const pattern = String.raw`(?i)^(?:/books/)?${prefix}\d+M$`;
  const msg = `String should match pattern '${pattern}'`;
  return { type: "string_pattern_mismatch", msg, ctx: { pattern } };
}

/** Key of an edition by its number; null stays null. */
export function editionKey(
  { settings }: Pick<RequestContext, "settings">,
  number: number | null,
): string | null {
  return number === null ? null : keyOfEditionId(number, settings.RECORD_PREFIX);
}

/** Key of a work by its number. */
export function workKey({ settings }: Pick<RequestContext, "settings">, work: number): string {
  return keyOfWorkId(work, settings.RECORD_PREFIX);
}
