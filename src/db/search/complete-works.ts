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
import { exactTitleToken, popularityToken, tokenPhrase } from "../../search/indexing/filter-token.ts";
import { matchText } from "../../search/plan/match.ts";
import { collationKey } from "../../search/text/collation.ts";
import { type Statement, batchRows, rows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import { OF_KNOWN, knownSql } from "./selection.ts";

/** A document that was found, with how well what was typed fits and how popular it is. */
export interface Completed {
  readonly document: Document;
  /** 0: the whole name, 1: its beginning, 2: words of it. */
  readonly band: number;
  readonly popularity: number;
}

/** What is completed: the text as typed, and how it was read. */
export type WorkCompletion = Pick<Completion, "text" | "limit"> & { readonly typed: TypedText };

/** Words looked up that begin like the last one typed. */
export const KNOWN_WORDS_MAX = 100;
/** Works that are looked through for words that begin with one letter. */
export const LETTER_WORKS_MAX = 5000;
/** Up to so many works with titles that begin so are looked up by popularity; of more, a level is tried. */
const LOOKED_UP_MAX = 1000;
const TRIED_LEVEL = 3;
/** An expression that no work matches. */
const NOTHING = '""';
/** In a level there must be so many times more works than are wanted, since some come in two bands. */
const BANDS = 3;

/** Where titles are completed. */
export const TITLE = { columns: ["title"], stemmed: true } as const;

interface Row {
  /** JSON: values of `MEMBERS`. */
  readonly document: string;
  readonly band: number;
  readonly boost: number;
}

/** Members of a work that its completion has. */
const MEMBERS = [
  "key",
  "title",
  "subtitle",
  "cover_i",
  "first_publish_year",
  "author_name",
  "edition_count",
] as const;
const DOCUMENT = `json_extract(stored.document, ${MEMBERS.map((name) => `'$.${name}'`).join(", ")}) AS document`;

/**
 * Works whose title has all the words, the last one as a beginning: the whole title first, then its beginning, then
 * words anywhere, each by popularity. One round trip; one more where words that begin so have a stem that neither begins
 * so nor is that of the beginning. Pseudo-works are left out.
 */
export async function completeWorks(index: IndexReader, completion: WorkCompletion): Promise<Completed[]> {
  const { typed } = completion;
  if (typed.beginning.length === 1) return completeLetter(index, completion);
  const { database } = index;
  const plain = worksStatement(index, completion, TITLE);
  if (!mayOutgrowStem(typed)) return (await rows<Row>(database, plain)).map(rowCompleted);
  const [words = [], found = []] = await batchRows(database, [knownWords(index, typed.beginning), plain]);
  // The first statement answers words, the second works.
  const known = (words as { term: string }[]).map(({ term }) => term);
  const whole = worksStatement(index, completion, { ...TITLE, known });
  const isSame = whole.values.every((value, at) => value === plain.values[at]);
  return (isSame ? (found as Row[]) : await rows<Row>(database, whole)).map(rowCompleted);
}

/**
 * Beginnings of words are expensive to look up, so none is twice: what is found is noted down, if it is not too much. A
 * LIMIT that is bound would have SQLite prepare the statement anew for each value that it is given, even the same.
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
  const popularSql = (expression: string): string => {
    const level = `'(' || ${expression} || ') AND ${tokenPhrase(popularityToken(TRIED_LEVEL))}'`;
    const found = `SELECT 1 FROM ${words} WHERE ${words} MATCH ${level} LIMIT ${limit * BANDS}`;
    return `CASE WHEN (SELECT count(*) FROM (${found})) = ${limit * BANDS} THEN ${level} ELSE ${expression} END`;
  };
  const isFew = `(SELECT count(*) FROM noted) <= ${LOOKED_UP_MAX}`;
  const sql = `
    WITH noted AS MATERIALIZED (SELECT rowid AS id FROM ${words} WHERE ${words} MATCH ?2 LIMIT ${LOOKED_UP_MAX + 1}),
    whole(e) AS MATERIALIZED (SELECT CASE WHEN EXISTS (SELECT 1 FROM ${words} WHERE ${words} MATCH ?4)
      THEN ?1 ELSE '${NOTHING}' END),
    start(e) AS MATERIALIZED (SELECT CASE WHEN ${isFew} THEN '${NOTHING}' ELSE ${popularSql("?2")} END),
    anywhere(e) AS MATERIALIZED (SELECT CASE WHEN (SELECT count(*) FROM noted WHERE id > 0) >= ${limit}
      THEN '${NOTHING}' ELSE ${popularSql("?3")} END),
    hit(id, band) AS (
      SELECT ${words}.rowid, 0 FROM whole CROSS JOIN ${words} WHERE ${words} MATCH whole.e
      UNION ALL SELECT id, 1 FROM noted WHERE ${isFew}
      UNION ALL SELECT ${words}.rowid, 1 FROM start CROSS JOIN ${words} WHERE ${words} MATCH start.e
      UNION ALL SELECT ${words}.rowid, 2 FROM anywhere CROSS JOIN ${words} WHERE ${words} MATCH anywhere.e),
    best AS MATERIALIZED (
      SELECT hit.id, min(hit.band) AS band, ${OF_KNOWN.boost} AS boost FROM hit ${knownSql(generation, "hit.id")}
      WHERE hit.id > 0 GROUP BY hit.id ORDER BY band, boost DESC, hit.id LIMIT ${limit})
    SELECT best.band, best.boost, ${DOCUMENT} FROM best JOIN work_document_${generation} stored USING (id)
    ORDER BY best.band, best.boost DESC, best.id`;
  const expression = matchText(all);
  const starts = matchText(startingWords(typed, options));
  return { sql, values: [`${title} AND (${expression})`, starts, expression, title] };
}

/** Words of titles and names that begin so. */
function knownWords({ generation }: IndexReader, beginning: string): Statement {
  const sql = `SELECT term FROM spelling_${generation} WHERE term >= ?1 AND term < ?2 LIMIT ${KNOWN_WORDS_MAX}`;
  return { sql, values: [beginning, `${beginning}\u{10FFFF}`] };
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
            WHERE instr(' ' || title_sort, ' ' || ?3) > 0 ORDER BY band, boost DESC, id LIMIT ${limit})
          SELECT best.band, best.boost, ${DOCUMENT}
          FROM best JOIN work_document_${generation} stored USING (id)
          ORDER BY best.band, best.boost DESC, best.id`,
    values: [others === undefined ? "" : matchText(others), collationKey(text.trim()), typed.beginning],
  });
  return found.map(rowCompleted);
}

function rowCompleted({ document, band, boost }: Row): Completed {
  // The list that the statement makes.
  const values = JSON.parse(document) as Json[];
  const members = MEMBERS.map((name, at) => [name, values[at]] as const);
  return completedOf(Object.fromEntries(members), { band, popularity: boost });
}

/** A work of a completion, by members of its document. */
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
