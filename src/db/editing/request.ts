import type { WriteFailure } from "../../catalog/editing/failure.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { RecordRow } from "../records/record-rows.ts";

/** Limit on the bytes of documents that an account may save per period. */
export interface WriteBudget {
  readonly limit: number;
  readonly seconds: number;
}

/** Function that deducts the bytes of a change from the author's budgets. Returns a failure if a budget is used up. */
export type Spend = (bytes: number) => Promise<WriteFailure | undefined>;

/** Author of a write, and the rules that apply. Plain data that can be sent to a Durable Object. */
export interface Writer {
  /** `/people/<username>`; null for the service itself. */
  readonly author: string | null;
  readonly bot: boolean;
  /** Client address, visible to administrators only. */
  readonly ip: string | null;
  /**
   * Rules that apply. `user`: all of them. `service`: the service writes on its own behalf, for example the records of
   * a new account, and is exempt from permissions, key patterns and the rule that only administrators delete.
   */
  readonly authority: "user" | "service";
  /** Byte budgets of the author. Nothing is counted if undefined. */
  readonly budgets?: readonly WriteBudget[];
  /** Grant of the program that writes for the author, which has a part of the budgets. */
  readonly grant?: string;
}

/** Change to make, all or nothing. */
export interface SaveRequest {
  readonly writer: Writer;
  readonly kind: string;
  readonly comment: string | null;
  /** JSON object as text. */
  readonly data: string;
  /** JSON array as text: complete documents, each with `key` and `type`, without control members. */
  readonly documents: string;
  /** Required current revisions by key; 0 = must not exist. Any other revision is a 409 (`If-Match`). */
  readonly expected?: Readonly<Record<string, number>>;
  /** Naive UTC. */
  readonly now: string;
  /** True if records may be created under keys with numbers, all of which must have been given out before. */
  readonly mayNumber?: boolean;
  /** Keys of documents that get a new revision with the others even if they did not change. */
  readonly touched?: readonly string[];
  /** True if the change is only checked: the result has the revisions that it would make, and nothing is stored. */
  readonly isTrial?: boolean;
}

/**
 * New records to create. Differs from `SaveRequest` in that keys are assigned: the documents have a type, and their own
 * keys are ignored. The reference `{"key": "/__new__/2"}` means the third document, in `data` too.
 */
export interface CreateRequest extends SaveRequest {
  /** `/people/<username>` that owns new lists, null for community lists. Defaults to the writer. */
  readonly owner?: string | null;
  /**
   * JSON array as text: documents with keys, saved in the same change after the new ones. `expected` applies to them.
   */
  readonly edits?: string;
}

export interface SavedRecord {
  readonly key: string;
  readonly revision: number;
}

export type SaveResult =
  | {
      readonly ok: true;
      /** Id of the change; null if every document was already stored in this form. */
      readonly change: number | null;
      /** Changed records only, in the order of the request. */
      readonly saved: readonly SavedRecord[];
      /** Keys of all documents of the request, in order; for a creation the assigned keys. */
      readonly keys: readonly string[];
      /** Keys of records whose responses change: the changed ones, and those that they refer to or referred to. */
      readonly affected: readonly string[];
      /** Session bookmark with which the writer's next reads see the change. */
      readonly bookmark: string | null;
    }
  | { readonly ok: false; readonly failures: readonly WriteFailure[] };

/**
 * Change to the seeds of a list, or to the works of a series. Plain data for a Durable Object, which reads the list
 * while no other request changes it.
 */
export interface SeedsRequest extends Pick<SaveRequest, "writer" | "now"> {
  readonly list: string;
  /** JSON array as text: distinct seeds in stored form. */
  readonly add: string;
  readonly remove: readonly string[];
  /** Data recorded with the change, as JSON text: `{add, remove}` as sent by the client. */
  readonly sent: string;
  /** The list as the caller has read it. Saves reading it again unless it has changed since. */
  readonly known?: RecordRow;
}

/** Outcome of a seeds request. `revision` is the list's revision afterwards, new or unchanged. */
export type SeedsResult =
  | (SaveResult & { readonly ok: true; readonly revision: number })
  | (SaveResult & { readonly ok: false });

export interface ChangeScope {
  readonly writer: Writer;
  readonly documents: readonly CatalogRecord[];
  /** Required revisions by key; 0 = must not exist. */
  readonly expected: Readonly<Record<string, number>>;
}

/** Returns the distinct keys of a change: of its documents, and those with expected revisions. */
export function keysOfChange({ documents, expected }: Pick<ChangeScope, "documents" | "expected">): string[] {
  return [...new Set([...requestKeys(documents), ...Object.keys(expected)])];
}

/** Returns the distinct keys of documents, without documents that have no key. */
export function requestKeys(documents: readonly CatalogRecord[]): string[] {
  return [...new Set(documents.flatMap(({ key }) => (typeof key === "string" ? [key] : [])))];
}
