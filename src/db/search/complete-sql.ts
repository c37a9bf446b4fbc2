import { exactTitleTokenOf, quoteTokenPhrase } from "../../search/indexing/filter-token.ts";
import { type Match, conjoinMatches, matchTextOf } from "../../search/plan/match.ts";
import { expandWork } from "../../search/present/expand.ts";
import { collationKeyOf } from "../../search/text/collation.ts";
import {
  type TypedOptions,
  matchAllWords,
  isOneLetter,
  mayOutgrowStem,
  matchStartingWords,
  matchWholeWords,
} from "../../search/typed-text.ts";
import type { PlainScheme } from "../../search/plain-fields.ts";
import { type Statement, batchRows, rows } from "../statement.ts";
import { checkCosts } from "./check-costs.ts";
import {
  type Completed,
  type CompletionSource,
  type PlainCompletion,
  type WorkCompletion,
  COMPLETED_MEMBERS,
  KNOWN_WORDS_MAX,
  LETTER_DOCUMENTS_MAX,
  LETTER_WORKS_MAX,
  SAME_NAMES,
  TITLE,
  toCompletedDocument,
  filterPlan,
  nameOptions,
  typedPlan,
} from "../../search/engine/complete-text.ts";
import type { IndexReader } from "./index-reader.ts";
import type { Generation } from "../../search/engine.ts";
import { type SchemeTables, BoundValues, plainConditionSql, tablesOf } from "./plain-sql.ts";
import { PLAIN_SOURCES } from "../../search/engine/plain-search.ts";
import { searchPlain } from "./plain.ts";
import { OF_KNOWN, knownSql } from "./selection.ts";
import { LAST } from "../../search/plan/vocabulary.ts";
import { workReadingOf } from "./stored-work.ts";
import type { WorkRow } from "../../search/indexing/packed-work.ts";
import { matchRowsSql, popularRowsSql, numberOfRow } from "./text-rows.ts";

const NO_MATCH = '""';
/** Factor by which more works are looked up per band than are wanted, because some are in two bands. */
const BANDS = 3;
const READING = workReadingOf({ fields: COMPLETED_MEMBERS, withEditions: false });

interface CompletedRow extends WorkRow {
  readonly band: number;
  readonly boost: number;
}

/** Returns the operations of the embedded index for completions. Methods throw database errors. */
export function createCompletionSource(index: IndexReader): CompletionSource {
  return {
    works: (completion) => completeWorks(index, completion),
    plain: (completion) => completePlain(index, completion),
    search: (scheme, search) => searchPlain(index, scheme, search),
  };
}

/**
 * Completes titles in one round trip; one more if words with this beginning have a stem that neither starts with it nor
 * equals its stem.
 */
