import * as z from "zod";
import { ImportFailure } from "../../import/failure.ts";
import { WARNING_CODES } from "../../import/warning.ts";
import { failure } from "../http/failure.ts";
import { logLine } from "../http/log.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { ItemsFailure } from "../platform/item.ts";

const statusSchema = z.enum(["created", "modified", "matched"]);
const outcomeSchema = z.object({ key: z.string(), status: statusSchema });

export const warningsSchema = z
  .array(
    z.object({
      field: z.string().describe("Member of the record, or MARC field such as `020 $a`"),
      value: z.string().describe("Value as received, at most 120 characters; JSON unless a string"),
      code: z.enum(WARNING_CODES),
      message: z.string(),
    }),
  )
  .describe("Values that were changed or dropped; absent if none");

export const importReplySchema = z.object({
  success: z.literal(true),
  edition: outcomeSchema,
  work: outcomeSchema,
  authors: z.array(outcomeSchema.extend({ name: z.string() })).optional(),
  preview: z.literal(true).optional(),
  edits: z
    .array(z.looseObject({ key: z.string() }))
    .optional()
    .describe("Documents that would be saved"),
  warnings: warningsSchema.optional(),
});

export const importFailureSchema = z.looseObject({
  success: z.literal(false),
  error_code: z.string().optional(),
  error: z.string(),
});

export const IMPORT_RESPONSES = {
  200: { description: "Outcome of the import", schema: importReplySchema },
  400: { description: "Refused record, with the reason", schema: importFailureSchema },
  403: { description: "No import rights; the body is empty", isBare: true },
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
  return failure(isConfigured ? "unavailable.archive" : "unavailable.no_archive");
}
