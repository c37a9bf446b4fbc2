import type { Generation } from "../../search/engine.ts";
import {
  type Completed,
  type WorkCompletion,
  COMPLETED_MEMBERS,
  KNOWN_WORDS_MAX,
  LETTER_WORKS_MAX,
  POPULAR_TITLES_MAX,
  TITLE,
  toCompletedDocument,
  typedPlan,
} from "../../search/engine/complete-text.ts";
import { exactTitleTokenOf, quoteTokenPhrase } from "../../search/indexing/filter-token.ts";
import type { WorkRow } from "../../search/indexing/packed-work.ts";
import { matchTextOf } from "../../search/plan/match.ts";
import { LAST } from "../../search/plan/vocabulary.ts";
import { expandWork } from "../../search/present/expand.ts";
import { collationKeyOf } from "../../search/text/collation.ts";
import {
  type TypedOptions,
  matchAllWords,
  matchBeginning,
  matchStartingWords,
  matchWholeWords,
  mayOutgrowStem,
  startingTextsOf,
} from "../../search/typed-text.ts";
import { type Statement, batchRows, rows } from "../statement.ts";
import { checkCosts } from "./check-costs.ts";
import type { IndexReader } from "./index-reader.ts";
import { OF_KNOWN, knownSql } from "./selection.ts";
import { workReadingOf } from "./stored-work.ts";
import { matchRowsSql, numberOfRow, popularRowsSql } from "./text-rows.ts";

const NO_MATCH = '""';
/**
 * Maximum number of words with the typed beginning that take its place: their works are read in order of popularity, as far
 * as needed. For a beginning, FTS5 first reads all works that have one of its words.
 */
const ENDINGS_MAX = 3;
/** Factor by which more works are looked up per band than are wanted, because some are in two bands. */
const BANDS = 3;
const READING = workReadingOf({ fields: COMPLETED_MEMBERS, withEditions: false });

interface CompletedRow extends WorkRow {
  readonly band: number;
  readonly boost: number;
}

/**
 * Completes titles in one round trip; one more if words with this beginning have a stem that neither starts with it nor
 * equals its stem.
 */
export async function completeWorks(index: IndexReader, completion: WorkCompletion): Promise<Completed[]> {
  const { typed } = completion;
  const { database } = index;
  const isLetter = typed.beginning.length === 1;
  await checkCosts(index, "work", typedPlan(typed, TITLE, isLetter));
  if (isLetter) {
    return toCompletedWorks(await rows<CompletedRow>(database, letterStatement(index, completion)));
  }
  const plain = worksStatement(index, completion, TITLE);
  if (!mayOutgrowStem(typed)) return toCompletedWorks(await rows<CompletedRow>(database, plain));
  const statements = [knownWordsStatement(index, typed.beginning), plain];
  const [words = [], works = []] = await batchRows(database, statements);
  // The first statement returns words, the second works.
  const known = (words as { term: string }[]).map(({ term }) => term);
  const whole = worksStatement(index, completion, { ...TITLE, known });
  const isSame = whole.values.every((value, at) => value === plain.values[at]);
  return toCompletedWorks(isSame ? (works as CompletedRow[]) : await rows<CompletedRow>(database, whole));
}

/**
 * Returns the statement for works. Titles that begin with the text are found by their tokens; if these are enough, the
 * most popular ones are read. Otherwise the beginnings of the most popular titles with all words are compared (Q841). LIMIT
 * is not bound, because SQLite would prepare the statement again for each bound value, even the same one.
 */
