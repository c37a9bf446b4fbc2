import { subjectKeyOf } from "../../search/documents/subject-key.ts";
import type { FacetRequest, FacetValue, Facets } from "../../search/engine.ts";
import {
  type CountedCode,
  type MostFrequent,
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
import { batchGroups, overList, rows } from "../statement.ts";
import type { Generation, IndexReader } from "./generation.ts";
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

/**
 * Maximum number of works whose counts are not cached (Q77), and of works per text: D1 limits values to 2,000,000 bytes,
 * and a work has some 20 codes in its longest column.
 */
const COUNTED_WORKS_MAX = 20_000;
/** Maximum number of texts of a column per statement. They are in memory together, and D1 unites at most five SELECTs. */
const TEXTS_MAX = 5;
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
  /** Maximum number of works counted at once; `worksMax` is the number of works per text if there are more. */
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
  { requests: all, fewMax = COUNTED_WORKS_MAX, worksMax = COUNTED_WORKS_MAX }: PackedOptions,
): Promise<Omit<Facets, "exact">> {
  const requests = all.filter(({ field }) => facetColumnOf(field) !== undefined);
  const columns = [...new Set(requests.flatMap(({ field }) => facetColumnOf(field) ?? []))];
  const isKept = requests.some(({ field }) => isKeyed(field));
  const options = { columns, workEnd: isKept ? WORK_END : "" };
  const counts = new CodeCounts(columns.length);
  const known = knownFacetsOf(index.counts, selection, requests);
  const unless = known?.version;
  const [few] = await readCodes(index, selection, { ...options, limit: fewMax, unless });
  const { total: numFound, version, texts } = few ?? { total: 0, version: null, texts: [] };
  if (known !== undefined && version === known.version) return { numFound, fields: known.fields };
  if (numFound <= fewMax) {
    counts.add(texts);
    const fields = await nameFacets(index, { requests, columns, counts, texts: [texts] });
    rememberFacets(index.counts, selection, { row: { n: numFound, version }, requests, fields });
    return { numFound, fields };
  }
  const countMany = async (): Promise<Facets["fields"]> => {
    const parts = Math.min(TEXTS_MAX, Math.ceil(numFound / worksMax));
    const kept: (readonly string[])[] = [];
    for (let after: number | null = BEFORE_ALL; after !== null;) {
      const pages: CodesPage[] = await readCodes(index, selection, {
        ...options,
        limit: worksMax,
        place: { after, parts },
      });
      for (const page of pages) {
        counts.add(page.texts);
        if (isKept) kept.push(page.texts);
      }
      after = pages.at(-1)?.last ?? null;
    }
    return nameFacets(index, { requests, columns, counts, texts: kept });
  };
  if (index.keepFacets === undefined) return { numFound, fields: await countMany() };
  const name = JSON.stringify([index.generation, numFound, selection, requests]);
  return { numFound, ...(await index.keepFacets(name, countMany)) };
}

interface CodesPage {
  /** Number of all works; 0 after the first read. */
  readonly total: number;
  /** Version of the full text, in the first read. */
  readonly version: CountRow["version"];
  /** Row of the last work, if there may be more. */
  readonly last: number | null;
  /** Codes of each column. Empty in the first read if there are more works than the limit. */
  readonly texts: readonly string[];
}

interface CodesOptions {
  columns: readonly string[];
  /** Text between the codes of two works. */
  workEnd: string;
  /** Maximum number of works per page. */
  limit: number;
  /** Version of the full text in which the first read reads no codes. */
  unless?: string | undefined;
  /** Row after which to continue, and the number of pages; undefined for the first read, of one page. */
  place?: { after: number; parts: number };
}

/** Reads the codes of works in order of their rows. One round trip. */
async function readCodes(
  { database, generation, counts }: IndexReader,
  selection: Selection,
  options: CodesOptions,
): Promise<CodesPage[]> {
  const values = new SqlValues();
  const context = { generation, values };
  const { row, textRow, from, where } = selectionSql(selection, { ...context, withColumns: false });
  const { place, limit, unless = "" } = options;
  const found = `SELECT ${row} AS row, ${textRow} AS text_row FROM ${from} WHERE ${where}`;
  const works =
    place === undefined
      ? {
          rows: found,
          count: knownCountSql(selection, { ...context, counts }),
          isWanted: `(SELECT n <= ${limit} AND version IS NOT ${values.text(unless)} FROM total)`,
        }
      : { rows: found, count: NO_COUNT, isWanted: "1" };
  const sql = codesSql(works, generation, options);
  const pages = await rows<CodesRow>(database, { sql, values: values.values });
  if (pages.some(({ works: count, packed }) => packed < count)) throw new FacetsMissingError();
  return pages.map(({ n, version, works: count, packed: _packed, last, ...texts }) => ({
    total: place === undefined ? rememberCount(counts, selection, { n, version }) : 0,
    version,
    last: count === limit ? last : null,
    texts: Object.values(texts).map((text) => text ?? ""),
  }));
}

type CodesRow = CountRow & {
  readonly works: number;
  readonly packed: number;
  readonly last: number | null;
} & Readonly<Record<`text${number}`, string | null>>;

/** Returns SQL of a `CodesRow` per page. */
function codesSql(
  {
    rows: found,
    count,
    isWanted,
  }: { readonly rows: string; readonly count: string; readonly isWanted: string },
  generation: Generation,
  { columns, workEnd, limit, place }: CodesOptions,
): string {
  const texts = columns.map((column, at) => `, group_concat(f.${column}, '${workEnd}') AS text${at}`);
  const { after, parts } = place ?? { after: BEFORE_ALL, parts: 1 };
  const total = "(SELECT n FROM total) AS n, (SELECT version FROM total) AS version";
  const pages = Array.from(
    { length: parts },
    (_page, at) => `SELECT ${total}, count(*) AS works, count(f.id) AS packed,
        max(hit.row) AS last${texts.join("")}
      FROM (SELECT row, text_row FROM hit LIMIT ${limit} OFFSET ${at * limit}) hit
      LEFT JOIN work_facet_${generation} f ON f.id = hit.text_row`,
  );
  return `WITH total AS MATERIALIZED (${count}),
    hit AS (SELECT row, text_row FROM (${found}) WHERE row > ${after} ORDER BY row LIMIT iif(${isWanted}, ${parts * limit}, 0))
    ${pages.join(" UNION ALL ")}`;
}

interface CountedCodes {
  requests: readonly FacetRequest[];
  columns: readonly string[];
  counts: CodeCounts;
  /** Codes of each column, over the works of each page. */
  texts: readonly (readonly string[])[];
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
    if (isKeyed(field))
      return countKeys(
        texts.map((columnTexts) => columnTexts[place] ?? ""),
        values,
      );
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
function countKeys(texts: readonly string[], values: ReadonlyMap<number, string>): FacetValue[] {
  const keys = new Map([...values].map(([code, value]) => [code, subjectKeyOf(value)]));
  const counts = new Map<string, number>();
  for (const text of texts) {
    const seen = new Map<string, number>();
    eachCode(text, (code, work) => {
      const key = keys.get(code);
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
