import { USUAL } from "../../search/documents/popularity.ts";
import type { SearchConditions, Generation } from "../../search/engine.ts";
import {
  type Match,
  EVERY_ROW,
  conjoinMatches,
  disjoinMatches,
  excludeMatch,
  matchTextOf,
  matchToken,
} from "../../search/plan/match.ts";
import { type Bounds, type Plan, toMatchPlan } from "../../search/plan/plan.ts";
import { type SearchPlan, type Selection, planSearch } from "../../search/plan/selection.ts";
import { type Vocabulary, type VocabularyRequest, LAST } from "../../search/plan/vocabulary.ts";
import { type Statement, batchRows } from "../statement.ts";
import { checkCosts } from "./check-costs.ts";
import type { IndexReader } from "./index-reader.ts";
import { type SqlContext, joinSql } from "./sql-values.ts";
import { type RowsSql, TEXT_ROW, popularRowsSql, numberOfRow } from "./text-rows.ts";
import { lookUpTerms } from "../../search/engine/search-works.ts";

/** Maximum number of index terms scanned per condition. */
const VOCABULARY_SCAN_TERMS = 200_000;
const VOCABULARY_CANDIDATES_MAX = 5000;

/** Looks up the terms that wildcards match, most frequent first. One round trip, none if all are cached. */
export function readVocabulary(
  { database, generation, vocabulary }: IndexReader,
  requests: readonly VocabularyRequest[],
): Promise<Vocabulary> {
  return lookUpTerms(vocabulary ?? new Map<string, readonly string[]>(), requests, async (unknown) => {
    const statements = unknown.map((request) => vocabularyStatement(request, generation));
    // The rows have the column of the statement.
    const results = (await batchRows(database, statements)) as { term: string }[][];
    return results.map((terms) => terms.map(({ term }) => term));
  });
}

/**
 * Returns the statement for a condition. Words of texts are also looked up in the spelling of titles and names, because
 * the index has stems. Without a beginning only these are searched, because the whole index is too large to scan.
 */
function vocabularyStatement(request: VocabularyRequest, generation: Generation): Statement {
  const { kind, beginning, inside } = request;
  const range = `term >= ?1 AND term < ?2`;
  const indexed = `SELECT term, doc FROM work_term_${generation} WHERE ${range} LIMIT ${VOCABULARY_SCAN_TERMS}`;
  const spelled = `SELECT term, 0 AS doc FROM spelling_${generation} WHERE ${range} LIMIT ${VOCABULARY_SCAN_TERMS}`;
  const both = `SELECT * FROM (${indexed}) UNION ALL SELECT * FROM (${spelled})`;
  const words = beginning === "" ? spelled : both;
  return {
    sql: `SELECT term FROM (${kind === "tokens" ? indexed : words}) WHERE instr(term, ?3) > 0 OR ?3 = ''
          ORDER BY doc DESC, term LIMIT ${VOCABULARY_CANDIDATES_MAX}`,
    values: [beginning, beginning + LAST, inside],
  };
}

const PROBED_IDS_MAX = 1000;

/** Plans a selection. One round trip if there are wildcards to look up, and that of `checkPlan`, otherwise none. */
export async function planIndexSearch(index: IndexReader, selection: SearchConditions): Promise<SearchPlan> {
  const prepared = await planSearch(selection, index.prefix, (requests) => readVocabulary(index, requests));
  await checkPlan(index, prepared);
  return prepared;
}

/** Throws a `TooBroadPartError` for a selection that would take too long, as `checkCosts` does. */
export async function checkPlan(index: IndexReader, { all, strong }: SearchPlan): Promise<void> {
  for (const part of [all, strong]) {
    if (part !== undefined)
      await checkCosts(index, "work", { kind: "and", of: [toMatchPlan(part.match), ...part.conditions] });
  }
}

/** SQL of rows. Without full text the row is the number of the work. */
export interface SelectedRowsSql extends RowsSql {
  /** SQL of the number of the work, and of the row of its texts. */
  readonly id: string;
  readonly textRow: string;
  /** SQL of its popularity and of its number of editions, if requested. */
  readonly boost: string;
  readonly editions: string;
}

