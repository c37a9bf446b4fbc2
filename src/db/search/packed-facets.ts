import { subjectKeyOf } from "../../search/documents/subject-key.ts";
import type { FacetRequest, FacetValue, Facets } from "../../search/engine.ts";
import {
  type CountedCode,
  type MostFrequent,
  COLUMN_END,
  CodeCounts,
  FacetsMissingError,
  eachCode,
  facetColumnOf,
  fieldValuesOf,
  isKeyed,
  pickValues,
  countNeededValues,
} from "../../search/facets.ts";
import type { Selection } from "../../search/plan/selection.ts";
import { READ_DOCUMENT_BYTES } from "../../catalog/bytes.ts";
import { batchGroups, batchRows, overList } from "../statement.ts";
import type { IndexReader } from "./index-reader.ts";
import {
  type CountRow,
  NO_COUNT,
  knownCountSql,
  knownFacetsOf,
  rememberCount,
  rememberFacets,
} from "./known-counts.ts";
import { selectionSql } from "./selection.ts";
import { SqlValues } from "./sql-values.ts";

/** Maximum number of works whose counts are not cached (Q77). */
const COUNTED_WORKS_MAX = 20_000;
/** Works per text, and bytes of the codes of one work that are read (Q745): D1 limits values to 2,000,000 bytes. */
const TEXT_WORKS = 100;
const WORK_CODES_MAX = 19_000;
/** Numbers of works per statement: each text looks at all of them. */
const KEYED_WORKS_MAX = 1000;
const BEFORE_ALL = String(Number.MIN_SAFE_INTEGER);
/** Mark between the codes of works, and codes of a work without any row. */
const TEXT_WORK_END = "#";
const NO_CODES = "-";
/**
 * Maximum number of equally frequent codes that are all looked up. Of more, the first values are taken, from at most
 * `EQUAL_CODES_MAX`.
 */
const EQUAL_CODES_NAMED = 1000;
const EQUAL_CODES_MAX = 200_000;
/**
 * Maximum number of cached codes, besides those of one request. `KNOWN_VALUE_MAX` limits the length of cached values,
 * in UTF-16 units.
 */
const KNOWN_CODES_MAX = 50_000;
const KNOWN_VALUE_MAX = 200;

interface PackedOptions {
  /** Requests to count. Fields without a column are skipped. */
  requests: readonly FacetRequest[];
  /** Maximum number of works counted at once, and bytes of codes per round trip. */
  fewMax?: number;
  bytesMax?: number;
}

/**
 * Counts the values of fields with a column over all works of a selection. Exact, but for a work whose codes exceed
 * `WORK_CODES_MAX`. One round trip, one more per 8 MiB of codes if there are many works, and one for the values of
 * codes unless they are cached. Throws FacetsMissingError if the index has no facets.
 */
export async function countPackedFacets(
  index: IndexReader,
  selection: Selection,
  { requests: all, fewMax = COUNTED_WORKS_MAX, bytesMax = READ_DOCUMENT_BYTES }: PackedOptions,
): Promise<Omit<Facets, "exact">> {
  const requests = all.filter(({ field }) => facetColumnOf(field) !== undefined);
  const columns = [...new Set(requests.flatMap(({ field }) => facetColumnOf(field) ?? []))];
  const isKept = requests.some(({ field }) => isKeyed(field));
  const counts = new CodeCounts(columns.length);
  const works: string[] = [];
  const known = knownFacetsOf(index.counts, selection, requests);
  const read = async (parts: readonly Part[], first?: FirstRead): Promise<Omit<CodesPage, "texts">> => {
    const { texts, ...page } = await readCodes(index, parts, { columns, bytesMax, first });
    for (const work of texts.flatMap((text) => text.split(TEXT_WORK_END).slice(1))) {
      if (work === NO_CODES) throw new FacetsMissingError();
      counts.add(work);
      if (isKept) works.push(work);
    }
    return page;
  };
  const { n: numFound, version, rest } = await read(partsOf(selection), { fewMax, unless: known?.version });
  if (known !== undefined && version === known.version) return { numFound, fields: known.fields };
  const countAll = async (): Promise<Facets["fields"]> => {
    for (let parts = rest; parts.length > 0;) parts = (await read(parts)).rest;
    return nameFacets(index, { requests, columns, counts, works });
  };
  if (numFound <= fewMax) {
    const fields = await countAll();
    rememberFacets(index.counts, selection, { row: { n: numFound, version }, requests, fields });
    return { numFound, fields };
  }
  if (index.keepFacets === undefined) return { numFound, fields: await countAll() };
  const name = JSON.stringify([index.generation, numFound, selection, requests]);
  return { numFound, ...(await index.keepFacets(name, countAll)) };
}

