import { subjectKeyOf } from "../../search/documents/subject-key.ts";
import type { FacetRequest, FacetValue, Facets } from "../../search/engine.ts";
import {
  type CountedCode,
  type MostFrequent,
  COLUMN_END,
  WORK_END,
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
import { batchGroups, firstRow, overList } from "../statement.ts";
import type { Generation, IndexReader } from "./generation.ts";
import { countSql, selectionSql } from "./selection.ts";
import { SqlValues } from "./sql-values.ts";

/** Maximum number of works per statement. Their codes are in memory together. */
const COUNTED_WORKS_MAX = 100_000;
/** Number of works per text: D1 limits values to 2,000,000 bytes, and a work has about 50 codes in all columns. */
const TEXT_WORKS = 12_500;
/** Maximum number of works whose counts are not cached (Q77). */
const FEW_WORKS_MAX = 20_000;
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;
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
  /** Maximum number of works counted at once; `worksMax` is the number of works per statement if there are more. */
  fewMax?: number;
  worksMax?: number;
}

/**
 * Counts the values of fields with a column over all works of a selection. Exact. One round trip, one more per 100,000
 * works if there are many, and one for the values of codes unless they are cached. Throws FacetsMissingError if the
 * index has no facets.
 */
export async function countPackedFacets(
  index: IndexReader,
  selection: Selection,
  { requests: all, fewMax = FEW_WORKS_MAX, worksMax = COUNTED_WORKS_MAX }: PackedOptions,
): Promise<Omit<Facets, "exact">> {
  const requests = all.filter(({ field }) => facetColumnOf(field) !== undefined);
  const columns = [...new Set(requests.flatMap(({ field }) => facetColumnOf(field) ?? []))];
  const needsTexts = requests.some(({ field }) => isKeyed(field));
  const read = (limit: number, after?: number) =>
    readCodes(index, selection, { columns, limit, ...(after !== undefined && { after }) });
  const { total: numFound = 0, texts: few } = await read(fewMax);
  const counts = new CodeCounts(columns.length);
  if (numFound <= fewMax) {
    for (const text of few) counts.add(text);
    return { numFound, fields: await nameFacets(index, { requests, columns, counts, texts: few }) };
  }
  const countMany = async (): Promise<Facets["fields"]> => {
    const texts: string[] = [];
    for (let after: number | null = BEFORE_ALL; after !== null;) {
      const page: CodesPage = await read(worksMax, after);
      for (const text of page.texts) counts.add(text);
      if (needsTexts) texts.push(...page.texts);
      after = page.last;
    }
    return nameFacets(index, { requests, columns, counts, texts });
  };
  if (index.keepFacets === undefined) return { numFound, fields: await countMany() };
  const name = JSON.stringify([index.generation, numFound, selection, requests]);
  return { numFound, ...(await index.keepFacets(name, countMany)) };
}

interface CodesPage {
  readonly total: number | undefined;
  /**
   * Row of the last work, if there may be more. The first read returns no codes if there are more works than the limit.
   */
  readonly last: number | null;
  readonly texts: readonly string[];
}

interface CodesOptions {
  columns: readonly string[];
  limit: number;
  /** Row after which to continue; undefined for the first read. */
  after?: number;
}

async function readCodes(
  { database, generation }: IndexReader,
  selection: Selection,
  options: CodesOptions,
): Promise<CodesPage> {
  const values = new SqlValues();
  const context = { generation, values };
  const { row: place, textRow, from, where } = selectionSql(selection, { ...context, withColumns: false });
  const works = {
    rows: `SELECT ${place} AS row, ${textRow} AS text_row FROM ${from} WHERE ${where}`,
    count: countSql(selection, context),
  };
  const sql = codesSql(works, generation, options);
  const row = await firstRow<CodesRow>(database, { sql, values: values.values });
  const { total, works: workCount = 0, packed = 0, last = null, ...texts } = row ?? {};
  if (packed < workCount) throw new FacetsMissingError();
  return {
    total,
    last: workCount === options.limit ? last : null,
    texts: Object.values(texts).filter((text) => text !== null),
  };
}

type CodesRow = {
  readonly total?: number;
  readonly works: number;
  readonly packed: number;
  readonly last: number | null;
} & Readonly<Record<`text${number}`, string | null>>;

/**
 * Returns SQL of a `CodesRow` for the first works in rows after `after`. Works are distributed over the texts by row.
 */
function codesSql(
  { rows, count }: { readonly rows: string; readonly count: string },
  generation: Generation,
  { columns, limit, after }: CodesOptions,
): string {
  const codes = columns.map((column) => `f.${column}`).join(` || '${COLUMN_END}' || `);
  const parts = 2 ** Math.max(0, Math.ceil(Math.log2(limit / TEXT_WORKS)));
  const texts = Array.from(
    { length: columns.length === 0 ? 0 : parts },
    (_text, at) =>
      `, group_concat(${codes}, '${WORK_END}') FILTER (WHERE hit.text_row & ${parts - 1} = ${at}) AS text${at}`,
  );
  const isFirst = after === undefined;
  const others = isFirst ? "" : `WHERE row > ${after}`;
  const most = isFirst ? `CASE WHEN (SELECT n FROM total) <= ${limit} THEN ${limit} ELSE 0 END` : limit;
  return `${isFirst ? `WITH total AS MATERIALIZED (${count})` : ""}
    SELECT ${isFirst ? "(SELECT n FROM total) AS total," : ""}
      count(*) AS works, count(f.id) AS packed, max(hit.row) AS last${texts.join("")}
    FROM (SELECT row, text_row FROM (${rows}) ${others} ORDER BY row LIMIT ${most}) hit
    LEFT JOIN work_facet_${generation} f ON f.id = hit.text_row`;
}

interface CountedCodes {
  requests: readonly FacetRequest[];
  columns: readonly string[];
  counts: CodeCounts;
  texts: readonly string[];
}

async function nameFacets(
  index: IndexReader,
  { requests, columns, counts, texts }: CountedCodes,
): Promise<Facets["fields"]> {
  const lists = columns.map((column, place) => {
    const ofColumn = requests.filter(({ field }) => facetColumnOf(field) === column);
    return counts.mostFrequent(place, Math.max(...ofColumn.map(countNeededValues)));
  });
  const values = await readValues(index, lists);
  const valuesOf = (field: string): readonly FacetValue[] => {
    const place = columns.indexOf(facetColumnOf(field) ?? "");
    if (isKeyed(field)) return countKeys(texts, place, values);
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
  texts: readonly string[],
  place: number,
  values: ReadonlyMap<number, string>,
): FacetValue[] {
  const keys = new Map([...values].map(([code, value]) => [code, subjectKeyOf(value)]));
  const counts = new Map<string, number>();
  for (const text of texts) {
    const seen = new Map<string, number>();
    eachCode(text, (code, column, work) => {
      const key = column === place ? keys.get(code) : undefined;
      if (key === undefined || key === "" || seen.get(key) === work) return;
      seen.set(key, work);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    });
  }
  return [...counts].map(([value, count]) => ({ value, count }));
}

function codesOf(list: readonly CountedCode[]): number[] {
  return list.map(({ code }) => code);
}
