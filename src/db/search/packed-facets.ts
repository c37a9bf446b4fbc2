import { subjectKey } from "../../search/documents/subject-key.ts";
import type { FacetRequest, FacetValue, Facets } from "../../search/engine.ts";
import {
  type CountedCode,
  type MostFrequent,
  COLUMN_END,
  CodeCounts,
  WORK_END,
  eachCode,
} from "../../search/facet-codes.ts";
import {
  FacetsMissingError,
  facetColumn,
  fieldValues,
  isKeyed,
  pickValues,
  valuesNeeded,
} from "../../search/facets.ts";
import type { Selection } from "../../search/plan/selection.ts";
import { batchGroups, firstRow, overList } from "../statement.ts";
import type { Generation, IndexReader } from "./generation.ts";
import { countSql, selectionSql } from "./selection.ts";
import { SqlValues } from "./sql-values.ts";

/** Works of one statement: their codes are in memory together. */
const COUNTED_WORKS_MAX = 100_000;
/** Works of one text: D1 takes 2,000,000 bytes a value, and a work has some 50 in all columns. */
const TEXT_WORKS = 12_500;
/** Counts over more works are kept for a while (Q77). */
const FEW_WORKS_MAX = 20_000;
/** Below the row of every work. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;
/** Codes that are equally frequent: up to so many are all looked up; of more the first values, of so many at most. */
const EQUAL_CODES_NAMED = 1000;
const EQUAL_CODES_MAX = 200_000;
/** Codes whose values are kept, besides those of one request; longer values, in UTF-16 units, are not. */
const KNOWN_CODES_MAX = 50_000;
const KNOWN_VALUE_MAX = 200;

interface PackedOptions {
  /** Those of fields without a column are passed over. */
  readonly requests: readonly FacetRequest[];
  /** Works that are few, and works of one statement when they are many. */
  readonly fewMax?: number;
  readonly worksMax?: number;
}

/**
 * Counts the values of fields that have a column, over all works of a selection: exactly. One round trip, one more for
 * every 100,000 works when they are many, and one for what the codes stand for unless it is known. Throws
 * FacetsMissingError where the index has no facets.
 */
export async function packedFacets(
  index: IndexReader,
  selection: Selection,
  { requests: all, fewMax = FEW_WORKS_MAX, worksMax = COUNTED_WORKS_MAX }: PackedOptions,
): Promise<Omit<Facets, "exact">> {
  const requests = all.filter(({ field }) => facetColumn(field) !== undefined);
  const columns = [...new Set(requests.flatMap(({ field }) => facetColumn(field) ?? []))];
  const isKept = requests.some(({ field }) => isKeyed(field));
  const read = (limit: number, after?: number) =>
    readCodes(index, selection, { columns, limit, ...(after !== undefined && { after }) });
  const { total: numFound = 0, texts: few } = await read(fewMax);
  const counts = new CodeCounts(columns.length);
  if (numFound <= fewMax) {
    for (const text of few) counts.add(text);
    return { numFound, fields: await namedFacets(index, { requests, columns, counts, texts: few }) };
  }
  const countMany = async (): Promise<Facets["fields"]> => {
    const texts: string[] = [];
    for (let after: number | null = BEFORE_ALL; after !== null;) {
      const page: Codes = await read(worksMax, after);
      for (const text of page.texts) counts.add(text);
      if (isKept) texts.push(...page.texts);
      after = page.last;
    }
    return namedFacets(index, { requests, columns, counts, texts });
  };
  if (index.keepFacets === undefined) return { numFound, fields: await countMany() };
  const name = JSON.stringify([index.generation, numFound, selection, requests]);
  return { numFound, ...(await index.keepFacets(name, countMany)) };
}

/** Codes of some works. */
interface Codes {
  /** How many works the selection has; only of the beginning. */
  readonly total: number | undefined;
  /** The row of the last work, if there may be others; none at all are read at the beginning when they are more than the limit. */
  readonly last: number | null;
  readonly texts: readonly string[];
}

