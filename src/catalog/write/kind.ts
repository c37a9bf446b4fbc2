import type { WriteFailure } from "./failure.ts";
import { badDocument } from "./failures.ts";

const CLIENT_KIND = /^[a-z][a-z0-9_-]{0,63}$/;
/** What only the service itself writes: by them it knows again what it did (records.md 7.4). */
const PRIVILEGED = new Set(["new-account", "undo", "revert", "revert-version", "merge-authors"]);

const UPDATES = ["update", "default-update"];
const BULK_UPDATES = ["bulk_update", "default-bulk-update"];
const LISTS = [
  "lists",
  "create-list",
  "edit-list",
  "edit-list-seeds",
  "delete-list",
  "create-series",
  "edit-series",
  "edit-series-seeds",
];

/**
 * Kinds that a filter by one kind finds too, since their names changed over the years (records.md 7.4). A kind that
 * is not here finds itself alone.
 */
export const KIND_GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ["update", UPDATES],
  ["default-update", UPDATES],
  ["bulk_update", BULK_UPDATES],
  ["default-bulk-update", BULK_UPDATES],
  ["lists", LISTS],
]);

/** The kind that a client chose for its change; a failure when it may not choose that one (records.md 7.4). */
export function clientKind(text: string): string | WriteFailure {
  if (!CLIENT_KIND.test(text)) {
    return badDocument("Bad kind: expected a-z, then at most 63 of a-z, 0-9, _ and -", undefined, text);
  }
  // Q92: a client that merges authors by itself has to name its change otherwise.
  if (PRIVILEGED.has(text))
    return badDocument(`Bad kind: '${text}' is kept for the service`, undefined, text);
  return text;
}
