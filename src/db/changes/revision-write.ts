import type { IndexRows } from "../../catalog/index-rows.ts";

/** Who changed what, when and why: a row of `change`. Times are naive UTC with six fraction digits. */
export interface ChangeEntry {
  /** Of a change that another service has numbered (apply-feed.ts); higher than all here. Else the next number. */
  readonly id?: number;
  readonly kind: string;
  readonly author: string | null;
  readonly comment: string | null;
  readonly bot: boolean;
  readonly ip: string | null;
  readonly created: string;
  /** `[{key, revision}]` as JSON text, in order of saving; null for a batch of a dump. */
  readonly changes: string | null;
  /** JSON object as text. */
  readonly data: string;
}

/** One revision to be stored. `document` is the JSON text that stays for ever. */
export interface RevisionWrite {
  readonly id: number;
  readonly key: string;
  readonly type: string;
  readonly revision: number;
  readonly flags: number;
  readonly created: string;
  readonly lastModified: string;
  readonly document: string;
  /** Highest revision stored before, 0 when the record is new: the change fails when that is no longer so. */
  readonly expected: number;
  /** Change that stored that revision, 0 when the record is new: a load may have replaced it under its number. */
  readonly expectedChange: number;
  readonly place: "new-record" | "new-latest" | "history" | "replace-latest" | "replace-history";
  readonly added: IndexRows;
  readonly removed: IndexRows;
}
