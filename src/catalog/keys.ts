import { isGone } from "./record.ts";

/** Default prefix of record numbers, if none is configured. */
export const DEFAULT_PREFIX = "OL";

/** Maximum digits of a number in a key: JavaScript numbers could not represent more exactly. */
const OLID_DIGITS_MAX = 15;

const NUMBER_AND_LETTER = new RegExp(`^(\\d{1,${OLID_DIGITS_MAX}})([MWALTP])$`, "i");
const OLID_SEGMENT = new RegExp(`^[A-Z]+\\d{1,${OLID_DIGITS_MAX}}[MWALTP]$`);

const NUMBERED = {
  edition: { letter: "M", folder: "/books/" },
  work: { letter: "W", folder: "/works/" },
  author: { letter: "A", folder: "/authors/" },
  list: { letter: "L", folder: "/lists/" },
  tag: { letter: "T", folder: "/tags/" },
  publisher: { letter: "P", folder: "/publishers/" },
} as const;
type OlidKind = keyof typeof NUMBERED;
// The compiler types member names as plain strings.
const KINDS = Object.keys(NUMBERED) as readonly OlidKind[];

interface Olid {
  readonly kind: OlidKind;
  readonly number: number;
  /** Canonical spelling: configured prefix, capital letter. */
  readonly olid: string;
}

/** Parses a record number, ignoring case. Returns undefined if the whole text is not one. */
export function parseOlid(text: string, prefix = DEFAULT_PREFIX): Olid | undefined {
  if (text.slice(0, prefix.length).toUpperCase() !== prefix.toUpperCase()) return undefined;
  const [, digits = "", letter = ""] = NUMBER_AND_LETTER.exec(text.slice(prefix.length)) ?? [];
  const kind = KINDS.find((name) => NUMBERED[name].letter === letter.toUpperCase());
  if (kind === undefined) return undefined;
  return { kind, number: Number(digits), olid: `${prefix}${digits}${letter.toUpperCase()}` };
}

/** Returns the key of a record number, ignoring case: `ol1w` is `/works/OL1W`. */
export function recordKeyOfOlid(text: string, prefix = DEFAULT_PREFIX): string | undefined {
  const parsed = parseOlid(text, prefix);
  return parsed === undefined ? undefined : NUMBERED[parsed.kind].folder + parsed.olid;
}

