import type { ImportErrorCode } from "../../import/failure.ts";
import type { WriteFailure } from "../../catalog/editing/failure.ts";
import type { WriteBudget } from "../editing/request.ts";
import type { LoadReply } from "../../import/load/decision.ts";

/** A record to be imported, as plain data: it travels to a Durable Object. */
export interface LoadRequest {
  /** JSON text of a prepared record. */
  readonly record: string;
  /** `/people/<username>` that the change is by. */
  readonly author: string;
  readonly bot: boolean;
  readonly ip: string | null;
  readonly fromMarc: boolean;
  /** In lower case. */
  readonly coverHosts: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly item?: ClaimedItem;
  /** Byte budgets of the author. Nothing is counted if undefined. */
  readonly budgets?: readonly WriteBudget[];
}

/** A change that an import made. */
export interface LoadedNow {
  readonly change: number;
  readonly affected: readonly string[];
  /** With it the next reads see the change. */
  readonly bookmark: string | null;
}

/** What became of a record. */
export type LoadResult =
  | {
      readonly ok: true;
      readonly reply: LoadReply;
      /** Null when the catalog had all of it. */
      readonly saved: LoadedNow | null;
      /** Number of a cover that is to be fetched. */
      readonly cover: number | null;
    }
  | {
      readonly ok: false;
      /** The record cannot be imported. */
      readonly why: "refused";
      readonly code: ImportErrorCode;
      readonly message: string;
      /** JSON object as text. */
      readonly extra: string;
    }
  | {
      readonly ok: false;
      /** Nothing is wrong with the record: too much to do, nothing may be saved, or somebody else has the item. */
      readonly why: "busy" | "read-only" | "item-lost";
    }
  | {
      readonly ok: false;
      /** The author has used up a byte budget. */
      readonly why: "spent";
      readonly failure: WriteFailure;
    };

/** An item of the queue that somebody works on. */
export interface ClaimedItem {
  readonly id: number;
  readonly claim: string;
}