interface SelectionSqlOptions extends SqlContext {
  /**
   * True if columns of `work_<generation>`, as `w`, are used besides the number; `popularity` for `boost` and
   * `editions` only.
   */
  readonly withColumns: boolean | "popularity";
  /** SQL of the expression to use instead of the selection's. */
  readonly expression?: string | undefined;
}

export function selectionSql(selection: Selection, options: SelectionSqlOptions): SelectedRowsSql {
  const { generation, values } = options;
  const { match, ids } = selection;
  const work = `work_${generation}`;
  const text = `work_text_${generation}`;
  const expression =
    options.expression ?? (match === undefined ? undefined : values.text(matchTextOf(match)));
  const conditions = selection.conditions.map((plan) =>
    conditionSql(plan, { generation, values, driver: expression }),
  );
  const isProbed = ids !== undefined && (ids.length <= PROBED_IDS_MAX || expression === undefined);
  if (ids !== undefined && !isProbed) conditions.push(`w.id IN (${values.list(ids)})`);
  const keys = isProbed ? `(${values.list(ids ?? [])}) AS k CROSS JOIN ` : "";
  if (expression === undefined) {
    const where = [...(isProbed ? ["w.id = k.value"] : []), ...conditions];
    return {
      ...OF_WORK,
      row: "w.id",
      textRow: TEXT_ROW,
      from: `${keys}${work} AS w`,
      where: where.join(" AND ") || "1",
    };
  }
  const row = `${text}.rowid`;
  const rows = { row, textRow: row };
  const matches = `${text} MATCH ${expression}`;
  if (isProbed) {
    const where = ["w.id = k.value", `${row} = ${TEXT_ROW}`, matches, ...conditions].join(" AND ");
    return { ...OF_WORK, ...rows, from: `${keys}${work} AS w CROSS JOIN ${text}`, where };
  }
  const id = numberOfRow(row);
  if (options.withColumns === true || conditions.length > 0) {
    const where = [matches, `w.id = ${id}`, ...conditions].join(" AND ");
    return { ...OF_WORK, ...rows, from: `${text} CROSS JOIN ${work} AS w`, where };
  }
  const known = options.withColumns === false ? "" : knownSql(generation, id);
  return { ...OF_KNOWN, id, ...rows, from: `${text} ${known}`, where: matches };
}

const OF_WORK = { id: "w.id", boost: "w.boost", editions: "w.edition_count" };
/** SQL of popularity and edition count over rows that `knownSql` may have joined. */
export const OF_KNOWN = { boost: `coalesce(w.boost, ${USUAL})`, editions: "coalesce(w.edition_count, 1)" };

/**
 * Returns a join of works by number with popularity and edition count if these are not the default values, which
 * applies to a tenth of all works. IS NOT NULL is always true: without it SQLite may search the index for each side of OR.
 */
export function knownSql(generation: Generation, id: string): string {
  return `LEFT JOIN work_${generation} AS w INDEXED BY work_${generation}_known
    ON w.id = ${id} AND (w.boost < 12 OR w.boost >= 12.5) AND w.edition_count IS NOT NULL`;
}

/**
 * Share of the works with a word that may have it elsewhere, or with another one. More are not subtracted, because all
 * that match are counted as fast.
 */
const EXCEPTIONS = "n / 8";

/**
 * Returns SQL of the number of works of a selection: one row with `n`. That of one or two words comes from the vocabulary,
 * which counts without reading a row per work: of the works with a word in any column, those are subtracted that have it
 * only in others, and those that have both words.
 */
