import { authorTitleValueOf, indexRowsOf } from "../../../src/catalog/index-rows.ts";
import { DEFAULT_PREFIX } from "../../../src/catalog/keys.ts";
import { type CatalogRecord, keyOf, typeKeyOf } from "../../../src/catalog/record.ts";
import { idOfKey } from "../../../src/catalog/key-numbers.ts";
import type { StoredForWrite } from "../../../src/catalog/editing/rights.ts";
import {
  type Snapshot,
  type RecordLookup,
  type RecordLookups,
  lookupNameOf,
} from "../../../src/import/records/snapshot.ts";
import { buildLanguageIndex } from "../../../src/db/imports/language-index.ts";

/** Finds the rows about a record that the database would return, by a scan of these records. */
export function foundIn(records: readonly CatalogRecord[], wanted: RecordLookups): Snapshot {
  const stored = records.map(storedRecord).sort((a, b) => a.id - b.id);
  const at = ({ titled, ...lookup }: RecordLookup): string[] => {
    const names = [lookup].concat(
      titled === undefined ? [] : { table: "property", name: "title", value: titled },
    );
    const isFound = ({ document }: StoredForWrite): boolean =>
      names.every((name) => namesOf(document).has(lookupNameOf(name)));
    return stored.filter(isFound).map(({ key }) => key);
  };
  const byName = new Map([...wanted.editions, ...wanted.authors].map((one) => [lookupNameOf(one), at(one)]));
  const byKey = new Map(stored.map((record) => [record.key, record]));
  const authors = wanted.authors.flatMap((one) => behind(byName.get(lookupNameOf(one)) ?? [], byKey));
  return {
    hits: filled([...byName]),
    records: byKey,
    worksOf: filled(
      [...new Set(authors)].map((author) => {
        const value = authorTitleValueOf(author, wanted.workTitle);
        return [author, at({ table: "property", name: "author_title", value })];
      }),
    ),
    languages: buildLanguageIndex(records.filter((record) => typeKeyOf(record) === "/type/language")),
  };
}

/** A record as the database has it. */
export function storedRecord(record: CatalogRecord): StoredForWrite {
  const { key, revision } = record;
  if (typeof key !== "string") throw new Error("a record of a catalog has a key");
  return {
    id: idOfKey(key, DEFAULT_PREFIX) ?? 0,
    key,
    type: typeKeyOf(record) ?? "",
    revision: typeof revision === "number" ? revision : 2,
    document: record,
  };
}

/** The keys, and those of what they redirect to. */
function behind(keys: readonly string[], records: ReadonlyMap<string, StoredForWrite>): string[] {
  const all = [...keys];
  // It grows while it is walked.
  for (const key of all) {
    const record = records.get(key);
    const target = record?.type === "/type/redirect" ? keyOf(record.document["location"]) : undefined;
    if (target !== undefined && !all.includes(target)) all.push(target);
  }
  return all;
}

/** Records stay as they are: what each may be looked up by is computed once. */
const NAMES = new WeakMap<CatalogRecord, ReadonlySet<string>>();

function namesOf(record: CatalogRecord): ReadonlySet<string> {
  const known = NAMES.get(record) ?? new Set(rowNames(record));
  NAMES.set(record, known);
  return known;
}

function rowNames(record: CatalogRecord): string[] {
  const { properties, identifiers } = indexRowsOf(record, DEFAULT_PREFIX);
  const lookups: RecordLookup[] = [
    { table: "key", name: "", value: String(record["key"]) },
    ...properties.map(({ name, value }): RecordLookup => ({ table: "property", name, value })),
    ...identifiers.map(({ kind, value }): RecordLookup => ({ table: "identifier", name: kind, value })),
  ];
  return lookups.map(lookupNameOf);
}

function filled(entries: readonly (readonly [string, string[]])[]): Map<string, string[]> {
  return new Map(entries.filter(([, keys]) => keys.length > 0));
}
