import {
  SUBJECT_COVER_WORKS_MAX,
  coversWholeIndex,
  FACET_SPELLINGS,
  pickFacets,
  isSubject,
  FACET_SOURCES,
  facetColumnOf,
  countNeededValues,
} from "../../search/facets.ts";
import {
  type CountedWorks,
  type FacetRequest,
  type FacetSearch,
  type FacetValue,
  type Facets,
  type SubjectCount,
  type Generation,
  SUBJECT_COUNT_FIELDS,
} from "../../search/engine.ts";
import {
  decodeToken,
  fieldCodeOf,
  toFilterToken,
  quoteTokenPhrase,
} from "../../search/indexing/filter-token.ts";
import type { Selection } from "../../search/plan/selection.ts";
import { type Statement, batchRows, rows } from "../statement.ts";
import type { IndexReader } from "./index-reader.ts";
import { countPackedFacets } from "./packed-facets.ts";
import { countSql, popularSql, planIndexSearch } from "./selection.ts";
import { SqlValues } from "./sql-values.ts";
import { LAST } from "../../search/plan/vocabulary.ts";
import { matchRowsSql, numbersSql, numberOfRow } from "./text-rows.ts";

/**
 * Counts facets of all works from the list of terms and the tables of authors and subjects. One round trip, which scans
 * all terms of a field, so callers cache the result.
 */
async function countWholeIndex(index: IndexReader, requests: readonly FacetRequest[]): Promise<Facets> {
  const values = new SqlValues();
  const every = countSql({ match: undefined, conditions: [], ids: undefined }, { ...index, values });
  const [counted = [], ...results] = await batchRows(index.database, [
    { sql: every, values: values.values },
    ...requests.map((request) => wholeStatement(index, request)),
  ]);
  const counts = requests.map(({ field }, place): [string, FacetValue[]] => {
    // Rows have the columns of the statement.
    const fieldRows = (results[place] ?? []) as { value: string; n: number }[];
    const hasNames = field === "author_facet" || isSubject(field);
    const valueOf = (text: string): string => (hasNames ? text : decodeToken(text).value);
    return [field, fieldRows.map(({ value, n }) => ({ value: valueOf(value), count: n }))];
  });
  return {
    // The row has the column of the statement.
    numFound: (counted as { n: number }[])[0]?.n ?? 0,
    fields: pickFacets(requests, new Map(counts)),
    exact: !requests.some(({ field }) => isSubject(field)),
  };
}

/** Returns the statement that counts the values of a field over all works: names, or tokens. */
function wholeStatement({ generation, prefix }: IndexReader, request: FacetRequest): Statement {
  const { field } = request;
  const limit = countNeededValues(request);
  if (field === "author_facet") {
    return {
      sql: `SELECT ?1 || id || 'A ' || (document ->> '$.name') AS value, work_count AS n FROM author_${generation}
            WHERE work_count > 0 ORDER BY work_count DESC LIMIT ?2`,
      values: [prefix, limit],
    };
  }
  if (isSubject(field)) {
    return {
      sql: `SELECT name AS value, name_count AS n FROM subject_${generation}
            WHERE subject_type = ?1 ORDER BY work_count DESC LIMIT ?2`,
      values: [field.replace("_facet", ""), FACET_SPELLINGS * limit],
    };
  }
  const beginning = toFilterToken(fieldCodeOf(field) ?? "", request.prefix ?? "");
  return {
    sql: `SELECT term AS value, doc AS n FROM work_term_${generation}
          WHERE term >= ?1 AND term < ?2 ORDER BY doc DESC, term LIMIT ?3`,
    values: [beginning, beginning + LAST, limit],
  };
}

/** Maximum number of works, the most popular ones, whose documents are read for fields without a column. */
const FACET_DOCUMENTS_MAX = 20_000;

/**
 * Counts values of fields over the works of a selection. Exact, except for fields without a column, which are counted
 * over the most popular works only if there are many (Q77). Needs the round trips of `countPackedFacets`.
 */
export async function countFacets(index: IndexReader, search: FacetSearch): Promise<Facets> {
  const { facets } = search;
  if (coversWholeIndex(search)) return countWholeIndex(index, facets);
  const { all } = await planIndexSearch(index, search);
  if (all === undefined) return { numFound: 0, fields: pickFacets(facets, new Map()), exact: true };
  const others = facets.filter(({ field }) => facetColumnOf(field) === undefined);
  const [{ fields, ...packed }, members] = await Promise.all([
    countPackedFacets(index, all, { requests: facets }),
    countMembers(index, all, others),
  ]);
  const exact = others.length === 0 || packed.numFound <= FACET_DOCUMENTS_MAX;
  return { ...packed, fields: { ...pickFacets(others, members), ...fields }, exact };
}

/**
 * Counts the most frequent values of lists in the documents of the most popular works. A work counts once per value.
 */
