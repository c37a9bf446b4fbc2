import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { type CatalogRecord, type Json, REDIRECT_HOPS_MAX, isObject, keyOf } from "../../catalog/record.ts";

/** Everything that a decision is made on: what the catalog holds at one instant. */
export interface Found {
  /** Keys that a lookup gave, by `lookupName`, ascending by number; absent when nothing was found. */
  readonly hits: ReadonlyMap<string, readonly string[]>;
  /**
   * Records as stored, by key: what the lookups gave, works of those editions, authors of both, works of the
   * candidate authors that have the wanted title key, and the targets of redirects among all of them.
   */
  readonly records: ReadonlyMap<string, StoredForWrite>;
  /** Works with the wanted title key, by author key, ascending by number. */
  readonly worksOf: ReadonlyMap<string, readonly string[]>;
  readonly languages: LanguageIndex;
}

/** Something that records may be found by: rows of the index tables (docs/storage.md), or the key itself. */
export interface Lookup {
  readonly table: "identifier" | "property" | "key";
  /** `identifier.kind`, `property.name`; empty for keys. */
  readonly name: string;
  readonly value: string;
  /** Of what an identifier gives, only editions with this row `title`. */
  readonly titled?: string;
}

/** What the records of a decision are looked up by. A pure function of the import record makes it. */
export interface RecordLookups {
  /** Lookups that give the pool of editions. */
  readonly editions: readonly Lookup[];
  /** Lookups that give candidates for all authors of the record. */
  readonly authors: readonly Lookup[];
  /** Title key by which works of those authors are found. */
  readonly workTitle: string;
}

/** One name for a lookup: what `Found.hits` is asked by. */
export function lookupName({ table, name, value, titled }: Lookup): string {
  return [table, name, value].concat(titled ?? []).join("\n");
}

/** Keys of authors, of references to them or of their roles in a work. */
export function authorKeys(references: Json | undefined): string[] {
  if (!Array.isArray(references)) return [];
  return references.flatMap(
    (reference) => keyOf(isObject(reference) ? (reference["author"] ?? reference) : reference) ?? [],
  );
}

type RecordType = "/type/edition" | "/type/work" | "/type/author";

/** The record of a key, behind a few redirects at most; undefined when it is missing, deleted or of another type. */
export function recordOf(
  found: Found,
  key: string | undefined,
  type: RecordType,
): StoredForWrite | undefined {
  let record = key === undefined ? undefined : found.records.get(key);
  for (let hop = 0; hop < REDIRECT_HOPS_MAX && record?.type === "/type/redirect"; hop += 1) {
    const location = keyOf(record.document["location"]);
    record = location === undefined ? undefined : found.records.get(location);
  }
  return record?.type === type ? record : undefined;
}

/** The work of an edition: the first of its works that is there. */
export function workOf(found: Found, { works }: CatalogRecord): StoredForWrite | undefined {
  if (!Array.isArray(works)) return undefined;
  for (const reference of works) {
    const work = recordOf(found, keyOf(reference), "/type/work");
    if (work !== undefined) return work;
  }
  return undefined;
}

/** The authors that an edition or a work names, each once; those that are not there any more are left out. */
export function authorsOf(found: Found, references: Json | undefined): StoredForWrite[] {
  const authors = authorKeys(references).flatMap((key) => recordOf(found, key, "/type/author") ?? []);
  return [...new Map(authors.map((author) => [author.key, author])).values()];
}

/** What some lookups gave, of one type: each record once, the lowest number first. */
export function recordsAt(found: Found, lookups: readonly Lookup[], type: RecordType): StoredForWrite[] {
  const keys = lookups.flatMap((lookup) => found.hits.get(lookupName(lookup)) ?? []);
  const records = new Map(
    keys.flatMap((key): [string, StoredForWrite][] => {
      const record = recordOf(found, key, type);
      return record === undefined ? [] : [[record.key, record]];
    }),
  );
  return [...records.values()].sort((a, b) => a.id - b.id);
}

/** All languages of the catalog, by what texts may name them. Deprecated ones are not in it. */
export interface LanguageIndex {
  /** Keys of language records. */
  readonly keys: ReadonlySet<string>;
  /** By the first `identifiers.iso_639_1`. */
  readonly byIso: ReadonlyMap<string, string>;
  /** By name and translated names, folded: the keys of all languages that have it. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
}
