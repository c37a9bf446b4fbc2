import * as z from "zod";
import { ImportFailure } from "../../import/failure.ts";
import { WARNING_CODES } from "../../import/warning.ts";
import { unavailable } from "../http/errors.ts";
import { logLine } from "../http/log.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { ItemsFailure } from "../platform/item.ts";

const statusSchema = z.enum(["created", "modified", "matched"]);
const outcomeSchema = z.object({ key: z.string(), status: statusSchema });

export const warningsSchema = z
  .array(
    z.object({
      field: z.string().describe("Member of the record, or field of a MARC record such as `020 $a`"),
      value: z.string().describe("As it came, at most 120 characters of it; JSON unless it is a text"),
      code: z.enum(WARNING_CODES),
      message: z.string(),
    }),
  )
  .describe("What was changed or dropped in the record; absent if nothing was");

export const importReplySchema = z.object({
  success: z.literal(true),
  edition: outcomeSchema,
  work: outcomeSchema,
  authors: z.array(outcomeSchema.extend({ name: z.string() })).optional(),
  preview: z.literal(true).optional(),
  edits: z
    .array(z.looseObject({ key: z.string() }))
    .optional()
    .describe("What would be saved"),
  warnings: warningsSchema.optional(),
});

export const importFailureSchema = z.looseObject({
  success: z.literal(false),
  error_code: z.string().optional(),
  error: z.string(),
});

export const PREVIEW_ERRORS = {
  401: { description: "Not logged in" },
  403: { description: "Neither librarian nor administrator" },
  413: { description: "The request is too large" },
  503: { description: "Read-only, or busy: try again later" },
};

export const IMPORT_RESPONSES = {
  200: { description: "What became of the record", schema: importReplySchema },
  400: { description: "Why it was not imported", schema: importFailureSchema },
  403: { description: "Not allowed; no body", isBare: true },
  413: { description: "The request is too large" },
  503: { description: "Read-only, busy, or the archive does not answer: try again later" },
};

export type ImportFailureResponse = Readonly<z.output<typeof importFailureSchema>>;

export function toFailureResponse({ code, message, extra }: ImportFailure): ImportFailureResponse {
  return { success: false, error_code: code, error: message, ...extra };
}

/** Runs an import. Returns 400 for a faulty record. Throws 503 if the item source does not respond. */
export async function replyWithImport(run: () => Promise<object>): Promise<Reply> {
  try {
    return json(await run(), { cacheControl: NO_STORE });
  } catch (error) {
    if (error instanceof ImportFailure) {
      return json(toFailureResponse(error), { status: 400, cacheControl: NO_STORE });
    }
    // Q361: an item is not reported as missing when its source fails to respond.
    if (error instanceof ItemsFailure) throw toUnavailable(error);
    throw error;
  }
}

function toUnavailable({ message, isConfigured }: ItemsFailure) {
  logLine("error", "items", { problem: message });
  return unavailable(
    isConfigured
      ? "The archive isn't responding. Try again later."
      : "No archive is configured, so records can't be imported.",
  );
}
