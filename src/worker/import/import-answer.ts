import { ImportFailure } from "../../import/failure.ts";
import { unavailable } from "../http/errors.ts";
import { ItemsFailure } from "../platform/item.ts";
import { logLine } from "../http/log.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";

/** Why a record was not imported; a failure may say more than that. */
export interface FailureAnswer {
  readonly success: false;
  readonly error_code?: string;
  readonly error: string;
}

/** What an import that failed answers (import.md 2.6). */
export function failureAnswer({ code, message, extra }: ImportFailure): FailureAnswer {
  return { success: false, error_code: code, error: message, ...extra };
}

/**
 * Answers what an import says. What is wrong with the record is a 400; where items are described by a service that does
 * not answer, the client may try again later.
 */
export async function importAnswer(run: () => Promise<object>): Promise<Reply> {
  try {
    return json(await run(), { cacheControl: NO_STORE });
  } catch (error) {
    if (error instanceof ImportFailure) {
      return json(failureAnswer(error), { status: 400, cacheControl: NO_STORE });
    }
    // Q361: what does not answer is not called missing.
    if (error instanceof ItemsFailure) throw itemsUnavailable(error);
    throw error;
  }
}

/** 503 of a source of items that does not answer; the log says why. */
function itemsUnavailable({ message, isConfigured }: ItemsFailure) {
  logLine("error", "items", { problem: message });
  return unavailable(
    isConfigured
      ? "The archive does not answer at present. Please try again later."
      : "No archive is configured, so items cannot be imported.",
  );
}