export function countSql(selection: Selection, context: SqlContext): string {
  const { from, where } = selectionSql(selection, { ...context, withColumns: false });
  const every = `SELECT count(*) AS n FROM ${from} WHERE ${where}`;
  const { match = EVERY_ROW, conditions, ids } = selection;
  const words = conditions.length > 0 || ids !== undefined ? [] : wordsOf(match);
  const [first, second] = words.map((word) => matchToken(word));
  if (first === undefined) return every;
  const { generation, values } = context;
  const table = `work_text_${generation}`;
  const countFew = (exception: Match): string =>
    `(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ${values.text(matchTextOf(exception))}
      LIMIT (SELECT ${EXCEPTIONS} + 1 FROM anywhere)))`;
  const anywhere = second === undefined ? first : disjoinMatches([first, second]);
  const isAnywhere = matchTextOf(match) === matchTextOf(anywhere);
  const documents = words.map(
    (word) => `coalesce((SELECT doc FROM work_term_${generation} WHERE term = ${values.text(word)}), 0)`,
  );
  return `WITH anywhere AS MATERIALIZED (SELECT ${documents.join(" + ")} AS n)
    SELECT CASE WHEN max(elsewhere, twice) <= ${EXCEPTIONS} THEN n - elsewhere - twice ELSE (${every}) END AS n
    FROM anywhere CROSS JOIN (SELECT ${isAnywhere ? "0" : countFew(excludeMatch(anywhere, match))} AS elsewhere,
      ${second === undefined ? "0" : countFew(conjoinMatches([first, second]))} AS twice)`;
}

/** Characters of a token that FTS5 keeps as one. */
const TOKEN = /^[\w=.+#\u{80}-\u{10FFFF}]+$/u;

/** Returns the terms of a match of one or two single words, as in the vocabulary; none for other matches. */
function wordsOf(match: Match): readonly string[] {
  const words = new Set<string>();
  for (const part of match.op === "or" ? match.of : [match]) {
    if (part.op !== "tokens" || part.prefix || part.first) return [];
    const [token = "", ...more] = part.tokens;
    if (more.length > 0 || !TOKEN.test(token)) return [];
    words.add(token.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()));
  }
  return words.size > 2 ? [] : [...words];
}

/** Returns SQL of the numbers of a selection's works, as `id`, unordered. */
export function idsSql(selection: Selection, context: SqlContext): string {
  const { from, where, id } = selectionSql(selection, { ...context, withColumns: false });
  return `SELECT ${id} AS id FROM ${from} WHERE ${where}`;
}

interface PopularOptions extends SqlContext {
  offset: number;
  limit: number;
  /** SQL condition under which works are returned. Defaults to true. */
  when?: string;
  without?: readonly number[] | undefined;
}

/**
 * Returns SQL for the numbers of a selection's works, as `id`, and their popularity, as `boost`, most popular first,
 * ties by number. Looks up only works that can be on the page.
 */
export function popularSql(
  selection: Selection,
  { offset, limit, when, without = [], ...context }: PopularOptions,
): string {
  const { generation, values } = context;
  const limitSql = when === undefined ? String(limit) : `iif(${when}, ${limit}, 0)`;
  const page = `ORDER BY boost DESC, id LIMIT ${limitSql} OFFSET ${offset}`;
  const isOther = (id: string): string =>
    without.length === 0 ? "1" : `${id} NOT IN (${values.list(without)})`;
  if (selection.match === undefined || selection.ids !== undefined) {
    const { from, where, id, boost } = selectionSql(selection, { ...context, withColumns: "popularity" });
    return `SELECT ${id} AS id, ${boost} AS boost FROM ${from} WHERE ${where} AND ${isOther(id)} ${page}`;
  }
  const matches = selectionSql(selection, { ...context, withColumns: false });
  const rows = popularRowsSql(matches, { generation, need: without.length + offset + limit, when });
  return `WITH found AS MATERIALIZED (SELECT ${numberOfRow("row")} AS id FROM (${rows}))
    SELECT found.id AS id, ${OF_KNOWN.boost} AS boost FROM found ${knownSql(generation, "found.id")}
    WHERE ${isOther("found.id")} ${page}`;
}

/**
 * Returns SQL of the expression of the narrowest selection with `need` works, or else of the widest one. Each selection
 * contains those before it. Usually it is the narrowest. Of the others the widest are tried first, because a count
 * stops once there are enough.
 */