interface CodesOptions {
  readonly columns: readonly string[];
  readonly limit: number;
  /** Undefined: at the beginning. */
  readonly after?: number;
}

async function readCodes(
  { database, generation }: IndexReader,
  selection: Selection,
  options: CodesOptions,
): Promise<Codes> {
  const values = new SqlValues();
  const context = { generation, values };
  const { row: place, textRow, from, where } = selectionSql(selection, { ...context, withColumns: false });
  const works = {
    rows: `SELECT ${place} AS row, ${textRow} AS text_row FROM ${from} WHERE ${where}`,
    count: countSql(selection, context),
  };
  const sql = codesSql(works, generation, options);
  const row = await firstRow<CodesRow>(database, { sql, values: values.values });
  const { total, works: found = 0, packed = 0, last = null, ...texts } = row ?? {};
  if (packed < found) throw new FacetsMissingError();
  return {
    total,
    last: found === options.limit ? last : null,
    texts: Object.values(texts).filter((text) => text !== null),
  };
}

/** How many works there are, of how many the codes are known, the row of the last one, and texts of codes. */
type CodesRow = {
  readonly total?: number;
  readonly works: number;
  readonly packed: number;
  readonly last: number | null;
} & Readonly<Record<`text${number}`, string | null>>;

/** SQL of a `CodesRow` of the first works in higher rows. Works are spread over the texts by row. */
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
  readonly requests: readonly FacetRequest[];
  readonly columns: readonly string[];
  readonly counts: CodeCounts;
  /** Needed for keys alone. */
  readonly texts: readonly string[];
}

/** What the codes stand for that requests ask for. */
async function namedFacets(
  index: IndexReader,
  { requests, columns, counts, texts }: CountedCodes,
): Promise<Facets["fields"]> {
  const lists = columns.map((column, place) => {
    const own = requests.filter(({ field }) => facetColumn(field) === column);
    return counts.mostFrequent(place, Math.max(...own.map(valuesNeeded)));
  });
  const values = await readValues(index, lists);
  const valuesOf = (field: string): readonly FacetValue[] => {
    const place = columns.indexOf(facetColumn(field) ?? "");
    if (isKeyed(field)) return keyValues(texts, place, values);
    const { sure = [], equal = [] } = lists[place] ?? {};
    const named = sure.concat(equal).flatMap(({ code, count }) => {
      const value = values.get(code);
      return value === undefined ? [] : [{ value, count }];
    });
    return fieldValues(field, named);
  };
  return Object.fromEntries(
    requests.map((request) => [request.field, pickValues(valuesOf(request.field), request)]),
  );
}

/**
 * What codes stand for, of equal ones at least those that are missing. One round trip, none for what is known. Those
 * asked for in any case are kept.
 */
async function readValues(
  { database, generation, facetValues: known = new Map() }: IndexReader,
  lists: readonly MostFrequent[],
): Promise<ReadonlyMap<number, string>> {
  const wanted = codesOf(lists.flatMap((list) => (isShort(list) ? list.sure.concat(list.equal) : list.sure)));
  if (known.size > KNOWN_CODES_MAX) known.clear();
  const values = new Map(wanted.map((code) => [code, known.get(code)]));
  const sql = `SELECT f.code, f.value
    FROM json_each(?1) j CROSS JOIN facet_value_${generation} f ON f.code = j.value`;
  const { asked, first } = await batchGroups<{ asked: CodeRow; first: CodeRow }>(database, {
    asked: overList(
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
  for (const { code, value } of asked) if (value.length <= KNOWN_VALUE_MAX) known.set(code, value);
  for (const { code, value } of [...asked, ...first]) values.set(code, value);
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
function keyValues(
  texts: readonly string[],
  place: number,
  values: ReadonlyMap<number, string>,
): FacetValue[] {
  const keys = new Map([...values].map(([code, value]) => [code, subjectKey(value)]));
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