async function countMembers(
  { database, generation }: IndexReader,
  selection: Selection,
  requests: readonly FacetRequest[],
): Promise<ReadonlyMap<string, readonly FacetValue[]>> {
  const members = requests.filter(({ field }) => FACET_SOURCES.has(field));
  if (members.length === 0) return new Map();
  const values = new SqlValues();
  const works = popularSql(selection, { generation, values, offset: 0, limit: FACET_DOCUMENTS_MAX });
  // With a second path `json_extract` returns a list; no document has the last member.
  const paths = [...members.map(({ field }) => `$.${FACET_SOURCES.get(field)?.member}`), "$.-"];
  const limits = values.text(JSON.stringify(members.map(countNeededValues)));
  const sql = `
    WITH hit AS MATERIALIZED (${works}),
    counted AS (
      SELECT m.key AS place, v.value, count(DISTINCT hit.id) AS n
      FROM hit CROSS JOIN work_document_${generation} d ON d.id = hit.id
      CROSS JOIN json_each(json_extract(d.document, ${paths.map((path) => values.text(path)).join(", ")})) m
      CROSS JOIN json_each(m.value) v
      GROUP BY 1, 2),
    ranked AS (SELECT *, row_number() OVER (PARTITION BY place ORDER BY n DESC, value) AS r FROM counted)
    SELECT place, value, n FROM ranked WHERE r <= ${limits} ->> place`;
  const results = await rows<{ place: number; value: string; n: number }>(database, {
    sql,
    values: values.values,
  });
  const byPlace = Map.groupBy(results, ({ place }) => place);
  return new Map(
    members.map(({ field }, place) => [
      field,
      (byPlace.get(place) ?? []).map(({ value, n }) => ({ value, count: n })),
    ]),
  );
}

/**
 * Returns SQL that counts the subjects of works and keeps the `limit` most frequent of each field, as `SubjectCount`s:
 * ordered by count, then by text, ascending or, as in documents, descending. `works` is SQL of a table with columns
 * `owner` and `id`.
 */
export function subjectCountsSql(
  works: string,
  generation: Generation,
  { limit, ties = "DESC" }: { limit: number; ties?: "ASC" | "DESC" },
): string {
  const members = SUBJECT_COUNT_FIELDS.map((field) => `d.document -> '${field}'`).join(", ");
  return `
    SELECT owner, field, value, count FROM (
      SELECT owner, field, value, count(*) AS count,
        row_number() OVER (PARTITION BY owner, field ORDER BY count(*) DESC, value ${ties}) AS place
      FROM (
        SELECT DISTINCT w.owner, w.id, f.key AS field, v.value
        FROM ${works} w CROSS JOIN work_document_${generation} d ON d.id = w.id
        CROSS JOIN json_each(json_array(${members})) f CROSS JOIN json_each(f.value) v)
      GROUP BY owner, field, value)
    WHERE place <= ${limit} ORDER BY owner, count DESC, value ${ties}`;
}

/** Maximum number of works whose subjects are counted together: those of the most popular bands. */
const SUBJECT_WORKS_MAX = 10_000;

/** Implements `SearchEngine.subjectCounts`. One statement. */
export function countSubjectsOfWorks(
  { database, generation }: IndexReader,
  { ids, tokens }: CountedWorks,
  limit: number,
): Promise<SubjectCount[]> {
  if (ids.length + tokens.length === 0) return Promise.resolve([]);
  const text = `work_text_${generation}`;
  const match =
    tokens.length === 0
      ? ""
      : `UNION SELECT ${numberOfRow("row")} FROM (SELECT rowid AS row FROM ${text} WHERE ${text} MATCH ?2 LIMIT ${SUBJECT_WORKS_MAX})`;
  const works = `(SELECT 0 AS owner, id FROM (SELECT value AS id FROM json_each(?1) ${match}) LIMIT ${SUBJECT_WORKS_MAX})`;
  return rows<SubjectCount>(database, {
    sql: subjectCountsSql(works, generation, { limit, ties: "ASC" }),
    values: [
      JSON.stringify(ids),
      ...(tokens.length === 0 ? [] : [tokens.map(quoteTokenPhrase).join(" OR ")]),
    ],
  });
}

/** Implements `SearchEngine.subjectCovers`. One statement. */
export async function readSubjectCovers(
  { database, generation }: IndexReader,
  tokens: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const text = `work_text_${generation}`;
  const works = numbersSql(matchRowsSql(text, "s.value ->> 1"), { limit: SUBJECT_COVER_WORKS_MAX });
  const phrases = [...tokens].map(([name, token]) => [name, quoteTokenPhrase(token)]);
  const results = await rows<{ name: string; cover: number | null }>(database, {
    sql: `SELECT s.value ->> 0 AS name, (
            SELECT w.cover_i FROM (${works}) found
            JOIN work_${generation} w ON w.id = found.id WHERE w.cover_i > 0 ORDER BY w.id LIMIT 1) AS cover
          FROM json_each(?1) s`,
    values: [JSON.stringify(phrases)],
  });
  return new Map(results.flatMap(({ name, cover }) => (cover === null ? [] : [[name, cover] as const])));
}
