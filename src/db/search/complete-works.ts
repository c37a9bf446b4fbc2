import {
  type TypedOptions,
  type TypedText,
  allWords,
  mayOutgrowStem,
  startingWords,
  wholeWords,
} from "../../search/typed-text.ts";
import type { Completion, Document } from "../../search/engine.ts";
import { exactTitleToken, tokenPhrase } from "../../search/indexing/filter-token.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";
import { collationKey } from "../../search/text/collation.ts";
import { type Statement, allValues, rows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import { levelSql } from "./sql-values.ts";

/** A document that was found, with how well what was typed fits and how popular it is. */
export interface Completed {
  readonly document: Document;
  /** 0: the whole name, 1: its beginning, 2: words of it. */
  readonly band: number;
  readonly popularity: number;
}

/** What is completed: the text as typed, and how it was read. */
type WorkCompletion = Pick<Completion, "text" | "limit"> & { readonly typed: TypedText };

/** Words looked up that begin like the last one typed. */
const KNOWN_WORDS_MAX = 100;
/** Works that are looked through for words that begin with one letter. */
const LETTER_WORKS_MAX = 5000;
/** Levels of popularity that are tried, the highest first. */
const TRIED_LEVELS = [9, 7, 5, 3];
/** In a level there must be so many times more works than are wanted, since some come in two bands. */
const BANDS = 3;

const TITLE = { columns: ["title"], stemmed: true } as const;

interface Row {
  readonly document: string;
  readonly band: number;
  readonly boost: number;
}

/**
 * Works whose title has all the words, the last one as a beginning: the whole title first, then its beginning, then
 * words anywhere, each by popularity. At most two round trips. Pseudo-works are left out.
 */
export async function completeWorks(index: IndexReader, completion: WorkCompletion): Promise<Completed[]> {
  const { typed } = completion;
  if (typed.beginning.length === 1) return completeLetter(index, completion);
  const known = mayOutgrowStem(typed) ? await knownWords(index, typed.beginning) : [];
  const found = await rows<Row>(index.database, worksStatement(index, completion, { ...TITLE, known }));
  return found.map(completedOf);
}

function worksStatement(
  { generation }: IndexReader,
  { text, typed, limit }: WorkCompletion,
  options: TypedOptions,
): Statement {
  const words = `work_text_${generation}`;
  const exact = exactTitleToken(text);
  const all = allWords(typed, options);
  const whole = exact === undefined ? all : `${tokenPhrase(exact)} AND (${all})`;
  const tried = { levels: TRIED_LEVELS, enough: limit * BANDS };
  const sql = `
    WITH start(e) AS MATERIALIZED (SELECT ${levelSql(words, "?2", tried)}),
    anywhere(e) AS MATERIALIZED (SELECT ${levelSql(words, "?3", tried)}),
    hit(id, band) AS (
      SELECT rowid, 0 FROM ${words} WHERE ${words} MATCH ?1
      UNION ALL SELECT ${words}.rowid, 1 FROM start CROSS JOIN ${words} WHERE ${words} MATCH start.e
      UNION ALL SELECT ${words}.rowid, 2 FROM anywhere CROSS JOIN ${words} WHERE ${words} MATCH anywhere.e),
    best AS MATERIALIZED (
      SELECT hit.id, min(hit.band) AS band, work.boost FROM hit JOIN work_${generation} work USING (id)
      WHERE hit.id > 0 GROUP BY hit.id ORDER BY band, work.boost DESC, hit.id LIMIT ?4)
    SELECT best.band, best.boost, stored.document FROM best JOIN work_document_${generation} stored USING (id)
    ORDER BY best.band, best.boost DESC, best.id`;
  return { sql, values: [whole, startingWords(typed, options), all, limit] };
}

/** Words of titles and names that begin so. One statement. */
function knownWords({ database, generation }: IndexReader, beginning: string): Promise<string[]> {
  const sql = `SELECT term FROM spelling_${generation} WHERE term >= ?1 AND term < ?2 LIMIT ${KNOWN_WORDS_MAX}`;
  return allValues<string>(database, { sql, values: [beginning, `${beginning}\u{10FFFF}`] });
}

/**
 * One letter begins too many words for the full-text index. Of the most popular works (with the other words) those
 * are taken whose title, as it is sorted, has such a word.
 */
async function completeLetter(
  index: IndexReader,
  { text, typed, limit }: WorkCompletion,
): Promise<Completed[]> {
  const { database, generation } = index;
  const others = wholeWords(typed, TITLE);
  const words = `work_text_${generation}`;
  const restriction =
    others === undefined ? "" : `id IN (SELECT rowid FROM ${words} WHERE ${words} MATCH ?1) AND`;
  const found = await rows<Row>(database, {
    sql: `WITH popular AS MATERIALIZED (
            SELECT id, boost, title_sort FROM work_${generation} WHERE ${restriction} id > 0 AND ?1 IS NOT NULL
            ORDER BY boost DESC, id LIMIT ${LETTER_WORKS_MAX}),
          best AS MATERIALIZED (
            SELECT id, boost, iif(substr(title_sort, 1, length(?2)) = ?2, 1, 2) AS band FROM popular
            WHERE instr(' ' || title_sort, ' ' || ?3) > 0 ORDER BY band, boost DESC, id LIMIT ?4)
          SELECT best.band, best.boost, stored.document
          FROM best JOIN work_document_${generation} stored USING (id)
          ORDER BY best.band, best.boost DESC, best.id`,
    values: [others ?? "", collationKey(text.trim()), typed.beginning, limit],
  });
  return found.map(completedOf);
}

function completedOf({ document, band, boost }: Row): Completed {
  // The column holds what apply.ts wrote.
  const work = JSON.parse(document) as StoredWorkMembers;
  const { key, title, subtitle, cover_i, first_publish_year, author_name, edition_count } = work;
  const told = { title, subtitle, cover_i, first_publish_year, author_name, edition_count };
  const fields = { key, type: "work", ...told };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  // Stored members are JSON values.
  return { document: Object.fromEntries(present) as Document, band, popularity: boost };
}
