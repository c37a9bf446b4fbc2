import {
  type AuthorNumber,
  authorNumberSpellingsOf,
  authorNumbersOf,
  normalizeRemoteIds,
} from "../../catalog/identifiers/author-numbers.ts";
import {
  authorNameKeyOf,
  authorYearsKeysOf,
  isShortName,
  toNormalForm,
} from "../../catalog/matching/match-keys.ts";
import { type CatalogRecord, isObject, stringsOf } from "../../catalog/record.ts";
import { flipName } from "../marc/edition/text.ts";
import type { ImportRecord } from "../record.ts";
import type { RecordLookup } from "./snapshot.ts";

const HONORIFICS: ReadonlySet<string> = new Set(
  (
    "countess doctor doktor dr dr. frau fräulein herr lady lord m. madame mademoiselle miss mister mistress " +
    "mixter mlle mlle. mme mme. monsieur mr mr. mrs mrs. ms ms. mx mx. professor señor señora señorita sir " +
    "sr. sra. srta."
  ).split(" "),
);
const NAMES_WITH_HONORIFIC: ReadonlySet<string> = new Set([
  "dr. seuss",
  "dr seuss",
  "dr oetker",
  "doctor oetker",
]);

/** Removes a leading honorific from a name, unless nothing would be left. */
export function withoutHonorific(name: string): string {
  const end = name.indexOf(" ");
  if (end === -1 || NAMES_WITH_HONORIFIC.has(name.toLowerCase())) return name;
  if (!HONORIFICS.has(toNormalForm(name.slice(0, end), "NFC").toLowerCase())) return name;
  const rest = name.slice(end).trim();
  return rest === "" ? name : rest;
}

const INFORMAL = /i\. ?e\./;

/**
 * Returns an author object with its names in natural order. Names of organisations are unchanged, as are names that the
 * title page has in catalog order, as in Chinese.
 */
export function toNaturalOrder(author: CatalogRecord, byStatement: string | undefined): CatalogRecord {
  const { name, personal_name: personalName, alternate_names: alternateNames } = author;
  if (typeof name !== "string" || author["entity_type"] === "org" || isEastern(name, byStatement)) {
    return author;
  }
  const alternate = stringsOf(alternateNames).map(flipName);
  const others = alternate.length === 0 ? author : { ...author, alternate_names: alternate };
  if (!isFlipped(name, personalName)) return others;
  const flipped = { ...others, name: flipName(name) };
  return typeof personalName === "string" ? { ...flipped, personal_name: flipName(personalName) } : flipped;
}

function isFlipped(name: string, personalName: unknown): boolean {
  const comma = name.indexOf(", ");
  if (comma === -1 || name.includes(",", comma + 1) || INFORMAL.test(name)) return false;
  return typeof personalName !== "string" || personalName === name;
}

/** Returns true if the statement has the name in catalog order, with a blank for the comma (Q331). */
function isEastern(name: string, byStatement: string | undefined): boolean {
  if (byStatement === undefined) return false;
  const bare = name.replaceAll(".", "");
  const spoken = bare.replaceAll(", ", " ");
  return spoken !== flipName(bare) && byStatement.includes(spoken);
}

/** Maximum number of names by which one author is looked up: the name and the first alternate names. */
const AUTHOR_NAMES_MAX = 10;

export interface ParsedAuthor {
  /** Author object with names in natural order and without honorifics. */
  readonly author: CatalogRecord;
  readonly names: readonly string[];
  readonly key: string | undefined;
  readonly remoteIds: readonly AuthorNumber[];
  readonly role: string | undefined;
}

/** Returns the authors of a record in order, without values that are not author objects with a name. */
export function parseAuthors(record: ImportRecord): ParsedAuthor[] {
  const authors = Array.isArray(record["authors"]) ? record["authors"].filter(isObject) : [];
  const byStatement = record["by_statement"];
  return authors.flatMap(
    (author) => parseAuthor(author, typeof byStatement === "string" ? byStatement : undefined) ?? [],
  );
}

function parseAuthor(author: CatalogRecord, byStatement: string | undefined): ParsedAuthor | undefined {
  const { name, key, role } = author;
  if (typeof name !== "string" || name.trim() === "") return undefined;
  const ids = isObject(author["remote_ids"]) && { remote_ids: normalizeRemoteIds(author["remote_ids"]) };
  const ordered = toNaturalOrder({ ...author, name: withoutHonorific(name.trim()), ...ids }, byStatement);
  const names = [...stringsOf(ordered["name"]), ...stringsOf(ordered["alternate_names"])];
  return {
    author: ordered,
    names: [...new Set(names)].slice(0, AUTHOR_NAMES_MAX),
    key: typeof key === "string" && key.startsWith("/") ? key : undefined,
    remoteIds: authorNumbersOf(author["remote_ids"]),
    role: typeof role === "string" && role.trim() !== "" ? role : undefined,
  };
}

export interface NameLookups {
  readonly name: string;
  readonly exact: RecordLookup;
  readonly alternate: RecordLookup;
  /** Finds authors with a similar end of the name and the same years of birth and death. */
  readonly years: readonly RecordLookup[];
}

/** Returns the lookups for each name of an author. Names without a letter have none. */
export function nameLookups({ author, names }: ParsedAuthor): NameLookups[] {
  return names.flatMap((name) => {
    const value = authorNameKeyOf(name);
    if (value === "") return [];
    const alternate: RecordLookup = { table: "property", name: "alternate_names", value };
    return [
      {
        name,
        // The row `name` only holds short names. Long ones are in full among the alternate names.
        exact: isShortName(name) ? { ...alternate, name: "name" } : alternate,
        alternate,
        years: authorYearsKeysOf({ ...author, name }).map((years) => propertyLookup("name_years", years)),
      },
    ];
  });
}

/** Returns the lookups for an author named by key or by external identifiers (rules 1 and 2). */
export function identityLookups({ key, remoteIds }: ParsedAuthor): RecordLookup[] {
  const keys: RecordLookup[] = key === undefined ? [] : [{ table: "key", name: "", value: key }];
  return [...keys, ...remoteIds.map(({ scheme, value }) => propertyLookup(`remote_ids.${scheme}`, value))];
}

/** Returns the lookups for authors stored before the rows of external identifiers had their normal forms. */
export function spellingLookups({ remoteIds }: ParsedAuthor): RecordLookup[] {
  return remoteIds.flatMap((number) =>
    authorNumberSpellingsOf(number).map((value) => propertyLookup(`remote_ids.${number.scheme}`, value)),
  );
}

function propertyLookup(name: string, value: string): RecordLookup {
  return { table: "property", name, value };
}
