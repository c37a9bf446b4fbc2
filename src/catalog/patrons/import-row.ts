import type { ShelfId } from "./shelves.ts";

/** A book of an import, as it is to be put onto a shelf. */
export interface ImportRow {
  readonly title: string;
  readonly author: string;
  /** Bare ISBN; null when the row has none. */
  readonly isbn: string | null;
  /** Null: a shelf that Carrel does not have. */
  readonly shelf: ShelfId | null;
  /** 1 to 5; null when it is not rated. */
  readonly stars: number | null;
  /** When it was finished: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  readonly finished: string | null;
  /** What the patron wrote about it; "" when nothing. */
  readonly note: string;
}

/** Why a book was not taken over. */
export type ImportProblem = "no-isbn" | "not-found" | "unknown-shelf";
