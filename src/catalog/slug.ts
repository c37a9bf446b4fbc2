import { type CatalogRecord, keyOf, textOf, typeKeyOf } from "./record.ts";
import { trimmerOf } from "./bytes.ts";
import { editionTitleOf } from "./document.ts";

/** Maximum length of a slug, in characters. */
export const SLUG_LENGTH_MAX = 100;

const UNSAFE = /[;/?:@&=+$,<>#%"{}|\\^[\]` \r\n]+/g;
/** Pattern of characters that `encodeURIComponent` keeps although they are outside of `A-Za-z0-9_.~-`. */
const UNENCODED = /[!*'()]/g;
const trimUnderscores = trimmerOf("_");

/** Returns the readable part of a URL, raw: not percent-encoded. May be empty. */
export function toSlug(text: string): string {
  return takeCharacters(trimUnderscores(text.replace(UNSAFE, "_")), SLUG_LENGTH_MAX);
}

/** Returns the first characters. Counts code points, so that none is cut in two. */
function takeCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join("");
}

const SOURCES = new Map<string, { readonly member: string; readonly fallback: string }>([
  ["/type/edition", { member: "title", fallback: "untitled" }],
  ["/type/work", { member: "title", fallback: "untitled" }],
  ["/type/list", { member: "name", fallback: "unnamed" }],
  ["/type/series", { member: "name", fallback: "unnamed" }],
  ["/type/tag", { member: "name", fallback: "untitled" }],
]);

/** Returns the raw slug of a record, if its type has one. `author` is the slug of nameless authors. */
export function recordSlugOf(
  record: CatalogRecord,
  { author = "noname" }: { author?: "noname" | "unnamed" } = {},
): string | undefined {
  const type = typeKeyOf(record) ?? "";
  const source = type === "/type/author" ? { member: "name", fallback: author } : SOURCES.get(type);
  if (source === undefined) return undefined;
  const text = type === "/type/edition" ? editionTitleOf(record) : textOf(record[source.member]);
  return toSlug(text === undefined || text === "" ? source.fallback : text);
}

/** Encodes a slug for the path of a redirect: every byte outside of `A-Za-z0-9_.~-` is percent-encoded (UTF-8, Q8). */
export function encodeSlug(slug: string): string {
  return encodeURIComponent(slug.toWellFormed()).replace(
    UNENCODED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Types whose URLs in responses end with a slug. */
const SLUGGED = new Set(["/type/edition", "/type/work", "/type/author"]);

/** Returns the URL of a record for responses, with a raw slug. `baseUrl` has no trailing slash. */
export function recordUrlOf(baseUrl: string, record: CatalogRecord): string {
  const url = baseUrl + (keyOf(record) ?? "");
  return SLUGGED.has(typeKeyOf(record) ?? "") ? `${url}/${recordSlugOf(record, { author: "unnamed" })}` : url;
}
