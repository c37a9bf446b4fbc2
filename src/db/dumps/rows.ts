import type { DumpKind, Section } from "../../catalog/dumps/files.ts";

/** `dump` in D1 `CATALOG`. Times are naive UTC with six fraction digits. */
export interface DumpRow {
  readonly id: number;
  readonly kind: DumpKind;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** The dump contains changes after this one, up to `change_id`. */
  readonly after_change: number;
  /** Last change in the dump. */
  readonly change_id: number;
  readonly begun: string;
  readonly state: "open" | "published" | "failed" | "retired";
  readonly stage: string;
  /** JSON text. */
  readonly position: string;
  readonly step: number;
  readonly attempts: number;
  readonly failures: number;
  readonly problem: string | null;
  readonly updated: string;
  readonly published: string | null;
}

/** `dump_file`: a complete file. */
export interface MadeFile {
  readonly name: string;
  readonly place: number;
  readonly object: string;
  readonly bytes: number;
  readonly lines: number;
  /** SHA-256 of the file, or of the lines of a member, in hex. */
  readonly digest: string;
}

/** `dump_member`: a piece of a file, stored as a gzip member in an object of R2. `place` is its first byte there. */
export type Member = Omit<MadeFile, "name"> & { readonly section: Section };

export const DUMP_COLUMNS = `id, kind, date, after_change, change_id, begun, state, stage, position, step, attempts, failures,
  problem, updated, published`;