async function completeWorks(index: IndexReader, completion: WorkCompletion): Promise<Completed[]> {
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
 * Returns the statement for works. LIMIT is not bound, because SQLite would prepare the statement again for each bound
 * value, even the same one.
 */
function worksStatement(
  { generation }: IndexReader,
  { text, typed, limit }: WorkCompletion,
  options: TypedOptions,
): Statement {
  const words = `work_text_${generation}`;
  const exact = exactTitleTokenOf(text);
  const title = exact === undefined ? NO_MATCH : quoteTokenPhrase(exact);
  const popularWorksSql = (expression: string, when?: string): string => {
    const matched = matchRowsSql(words, expression);
    const where = `${matched.where} AND ${numberOfRow(matched.row)} > 0`;
    return popularRowsSql({ ...matched, where }, { generation, need: BANDS * limit, when });
  };
  const sql = `
    WITH whole(e) AS MATERIALIZED (SELECT CASE WHEN EXISTS (SELECT 1 FROM ${words} WHERE ${words} MATCH ?4)
      THEN ?1 ELSE '${NO_MATCH}' END),
    start AS MATERIALIZED (${popularWorksSql("?2")}),
    hit(row, band) AS (
      SELECT ${words}.rowid, 0 FROM whole CROSS JOIN ${words} WHERE ${words} MATCH whole.e
      UNION ALL SELECT row, 1 FROM start
      UNION ALL SELECT row, 2 FROM (${popularWorksSql("?3", `(SELECT count(*) FROM start) < ${limit}`)})),
    work(id, band) AS (SELECT ${numberOfRow("row")}, min(band) FROM hit GROUP BY row),
    best AS MATERIALIZED (
      SELECT work.id, work.band, ${OF_KNOWN.boost} AS boost FROM work ${knownSql(generation, "work.id")}
      WHERE work.id > 0 ORDER BY band, boost DESC, work.id LIMIT ${limit})
    ${readSql(generation)}`;
  const expression = matchTextOf(matchAllWords(typed, options));
  const starts = matchTextOf(matchStartingWords(typed, options));
  return { sql, values: [`${title} AND (${expression})`, starts, expression, title] };
}

function knownWordsStatement({ generation }: IndexReader, beginning: string): Statement {
  const sql = `SELECT term FROM spelling_${generation} WHERE term >= ?1 AND term < ?2 LIMIT ${KNOWN_WORDS_MAX}`;
  return { sql, values: [beginning, beginning + LAST] };
}

/** Returns the statement for works with a word that starts with one letter. */
function letterStatement({ generation }: IndexReader, { text, typed, limit }: WorkCompletion): Statement {
  const others = matchWholeWords(typed, TITLE);
  const words = `work_text_${generation}`;
  const restriction =
    others === undefined
      ? ""
      : `id IN (SELECT ${numberOfRow("rowid")} FROM ${words} WHERE ${words} MATCH ?1) AND`;
  return {
    sql: `WITH popular AS MATERIALIZED (
            SELECT id, boost, title_sort FROM work_${generation} WHERE ${restriction} id > 0 AND ?1 IS NOT NULL
            ORDER BY boost DESC, id LIMIT ${LETTER_WORKS_MAX}),
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

async function completePlain(index: IndexReader, completion: PlainCompletion): Promise<Completed[]> {
  const { scheme, limit, typed } = completion;
  await checkCosts(index, scheme, typedPlan(typed, nameOptions(completion).loose, isOneLetter(typed)));
  const source = PLAIN_SOURCES[scheme];
  const tables = tablesOf(scheme, index.generation);
  const { table } = tables;
  const bound = new BoundValues();
  const toSql = isOneLetter(typed) ? letterSql : wordsSql;
  const hits = toSql(completion, tables, bound);
  const columns = source.columns.map((column) => `${table}.${column}`).join(", ");
  const order = `${scheme === "subject" ? "" : "band, "}popularity DESC, id`;
  const sql = `
    WITH best AS MATERIALIZED (
      SELECT ${table}.id AS id, hit.band AS band, ${table}.${source.popular} AS popularity
      FROM (${hits}) hit CROSS JOIN ${table} ON ${table}.id = hit.id
      ORDER BY ${order} LIMIT ${Math.max(limit, SAME_NAMES)})
    SELECT best.band, best.popularity, ${columns} FROM best JOIN ${table} USING (id) ORDER BY ${order}`;
  type Row = Pick<Completed, "band" | "popularity"> & Readonly<Record<string, unknown>>;
  const results = await rows<Row>(index.database, { sql, values: bound.values });
  return results.map((row) => ({
    document: source.documentOf(row),
    band: row.band,
    popularity: row.popularity,
  }));
}

function wordsSql(completion: PlainCompletion, tables: SchemeTables, bound: BoundValues): string {
  const { scheme, text, typed } = completion;
  const { table, text: words } = tables;
  const filter = filterPlan(completion);
  const idsSql = (match: Match): string =>
    `SELECT ${numberOfRow("rowid")} FROM ${words} WHERE ${words} MATCH ${bound.add(matchTextOf(match))}`;
  const within = (match: Match): Match =>
    filter.kind === "match" ? conjoinMatches([match, filter.match]) : match;
  const { strict, loose } = nameOptions(completion);
  const { nameSort } = PLAIN_SOURCES[scheme];
  const isWhole =
    nameSort === undefined ? "0" : `${table}.${nameSort} = ${bound.add(collationKeyOf(text.trim()))}`;
  const conditions = [`id IN (${idsSql(within(matchAllWords(typed, loose)))})`];
  if (filter.kind !== "match") conditions.push(plainConditionSql(filter, tables, bound));
  if (loose !== strict) {
    const isMeant = `instr(${nameSql(scheme)}, ${bound.add(typed.beginning)}) > 0`;
    conditions.push(`(id IN (${idsSql(within(matchAllWords(typed, strict)))}) OR ${isMeant})`);
  }
  return `SELECT id, CASE WHEN id IN (${idsSql(matchStartingWords(typed, loose))}) THEN iif(${isWhole}, 0, 1) ELSE 2 END AS band
          FROM ${table} WHERE ${conditions.join(" AND ")}`;
}

function nameSql(scheme: PlainScheme): string {
  return PLAIN_SOURCES[scheme].nameSort ?? "lower(name)";
}

function letterSql(completion: PlainCompletion, tables: SchemeTables, bound: BoundValues): string {
  const { scheme, typed } = completion;
  const { table } = tables;
  const { popular } = PLAIN_SOURCES[scheme];
  const letter = bound.add(typed.beginning);
  return `SELECT id, iif(substr(name, 1, 1) = ${letter}, 1, 2) AS band
          FROM (SELECT id, ${nameSql(scheme)} AS name FROM ${table}
                WHERE ${plainConditionSql(filterPlan(completion), tables, bound)}
                ORDER BY ${popular} DESC, id LIMIT ${LETTER_DOCUMENTS_MAX})
          WHERE instr(' ' || name, ' ' || ${letter}) > 0`;
}
