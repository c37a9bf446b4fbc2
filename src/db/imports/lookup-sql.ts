import { authorTitleValue } from "../../catalog/index-rows.ts";
import { idRange } from "../../catalog/key-numbers.ts";
import { type Lookup, type RecordLookups, lookupName } from "../../import/load/found.ts";

// Q340: what is beyond these is not found, and made once more.
/** Editions that one lookup gives, and works of one author with one title: those with the lowest numbers. */
export const FOUND_EDITIONS_MAX = 100;
/** Authors that one lookup gives: names are shared by more authors than numbers are by books. */
export const FOUND_AUTHORS_MAX = 300;
/** Lookups of one record for editions, and as many for authors; those beyond are not made. */
export const FOUND_LOOKUPS_MAX = 1000;

/** Where a lookup in `property` looks, and how many records it gives. */
const PROPERTIES = {
  editions: { ...idRange("M"), most: FOUND_EDITIONS_MAX },
  authors: { ...idRange("A"), most: FOUND_AUTHORS_MAX },
  works: { ...idRange("W"), most: FOUND_EDITIONS_MAX },
};
/** More than any number of a record. */
const NO_END = 9_000_000_000_000_000;

/**
 * A statement's list of lookups, as one JSON object: `[number, name, value]` by where they look, and perhaps the
 * `title` that what they find has to have. The number stands for the lookup in what is found.
 */
interface LookupList {
  readonly identifiers: readonly Numbered[];
  readonly editions: readonly Numbered[];
  readonly authors: readonly Numbered[];
  readonly keys: readonly Numbered[];
  /** Of authors that are known; only when what was found is compared with what is there. */
  readonly works: readonly Numbered[];
}

type Numbered = readonly [number: number, name: string, value: string, titled?: string];

/** What is looked up, and the names of the lookups by their numbers. */
export interface NumberedLookups {
  readonly list: LookupList;
  readonly names: readonly string[];
  /** How many of them are for editions by title: the first ones. */
  readonly titles: number;
  readonly workTitle: string;
}

/** Numbers the lookups of a record, each once; those for editions by title first. */
export function numberedLookups({ editions, authors, workTitle }: RecordLookups): NumberedLookups {
  const forEditions = each(editions);
  const titles = forEditions.filter(({ table }) => table === "property");
  const lookups = [...titles, ...forEditions.filter(({ table }) => table !== "property"), ...each(authors)];
  const numbered = lookups.map(({ name, value, titled }, number): Numbered =>
    titled === undefined ? [number, name, value] : [number, name, value, titled],
  );
  const of = (table: Lookup["table"]): Numbered[] =>
    numbered.filter(([number]) => number >= titles.length && lookups[number]?.table === table);
  const list: LookupList = {
    identifiers: of("identifier"),
    editions: numbered.slice(0, titles.length),
    authors: of("property"),
    keys: of("key"),
    works: [],
  };
  return { list, names: lookups.map(lookupName), titles: titles.length, workTitle };
}

function each(lookups: readonly Lookup[]): Lookup[] {
  const byName = new Map(lookups.map((lookup) => [lookupName(lookup), lookup]));
  return [...byName.values()].slice(0, FOUND_LOOKUPS_MAX);
}

/** Lookups for the works of authors that have a title, numbered after all others. */
export function workLookups(authors: readonly string[], workTitle: string, from: number): Numbered[] {
  return authors.map((author, index) => [from + index, "author_title", authorTitleValue(author, workTitle)]);
}

/**
 * Rows of `n`, the number of a lookup, and `id` of what it gives. `list` is an SQL expression: a `LookupList` as JSON.
 * Each join is one walk in an index that ends at the limit.
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
    UNION ALL ${propertyHits(list, "editions")}
    UNION ALL ${propertyHits(list, "authors")}
    UNION ALL SELECT CAST(e.value->>0 AS BIGINT), r.id FROM json_each(${list}, '$.keys') e CROSS JOIN record r ON r.key = e.value->>2`;
}

/** The same for the lookups of works. */
export function workHitsSql(list: string): string {
  return propertyHits(list, "works");
}

function propertyHits(list: string, member: keyof typeof PROPERTIES): string {
  const properties = firstProperties(member, { name: "e.value->>1", value: "e.value->>2" });
  return `SELECT CAST(e.value->>0 AS BIGINT), p.record_id FROM json_each(${list}, '$.${member}') e CROSS JOIN ${properties}`;
}

/** Rows of the key of an author and the id of a work of his that has a title; `authors` is a table with a `key`. */
export function worksSql(authors: string, title: string): string {
  const properties = firstProperties("works", { name: "'author_title'", value: `w.key || ' ' || ${title}` });
  return `SELECT w.key, p.record_id FROM ${authors} w CROSS JOIN ${properties}`;
}

/** SQL of a join with the first rows `p` of a property that has a value; both are SQL. */
function firstProperties(
  member: keyof typeof PROPERTIES,
  { name, value }: { name: string; value: string },
): string {
  const { from, to, most } = PROPERTIES[member];
  return `property p ON p.name = ${name} AND p.value = ${value}
      AND p.record_id >= ${from} AND p.record_id < coalesce((SELECT x.record_id FROM property x
        WHERE x.name = ${name} AND x.value = ${value} AND x.record_id >= ${from} AND x.record_id < ${to}
        ORDER BY x.record_id LIMIT 1 OFFSET ${most}), ${to})`;
}
