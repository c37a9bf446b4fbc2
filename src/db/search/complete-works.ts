import {
  type TypedOptions,
  type TypedText,
  allWords,
  mayOutgrowStem,
  startingWords,
  wholeWords,
} from "../../search/typed-text.ts";
import type { Json } from "../../catalog/record.ts";
import type { Completion, Document } from "../../search/engine.ts";
import { exactTitleToken, tokenPhrase } from "../../search/indexing/filter-token.ts";
import { matchText } from "../../search/plan/match.ts";
import { expandWork } from "../../search/present/expand.ts";
import { collationKey } from "../../search/text/collation.ts";
import { type Statement, batchRows, rows } from "../statement.ts";
import type { Generation, IndexReader } from "./generation.ts";
import { OF_KNOWN, knownSql } from "./selection.ts";
import { type WorkRow, workReading } from "./stored-work.ts";
import { matchedRows, popularRows, workOfRow } from "./text-rows.ts";

/** Completed document, with the quality of the match and its popularity. */
export interface Completed {
  readonly document: Document;
  /** 0: the whole name, 1: its beginning, 2: words of it. */
  readonly band: number;
  readonly popularity: number;
}

/** Completion request: the text as typed, and its parsed form. */
export type WorkCompletion = Pick<Completion, "text" | "limit"> & { readonly typed: TypedText };

/** Maximum number of words looked up for the beginning typed last. */
export const KNOWN_WORDS_MAX = 100;
/** Maximum number of works scanned for words that start with one letter. */
export const LETTER_WORKS_MAX = 5000;
/** Expression that matches no work. */
const NOTHING = '""';
/** Factor by which more works are looked up per band than are wanted, because some are in two bands. */
const BANDS = 3;

/** Columns in which titles are completed. */
export const TITLE = { columns: ["title"], stemmed: true } as const;

/** Members of a work in its completion. */
const MEMBERS = [
  "key",
  "title",
  "subtitle",
  "cover_i",
  "first_publish_year",
  "author_name",
  "edition_count",
] as const;
const READING = workReading({ fields: MEMBERS, withEditions: false });

interface Row extends WorkRow {
  readonly band: number;
  readonly boost: number;
}

/**
 * Finds works whose title has all the words, the last one as a beginning: the whole title first, then its beginning,
 * then words anywhere, each by popularity. One round trip; one more if words with this beginning have a stem that
 * neither starts with it nor equals its stem. Pseudo-works are left out.
 */
export async function completeWorks(index: IndexReader, completion: WorkCompletion): Promise<Completed[]> {
  const { typed } = completion;
  if (typed.beginning.length === 1) return completeLetter(index, completion);
  const { database } = index;
  const plain = worksStatement(index, completion, TITLE);
  if (!mayOutgrowStem(typed)) return completed(await rows<Row>(database, plain));
  const [words = [], found = []] = await batchRows(database, [knownWords(index, typed.beginning), plain]);
  // The first statement returns words, the second works.
  const known = (words as { term: string }[]).map(({ term }) => term);
  const whole = worksStatement(index, completion, { ...TITLE, known });
  const isSame = whole.values.every((value, at) => value === plain.values[at]);
  return completed(isSame ? (found as Row[]) : await rows<Row>(database, whole));
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
  const exact = exactTitleToken(text);
  const all = allWords(typed, options);
  const title = exact === undefined ? NOTHING : tokenPhrase(exact);
  const popular = (expression: string, when?: string): string => {
    const matched = matchedRows(words, expression);
    const where = `${matched.where} AND ${workOfRow(matched.row)} > 0`;
    return popularRows({ ...matched, where }, { generation, need: BANDS * limit, when });
  };
  const sql = `
    WITH whole(e) AS MATERIALIZED (SELECT CASE WHEN EXISTS (SELECT 1 FROM ${words} WHERE ${words} MATCH ?4)
      THEN ?1 ELSE '${NOTHING}' END),
    start AS MATERIALIZED (${popular("?2")}),
    hit(row, band) AS (
      SELECT ${words}.rowid, 0 FROM whole CROSS JOIN ${words} WHERE ${words} MATCH whole.e
      UNION ALL SELECT row, 1 FROM start
      UNION ALL SELECT row, 2 FROM (${popular("?3", `(SELECT count(*) FROM start) < ${limit}`)})),
    work(id, band) AS (SELECT ${workOfRow("row")}, min(band) FROM hit GROUP BY row),
    best AS MATERIALIZED (
      SELECT work.id, work.band, ${OF_KNOWN.boost} AS boost FROM work ${knownSql(generation, "work.id")}
      WHERE work.id > 0 ORDER BY band, boost DESC, work.id LIMIT ${limit})
    ${readSql(generation)}`;
  const expression = matchText(all);
  const starts = matchText(startingWords(typed, options));
  return { sql, values: [`${title} AND (${expression})`, starts, expression, title] };
}

/** Returns the statement for words of titles and names with a beginning. */
function knownWords({ generation }: IndexReader, beginning: string): Statement {
  const sql = `SELECT term FROM spelling_${generation} WHERE term >= ?1 AND term < ?2 LIMIT ${KNOWN_WORDS_MAX}`;
  return { sql, values: [beginning, `${beginning}\u{10FFFF}`] };
}

/**
 * Completes a single letter. One letter starts too many words for the full-text index, so the most popular works (with
 * the other words) are filtered by a word with this letter in their sort title.
 */
async function completeLetter(
  index: IndexReader,
  { text, typed, limit }: WorkCompletion,
): Promise<Completed[]> {
  const { database, generation } = index;
  const others = wholeWords(typed, TITLE);
  const words = `work_text_${generation}`;
  const restriction =
    others === undefined
      ? ""
      : `id IN (SELECT ${workOfRow("rowid")} FROM ${words} WHERE ${words} MATCH ?1) AND`;
  const found = await rows<Row>(database, {
    sql: `WITH popular AS MATERIALIZED (
            SELECT id, boost, title_sort FROM work_${generation} WHERE ${restriction} id > 0 AND ?1 IS NOT NULL
            ORDER BY boost DESC, id LIMIT ${LETTER_WORKS_MAX}),
          best AS MATERIALIZED (
            SELECT id, boost, iif(substr(title_sort, 1, length(?2)) = ?2, 1, 2) AS band FROM popular
            WHERE instr(' ' || title_sort, ' ' || ?3) > 0 ORDER BY band, boost DESC, id LIMIT ${limit})
          ${readSql(generation)}`,
    values: [others === undefined ? "" : matchText(others), collationKey(text.trim()), typed.beginning],
  });
  return completed(found);
}

/** Returns SQL of a `Row` for each of the best works, in order. */
function readSql(generation: Generation): string {
  const { columns, joins } = READING.sql(generation, "best.id");
  return `SELECT best.band, best.boost, ${columns.join(", ")}
    FROM best JOIN work_ranking_${generation} k USING (id) ${joins} ORDER BY best.band, best.boost DESC, best.id`;
}

function completed(found: readonly Row[]): Promise<Completed[]> {
  return Promise.all(
    found.map(async (row) => {
      const document = expandWork(await READING.work(row), MEMBERS);
      return completedOf(document, { band: row.band, popularity: row.boost });
    }),
  );
}

/** Builds the completion of a work from members of its document. */
export function completedOf(
  members: Readonly<Record<string, Json | undefined>>,
  fits: Omit<Completed, "document">,
): Completed {
  const present = MEMBERS.flatMap((name) => {
    const value = members[name] ?? undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return { document: { type: "work", ...Object.fromEntries(present) }, ...fits };
}
