import { subjectKey } from "../../search/documents/subject-key.ts";
import type { FacetRequest, FacetValue, Facets } from "../../search/engine.ts";
import { FACET_SOURCES, FACET_VALUES_MAX, isKeyed, valuePhrase, valueTest } from "../../search/facets.ts";
import { decodeToken, filterToken } from "../../search/indexing/filter-token.ts";
import { matchText } from "../../search/plan/match.ts";
import type { Selection } from "../../search/plan/selection.ts";
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
  tokenStatement,
} from "./facet-values.ts";
import type { Generation, IndexReader } from "./generation.ts";
import { idsSql, selectionSql } from "./selection.ts";
import { SqlValues, levelSql } from "./sql-values.ts";

/** Works out of which the values are chosen that are counted: the most popular ones. */
const SAMPLED_WORKS = 2000;
/** Values of a field that are counted, unless more are asked for. */
const COUNTED_VALUES = 60;
/** Values of a field that are counted at most: each costs a look into the full-text index. */
const COUNTED_VALUES_MAX = 250;
/** Levels of popularity that are tried for the sample, the highest first. */
const TRIED = { levels: [9, 7, 5, 3, 1], enough: SAMPLED_WORKS };

/**
 * Facets of very many works: exact counts of values that were chosen out of the most popular works, or that are
 * the most frequent of all. Two round trips.
 */
export async function broadFacets(
  index: IndexReader,
  selection: Selection,
  { numFound, requests }: { readonly numFound: number; readonly requests: readonly FacetRequest[] },
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
  const frequent = closed.flatMap(({ field }, place) =>
    ((terms[place] ?? []) as { value: string }[]).map(({ value }) => ({
      field,
      value: decodeToken(value).value,
    })),
  );
  const candidates = [
    ...open.flatMap((request) => candidatesOf(chosen.get(request.field) ?? [], request)),
    ...frequent,
  ];
  const counted = await countCandidates(index, selection, candidates);
  const fields = answers(requests, counted, columnValues(columns as ColumnRow[]));
  const isComplete = closed.every((request, place) => (terms[place] ?? []).length < countedOf(request));
  return { numFound, fields, exact: open.length === 0 && isComplete };
}

/** The values of a sample that a request is about, the most frequent first, and no more than are counted. */
function candidatesOf(values: readonly FacetValue[], request: FacetRequest) {
  const { field } = request;
  const names = values.map(({ value }) => (isKeyed(field) ? subjectKey(value) : value));
  const wanted = [...new Set(names)].filter(valueTest(request)).slice(0, countedOf(request));
  return wanted.map((value) => ({ field, value }));
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

/** How many values of a sample are looked at for those that are counted. */
function sampledOf(request: FacetRequest): number {
  const isChosen = request.prefix !== undefined || request.contains !== undefined || isKeyed(request.field);
  return isChosen ? FACET_VALUES_MAX : countedOf(request);
}

function columnsOf({ generation }: IndexReader, selection: Selection): Statement {
  const values = new SqlValues();
  return columnStatement({ generation, values, works: idsSql(selection, { generation, values }) });
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
  const expression = level && "(SELECT e FROM level)";
  const { from, where, id } = selectionSql(selection, { generation, values, withColumns: true, expression });
  const popular = `SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY w.boost DESC LIMIT ${SAMPLED_WORKS}`;
  const works = level === undefined ? popular : `WITH level(e) AS MATERIALIZED (SELECT ${level}) ${popular}`;
  const wanted = new Map(open.map((request) => [request.field, sampledOf(request)]));
  return memberStatement({ generation, values, works }, wanted);
}

/** The values of a closed vocabulary that most works have. */
function frequentTerms({ generation }: IndexReader, request: FacetRequest): Statement {
  const source = FACET_SOURCES.get(request.field);
  return tokenStatement(
    generation,
    filterToken(source?.kind === "member" ? source.code : "", request.prefix ?? ""),
    countedOf(request),
  );
}

/** Counts every candidate among the works of the selection. One statement. */
async function countCandidates(
  { database, generation }: IndexReader,
  selection: Selection,
  candidates: readonly { readonly field: string; readonly value: string }[],
): Promise<Counted> {
  if (candidates.length === 0) return new Map();
  const phrases = candidates.map(({ field, value }) => valuePhrase(field, value));
  const statement = candidateStatement(generation, selection, phrases);
  const found = await rows<{ place: number; n: number }>(database, statement);
  return memberValues(
    found.flatMap(({ place, n }) => {
      const one = candidates[place];
      return one === undefined ? [] : [{ ...one, n }];
    }),
  );
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
  const hits = idsSql(selection, { generation, values });
  // The plus sign: every work that has the value is compared with the hits, not every hit looked up among them.
  const count = `SELECT count(*) FROM ${words} WHERE ${words} MATCH j.value AND +rowid IN (SELECT id FROM hit)`;
  return {
    sql: `WITH hit(id) AS MATERIALIZED (${hits})
          SELECT j.key AS place, (${count}) AS n FROM json_each(${list}) j`,
    values: values.values,
  };
}
