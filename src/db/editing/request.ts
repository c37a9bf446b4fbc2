import type { WriteFailure } from "../../catalog/editing/failure.ts";
import type { CatalogRecord } from "../../catalog/record.ts";

/** Bytes of documents that an account may save in a period. */
export interface WriteBudget {
  readonly limit: number;
  readonly seconds: number;
}

/** Takes the bytes of a change out of the author's budgets. Returns a failure if a budget is used up. */
export type Spend = (bytes: number) => Promise<WriteFailure | undefined>;

/** Who writes, and whether permission is asked. Plain data: it travels to a Durable Object. */
export interface Writer {
  /** `/people/<username>`; null for the service itself. */
  readonly author: string | null;
  readonly bot: boolean;
  /** Client address, for administrators only. */
  readonly ip: string | null;
  /**
   * `user`: every rule of writing holds. `service`: the service writes on its own account (the records of
   * a new account, for instance): neither permission nor key pattern nor the rule that only administrators delete.
   */
  readonly authority: "user" | "service";
  /** Byte budgets of the author. Nothing is counted if undefined. */
  readonly budgets?: readonly WriteBudget[];
}

/** One change to be made: all of it or nothing. */
export interface SaveRequest {
  readonly writer: Writer;
  readonly kind: string;
  readonly comment: string | null;
  /** JSON object as text. */
  readonly data: string;
  /** JSON array as text: complete documents, each with `key` and `type`, without control members. */
  readonly documents: string;
  /** Revisions that records must have now, by key; 0 = must not exist. Any other is a 409 (`If-Match`). */
  readonly expected?: Readonly<Record<string, number>>;
  /** Naive UTC. */
  readonly now: string;
  /** True when keys with numbers were given out before: their records may be made. */
  readonly mayNumber?: boolean;
  /** Keys of documents that get a revision with the others even when nothing in them changes. */
  readonly touched?: readonly string[];
}

/**
 * New records to be made: like `SaveRequest`, but keys are given out; the documents have a type, and a key of theirs is
 * ignored. A reference `{"key": "/__new__/2"}` means the third of them, in `data` too.
 */
export interface CreateRequest extends SaveRequest {
  /** `/people/<username>` below which lists go, null for lists of the community; the writer's if absent. */
  readonly owner?: string | null;
  /** JSON array as text: documents with keys, saved in the same change, after the new ones. `expected` is about them. */
  readonly edits?: string;
}

/** A record that a change wrote. */
export interface SavedRecord {
  readonly key: string;
  readonly revision: number;
}

/** What became of a request. */
export type SaveResult =
  | {
      readonly ok: true;
      /** Id of the change; null when every document was stored already as it is. */
      readonly change: number | null;
      /** Only what changed, in the order of the request. */
      readonly saved: readonly SavedRecord[];
      /** Keys of all documents of the request, in its order; of a creation the keys given out. */
      readonly keys: readonly string[];
      /** Keys of records that answers show differently now: the changed ones, and those that they name or named. */
      readonly affected: readonly string[];
      /** With it the writer's next reads see the change. */
      readonly bookmark: string | null;
    }
  | { readonly ok: false; readonly failures: readonly WriteFailure[] };

/**
 * A change of the seeds of a list, or of the works of a series. Plain data: it travels to a Durable
 * Object, which reads the list when nobody else is changing it.
 */
export interface SeedsRequest extends Pick<SaveRequest, "writer" | "now"> {
  readonly list: string;
  /** JSON array as text: seeds as they are stored, each once. */
  readonly add: string;
  readonly remove: readonly string[];
  /** What is told of the change, as JSON text: `{add, remove}` as they were sent. */
  readonly sent: string;
}

/** What became of it: `revision` is the list's, the new one or that which it has. */
export type SeedsResult =
  | (SaveResult & { readonly ok: true; readonly revision: number })
  | (SaveResult & { readonly ok: false });

/** A change as the state is asked about it. */
export interface ChangeScope {
  readonly writer: Writer;
  readonly documents: readonly CatalogRecord[];
  /** Revisions that records must have, by key; 0 = must not exist. */
  readonly expected: Readonly<Record<string, number>>;
}

/** Keys that a change is about, each once: of its documents, and those whose revisions it expects. */
export function keysOfChange({ documents, expected }: Pick<ChangeScope, "documents" | "expected">): string[] {
  return [...new Set([...keysOf(documents), ...Object.keys(expected)])];
}

/** The keys of documents, each once; what has no key is left out. */
export function keysOf(documents: readonly CatalogRecord[]): string[] {
  return [...new Set(documents.flatMap(({ key }) => (typeof key === "string" ? [key] : [])))];
}
