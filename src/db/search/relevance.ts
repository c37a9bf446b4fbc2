import { exactTitleToken, popularityToken } from "../../search/indexing/filter-token.ts";
import { RANKING_FIELDS } from "../../search/indexing/work-rows.ts";
import { anyMatch, matchText, tokensMatch, withToken } from "../../search/plan/match.ts";
import { STRONG_COLUMNS } from "../../search/plan/fields.ts";
import { type PreparedSelection, type Selection, narrowed } from "../../search/plan/selection.ts";
import type { Query } from "../../search/query/query.ts";
import { type RankedTerm, rankedTerms, scorer, titleWords } from "../../search/rank.ts";
import { rows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import { type StoredWorkRow, STORED_WORK_COLUMNS } from "./read-works.ts";
import { countSql, idsSql, selectionSql } from "./selection.ts";
import { type SqlContext, SqlValues } from "./sql-values.ts";

/** The levels that are tried, from the fewest works to the most: each has some four to ten times the works. */
const TRIED_LEVELS = [8, 4, 2, 0] as const;

/** What works in order of popularity are asked for. */
interface PopularOptions extends SqlContext {
  /** SQL of how many works to leave out at the start, and of how many to return. */
  readonly offset: string;
  readonly limit: string;
  /** How many of the most popular works are looked at: the works left out and those returned are among them. */
  readonly need: number;
  /** SQL of the numbers of works that are left out. */
  readonly without?: string;
}

/**
 * SQL for the numbers of a selection's works, as `id`, the most popular first; equally popular ones by number. A
 * popularity level holds exactly the works above it, so the smallest one with enough works gives the same answer
 * as all of them, without looking at the others.
 */
export function popularSql(selection: Selection, options: PopularOptions): string {
  const { generation, values, offset, limit, without } = options;
  const expression = tierSql(selection, options);
  const { from, where } = selectionSql(selection, { generation, values, withColumns: true, expression });
  const others = without === undefined ? "" : ` AND w.id NOT IN (${without})`;
  return `SELECT w.id AS id FROM ${from} WHERE ${where}${others}
    ORDER BY w.boost DESC, w.id LIMIT ${limit} OFFSET ${offset}`;
}

/** SQL of the expression: that of the smallest level with enough works. */
function tierSql(selection: Selection, { generation, values, need }: PopularOptions): string | undefined {
  const { match, ids } = selection;
  if (match === undefined) return undefined;
  const whole = values.text(matchText(match));
  if (ids !== undefined) return whole;
  const tiers = TRIED_LEVELS.map((level) => {
    const tier = narrowed(selection, withToken(popularityToken(level)));
    const some = `${idsSql(tier, { generation, values })} LIMIT ${need}`;
    const expression = values.text(matchText(tier.match ?? match));
    return `WHEN (SELECT count(*) FROM (${some})) >= ${need} THEN ${expression}`;
  });
  return `CASE ${tiers.join(" ")} ELSE ${whole} END`;
}

/** Works whose texts are compared with the query. */
export const CANDIDATES_MAX = 200;
/** Of these, works whose whole title is the query, and works that have it as a phrase. */
const EXACT_CANDIDATES_MAX = 50;
const PHRASE_CANDIDATES_MAX = 50;
/** Up to so many matches are noted down and looked up by popularity; of more, popularity levels are tried. */
const NOTED_WORKS_MAX = 3000;
/** Up to so many works come with their documents, which saves the round trip for the page. */
const WHOLE_WORKS_MAX = 60;

const RANKED_FIELDS = new Set<string>([...RANKING_FIELDS, "title"]);
const ARTICLES = ["the", "a", "an"] as const;

/** A work with its score. */
export interface RankedWork {
  readonly id: number;
  readonly score: number;
  /** Where there are few works. */
  readonly row?: StoredWorkRow | undefined;
}

/** Whether a query has words by which its works are ordered. */
export function isRanked(query: Query): boolean {
  return rankedTerms(query).some(({ field }) => field === null || RANKED_FIELDS.has(field));
}

/**
 * Counts a selection and ranks its best works, in one round trip. Candidates are, of many matches: those whose
 * title is the query, those that have it as a phrase, then the most popular ones of those that have its words in
 * title, author or series, then of all. Which they are depends on query and filters alone, so that pages neither
 * overlap nor leave gaps.
 */
export async function rankBest(
  { database, generation }: IndexReader,
  prepared: PreparedSelection & { readonly all: Selection },
  query: Query,
): Promise<{ readonly numFound: number; readonly best: readonly RankedWork[] }> {
  const values = new SqlValues();
  const words = titleWords(query);
  const statement = candidatesSql(prepared, { generation, values }, words);
  const found = await rows<CandidateRow>(database, { sql: statement, values: values.values });
  return { numFound: found[0]?.n ?? 0, best: ranked(found, { terms: rankedTerms(query), words }) };
}

type CandidateRow = { readonly n: number; readonly boost: number; readonly ranking: string | null } & (
  | ({ readonly id: number } & (StoredWorkRow | { readonly document: null }))
  | { readonly id: null }
);

function ranked(
  found: readonly CandidateRow[],
  query: { readonly terms: readonly RankedTerm[]; readonly words: readonly string[] },
): RankedWork[] {
  const score = scorer(query);
  const scored = found.flatMap((candidate): RankedWork[] => {
    if (candidate.id === null) return [];
    const { id, boost, ranking } = candidate;
    // The column holds the JSON of a list of texts (work-rows.ts).
    const texts = ranking === null ? [] : (JSON.parse(ranking) as string[]);
    const row = candidate.document === null ? undefined : candidate;
    return [{ id, score: score({ boost, texts }), row }];
  });
  return scored.sort((one, other) => other.score - one.score || one.id - other.id);
}

/** SQL of one row for each candidate, or of one row with the count alone. */
function candidatesSql(
  { all, strong }: PreparedSelection & { readonly all: Selection },
  context: SqlContext,
  words: readonly string[],
): string {
  const { generation } = context;
  const isMany = `(SELECT n FROM total) > ${CANDIDATES_MAX}`;
  const strongCount = strong === undefined ? "NULL" : "(SELECT count(*) FROM strong)";
  // Works with such a title are among the strong ones anyway, unless these are cut off.
  const isCutOff = `${isMany} AND coalesce(${strongCount} >= ${CANDIDATES_MAX}, 1)`;
  const isShort = `(NOT ${isMany} OR coalesce(${strongCount} < ${CANDIDATES_MAX}, 1))`;
  // A compound SELECT has five terms at most on D1.
  const picks: Picked[] = [
    ...(strong === undefined
      ? []
      : [{ name: "strong", selection: strong, limit: CANDIDATES_MAX, when: isMany }]),
    { name: "popular", selection: all, limit: CANDIDATES_MAX, when: isShort, noted: "noted" },
    ...titleMatches(words).map(({ name, match, limit }) => ({
      name,
      selection: narrowed(all, match),
      limit,
      when: isCutOff,
    })),
  ];
  return `WITH
    noted AS MATERIALIZED (${idsSql(all, context)} LIMIT ${NOTED_WORKS_MAX + 1}),
    total AS MATERIALIZED (SELECT CASE WHEN (SELECT count(*) FROM noted) <= ${NOTED_WORKS_MAX}
      THEN (SELECT count(*) FROM noted) ELSE (${countSql(all, context)}) END AS n),
    ${picks.map((pick) => pickSql(pick, context)).join(",\n")},
    picked AS MATERIALIZED (${picks.map(({ name }) => `SELECT id FROM ${name}`).join(" UNION ")})
    SELECT total.n, w.boost, k.ranking, ${STORED_WORK_COLUMNS}
    FROM total LEFT JOIN picked ON 1
    LEFT JOIN work_${generation} w ON w.id = picked.id LEFT JOIN work_ranking_${generation} k ON k.id = w.id
    LEFT JOIN work_document_${generation} d ON d.id = CASE WHEN total.n <= ${WHOLE_WORKS_MAX} THEN w.id END`;
}

/** The most popular works of a selection. */
interface Picked {
  readonly name: string;
  readonly selection: Selection;
  readonly limit: number;
  /** SQL of whether they are wanted. */
  readonly when: string;
  /** Where the first matches are noted down already. */
  readonly noted?: string;
}

/**
 * SQL of a pick: matches are noted down once; few ones are looked up by popularity from there, of many the
 * popularity levels are tried.
 */
function pickSql(
  { name, selection, limit, when, noted = `${name}_noted` }: Picked,
  context: SqlContext,
): string {
  const own = `${noted} AS MATERIALIZED (${idsSql(selection, context)}
    LIMIT CASE WHEN ${when} THEN ${NOTED_WORKS_MAX + 1} ELSE 0 END),`;
  const isFew = `(SELECT count(*) FROM ${noted}) <= ${NOTED_WORKS_MAX}`;
  const most = popularSql(selection, {
    ...context,
    need: limit,
    limit: `CASE WHEN ${when} AND NOT ${isFew} THEN ${limit} ELSE 0 END`,
    offset: "0",
  });
  return `${noted === "noted" ? "" : own}
    ${name} AS MATERIALIZED (
      SELECT id FROM (SELECT w.id FROM ${noted} CROSS JOIN work_${context.generation} w ON w.id = ${noted}.id
        ORDER BY w.boost DESC, w.id LIMIT CASE WHEN ${when} AND ${isFew} THEN ${limit} ELSE 0 END)
      UNION ALL SELECT id FROM (${most}))`;
}

/** What finds works whose title is the query, with or without an article, or has it in a row. */
function titleMatches(words: readonly string[]) {
  const text = words.join(" ");
  const titles = [text, ...ARTICLES.map((article) => `${article} ${text}`)];
  const [first, ...others] = titles
    .flatMap((title) => exactTitleToken(title) ?? [])
    .map((token) => withToken(token));
  if (first === undefined || text === "") return [];
  const exact = { name: "exact", match: anyMatch([first, ...others]), limit: EXACT_CANDIDATES_MAX };
  if (words.length < 2) return [exact];
  return [exact, { name: "phrase", match: tokensMatch(STRONG_COLUMNS, words), limit: PHRASE_CANDIDATES_MAX }];
}