function worksStatement(
  { generation }: IndexReader,
  { text, typed, limit }: WorkCompletion,
  options: TypedOptions,
): Statement {
  const words = `work_text_${generation}`;
  const places = `work_place_${generation}`;
  const enough = BANDS * limit;
  const popular = { generation, need: POPULAR_TITLES_MAX };
  const sql = `
    WITH RECURSIVE term(term) AS (
      SELECT (SELECT term FROM ${places} WHERE term >= ?8 LIMIT 1) WHERE ${ENDINGS_MAX} >= (SELECT count(*)
        FROM (SELECT 1 FROM spelling_${generation} WHERE term >= ?8 AND term < ?9 LIMIT ${ENDINGS_MAX + 1}))
      UNION ALL SELECT (SELECT term FROM ${places} WHERE term >= term.term || char(1) LIMIT 1)
      FROM term WHERE term.term < ?9 LIMIT ${ENDINGS_MAX + 2}),
    matching(e) AS MATERIALIZED (SELECT coalesce((
      SELECT replace(?1, ?10, '(' || group_concat(replace(?10, ?8 || '" *', term || '"'), ' OR ') || ')')
      FROM term WHERE term < ?9 HAVING count(*) BETWEEN 1 AND ${ENDINGS_MAX}), ?1)),
    whole(e) AS MATERIALIZED (SELECT CASE WHEN EXISTS (SELECT 1 FROM ${words} WHERE ${words} MATCH ?3)
      THEN ?3 || ' AND (' || matching.e || ')' ELSE '${NO_MATCH}' END FROM matching),
    named AS MATERIALIZED (SELECT doc AS row FROM ${places} WHERE term >= ?4 AND term < ?5 LIMIT ${enough}),
    start AS MATERIALIZED (
      ${popularWorksSql("?2", { ...popular, when: `(SELECT count(*) FROM named) = ${enough}` })}),
    hit(row, band) AS (
      SELECT ${words}.rowid, 0 FROM whole CROSS JOIN ${words} WHERE ${words} MATCH whole.e
      UNION ALL SELECT row, 1 FROM start
      UNION ALL SELECT row, 2 FROM (
        ${popularWorksSql("(SELECT e FROM matching)", { ...popular, when: `(SELECT count(*) FROM start) < ${limit}` })})
      UNION ALL SELECT row, 3 FROM named),
    work(id, band) AS (SELECT ${numberOfRow("row")}, min(band) FROM hit GROUP BY row),
    banded AS (
      SELECT work.id, ${OF_KNOWN.boost} AS boost, iif(band > 1 AND (
        SELECT ${IS_START} FROM work_ranking_${generation} WHERE id = work.id), 1, band) AS band
      FROM work ${knownSql(generation, "work.id")} WHERE work.id > 0),
    best AS MATERIALIZED (SELECT * FROM banded WHERE band < 3 ORDER BY band, boost DESC, id LIMIT ${limit})
    ${readSql(generation)}`;
  const matched = [matchAllWords(typed, options), matchStartingWords(typed, options)].map(matchTextOf);
  const exact = exactTitleTokenOf(text) ?? "";
  const { open, others } = startingTextsOf(typed, options);
  const ofTitle = [quoteTokenPhrase(exact), exact, exact + LAST, open, JSON.stringify(others)];
  const ofWord = [typed.beginning, typed.beginning + LAST, matchTextOf(matchBeginning(typed, options))];
  return { sql, values: [...matched, ...ofTitle, ...ofWord] };
}

/** SQL of whether a title begins as typed: the texts of ranking are a JSON list, of which it is the first. */
const IS_START = `substr(ranking, 3, length(?6)) = ?6 OR ?7 <> '[]' AND EXISTS (
  SELECT 1 FROM json_each(?7) s WHERE replace(substr(ranking, 3, length(s.value)), '"', ' ') = s.value)`;

/** Returns SQL of the rows of the most popular works that match an expression. */
function popularWorksSql(
  expression: string,
  options: { readonly generation: Generation; readonly need: number; readonly when?: string },
): string {
  const matched = matchRowsSql(`work_text_${options.generation}`, expression);
  const where = `${matched.where} AND ${numberOfRow(matched.row)} > 0`;
  return popularRowsSql({ ...matched, where }, { ...options, isBounded: true });
}

function knownWordsStatement({ generation }: IndexReader, beginning: string): Statement {
  const sql = `SELECT term FROM spelling_${generation} WHERE term >= ?1 AND term < ?2 LIMIT ${KNOWN_WORDS_MAX}`;
  return { sql, values: [beginning, beginning + LAST] };
}

/** Returns the statement for works with a word that starts with one letter. */
function letterStatement({ generation }: IndexReader, { text, typed, limit }: WorkCompletion): Statement {
  const others = matchWholeWords(typed, TITLE);
  const work = `work_${generation}`;
  const popular =
    others === undefined
      ? `FROM ${work} w WHERE id > 0 AND ?1 IS NOT NULL ORDER BY boost DESC, id LIMIT ${LETTER_WORKS_MAX}`
      : `FROM (${popularWorksSql("?1", { generation, need: LETTER_WORKS_MAX })}) CROSS JOIN ${work} w ON w.id = ${numberOfRow("row")}`;
  return {
    sql: `WITH popular AS MATERIALIZED (SELECT w.id, w.boost, w.title_sort ${popular}),
          best AS MATERIALIZED (
            SELECT id, boost, iif(substr(title_sort, 1, length(?2)) = ?2, 1, 2) AS band FROM popular
            WHERE instr(' ' || title_sort, ' ' || ?3) > 0 ORDER BY band, boost DESC, id LIMIT ${limit})
          ${readSql(generation)}`,
    values: [others === undefined ? "" : matchTextOf(others), collationKeyOf(text.trim()), typed.beginning],
  };
}

function readSql(generation: Generation): string {
  const { columns, joins } = READING.sql(generation, "best.id");
  return `SELECT best.band, best.boost, ${columns.join(", ")}
    FROM best JOIN work_ranking_${generation} k USING (id) ${joins} ORDER BY best.band, best.boost DESC, best.id`;
}

function toCompletedWorks(results: readonly CompletedRow[]): Promise<Completed[]> {
  return Promise.all(
    results.map(async (row) => {
      const members = expandWork(await READING.work(row), COMPLETED_MEMBERS);
      return { document: toCompletedDocument(members), band: row.band, popularity: row.boost };
    }),
  );
}
