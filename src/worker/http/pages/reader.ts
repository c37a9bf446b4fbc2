import * as z from "zod";
import { readableColor } from "../../../catalog/color.ts";
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

/** File of the logo in R2 `COVERS`, below `site/`, and its size in pixels. */
export interface Logo {
  readonly file: string;
  readonly width: number;
  readonly height: number;
}

/** Name, look and legal texts of the service, which its administrators set (`/admin/site`). Empty texts are not set. */
export interface SiteSettings {
  readonly name: string;
  /** Says what the catalog is, in `language`. */
  readonly sentence: string;
  readonly logo: Logo | null;
  /** Accent colours on light and on dark pages, as `#rrggbb`. */
  readonly color: string;
  readonly color_dark: string;
  /** Language of the texts below, and of pages for readers of no offered language. */
  readonly language: Language;
  readonly languages: readonly Language[];
  /** Email address, or URL of a page. */
  readonly contact: string;
  /** URLs, or texts in Markdown. */
  readonly imprint: string;
  readonly privacy: string;
  readonly terms: string;
  /** Shelves of the first page, in their order. */
  readonly shelves: readonly string[];
}

/** Returns the address of the logo, which changes with the file. */
export function logoAddress({ file }: Logo): string {
  return `/site/logo/${file}`;
}

/** Accent colours of the style sheet. */
export const DEFAULT_COLORS = { light: "#175a45", dark: "#7fcfb0" };

/** Returns the accent colours of the pages; undefined if they are those of the style sheet. */
export function colorsOf({ color, color_dark: dark }: SiteSettings): typeof DEFAULT_COLORS | undefined {
  if (color === "" && dark === "") return undefined;
  if (color === "") return { ...DEFAULT_COLORS, dark };
  return { light: color, dark: dark === "" ? readableColor(color, "dark") : dark };
}

export const DEFAULT_SITE: SiteSettings = {
  name: "Carrel",
  sentence: "",
  logo: null,
  color: "",
  color_dark: "",
  language: LANGUAGES[0],
  languages: LANGUAGES,
  contact: "",
  imprint: "",
  privacy: "",
  terms: "",
  shelves: ["trending", "editions", "subjects", "new"],
};

export interface Reader {
  readonly language: Language;
  readonly username: string | undefined;
  readonly messages: readonly Flash[];
  /** Returns the reader's shelf of a work, by its key; null if it is on none, and without a session. */
  readonly shelfOf: (key: string) => ShelfId | null;
  readonly here: string;
  /** Base URL of the service, without a trailing slash. */
  readonly base: string;
  readonly style: string;
  readonly script: string;
  readonly site: SiteSettings;
}

/** Anonymous reader: for texts that are not part of a page. */
export const ANONYMOUS_READER: Reader = {
  language: LANGUAGES[0],
  username: undefined,
  messages: [],
  shelfOf: () => null,
  here: "/",
  base: "",
  style: "/static/carrel.css",
  script: "/static/carrel.js",
  site: DEFAULT_SITE,
};

export const LANGUAGE_COOKIE = "HTTP_LANG";
const COOKIE = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]{2})`, "i");
const ACCEPT_LENGTH = 200;

export function cookieLanguage({ headers }: Request): string | undefined {
  return COOKIE.exec(headers.get("Cookie") ?? "")?.[1];
}

/** Returns the first known language out of `stated` in the address, the cookie, and those of the browser (Q591). */
export function preferredLanguage(request: Request, stated?: string | null): Language | undefined {
  const accepted = (request.headers.get("Accept-Language") ?? "").slice(0, ACCEPT_LENGTH).split(",");
  for (const tag of [stated, cookieLanguage(request), ...accepted]) {
    const code = (tag ?? "").trim().slice(0, 2).toLowerCase();
    const known = LANGUAGES.find((language) => language === code);
    if (known !== undefined) return known;
  }
  return undefined;
}

/** Returns the language of a page: the preferred one if the service offers it, or else its main language (Q805). */
export function pageLanguage(
  request: Request,
  { language, languages }: SiteSettings,
  stated?: string | null,
): Language {
  const preferred = preferredLanguage(request, stated);
  return preferred !== undefined && languages.includes(preferred) ? preferred : language;
}
