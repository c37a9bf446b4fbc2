import { exactTitleToken } from "../../search/indexing/filter-token.ts";
import { RANKING_FIELDS } from "../../search/indexing/work-rows.ts";
import { anyMatch, tokensMatch, withToken } from "../../search/plan/match.ts";
import { STRONG_COLUMNS } from "../../search/plan/fields.ts";
import { type PreparedSelection, type Selection, narrowed } from "../../search/plan/selection.ts";
import type { WorkSearch } from "../../search/engine.ts";
import type { Query } from "../../search/query/query.ts";
import { lookedFor, rankedTerms, scorer, titleWords } from "../../search/rank.ts";
import { READ_DOCUMENT_BYTES } from "../records/record-rows.ts";
import { rows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import { popularSql } from "./popular.ts";
import { type FoundWork, STORED_BYTES } from "./read-works.ts";
import { OF_KNOWN, countSql, idsSql, knownSql } from "./selection.ts";
import { type SqlContext, SqlValues } from "./sql-values.ts";
import { type WorkReading, type WorkRow, workReading } from "./stored-work.ts";

/** Maximum number of works whose texts are compared with the query. */
export const CANDIDATES_MAX = 200;
/** Maximum number of these whose whole title is the query, and of those that contain it as a phrase. */
const EXACT_CANDIDATES_MAX = 50;
const PHRASE_CANDIDATES_MAX = 50;
/**
 * Maximum number of works for which all members needed for the page are read along, which saves the round trip for the
 * page.
 */
const WHOLE_WORKS_MAX = 60;
/** Maximum size in bytes of a work that is read along. */
const WHOLE_WORK_BYTES = Math.floor(READ_DOCUMENT_BYTES / WHOLE_WORKS_MAX);

const RANKED_FIELDS = new Set<string>([...RANKING_FIELDS, "title"]);
const ARTICLES = ["the", "a", "an"] as const;

/** Returns true if a query has words by which works are ranked. */
export function isRanked(query: Query): boolean {
  return rankedTerms(query).some(({ field }) => field === null || RANKED_FIELDS.has(field));
}

/**
 * Counts a selection and ranks its best works, in one round trip. The candidates of many matches are: works whose title
 * is the query, works that contain it as a phrase, then the most popular ones with its words in title, author or
 * series, then the most popular of all. They depend on query and filters only, so that pages neither overlap nor leave
 * gaps.
 */
export async function rankBest(
  { database, generation }: IndexReader,
  prepared: PreparedSelection & { readonly all: Selection },
  search: Pick<WorkSearch, "query" | "fields" | "withEditions">,
): Promise<{ readonly numFound: number; readonly best: readonly FoundWork[] }> {
  const { query } = search;
  const ranked = { terms: rankedTerms(query), words: titleWords(query) };
  const context = { generation, values: new SqlValues(), reading: workReading(search) };
  const sql = candidatesSql(prepared, context, ranked);
  const found = await rows<CandidatesRow>(database, { sql, values: context.values.values });
  const score = scorer(ranked);
  const best = found.flatMap((row) => {
    // JSON list built by the statement.
    const candidates = JSON.parse(row.candidates) as Candidate[];
    const known = row.document === null ? undefined : row;
    return candidates.map(([id, boost, texts]) => ({ id, score: score({ boost, texts }), row: known }));
  });
  return { numFound: found[0]?.n ?? 0, best: best.sort((a, b) => b.score - a.score || a.id - b.id) };
}

type Candidate = readonly [id: number, boost: number, texts: readonly string[]];
/** Row of the candidates. For few works, each row is one of them. */
type CandidatesRow = { readonly n: number; readonly candidates: string } & (
  | WorkRow
  | { readonly document: null }
);

/**
 * Maximum number of spellings for which texts are filtered. For a single word most candidates may have none of its
 * spellings in these texts, which then need not be sent.
 */
const SPELLINGS_MAX = 4;

/** Returns SQL of the JSON of a candidate, whose texts are JSON already. */
function candidateSql(looked: ReadonlySet<string>, values: SqlValues): string {
  const isShort = looked.size <= SPELLINGS_MAX;
  const tests = isShort ? Array.from(looked, (one) => `instr(k.ranking, ${values.text(one)})`) : ["1"];
  const texts = `iif(${tests.join(" OR ")}, k.ranking, '[]')`;
  return `'[' || picked.id || ',' || format('%!.17g', picked.boost) || ',' || ${texts} || ']'`;
}

/** Returns SQL of one row with the count and all candidates, or of a row per work if there are few. */
function candidatesSql(
  { all, strong }: PreparedSelection & { readonly all: Selection },
  { reading, ...context }: SqlContext & { readonly reading: WorkReading },
  ranked: Parameters<typeof scorer>[0],
): string {
  const { generation } = context;
  const candidate = candidateSql(lookedFor(ranked), context.values);
  const isMany = `(SELECT count(*) FROM noted) > ${CANDIDATES_MAX}`;
  const isCutOff = strong === undefined ? "1" : `(SELECT count(*) FROM strong) >= ${CANDIDATES_MAX}`;
  const pickSql = (selection: Selection, limit: number, when: string): string =>
    popularSql(selection, { ...context, limit, when, offset: 0 });
  const picks = [
    // Works with such a title are among the strong ones anyway, unless these are cut off.
    ...titleMatches(ranked.words).map(({ match, limit }) =>
      pickSql(narrowed(all, match), limit, `${isMany} AND ${isCutOff}`),
    ),
    pickSql(all, CANDIDATES_MAX, strong === undefined ? isMany : `${isMany} AND NOT ${isCutOff}`),
    ...(strong === undefined ? [] : ["SELECT id, boost FROM strong"]),
    `SELECT noted.id, ${OF_KNOWN.boost} AS boost FROM noted ${knownSql(generation, "noted.id")} WHERE NOT ${isMany}`,
  ];
  const short = `SELECT s.id FROM work_document_${generation} s WHERE s.id = picked.id
    AND ${STORED_BYTES} <= ${WHOLE_WORK_BYTES}`;
  const { columns, joins } = reading.sql(generation, `iif(total.n <= ${WHOLE_WORKS_MAX}, (${short}), NULL)`);
  // D1 allows at most five terms in a compound SELECT. References to a table of WITH multiply the text that SQLite
  // parses.
  return `WITH
    noted AS MATERIALIZED (${idsSql(all, context)} LIMIT ${CANDIDATES_MAX + 1}),
    total AS MATERIALIZED (SELECT CASE WHEN ${isMany} THEN (${countSql(all, context)})
      ELSE (SELECT count(*) FROM noted) END AS n),
    ${strong === undefined ? "" : `strong AS MATERIALIZED (${pickSql(strong, CANDIDATES_MAX, isMany)}),`}
    picked AS MATERIALIZED (${picks.map((pick) => `SELECT id, boost FROM (${pick})`).join(" UNION ")})
    SELECT total.n, '[' || coalesce(group_concat(${candidate}), '') || ']' AS candidates, ${columns.join(", ")}
    FROM total LEFT JOIN picked ON 1 LEFT JOIN work_ranking_${generation} k ON k.id = picked.id
    ${joins} GROUP BY ${columns[0]}`;
}

/** Returns matches for works whose title is the query, with or without an article, or contains it as a phrase. */
export function titleMatches(words: readonly string[]) {
  const text = words.join(" ");
  const titles = [text, ...ARTICLES.map((article) => `${article} ${text}`)];
  const [first, ...others] = titles
    .flatMap((title) => exactTitleToken(title) ?? [])
    .map((token) => withToken(token));
  if (first === undefined || text === "") return [];
  const exact = { match: anyMatch([first, ...others]), limit: EXACT_CANDIDATES_MAX };
  if (words.length < 2) return [exact];
  return [exact, { match: tokensMatch(STRONG_COLUMNS, words), limit: PHRASE_CANDIDATES_MAX }];
}