/** Works of a selection after a row. */
interface Part {
  readonly selection: Selection;
  readonly after: string;
}

function partsOf(selection: Selection): Part[] {
  const { ids } = selection;
  if (ids === undefined || ids.length <= KEYED_WORKS_MAX) return [{ selection, after: BEFORE_ALL }];
  return Array.from({ length: Math.ceil(ids.length / KEYED_WORKS_MAX) }, (_part, at) => ({
    selection: { ...selection, ids: ids.slice(at * KEYED_WORKS_MAX, (at + 1) * KEYED_WORKS_MAX) },
    after: BEFORE_ALL,
  }));
}

/** First read, which counts the works. It reads no codes of more than `fewMax` works, and of the version `unless`. */
interface FirstRead {
  readonly fewMax: number;
  readonly unless: string | undefined;
}

interface CodesPage extends CountRow {
  /** Codes of works: the row of the last, then each after `TEXT_WORK_END`. */
  readonly texts: readonly string[];
  /** Parts with works that may be left. */
  readonly rest: readonly Part[];
}

/** Reads the codes of works in order of their rows, up to `bytesMax` and a text per part. One round trip. */
async function readCodes(
  { database, generation, counts }: IndexReader,
  parts: readonly Part[],
  {
    columns,
    bytesMax,
    first,
  }: { columns: readonly string[]; bytesMax: number; first?: FirstRead | undefined },
): Promise<CodesPage> {
  const codes = columns.map((column) => `f.${column}`).join(` || '${COLUMN_END}' || `) || "''";
  const statements = parts.map(({ selection, after }) => {
    const values = new SqlValues();
    const context = { generation, values };
    const { row, textRow, from, where } = selectionSql(selection, { ...context, withColumns: false });
    const [count, isWanted] =
      first === undefined
        ? [NO_COUNT, "1"]
        : [
            knownCountSql(selection, { ...context, counts }),
            `(SELECT n <= ${first.fewMax} AND version IS NOT ${values.text(first.unless ?? "")} FROM total)`,
          ];
    // Each text begins with the row that the next one follows. A window function would read every row three times.
    const text = `SELECT max(row) || group_concat('${TEXT_WORK_END}' || coalesce(substr(codes, 1, ${WORK_CODES_MAX}), '${NO_CODES}'), '')
      FROM (SELECT ${row} AS row, ${codes} AS codes FROM ${from} LEFT JOIN work_facet_${generation} f ON f.id = ${textRow}
        WHERE ${where} AND ${row} > CAST(part.text AS INTEGER) ORDER BY ${row} LIMIT ${TEXT_WORKS})`;
    const sql = `WITH RECURSIVE total AS MATERIALIZED (${count}),
      part (text, bytes) AS (
        SELECT ${values.text(after)}, 0
        UNION ALL SELECT (${text}), bytes + octet_length(text) FROM part
        WHERE text IS NOT NULL AND bytes < ${Math.ceil(bytesMax / parts.length)} AND ${isWanted})
      SELECT n, version, NULL AS text FROM total UNION ALL SELECT NULL, NULL, text FROM part`;
    return { sql, values: values.values };
  });
  // The rows have the columns of the statements.
  const results = (await batchRows(database, statements)) as (CountRow & {
    readonly text: string | null;
  })[][];
  const rest = results.flatMap((rows, at) => {
    const [part, text] = [parts[at], rows.at(-1)?.text];
    return part === undefined || text === null || text === undefined
      ? []
      : [{ ...part, after: String(Number.parseInt(text, 10)) }];
  });
  const [total] = results.map(([row]) => row);
  const n = results.reduce((sum, [row]) => sum + (row?.n ?? 0), 0);
  const version = total?.version ?? null;
  const [whole] = parts;
  if (first !== undefined && whole !== undefined) rememberCount(counts, whole.selection, { n, version });
  return { n, version, texts: results.flatMap((rows) => rows.flatMap(({ text }) => text ?? [])), rest };
}

