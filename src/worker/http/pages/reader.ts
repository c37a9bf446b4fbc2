import { type Language, LANGUAGES } from "./language.ts";

/** What became of what somebody did on the page before: a text, or the name of words of the pages. */
export interface Flash {
  readonly type: "success" | "error";
  readonly message?: string | undefined;
  readonly words?: string | undefined;
}

/** For whom a page is written, and where it stands. */
export interface Reader {
  readonly language: Language;
  /** Undefined for somebody without a session. */
  readonly username: string | undefined;
  readonly messages: readonly Flash[];
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
  here: "/",
  style: "/static/carrel.css",
  script: "/static/carrel.js",
};
