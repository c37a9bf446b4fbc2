import { subjectKey } from "../../search/documents/subject-key.ts";
import type { FacetRequest, FacetValue } from "../../search/engine.ts";
import {
  type CountedCode,
  COLUMN_END,
  CodeCounts,
  WORK_END,
  eachCode,
  mostFrequentCodes,
} from "../../search/facet-codes.ts";
import { FacetsMissingError, facetColumn, fieldValues, isKeyed, valuesNeeded } from "../../search/facets.ts";
import type { Selection } from "../../search/plan/selection.ts";
import { batchGroups, firstRow, overList } from "../statement.ts";
import type { Generation, IndexReader } from "./generation.ts";
import { idsSql } from "./selection.ts";
import { SqlValues } from "./sql-values.ts";

/** Works of one statement: their codes are in memory together. */
const COUNTED_WORKS_MAX = 200_000;
/** Texts of one statement: D1 takes 2,000,000 bytes a value, and a work has some 50 in all columns. */
const TEXTS = 16;
/** Codes that are equally frequent: up to so many are all looked up; of more the first values, of so many at most. */
const EQUAL_CODES_NAMED = 1000;
const EQUAL_CODES_MAX = 200_000;
/** Codes whose values are kept, besides those of one request; longer values, in UTF-16 units, are not. */
const KNOWN_CODES_MAX = 50_000;
const KNOWN_VALUE_MAX = 200;

/** What was counted of works by the columns of `work_facet`. */
interface PackedFacets {
  readonly numFound: number;
  readonly fields: ReadonlyMap<string, readonly FacetValue[]>;
}

interface PackedOptions {
  /** Those of fields without a column are passed over. */
  readonly requests: readonly FacetRequest[];
  /** Works of one statement. */
  readonly worksMax?: number;
}

type CodesOptions = { readonly columns: readonly string[] } & Required<Pick<PackedOptions, "worksMax">>;

/**
 * Counts the values of fields that have a column, over all works of a selection: exactly. One round trip for 200,000
 * works, and one for what the codes stand for. Throws FacetsMissingError where the index has no facets.
 */
export async function packedFacets(
  index: IndexReader,
  selection: Selection,
  { requests, worksMax = COUNTED_WORKS_MAX }: PackedOptions,
): Promise<PackedFacets> {
  const columns = [...new Set(requests.flatMap(({ field }) => facetColumn(field) ?? []))];
  const { numFound, counts, texts } = await readCodes(index, selection, {
    columns,
    worksMax,
    isKept: requests.some(({ field }) => isKeyed(field)),
  });
  const byColumn = counts.byColumn(columns.length);
  const values = await readValues(
    index,
    columns.map((column, place) => {
      const own = requests.filter(({ field }) => facetColumn(field) === column);
      return mostFrequentCodes(byColumn[place] ?? [], Math.max(...own.map(valuesNeeded)));
    }),
  );
  const valuesOf = ({ field }: FacetRequest): readonly FacetValue[] => {
    const place = columns.indexOf(facetColumn(field) ?? "");
    if (isKeyed(field)) return keyValues(texts, place, values);
    const named = (byColumn[place] ?? []).flatMap(({ code, count }) => {
      const value = values.get(code);
      return value === undefined ? [] : [{ value, count }];
    });
    return fieldValues(field, named);
  };
  const fields = requests
    .filter(({ field }) => facetColumn(field) !== undefined)
    .map((request) => [request.field, valuesOf(request)] as const);
  return { numFound, fields: new Map(fields) };
}

/** Reads and counts the codes of all works; their texts are kept where they are counted in another way, too. */
async function readCodes(
  { database, generation }: IndexReader,
  selection: Selection,
  { columns, worksMax, isKept }: CodesOptions & { readonly isKept: boolean },
): Promise<{ numFound: number; counts: CodeCounts; texts: string[] }> {
  const counts = new CodeCounts();
  const texts: string[] = [];
  let numFound = 0;
  for (let after: number | undefined, isMore = true; isMore;) {
    const values = new SqlValues();
    const works = idsSql(selection, { generation, values });
    const sql = codesSql(works, generation, { columns, worksMax, after });
    const row = await firstRow<CodesRow>(database, { sql, values: values.values });
    const { works: found = 0, packed = 0, last = 0, ...pieces } = row ?? {};
    if (packed < found) throw new FacetsMissingError();
    for (const text of Object.values(pieces)) {
      if (text === null) continue;
      counts.add(text);
      if (isKept) texts.push(text);
    }
    numFound += found;
    isMore = found === worksMax;
    after = last ?? 0;
  }
  return { numFound, counts, texts };
}

/** How many works there are, of how many the codes are known, the number of the last one, and texts of codes. */
type CodesRow = { readonly works: number; readonly packed: number; readonly last: number | null } & Readonly<
  Record<`text${number}`, string | null>
>;

/** SQL of a `CodesRow` of the first works with higher numbers. Works are spread over the texts by number. */
function codesSql(
  works: string,
  generation: Generation,
  { columns, worksMax, after }: CodesOptions & { readonly after: number | undefined },
): string {
  const codes = columns.map((column) => `f.${column}`).join(` || '${COLUMN_END}' || `);
  const texts = Array.from(
    { length: columns.length === 0 ? 0 : TEXTS },
    (_text, at) =>
      `, group_concat(${codes}, '${WORK_END}') FILTER (WHERE hit.id & ${TEXTS - 1} = ${at}) AS text${at}`,
  );
  const others = after === undefined ? "" : `WHERE id > ${after}`;
  return `SELECT count(*) AS works, count(f.id) AS packed, max(hit.id) AS last${texts.join("")}
    FROM (SELECT id FROM (${works}) ${others} ORDER BY id LIMIT ${worksMax}) hit
    LEFT JOIN work_facet_${generation} f ON f.id = hit.id`;
}

/**
 * What codes stand for, of equal ones at least those that are missing. One round trip, none for what is known. Those
 * asked for in any case are kept.
 */
async function readValues(
  { database, generation, facetValues: known = new Map() }: IndexReader,
  lists: readonly ReturnType<typeof mostFrequentCodes>[],
): Promise<ReadonlyMap<number, string>> {
  const isShort = ({ equal }: (typeof lists)[number]): boolean => equal.length <= EQUAL_CODES_NAMED;
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
