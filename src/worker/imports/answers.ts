import * as z from "zod";
import { ImportFailure } from "../../import/failure.ts";
import { unavailable } from "../http/errors.ts";
import { logLine } from "../http/log.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { ItemsFailure } from "../platform/item.ts";

const status = z.enum(["created", "modified", "matched"]);
const loaded = z.object({ key: z.string(), status });

/** Response of an import. */
export const importReply = z.object({
  success: z.literal(true),
  edition: loaded,
  work: loaded,
  authors: z.array(loaded.extend({ name: z.string() })).optional(),
  preview: z.literal(true).optional(),
  edits: z
    .array(z.looseObject({ key: z.string() }))
    .optional()
    .describe("What would be saved"),
});

/** Response for a record that cannot be imported. */
export const importFailure = z.looseObject({
  success: z.literal(false),
  error_code: z.string().optional(),
  error: z.string(),
});

/** Error responses of the previews: no access, or temporarily unavailable. */
export const PREVIEW_REFUSALS = {
  401: { description: "Not logged in" },
  403: { description: "Neither librarian nor administrator" },
  413: { description: "The request is too large" },
  503: { description: "Read-only, or busy: try again later" },
};

/** Responses of the import routes of the API. */
export const IMPORT_RESPONSES = {
  200: { description: "What became of the record", schema: importReply },
  400: { description: "Why it was not imported", schema: importFailure },
  403: { description: "Not allowed; no body", isBare: true },
  413: { description: "The request is too large" },
  503: { description: "Read-only, busy, or the archive does not answer: try again later" },
};

export type FailureAnswer = Readonly<z.output<typeof importFailure>>;

/** Converts an import failure to its JSON response. */
export function failureAnswer({ code, message, extra }: ImportFailure): FailureAnswer {
  return { success: false, error_code: code, error: message, ...extra };
}

/**
 * Runs an import and returns its response: 400 if the record cannot be imported. Throws 503 if the item service does
 * not respond, so that the client can retry.
 */
export async function importAnswer(run: () => Promise<object>): Promise<Reply> {
  try {
    return json(await run(), { cacheControl: NO_STORE });
  } catch (error) {
    if (error instanceof ImportFailure) {
      return json(failureAnswer(error), { status: 400, cacheControl: NO_STORE });
    }
    // Q361: an item is not reported as missing when its source fails to respond.
    if (error instanceof ItemsFailure) throw itemsUnavailable(error);
    throw error;
  }
}

/** Returns a 503 for an item source that does not respond, and logs the reason. */
function itemsUnavailable({ message, isConfigured }: ItemsFailure) {
  logLine("error", "items", { problem: message });
  return unavailable(
    isConfigured
      ? "The archive isn't responding. Try again later."
      : "No archive is configured, so records can't be imported.",
  );
}
