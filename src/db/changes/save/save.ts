import type { CatalogRecord } from "../../../catalog/record.ts";
import { type Attempt, type Desk, type Job, attemptSave } from "./attempt.ts";
import { BUSY, notesFailures, requestFailures } from "./check-request.ts";
import type { SaveRequest, SaveResult } from "./request.ts";

/** How often a change is tried when bulk loads or a desk that is going away are in between, and the wait between. */
export const SAVE_ATTEMPTS = 24;
export const SAVE_WAIT_MS = 5;

/** Saves documents as one change: all of them or none. */
export async function saveDocuments(
  desk: Desk,
  documents: readonly CatalogRecord[],
  request: Omit<SaveRequest, "documents">,
): Promise<SaveResult> {
  const { writer, expected = {} } = request;
  const failures = [...notesFailures(request), ...requestFailures({ documents, expected })];
  if (failures.length > 0) return { ok: false, failures };
  const job: Job = { request, writer, documents, expected, given: new Set(), ids: new Map() };
  return persist(() => attemptSave(desk, job));
}

/** Repeats attempts until one has a result; a busy failure when none has. */
export async function persist(attempt: () => Promise<Attempt>): Promise<SaveResult> {
  for (let count = 1; count <= SAVE_ATTEMPTS; count += 1) {
    const outcome = await attempt();
    if ("result" in outcome) return outcome.result;
    await scheduler.wait(count * SAVE_WAIT_MS);
  }
  return { ok: false, failures: [BUSY] };
}