export function narrowestSql(
  selections: readonly Selection[],
  { need, ...context }: SqlContext & { readonly need: number },
): string {
  const [narrowest, first, ...wider] = selections.map((selection) => ({
    expression: context.values.text(selection.match === undefined ? "" : matchTextOf(selection.match)),
    counted: `(SELECT count(*) FROM (${idsSql(selection, context)} LIMIT ${need}))`,
  }));
  if (narrowest === undefined || first === undefined) return narrowest?.expression ?? "''";
  let { expression, counted } = first;
  for (const next of wider) {
    expression = `CASE WHEN ${counted} = ${need} THEN ${expression} ELSE ${next.expression} END`;
    ({ counted } = next);
  }
  return `CASE WHEN ${narrowest.counted} = ${need} THEN ${narrowest.expression} ELSE ${expression} END`;
}

interface ConditionContext extends SqlContext {
  readonly driver: string | undefined;
}

/**
 * Maximum number of works whose editions are looked up one work at a time. Beyond it, all matching editions are read.
 */
const PROBED_WORKS_MAX = 2000;
/** Number of rows of `edition_text` per work, as a power of two (src/search/indexing/ids.ts). */
const EDITION_ROWS_BITS = 13;
const EDITION_ROWS = 2 ** EDITION_ROWS_BITS;

/** Returns the SQL of a plan over rows of `work_<generation>` as `w`. */
function conditionSql(plan: Plan, context: ConditionContext): string {
  const { generation, values } = context;
  switch (plan.kind) {
    case "all":
      return "1";
    case "none":
      return "0";
    case "match": {
      const table = `work_text_${generation}`;
      const expression = values.text(matchTextOf(plan.match));
      return `w.id IN (SELECT ${numberOfRow("rowid")} FROM ${table} WHERE ${table} MATCH ${expression})`;
    }
    case "number":
      return boundsSql(`w.${plan.column}`, plan.bounds, String);
    case "text":
      return boundsSql(`w.${plan.column}`, plan.bounds, (text) => values.text(text));
    case "values": {
      const inside = boundsSql("value", plan.bounds, (text) => values.text(text));
      return `w.id IN (SELECT id FROM work_value_${generation} WHERE field = '${plan.field}' AND ${inside})`;
    }
    case "edition":
      return editionSql(matchTextOf(plan.match), context);
    case "not":
      return `NOT coalesce(${conditionSql(plan.of, context)}, 0)`;
    default:
      return joinSql(
        plan.of.map((part) => conditionSql(part, context)),
        plan.kind === "and" ? "AND" : "OR",
      );
  }
}

function boundsSql<Type>(
  column: string,
  { from, to, includesFrom, includesTo }: Bounds<Type>,
  write: (value: Type) => string,
): string {
  const parts = [
    ...(from === undefined ? [] : [`${column} ${includesFrom ? ">=" : ">"} ${write(from)}`]),
    ...(to === undefined ? [] : [`${column} ${includesTo ? "<=" : "<"} ${write(to)}`]),
  ];
  return parts.length === 0 ? `${column} IS NOT NULL` : `(${parts.join(" AND ")})`;
}

/** Returns SQL for works with a matching edition, or without any editions (Q71). */
function editionSql(match: string, { generation, values, driver }: ConditionContext): string {
  const table = `edition_text_${generation}`;
  const matched = `SELECT rowid >> ${EDITION_ROWS_BITS} FROM ${table} WHERE ${table} MATCH ${values.text(match)}`;
  const among = `w.id IN (${matched})`;
  if (driver === undefined) return `(w.edition_count = 0 OR ${among})`;
  const first = `w.id * ${EDITION_ROWS}`;
  const probed = `EXISTS (${matched} AND rowid BETWEEN ${first} AND ${first} + ${EDITION_ROWS - 1})`;
  const text = `work_text_${generation}`;
  const few = `(SELECT count(*) FROM (SELECT 1 FROM ${text} WHERE ${text} MATCH ${driver}
    LIMIT ${PROBED_WORKS_MAX + 1})) <= ${PROBED_WORKS_MAX}`;
  return `(w.edition_count = 0 OR CASE WHEN ${few} THEN ${probed} ELSE ${among} END)`;
}
