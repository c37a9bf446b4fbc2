import type { ShelfId } from "../../../catalog/patrons/shelves.ts";
import { type Language, LANGUAGES } from "./language.ts";

/** Message about the result of an action on the page before: a text, or the name of words of the pages. */
export interface Flash {
  readonly type: "success" | "error";
  readonly message?: string | undefined;
  readonly words?: string | undefined;
  /** Book that has moved, instead of a text. */
  readonly move?: BookMove | undefined;
}

/** Move of a book between the reader's shelves; null is no shelf. */
export interface BookMove {
  /** `/works/OL1W` */
  readonly key: string;
  readonly title: string;
  readonly from: ShelfId | null;
  readonly to: ShelfId | null;
  /** True if the move undid another one. */
  readonly isUndo: boolean;
}

/** Reader and place of a page. */
export interface Reader {
  readonly language: Language;
  /** Undefined without a session. */
  readonly username: string | undefined;
  readonly messages: readonly Flash[];
  /** Returns the reader's shelf of a work, by its key; null if it is on none, and without a session. */
  readonly shelfOf: (key: string) => ShelfId | null;
  /** Path and query of the page. */
  readonly here: string;
  /** Addresses of the style and of the script of all pages, which change with their content. */
  readonly style: string;
  readonly script: string;
}

/** Anonymous reader: for texts that are not part of a page. */
export const ANYBODY: Reader = {
  language: LANGUAGES[0],
  username: undefined,
  messages: [],
  shelfOf: () => null,
  here: "/",
  style: "/static/carrel.css",
  script: "/static/carrel.js",
};