/** Address or key of a record, on any site: its number may have a readable part or a suffix after it. */
const ADDRESS = /^(?:https?:\/\/[^/\s]+)?(?:\/[\w.-]+)*?\/([A-Z]+\d+[A-Z])(?:[./?#]\S*)?$/i;

/** Returns the key of a record that a text names by its number, key or address: `http://host/works/OL1W/Emma`. */
export function keyOfAddress(text: string, prefix = DEFAULT_PREFIX): string | undefined {
  const trimmed = text.trim();
  return recordKeyOfOlid(ADDRESS.exec(trimmed)?.[1] ?? trimmed, prefix);
}

export function makeNumberedKey(kind: OlidKind, number: string | number, prefix: string): string {
  const { folder, letter } = NUMBERED[kind];
  return `${folder}${prefix}${number}${letter}`;
}

/** Returns the last part of any key: `OL1W` of `/works/OL1W`. */
export function lastSegmentOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

/** Returns the record number at the end of a key, with any prefix. Returns undefined for keys without one. */
export function olidOfKey(key: string): string | undefined {
  const segment = lastSegmentOf(key);
  return OLID_SEGMENT.test(segment) ? segment : undefined;
}

const CATALOG_KEY = /^\/(?:works|books|authors)\/[^/]+$/;

/** Returns true for keys of works, editions and authors. */
export function isCatalogKey(key: string): boolean {
  return CATALOG_KEY.test(key);
}

/** Returns true for keys under a legacy folder: `/a/`, `/b/`, `/l/`, `/user/`. */
export function isLegacyKey(key: string): boolean {
  return legacyFolderOf(key) !== undefined;
}

/** Rewrites a key under a legacy folder to its canonical folder: `/a/OL1A` is `/authors/OL1A`. */
export function rewriteLegacyKey(key: string): string {
  const folder = legacyFolderOf(key);
  return folder === undefined ? key : folder.canonical + key.slice(folder.legacy.length);
}

const LEGACY_FOLDERS = [
  { legacy: "/a/", canonical: "/authors/" },
  { legacy: "/b/", canonical: "/books/" },
  { legacy: "/l/", canonical: "/languages/" },
  { legacy: "/user/", canonical: "/people/" },
];
const SLASH = "/".charCodeAt(0);

function legacyFolderOf(key: string) {
  // Runs for every reference in every record that is read: two comparisons rule out most keys.
  if (key.charCodeAt(2) !== SLASH && !key.startsWith("/user/")) return undefined;
  return LEGACY_FOLDERS.find(({ legacy }) => key.startsWith(legacy));
}

type Matcher = (key: string, prefix: string) => boolean;

const PERSONAL_LISTS = /^\/people\/[^/]+\/lists\/$/;

const MATCHERS: ReadonlyMap<string, Matcher> = new Map<string, Matcher>([
  ...(["edition", "work", "author", "tag", "publisher"] as const).map((kind) => {
    const matcher = matchNumbered(kind, (folder) => folder === NUMBERED[kind].folder);
    return [`/type/${kind}`, matcher] as const;
  }),
  ["/type/list", matchNumbered("list", (folder) => folder === "/lists/" || PERSONAL_LISTS.test(folder))],
  ["/type/series", matchNumbered("list", (folder) => folder === "/series/")],
  ["/type/language", matchPattern(/^\/languages\/[a-z]{3}$/)],
  ["/type/user", matchPattern(/^\/people\/[^/]+$/)],
  ["/type/usergroup", matchPattern(/^\/(?:people\/[^/]+\/usergroup|usergroup\/[^/]+)$/)],
  ["/type/permission", matchPattern(/^\/(?:people\/[^/]+\/permission|permission\/[^/]+)$/)],
  ["/type/type", matchPattern(/^\/type\/\w+$/)],
  ["/type/library", matchPattern(/^\/libraries\/[^/]+$/)],
  ["/type/local_id", matchPattern(/^\/local_ids\/[^/]+$/)],
  ["/type/rawtext", matchPattern(/^\/(?:css|js)\/.+$/)],
  [
    "/type/object",
    matchPattern(/^\/(?:config\/\w+|admin\/stats\/\d{4}-\d\d-\d\d|admin\/block|people\/[^/]+\/preferences)$/),
  ],
]);

/** Returns true if the type may have the key. Types without a pattern may have any unreserved key. */
export function keyMatchesType(key: string, type: string, prefix = DEFAULT_PREFIX): boolean {
  if (!key.startsWith("/")) return false;
  if (isGone(type)) return true;
  const matches = MATCHERS.get(type);
  return matches === undefined ? !hasTypedKey(key, prefix) : matches(key, prefix);
}

/** Returns true for keys reserved for one type. */
export function hasTypedKey(key: string, prefix = DEFAULT_PREFIX): boolean {
  return [...MATCHERS.values()].some((matches) => matches(key, prefix));
}

function matchNumbered(kind: OlidKind, isFolder: (folder: string) => boolean): Matcher {
  return (key, prefix) => {
    const end = key.lastIndexOf("/") + 1;
    const segment = key.slice(end);
    const parsed = parseOlid(segment, prefix);
    return parsed?.kind === kind && parsed.olid === segment && isFolder(key.slice(0, end));
  };
}

function matchPattern(pattern: RegExp): Matcher {
  return (key) => pattern.test(key);
}

const RECORD_KEY = /^\/[^\s\p{Cc}\p{Cs}]{0,500}$/u;

/** Returns true for possible record keys. A database could never find a lone surrogate. */
export function isRecordKey(text: string): boolean {
  return RECORD_KEY.test(text);
}

const FOLDER = "/books/";
const NUMBER = /^\d{1,15}$/;

/** Parses an edition number from `OL1M` or `/books/OL1M`, ignoring case; undefined for 0 (Q221). */
export function parseEditionNumber(text: string, prefix = DEFAULT_PREFIX): number | undefined {
  const isInFolder = text.slice(0, FOLDER.length).toLowerCase() === FOLDER;
  const olid = parseOlid(isInFolder ? text.slice(FOLDER.length) : text, prefix);
  return olid?.kind === "edition" ? toPositive(olid.number) : undefined;
}

/** Parses an edition number like `parseEditionNumber`, also from bare digits; undefined for 0. */
export function parseLooseEditionNumber(text: string, prefix = DEFAULT_PREFIX): number | undefined {
  return NUMBER.test(text) ? toPositive(Number(text)) : parseEditionNumber(text, prefix);
}

function toPositive(number: number): number | undefined {
  return number > 0 ? number : undefined;
}

/** Returns the number in the key of a work, `/works/OL1W`, with any prefix; undefined for anything else. */
export function workNumberOfKey(key: unknown): number | undefined {
  const olid = typeof key === "string" && key.startsWith("/works/") ? olidOfKey(key) : undefined;
  const digits = /^\D+(\d+)W$/.exec(olid ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}
