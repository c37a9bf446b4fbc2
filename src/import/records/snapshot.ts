import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { type CatalogRecord, type Json, REDIRECT_HOPS_MAX, isObject, keyOf } from "../../catalog/record.ts";

/** Consistent snapshot of the catalog that a decision is based on. */
export interface Snapshot {
  /** Keys of the records found, by `lookupNameOf`, in ascending order of number. Lookups without hits are absent. */
  readonly hits: ReadonlyMap<string, readonly string[]>;
  /**
   * Stored records by key: the hits, the works of editions among them, the authors of both, the works of candidate
   * authors with the wanted title key, and the targets of redirects among all of them.
   */
  readonly records: ReadonlyMap<string, StoredForWrite>;
  /** Works with the wanted title key, by author key, in ascending order of number. */
  readonly worksOf: ReadonlyMap<string, readonly string[]>;
  readonly languages: LanguageIndex;
}

/** Lookup of records by a row of the index tables (docs/storage.md), or by key. */
export interface RecordLookup {
  readonly table: "identifier" | "property" | "key";
  /** `identifier.kind`, `property.name`; empty for keys. */
  readonly name: string;
  readonly value: string;
  /** Title that an edition found by an identifier must have in its row `title`. */
  readonly titled?: string;
}

/** Lookups for the records of a decision, computed from the import record by a pure function. */
export interface RecordLookups {
  readonly editions: readonly RecordLookup[];
  readonly authors: readonly RecordLookup[];
  readonly workTitle: string;
}

/** Returns the name of a lookup, which is its key in `Found.hits`. */
export function lookupNameOf({ table, name, value, titled }: RecordLookup): string {
  return [table, name, value].concat(titled ?? []).join("\n");
}

/** Returns the author keys in a list of references to authors or of author roles. */
export function referencedAuthorKeys(references: Json | undefined): string[] {
  if (!Array.isArray(references)) return [];
  return references.flatMap(
    (reference) => keyOf(isObject(reference) ? (reference["author"] ?? reference) : reference) ?? [],
  );
}

type RecordType = "/type/edition" | "/type/work" | "/type/author";

/** Returns the record of a key and type, following a limited number of redirects. */
export function recordOf(
  snapshot: Snapshot,
  key: string | undefined,
  type: RecordType,
): StoredForWrite | undefined {
  let record = key === undefined ? undefined : snapshot.records.get(key);
  for (let hop = 0; hop < REDIRECT_HOPS_MAX && record?.type === "/type/redirect"; hop += 1) {
    const location = keyOf(record.document["location"]);
    record = location === undefined ? undefined : snapshot.records.get(location);
  }
  return record?.type === type ? record : undefined;
}

/** Returns the work of an edition: the first of its works that exists. */
export function workOf(snapshot: Snapshot, { works }: CatalogRecord): StoredForWrite | undefined {
  if (!Array.isArray(works)) return undefined;
  for (const reference of works) {
    const work = recordOf(snapshot, keyOf(reference), "/type/work");
    if (work !== undefined) return work;
  }
  return undefined;
}

/** Returns the distinct authors that an edition or work refers to, without those that no longer exist. */
export function snapshotAuthorsOf(snapshot: Snapshot, references: Json | undefined): StoredForWrite[] {
  const authors = referencedAuthorKeys(references).flatMap(
    (key) => recordOf(snapshot, key, "/type/author") ?? [],
  );
  return [...new Map(authors.map((author) => [author.key, author])).values()];
}

/** Returns the distinct hits of some lookups that have the type, in ascending order of number. */
export function findRecords(
  snapshot: Snapshot,
  lookups: readonly RecordLookup[],
  type: RecordType,
): StoredForWrite[] {
  const keys = lookups.flatMap((lookup) => snapshot.hits.get(lookupNameOf(lookup)) ?? []);
  const records = new Map(
    keys.flatMap((key): [string, StoredForWrite][] => {
      const record = recordOf(snapshot, key, type);
      return record === undefined ? [] : [[record.key, record]];
    }),
  );
  return [...records.values()].sort((a, b) => a.id - b.id);
}

/** Index of all languages of the catalog except deprecated ones, by the texts that can refer to them. */
export interface LanguageIndex {
  readonly keys: ReadonlySet<string>;
  /** Keys by the first `identifiers.iso_639_1`. */
  readonly byIso: ReadonlyMap<string, string>;
  /** Keys of all languages with a name, by folded name or translated name. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
}
