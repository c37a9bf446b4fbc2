import type { ChangeRow } from "../../db/changes/read-changes.ts";
import { type ChangeEntry, changeAddress, changeEntry } from "../history/change-entry.ts";

/** A change as administrators see it: with the address that it came from, whoever made it. */
export interface SeenChange extends ChangeEntry {
  /** Path of its page. */
  readonly url: string;
}

/** A change for administrators. */
export function seenChange(row: ChangeRow): SeenChange {
  return { ...changeEntry(row), ip: row.ip, url: changeAddress(row) };
}

/** A page of changes as it is answered. */
export interface ChangesPage {
  readonly changes: readonly SeenChange[];
  readonly page: number;
  readonly next: number | null;
}
