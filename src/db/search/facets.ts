import { SUBJECT_TYPES } from "../../search/documents/subject-key.ts";
import type { FacetRequest, FacetSearch, FacetValue, Facets } from "../../search/engine.ts";
import { FACET_SOURCES, isKeyed, valuesNeeded } from "../../search/facets.ts";
import { decodeToken, fieldCode, filterToken } from "../../search/indexing/filter-token.ts";
import type { Selection } from "../../search/plan/selection.ts";
import { type Statement, batchRows } from "../statement.ts";
import { broadFacets } from "./broad-facets.ts";
import {
  type ColumnRow,
  type ValueRow,
  NO_ROWS,
  answers,
  columnStatement,
  columnValues,
  memberStatement,
  memberValues,
  memberLimits,
  needsColumns,
  tokenStatement,
} from "./facet-values.ts";
import type { IndexReader } from "./generation.ts";
import { countSql, idsSql, prepareSelection } from "./selection.ts";
import { SqlValues } from "./sql-values.ts";

/** Subjects are counted by key: so many more are looked at for the most frequent spellings. */
const SPELLINGS = 2;

/** How the values of a field are counted over all works. */
interface Counting {
  readonly statement: Statement;
  readonly read?: (token: string) => string;
}

/**
 * Facets of all works, out of the list of terms and the tables of authors and subjects. One round trip; it walks
 * through all terms of a field, so that callers keep the answer.
 */
async function wholeFacets(index: IndexReader, requests: readonly FacetRequest[]): Promise<Facets> {
  const countings = requests.map((request) => countingOf(index, request));
  const [counted = [], ...found] = await batchRows(index.database, [
    { sql: `SELECT count(*) AS n FROM work_${index.generation}`, values: [] },
    ...countings.map(({ statement }) => statement),
  ]);
  const values = requests.map(({ field }, place): [string, FacetValue[]] => {
    // Rows have the columns of the statement.
    const rows = (found[place] ?? []) as { value: string; n: number }[];
    return [
      field,
      rows.map(({ value, n }) => ({ value: countings[place]?.read?.(value) ?? value, count: n })),
    ];
  });
  const numFound = (counted as { n: number }[])[0]?.n ?? 0;
  return {
    numFound,
    fields: answers(requests, new Map(values)),
    exact: !requests.some(({ field }) => isSubject(field)),
  };
}

function countingOf(index: IndexReader, request: FacetRequest): Counting {
  const source = FACET_SOURCES.get(request.field);
  const limit = valuesNeeded(request);
  if (request.field === "author_facet") return authors(index, limit);
  if (isSubject(request.field)) return subjects(index, request.field.replace("_facet", ""), limit);
  const code = source?.kind === "member" ? source.code : (fieldCode(request.field) ?? "");
  return {
    statement: tokenStatement(index.generation, filterToken(code, request.prefix ?? ""), limit),
    read: (term) => decodeToken(term).value,
  };
}

function isSubject(field: string): boolean {
  return SUBJECT_TYPES.some((type) => field === `${type}_facet`);
}

function authors({ generation, prefix }: IndexReader, limit: number): Counting {
  return {
    statement: {
      sql: `SELECT ?1 || id || 'A ' || (document ->> '$.name') AS value, work_count AS n FROM author_${generation}
            WHERE work_count > 0 ORDER BY work_count DESC LIMIT ?2`,
      values: [prefix, limit],
    },
  };
}

function subjects({ generation }: IndexReader, type: string, limit: number): Counting {
  return {
    statement: {
      sql: `SELECT name AS value, name_count AS n FROM subject_${generation}
            WHERE subject_type = ?1 ORDER BY work_count DESC LIMIT ?2`,
      values: [type, SPELLINGS * limit],
    },
  };
}

/** Works whose documents are read for exact counts of all values. */
const FACET_DOCUMENTS_MAX = 20_000;

/**
 * Counts values of fields over the works of a selection: exactly up to 20,000 works, beyond with
 * values chosen out of the most popular works. One round trip for the small, up to three for the others.
 */
export async function countFacets(index: IndexReader, search: FacetSearch): Promise<Facets> {
  if (isWhole(search)) return wholeFacets(index, search.facets);
  const { all } = await prepareSelection(index, search);
  if (all === undefined) return { numFound: 0, fields: answers(search.facets), exact: true };
  // Works may have several names of one key, so that these are counted by key.
  const [keyed = [], others = []] = [true, false].map((is) =>
    search.facets.filter(({ field }) => isKeyed(field) === is),
  );
  const wanted = memberLimits(others);
  const { generation } = index;
  const values = new SqlValues();
  const [counted = [], members = [], columns = []] = await batchRows(index.database, [
    { sql: countSql(all, { generation, values }), values: values.values },
    wanted.size === 0 ? NO_ROWS : memberStatement(fewWorks(index, all), wanted),
    needsColumns(search.facets) ? columnStatement(fewWorks(index, all)) : NO_ROWS,
  ]);
  // Rows have the columns of their statements.
  const numFound = (counted as { n: number }[])[0]?.n ?? 0;
  // Q77: beyond, values are chosen; their counts are exact.
  if (numFound > FACET_DOCUMENTS_MAX) return broadFacets(index, all, { numFound, requests: search.facets });
  const byKey = keyed.length === 0 ? undefined : await broadFacets(index, all, { numFound, requests: keyed });
  const fields = answers(others, memberValues(members as ValueRow[]), columnValues(columns as ColumnRow[]));
  return { numFound, fields: { ...fields, ...byKey?.fields }, exact: byKey === undefined };
}

function isWhole({ query, filters, editionClauses, keys }: FacetSearch): boolean {
  const isAll = query.op === "all" && filters.every(({ op }) => op === "all");
  return isAll && editionClauses.length === 0 && keys === undefined;
}

/** The works of a selection, or none when there are too many. */
function fewWorks({ generation }: IndexReader, selection: Selection) {
  const values = new SqlValues();
  const some = `${idsSql(selection, { generation, values })} LIMIT ${FACET_DOCUMENTS_MAX + 1}`;
  const counted = `SELECT id, count(*) OVER () AS n FROM (${some})`;
  return { generation, values, works: `SELECT id FROM (${counted}) WHERE n <= ${FACET_DOCUMENTS_MAX}` };
}