interface CountedCodes {
  requests: readonly FacetRequest[];
  columns: readonly string[];
  counts: CodeCounts;
  /** Codes of each work; empty if no request is keyed. */
  works: readonly string[];
}

async function nameFacets(
  index: IndexReader,
  { requests, columns, counts, works }: CountedCodes,
): Promise<Facets["fields"]> {
  const lists = columns.map((column, place) => {
    const ofColumn = requests.filter(({ field }) => facetColumnOf(field) === column);
    return counts.mostFrequent(place, Math.max(...ofColumn.map(countNeededValues)));
  });
  const values = await readValues(index, lists);
  const valuesOf = (field: string): readonly FacetValue[] => {
    const place = columns.indexOf(facetColumnOf(field) ?? "");
    if (isKeyed(field)) return countKeys(works, place, values);
    const { sure = [], equal = [] } = lists[place] ?? {};
    const named = sure.concat(equal).flatMap(({ code, count }) => {
      const value = values.get(code);
      return value === undefined ? [] : [{ value, count }];
    });
    return fieldValuesOf(field, named);
  };
  return Object.fromEntries(
    requests.map((request) => [request.field, pickValues(valuesOf(request.field), request)]),
  );
}

/**
 * Reads the values of codes, and of equally frequent ones at least as many as are missing. One round trip, none if all
 * are cached. Values of the other codes are cached.
 */
async function readValues(
  { database, generation, facetValues: cache = new Map() }: IndexReader,
  lists: readonly MostFrequent[],
): Promise<ReadonlyMap<number, string>> {
  const wanted = codesOf(lists.flatMap((list) => (isShort(list) ? list.sure.concat(list.equal) : list.sure)));
  if (cache.size > KNOWN_CODES_MAX) cache.clear();
  const values = new Map(wanted.map((code) => [code, cache.get(code)]));
  const sql = `SELECT f.code, f.value
    FROM json_each(?1) j CROSS JOIN facet_value_${generation} f ON f.code = j.value`;
  const { named, first } = await batchGroups<{ named: CodeRow; first: CodeRow }>(database, {
    named: overList(
      wanted.filter((code) => values.get(code) === undefined),
      sql,
    ),
    first: lists
      .filter((list) => !isShort(list))
      .map(({ equal, missing }) => ({
        sql: `${sql} ORDER BY f.value LIMIT ?2`,
        values: [JSON.stringify(codesOf(equal.slice(0, EQUAL_CODES_MAX))), missing],
      })),
  });
  for (const { code, value } of named) if (value.length <= KNOWN_VALUE_MAX) cache.set(code, value);
  for (const { code, value } of [...named, ...first]) values.set(code, value);
  return new Map([...values].flatMap(([code, value]) => (value === undefined ? [] : [[code, value]])));
}

function isShort({ equal }: MostFrequent): boolean {
  return equal.length <= EQUAL_CODES_NAMED;
}

interface CodeRow {
  readonly code: number;
  readonly value: string;
}

/** Counts works by the keys of their values in a column. */
function countKeys(
  works: readonly string[],
  place: number,
  values: ReadonlyMap<number, string>,
): FacetValue[] {
  const keys = new Map([...values].map(([code, value]) => [code, subjectKeyOf(value)]));
  const counts = new Map<string, number>();
  for (const work of works) {
    const own = new Set<string>();
    eachCode(work, (code, column) => {
      if (column === place) own.add(keys.get(code) ?? "");
    });
    own.delete("");
    for (const key of own) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count }));
}

function codesOf(list: readonly CountedCode[]): number[] {
  return list.map(({ code }) => code);
}
