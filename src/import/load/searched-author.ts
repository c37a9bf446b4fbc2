import { authorNameKey, authorYearsKeys, isShortName } from "../../catalog/matching/author-keys.ts";
import { normalForm } from "../../catalog/matching/normal-form.ts";
import { type CatalogRecord, isObject, stringsOf } from "../../catalog/record.ts";
import { flipName } from "../marc/edition/text.ts";
import type { ImportRecord } from "../record.ts";
import type { Lookup } from "./found.ts";

/** Titles that are no part of a name. */
const HONORIFICS: ReadonlySet<string> = new Set(
  (
    "countess doctor doktor dr dr. frau fräulein herr lady lord m. madame mademoiselle miss mister mistress " +
    "mixter mlle mlle. mme mme. monsieur mr mr. mrs mrs. ms ms. mx mx. professor señor señora señorita sir " +
    "sr. sra. srta."
  ).split(" "),
);
/** Names that are known with theirs. */
const KEPT: ReadonlySet<string> = new Set(["dr. seuss", "dr seuss", "dr oetker", "doctor oetker"]);

/** A name without the honorific in front of it; the name itself when nothing else would be left. */
export function withoutHonorific(name: string): string {
  const end = name.indexOf(" ");
  if (end === -1 || KEPT.has(name.toLowerCase())) return name;
  if (!HONORIFICS.has(normalForm(name.slice(0, end), "NFC").toLowerCase())) return name;
  const rest = name.slice(end).trim();
  return rest === "" ? name : rest;
}

const INFORMAL = /i\. ?e\./;

/**
 * An author object with its names in the order in which they are spoken. Those of bodies stay, and so do
 * those that the title page has in the order of the catalog, as in Chinese.
 */
export function inNaturalOrder(author: CatalogRecord, byStatement: string | undefined): CatalogRecord {
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

/** Q331: the two parts of a name are looked for with a blank between them. */
function isEastern(name: string, byStatement: string | undefined): boolean {
  if (byStatement === undefined) return false;
  const bare = name.replaceAll(".", "");
  const spoken = bare.replaceAll(", ", " ");
  return spoken !== flipName(bare) && byStatement.includes(spoken);
}

/** Names by which one author is looked for: the name and the first alternate ones. */
const AUTHOR_NAMES_SEARCHED = 10;

/** An author of an import record, as it is looked for and would be stored. */
export interface SearchedAuthor {
  /** The author object, with the names in their order and without honorifics. */
  readonly author: CatalogRecord;
  /** The name, then alternate names; each once. */
  readonly names: readonly string[];
  /** Key of the record that it is said to be. */
  readonly key: string | undefined;
  readonly remoteIds: readonly RemoteId[];
  /** What the author did for the work; stored there. */
  readonly role: string | undefined;
}

/** A number of an author with somebody else, `viaf` and its like. */
interface RemoteId {
  readonly source: string;
  readonly value: string;
}

/** The authors of a record, in their order; what is no author object with a name is left out. */
export function searchedAuthors(record: ImportRecord): SearchedAuthor[] {
  const authors = Array.isArray(record["authors"]) ? record["authors"].filter(isObject) : [];
  const byStatement = record["by_statement"];
  return authors.flatMap(
    (author) => searchedAuthor(author, typeof byStatement === "string" ? byStatement : undefined) ?? [],
  );
}

function searchedAuthor(author: CatalogRecord, byStatement: string | undefined): SearchedAuthor | undefined {
  const { name, key, role } = author;
  if (typeof name !== "string" || name.trim() === "") return undefined;
  const ordered = inNaturalOrder({ ...author, name: withoutHonorific(name.trim()) }, byStatement);
  const names = [...stringsOf(ordered["name"]), ...stringsOf(ordered["alternate_names"])];
  return {
    author: ordered,
    names: [...new Set(names)].slice(0, AUTHOR_NAMES_SEARCHED),
    key: typeof key === "string" && key.startsWith("/") ? key : undefined,
    remoteIds: remoteIdsOf(author),
    role: typeof role === "string" && role.trim() !== "" ? role : undefined,
  };
}

/** The numbers that a record of an author, stored or to be imported, has with others. */
export function remoteIdsOf(author: CatalogRecord): RemoteId[] {
  const { remote_ids: ids } = author;
  if (!isObject(ids)) return [];
  return Object.entries(ids).flatMap(([source, values]) =>
    stringsOf(values)
      .map((value) => ({ source, value: value.trim() }))
      .filter(({ value }) => value !== ""),
  );
}

/** The ways in which one author is looked for by name. */
export interface NameWays {
  readonly name: string;
  /** Gives authors of that name; case and accents may differ. */
  readonly own: Lookup;
  readonly alternate: Lookup;
  /** Gives authors whose name ends alike and who lived from and to those years. */
  readonly years: readonly Lookup[];
}

/** The ways of each name of an author; names without a letter have none. */
export function nameWays({ author, names }: SearchedAuthor): NameWays[] {
  return names.flatMap((name) => {
    const value = authorNameKey(name);
    if (value === "") return [];
    const alternate: Lookup = { table: "property", name: "alternate_names", value };
    return [
      {
        name,
        // The row `name` holds short names only; long ones stand whole among the alternate ones.
        own: isShortName(name) ? { ...alternate, name: "name" } : alternate,
        alternate,
        years: authorYearsKeys({ ...author, name }).map((years) => property("name_years", years)),
      },
    ];
  });
}

/** The ways to the author that is named by key or by numbers with others (rules 1 and 2). */
export function identityWays({ key, remoteIds }: SearchedAuthor): Lookup[] {
  const keys: Lookup[] = key === undefined ? [] : [{ table: "key", name: "", value: key }];
  return [...keys, ...remoteIds.map(({ source, value }) => property(`remote_ids.${source}`, value))];
}

function property(name: string, value: string): Lookup {
  return { table: "property", name, value };
}
