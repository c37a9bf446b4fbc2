import type { FacetRequest, FacetValue, Facets } from "../../search/engine.ts";
import { FACET_SOURCES, valuePhrase } from "../../search/facets.ts";
import { decodeToken } from "../../search/indexing/filter-token.ts";
import { matchText } from "../../search/plan/match.ts";
import { type Statement, batchRows, rows } from "../statement.ts";
import {
  type ColumnRow,
  type Counted,
  type ValueRow,
  NO_ROWS,
  answers,
  columnStatement,
  columnValues,
  memberStatement,
  memberValues,
  needsColumns,
} from "./facet-values.ts";
import type { Generation, IndexReader } from "./generation.ts";
import { type Selection, selectionSql } from "./selection.ts";
import { SqlValues, levelSql } from "./sql-values.ts";

/** Works out of which the values are chosen that are counted: the most popular ones. */
const SAMPLED_WORKS = 2000;
/** Values of a field that are counted, unless more are asked for. */
const COUNTED_VALUES = 60;
/** Values of a field that are counted at most: each costs a look into the full-text index. */
const COUNTED_VALUES_MAX = 250;
/** Levels of popularity that are tried for the sample, the highest first. */
const TRIED = { levels: [9, 7, 5, 3, 1], enough: SAMPLED_WORKS };

interface Broad {
  readonly numFound: number;
  readonly requests: readonly FacetRequest[];
}

/**
 * Facets of very many works: exact counts of values that were chosen out of the most popular works, or that are
 * the most frequent of all. Two round trips.
 */
export async function broadFacets(
  index: IndexReader,
  selection: Selection,
  { numFound, requests }: Broad,
): Promise<Facets> {
  const closed = requests.filter(({ field }) => isMember(field, false));
  const open = requests.filter(({ field }) => isMember(field, true));
  const [columns = [], sampled = [], ...terms] = await batchRows(index.database, [
    needsColumns(requests) ? columnsOf(index, selection) : NO_ROWS,
    open.length === 0 ? NO_ROWS : sampleOf(index, selection, open),
    ...closed.map((request) => frequentTerms(index, request)),
  ]);
  // Rows have the columns of their statements.
  const chosen = memberValues(sampled as ValueRow[]);
  const frequent = closed.map(({ field }, place): [string, string[]] => [
    field,
    ((terms[place] ?? []) as { term: string }[]).map(({ term }) => decodeToken(term).value),
  ]);
  const candidates = [
    ...open.map(({ field }): [string, string[]] => [
      field,
      (chosen.get(field) ?? []).map(({ value }) => value),
    ]),
    ...frequent,
  ];
  const counted = await countCandidates(index, selection, candidates);
  const fields = answers(requests, counted, columnValues(columns as ColumnRow[]));
  const isComplete = closed.every((request, place) => (terms[place] ?? []).length < countedOf(request));
  return { numFound, fields, exact: open.length === 0 && isComplete };
}

function isMember(field: string, open: boolean): boolean {
  const source = FACET_SOURCES.get(field);
  return source?.kind === "member" && source.open === open;
}

/** How many values of a field are counted. All are wanted of years, of which there are few. */
function countedOf({ limit, offset }: FacetRequest): number {
  return limit < 0
    ? COUNTED_VALUES_MAX
    : Math.min(COUNTED_VALUES_MAX, Math.max(COUNTED_VALUES, offset + limit));
}

function columnsOf({ generation }: IndexReader, selection: Selection): Statement {
  const values = new SqlValues();
  const { from, where, id } = selectionSql(selection, { generation, values, withColumns: false });
  return columnStatement({ generation, values, works: `SELECT ${id} AS id FROM ${from} WHERE ${where}` });
}

/** The values of the most popular works of the selection. */
function sampleOf(index: IndexReader, selection: Selection, open: readonly FacetRequest[]): Statement {
  const { generation } = index;
  const values = new SqlValues();
  const { match } = selection;
  const level =
    match === undefined
      ? undefined
      : levelSql(`work_text_${generation}`, values.text(matchText(match)), TRIED);
  const { from, where, id } = selectionSql(selection, {
    generation,
    values,
    withColumns: true,
    ...(level === undefined ? {} : { expression: "(SELECT e FROM level)" }),
  });
  const popular = `SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY w.boost DESC LIMIT ${SAMPLED_WORKS}`;
  const works = level === undefined ? popular : `WITH level(e) AS MATERIALIZED (SELECT ${level}) ${popular}`;
  const wanted = new Map(open.map((request) => [request.field, countedOf(request)]));
  return memberStatement({ generation, values, works }, wanted);
}

/** The values of a closed vocabulary that most works have. */
function frequentTerms({ generation }: IndexReader, request: FacetRequest): Statement {
  const source = FACET_SOURCES.get(request.field);
  const code = source?.kind === "member" ? source.code : "";
  return {
    sql: `SELECT term FROM work_term_${generation} WHERE term >= ?1 AND term < ?2 ORDER BY doc DESC, term LIMIT ?3`,
    values: [`${code}=`, `${code}>`, countedOf(request)],
  };
}

/** Counts every candidate among the works of the selection. One statement. */
async function countCandidates(
  { database, generation }: IndexReader,
  selection: Selection,
  candidates: readonly (readonly [field: string, values: readonly string[]])[],
): Promise<Counted> {
  const flat = candidates.flatMap(([field, list]) => list.map((value) => ({ field, value })));
  if (flat.length === 0) return new Map();
  const phrases = flat.map(({ field, value }) => valuePhrase(field, value));
  const found = await rows<{ place: number; n: number }>(
    database,
    candidateStatement(generation, selection, phrases),
  );
  const counts = new Map<string, FacetValue[]>();
  for (const { place, n } of found) {
    const one = flat[place];
    if (one === undefined) continue;
    counts.set(one.field, [...(counts.get(one.field) ?? []), { value: one.value, count: n }]);
  }
  return counts;
}

function candidateStatement(
  generation: Generation,
  selection: Selection,
  phrases: readonly string[],
): Statement {
  const values = new SqlValues();
  const words = `work_text_${generation}`;
  const list = values.text(JSON.stringify(phrases));
  const { match, conditions, ids } = selection;
  if (match !== undefined && conditions.length === 0 && ids === undefined) {
    const expression = values.text(`(${matchText(match)}) AND `);
    const count = `SELECT count(*) FROM ${words} WHERE ${words} MATCH ${expression} || j.value`;
    return { sql: `SELECT j.key AS place, (${count}) AS n FROM json_each(${list}) j`, values: values.values };
  }
  const { from, where, id } = selectionSql(selection, { generation, values, withColumns: false });
  const count = `SELECT count(*) FROM ${words} WHERE ${words} MATCH j.value AND rowid IN (SELECT id FROM hit)`;
  return {
    sql: `WITH hit(id) AS MATERIALIZED (SELECT ${id} FROM ${from} WHERE ${where})
          SELECT j.key AS place, (${count}) AS n FROM json_each(${list}) j`,
    values: values.values,
  };
}
