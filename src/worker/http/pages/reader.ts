import type { ShelfId } from "../../../catalog/patrons/shelves.ts";

/** Languages of the pages, by their ISO 639-1 codes; the first one is the default. */
export const LANGUAGES = ["en", "de", "fr", "es", "ar"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Message about the result of an action on the previous page: a text, or a message key of the catalogues. */
export interface Flash {
  readonly type: "success" | "error";
  readonly message?: string | undefined;
  readonly words?: string | undefined;
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

export interface Reader {
  readonly language: Language;
  readonly username: string | undefined;
  readonly messages: readonly Flash[];
  /** Returns the reader's shelf of a work, by its key; null if it is on none, and without a session. */
  readonly shelfOf: (key: string) => ShelfId | null;
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

export const LANGUAGE_COOKIE = "HTTP_LANG";
const COOKIE = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]{2})`, "i");
const ACCEPT_LENGTH = 200;

export function cookieLanguage({ headers }: Request): string | undefined {
  return COOKIE.exec(headers.get("Cookie") ?? "")?.[1];
}

/**
 * Returns the language of the pages (Q591): `stated` in the address, else that of the cookie, else the first supported
 * one of the browser's.
 */
export function pageLanguage(request: Request, stated?: string | null): Language {
  const accepted = (request.headers.get("Accept-Language") ?? "").slice(0, ACCEPT_LENGTH).split(",");
  for (const tag of [stated, cookieLanguage(request), ...accepted]) {
    const code = (tag ?? "").trim().slice(0, 2).toLowerCase();
    const known = LANGUAGES.find((language) => language === code);
    if (known !== undefined) return known;
  }
  return LANGUAGES[0];
}
