import type { ShelfId } from "../../../catalog/patrons/shelves.ts";
import { type Language, LANGUAGES } from "./language.ts";

/** What became of what somebody did on the page before: a text, or the name of words of the pages. */
export interface Flash {
  readonly type: "success" | "error";
  readonly message?: string | undefined;
  readonly words?: string | undefined;
  /** A book that has moved, in place of a text. */
  readonly move?: BookMove | undefined;
}

/** A book that went from one of the reader's shelves to another; null is no shelf. */
export interface BookMove {
  /** `/works/OL1W` */
  readonly key: string;
  readonly title: string;
  readonly from: ShelfId | null;
  readonly to: ShelfId | null;
  /** The move undid another one. */
  readonly isUndo: boolean;
}

/** For whom a page is written, and where it stands. */
export interface Reader {
  readonly language: Language;
  /** Undefined for somebody without a session. */
  readonly username: string | undefined;
  readonly messages: readonly Flash[];
  /** The reader's shelf of a work, by its key; null if it is on none, and without a session. */
  readonly shelfOf: (key: string) => ShelfId | null;
  /** Path and query of the page. */
  readonly here: string;
  /** Addresses of the style and of the script of all pages, which change with what is in them. */
  readonly style: string;
  readonly script: string;
}

/** Somebody of whom nothing is known: for texts that are no part of a page. */
export const ANYBODY: Reader = {
  language: LANGUAGES[0],
  username: undefined,
  messages: [],
  shelfOf: () => null,
  here: "/",
  style: "/static/carrel.css",
  script: "/static/carrel.js",
};
