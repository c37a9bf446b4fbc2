import type { ImportResponse } from "../../import/records/decision.ts";
import type { Text } from "../../catalog/texts.ts";
import type { ImportErrorCode, ImportFailure } from "../../import/failure.ts";
import type { WriteFailure } from "../../catalog/editing/failure.ts";
import type { ImportRecord } from "../../import/record.ts";
import type { ImportWarning } from "../../import/warning.ts";
import type { WriteBudget } from "../editing/request.ts";

export interface ImportRequest {
  readonly record: ImportRecord;
  readonly author: string;
  readonly bot: boolean;
  readonly ip: string | null;
  readonly fromMarc: boolean;
  /** In lower case. */
  readonly coverHosts: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly item?: ClaimedItem;
  /** Warnings of the reading and checking of the record. */
  readonly warnings?: readonly ImportWarning[];
  /** Byte budgets of the author. Nothing is counted if undefined. */
  readonly budgets?: readonly WriteBudget[];
  /** Grant of the program that imports for the author, which has a part of the budgets. */
  readonly grant?: string;
}

/** Request with the settings of the service that runs it. */
export interface ImportJob extends ImportRequest {
  /** Prefix of record numbers. */
  readonly prefix: string;
  /** Maximum bytes of the documents that the record is compared with. Defaults to `FOUND_BYTES`. */
  readonly foundBytes?: number;
}

export interface ImportedNow {
  readonly change: number;
  readonly affected: readonly string[];
  /** Session bookmark with which the next reads see the change. */
  readonly bookmark: string | null;
}

export type ImportResult =
  | {
      readonly ok: true;
      readonly reply: ImportResponse;
      /** Null if the catalog already had all the data. */
      readonly saved: ImportedNow | null;
      /** Number of the cover to fetch; null if there is none. */
      readonly cover: number | null;
    }
  | {
      readonly ok: false;
      readonly why: "refused";
      readonly code: ImportErrorCode;
      readonly text: Text;
      readonly extra: ImportFailure["extra"];
    }
  | {
      readonly ok: false;
      /**
       * The record is not at fault: too much work is waiting, the catalog is read-only, or another worker holds the
       * item.
       */
      readonly why: "busy" | "read-only" | "item-lost";
    }
  | {
      readonly ok: false;
      readonly why: "spent";
      readonly failure: WriteFailure;
    };

/** A queue item and the claim of the worker that processes it. */
export interface ClaimedItem {
  readonly id: number;
  readonly claim: string;
}
