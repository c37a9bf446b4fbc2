import { type CatalogRecord, keyOf, textOf, typeKeyOf } from "./record.ts";
import { trimmerOf } from "./bytes.ts";
import { editionTitleOf } from "./document.ts";

/** Maximum length of a slug, in characters, without the underscore of Q670. */
export const SLUG_LENGTH_MAX = 100;

const UNSAFE = /[;/?:@&=+$,<>#%"{}|\\^[\]` \r\n]+/g;
/** Pattern of characters that `encodeURIComponent` keeps although they are outside of `A-Za-z0-9_.~-`. */
const UNENCODED = /[!*'()]/g;
const trimUnderscores = trimmerOf("_");

/** Pages below a record, by the last segment of their URL. */
const SUB_PATHS = new Set(
  (
    "add-cover add-photo awards bookshelves borrow borrow_admin borrow_admin_no_update check-ins cover " +
    "daisy delete edit editions embed export lists manage-covers manage-photos merge-works notes observations photo " +
    "ratings seeds subjects widget works"
  ).split(" "),
);
/** Segments that browsers resolve, and suffixes that name a form of the record or of its citations. */
const MEANINGFUL = /^\.{1,2}$|\.(?:json|yml|rdf|opds|marcxml)$|^cite\.txt$/;

/**
 * Returns the readable part of a URL, raw: not percent-encoded. May be empty. `Pride & Prejudice: a novel` is
 * `Pride_Prejudice_a_novel`; one that would lead to another page than the record's gets an underscore, as `edit_`
 * (Q670).
 */
export function toSlug(text: string): string {
  const safe = trimUnderscores(text.toWellFormed().replace(UNSAFE, "_"));
  const slug = takeCharacters(safe, SLUG_LENGTH_MAX);
  return SUB_PATHS.has(slug) || MEANINGFUL.test(slug) ? `${slug}_` : slug;
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
  return encodeURIComponent(slug).replace(
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
