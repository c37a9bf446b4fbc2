import { type Selection, narrowSelection } from "../../search/plan/selection.ts";
import type { SearchRequest } from "../../search/engine.ts";
import { searchedTextsOf } from "../../search/rank.ts";
import { READ_DOCUMENT_BYTES } from "../../catalog/bytes.ts";
import { rows } from "../statement.ts";
import type { IndexReader, KnownCounts } from "./index-reader.ts";
import { type CountRow, knownCountSql, rememberCount } from "./known-counts.ts";
import { STORED_BYTES } from "./read-works.ts";
import { OF_KNOWN, idsSql, knownSql, popularSql } from "./selection.ts";
import { type SqlContext, SqlValues } from "./sql-values.ts";
import { type WorkReading, workReadingOf } from "./stored-work.ts";
import type { WorkRow } from "../../search/indexing/packed-work.ts";
import {
  type RankedPlan,
  type RankedWords,
  type WorkCandidate,
  CANDIDATES_MAX,
  titleMatchesOf,
} from "../../search/engine/search-works.ts";

/**
 * Maximum number of works for which all members needed for the page are read along, which saves the round trip for the
 * page.
 */
const WHOLE_WORKS_MAX = 60;
const WHOLE_WORK_BYTES = Math.floor(READ_DOCUMENT_BYTES / WHOLE_WORKS_MAX);
/**
 * Maximum number of spellings for which texts are filtered. For a single word most candidates may have none of its
 * spellings in these texts, which then need not be sent.
 */
const SPELLINGS_MAX = 4;

/** Bytes of the texts of a candidate: those of all 400 at most are one value, which D1 limits to 2,000,000 bytes. */
const CANDIDATE_BYTES = 4800;
/** Characters of a text of up to four bytes each that remain of three larger ones. */
const CUT_TEXT_LENGTH = CANDIDATE_BYTES / 12;

/** Row of the candidates. For few works, each row is one of them. */
type CandidatesRow = CountRow & { readonly candidates: string } & (WorkRow | { readonly document: null });

/** Implements `WorkSource.readCandidates`. One round trip. */
export async function readCandidates(
  { database, generation, counts }: IndexReader,
  selection: RankedPlan,
  { words, ...request }: Pick<SearchRequest, "fields" | "withEditions"> & { readonly words: RankedWords },
): Promise<{ readonly numFound: number; readonly candidates: readonly WorkCandidate[] }> {
  const reading = workReadingOf(request);
  const context = { generation, counts, values: new SqlValues(), reading };
  const sql = candidatesSql(selection, context, words);
  const results = await rows<CandidatesRow>(database, { sql, values: context.values.values });
  const candidates = results.flatMap((row) => {
    const restore = row.document === null ? undefined : () => reading.work(row);
    // JSON list built by the statement.
    const list = JSON.parse(row.candidates) as [id: number, boost: number, texts: string[]][];
    return list.map(([id, boost, texts]) => ({ id, boost, texts, restore }));
  });
  return { numFound: rememberCount(counts, selection.all, results[0]), candidates };
}

/** Returns SQL of the JSON of a candidate, whose texts are JSON already. */
function candidateSql(spellings: ReadonlySet<string>, values: SqlValues): string {
  const isShort = spellings.size <= SPELLINGS_MAX;
  const tests = isShort
    ? Array.from(spellings, (spelling) => `instr(k.ranking, ${values.text(spelling)})`)
    : ["1"];
  const cut = [0, 1, 2].map((place) => `substr(k.ranking ->> ${place}, 1, ${CUT_TEXT_LENGTH})`);
  const texts = `CASE WHEN NOT (${tests.join(" OR ")}) THEN '[]'
    WHEN octet_length(k.ranking) > ${CANDIDATE_BYTES} THEN json_array(${cut.join(", ")}) ELSE k.ranking END`;
  return `'[' || picked.id || ',' || format('%!.17g', picked.boost) || ',' || ${texts} || ']'`;
}

interface CandidatesContext extends SqlContext {
  readonly reading: WorkReading;
  readonly counts: KnownCounts | undefined;
}

function candidatesSql(
  { all, strong }: RankedPlan,
  { reading, counts, ...context }: CandidatesContext,
  words: RankedWords,
): string {
  const { generation } = context;
  const candidate = candidateSql(searchedTextsOf(words), context.values);
  // Counted once each: every count reads all rows.
  const isMany = `(SELECT n > ${CANDIDATES_MAX} FROM some)`;
  const few = { when: `NOT ${isMany}`, count: "(SELECT n FROM some)" };
  const isCutOff = strong === undefined ? "1" : `(SELECT n >= ${CANDIDATES_MAX} FROM strong_some)`;
  const pickSql = (selection: Selection, limit: number, when: string): string =>
    popularSql(selection, { ...context, limit, when, offset: 0 });
  const picks = [
    // Works with such a title are among the strong ones anyway, unless these are cut off.
    ...titleMatchesOf(words.words).map(({ match, limit }) =>
      pickSql(narrowSelection(all, match), limit, `${isMany} AND ${isCutOff}`),
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
    some AS MATERIALIZED (SELECT count(*) AS n FROM noted),
    total AS MATERIALIZED (${knownCountSql(all, { ...context, counts, other: few })}),
    ${strong === undefined ? "" : `strong AS MATERIALIZED (${pickSql(strong, CANDIDATES_MAX, isMany)}), strong_some AS MATERIALIZED (SELECT count(*) AS n FROM strong),`}
    picked AS MATERIALIZED (${picks.map((pick) => `SELECT id, boost FROM (${pick})`).join(" UNION ")})
    SELECT total.n, total.version, '[' || coalesce(group_concat(${candidate}), '') || ']' AS candidates, ${columns.join(", ")}
    FROM total LEFT JOIN picked ON 1 LEFT JOIN work_ranking_${generation} k ON k.id = picked.id
    ${joins} GROUP BY ${columns[0]}`;
}
