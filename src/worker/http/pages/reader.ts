import * as z from "zod";
import { type ShelfId, SHELVES } from "../../../catalog/patrons/shelves.ts";

export const LANGUAGES = ["en", "de", "fr", "es", "ar"] as const;
export type Language = (typeof LANGUAGES)[number];

const shelf = z.literal(SHELVES.map(({ id }) => id)).nullable();

/** Move of a book between the reader's shelves; null is no shelf. */
export type BookMove = z.infer<typeof bookMove>;
const bookMove = z.object({
  key: z.string().regex(/^\/works\/[A-Z]{2}\d{1,15}W$/),
  title: z.string(),
  from: shelf,
  to: shelf,
  isUndo: z.boolean(),
});

export type Flash = z.infer<typeof flashSchema>;
export const flashSchema = z.object({
  type: z.enum(["success", "error"]),
  message: z.string().optional(),
  words: z.string().optional(),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  move: bookMove.optional(),
});

export interface Reader {
  readonly language: Language;
  readonly username: string | undefined;
  readonly messages: readonly Flash[];
  /** Returns the reader's shelf of a work, by its key; null if it is on none, and without a session. */
  readonly shelfOf: (key: string) => ShelfId | null;
  readonly here: string;
  /** Base URL of the service, without a trailing slash. */
  readonly site: string;
  readonly style: string;
  readonly script: string;
}

/** Anonymous reader: for texts that are not part of a page. */
export const ANONYMOUS_READER: Reader = {
  language: LANGUAGES[0],
  username: undefined,
  messages: [],
  shelfOf: () => null,
  here: "/",
  site: "",
  style: "/static/carrel.css",
  script: "/static/carrel.js",
};

export const LANGUAGE_COOKIE = "HTTP_LANG";
const COOKIE = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]{2})`, "i");
const ACCEPT_LENGTH = 200;

export function cookieLanguage({ headers }: Request): string | undefined {
  return COOKIE.exec(headers.get("Cookie") ?? "")?.[1];
}

/** Returns the language of the pages (Q591): `stated` in the address, else the cookie's, else the browser's first. */
export function pageLanguage(request: Request, stated?: string | null): Language {
  const accepted = (request.headers.get("Accept-Language") ?? "").slice(0, ACCEPT_LENGTH).split(",");
  for (const tag of [stated, cookieLanguage(request), ...accepted]) {
    const code = (tag ?? "").trim().slice(0, 2).toLowerCase();
    const known = LANGUAGES.find((language) => language === code);
    if (known !== undefined) return known;
  }
  return LANGUAGES[0];
}
