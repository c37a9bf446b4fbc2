import { authorTitleValueOf } from "../../catalog/index-rows.ts";
import { idRangeOf } from "../../catalog/key-numbers.ts";
import { type RecordLookup, type RecordLookups, lookupNameOf } from "../../import/records/snapshot.ts";
import { endOfFirstSql } from "../records/record-rows.ts";

// Q340: records beyond these limits are not found, and are created again.
/** Maximum editions per lookup, and works per author and title. The lowest numbers are kept. */
export const FOUND_EDITIONS_MAX = 100;
/** Maximum authors per lookup: more authors share a name than books share a number. */
export const FOUND_AUTHORS_MAX = 300;
/** Maximum lookups per record for editions, and as many for authors. Further ones are not made. */
export const FOUND_LOOKUPS_MAX = 1000;

/** Id ranges of the lookups in `property`, and the maximum number of records each returns. */
const PROPERTIES = {
  editions: { ...idRangeOf("M"), most: FOUND_EDITIONS_MAX },
  authors: { ...idRangeOf("A"), most: FOUND_AUTHORS_MAX },
  works: { ...idRangeOf("W"), most: FOUND_EDITIONS_MAX },
};
const NO_END = 9_000_000_000_000_000;

/**
 * Lookups of one statement as a JSON object: `[number, name, value]` grouped by the place to search, with an optional
 * `titled` value that the records found must also have. The number identifies the lookup in the hits.
 */
interface LookupList {
  readonly identifiers: readonly Numbered[];
  readonly editions: readonly Numbered[];
  readonly authors: readonly Numbered[];
  readonly keys: readonly Numbered[];
  /** Lookups for works of known authors. Used only to compare the hits with the current state. */
  readonly works: readonly Numbered[];
}

type Numbered = readonly [number: number, name: string, value: string, titled?: string];

export interface NumberedLookups {
  readonly list: LookupList;
  readonly names: readonly string[];
  /** Number of lookups for editions by title. They come first. */
  readonly titles: number;
  readonly workTitle: string;
}

/** Numbers the distinct lookups of a record. Lookups for editions by title come first. */
export function numberLookups({ editions, authors, workTitle }: RecordLookups): NumberedLookups {
  const forEditions = distinctLookupsOf(editions);
  const titles = forEditions.filter(({ table }) => table === "property");
  const lookups = [
    ...titles,
    ...forEditions.filter(({ table }) => table !== "property"),
    ...distinctLookupsOf(authors),
  ];
  const numbered = lookups.map(({ name, value, titled }, number): Numbered =>
    titled === undefined ? [number, name, value] : [number, name, value, titled],
  );
  const inTable = (table: RecordLookup["table"]): Numbered[] =>
    numbered.filter(([number]) => number >= titles.length && lookups[number]?.table === table);
  const list: LookupList = {
    identifiers: inTable("identifier"),
    editions: numbered.slice(0, titles.length),
    authors: inTable("property"),
    keys: inTable("key"),
    works: [],
  };
  return { list, names: lookups.map(lookupNameOf), titles: titles.length, workTitle };
}

function distinctLookupsOf(lookups: readonly RecordLookup[]): RecordLookup[] {
  const byName = new Map(lookups.map((lookup) => [lookupNameOf(lookup), lookup]));
  return [...byName.values()].slice(0, FOUND_LOOKUPS_MAX);
}

/** Returns the lookups for works with a title by each author, numbered from `from`. */
export function workLookupsOf(authors: readonly string[], workTitle: string, from: number): Numbered[] {
  return authors.map((author, index) => [
    from + index,
    "author_title",
    authorTitleValueOf(author, workTitle),
  ]);
}

/**
 * Returns SQL that yields rows of `n`, a lookup number, and `id`, a record it finds. `list` is an SQL expression for a
 * `LookupList` in JSON. Each join is one index scan that stops at the limit.
 */
export function hitsSql(list: string): string {
  return `
    SELECT CAST(e.value->>0 AS BIGINT) AS n, i.edition_id AS id FROM json_each(${list}, '$.identifiers') e
    CROSS JOIN identifier i ON i.kind = e.value->>1 AND i.value = e.value->>2
      AND i.edition_id < coalesce((SELECT x.edition_id FROM identifier x
        WHERE x.kind = e.value->>1 AND x.value = e.value->>2
        ORDER BY x.edition_id LIMIT 1 OFFSET ${FOUND_EDITIONS_MAX}), ${NO_END})
      AND (e.value->>3 IS NULL OR EXISTS (SELECT 1 FROM property t
        WHERE t.name = 'title' AND t.value = e.value->>3 AND t.record_id = i.edition_id))
    UNION ALL ${propertyHitsSql(list, "editions")}
    UNION ALL ${propertyHitsSql(list, "authors")}
    UNION ALL SELECT CAST(e.value->>0 AS BIGINT), r.id FROM json_each(${list}, '$.keys') e CROSS JOIN record r ON r.key = e.value->>2`;
}

/** Returns SQL that yields the hits of the lookups of a member in `property`, with the columns of `hitsSql`. */
export function propertyHitsSql(list: string, member: keyof typeof PROPERTIES): string {
  const properties = firstPropertiesSql(member, { name: "e.value->>1", value: "e.value->>2" });
  return `SELECT CAST(e.value->>0 AS BIGINT), p.record_id FROM json_each(${list}, '$.${member}') e CROSS JOIN ${properties}`;
}

/**
 * Returns SQL that yields an author key and the id of a work by that author with a given title. `authors` is a table
 * with a `key` column.
 */
export function worksSql(authors: string, title: string): string {
  const properties = firstPropertiesSql("works", {
    name: "'author_title'",
    value: `w.key || ' ' || ${title}`,
  });
  return `SELECT w.key, p.record_id FROM ${authors} w CROSS JOIN ${properties}`;
}

/** Returns SQL of a join with the first rows `p` of a property by name and value; both are SQL expressions. */
function firstPropertiesSql(
  member: keyof typeof PROPERTIES,
  { name, value }: { name: string; value: string },
): string {
  const { from, to, most } = PROPERTIES[member];
  return `property p ON p.name = ${name} AND p.value = ${value}
      AND p.record_id >= ${from} AND p.record_id < ${endOfFirstSql({ name, value, from, to }, most)}`;
}
