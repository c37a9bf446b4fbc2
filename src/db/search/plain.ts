import { type Hits, type Mark, type PlainSearch, type Sort, WINDOW_PLAIN_MAX } from "../../search/engine.ts";
import { type PlainPlan, freeLeaves, plainPlan, unnamedMatch } from "../../search/plan/plain-query.ts";
import { type PlainScheme, PLAIN_FIELDS } from "../../search/plain-fields.ts";
import { type Match, matchText } from "../../search/plan/match.ts";
import { checkBreadth, checkWords } from "../../search/plan/too-broad.ts";
import { collationKey } from "../../search/text/collation.ts";
import { queryTerms } from "../../search/text/analysis.ts";
import { rows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import {
  type PlainSource,
  type SchemeTables,
  PLAIN_SOURCES,
  BoundValues,
  conditionSql,
  tablesOf,
} from "./plain-sources.ts";
import { type OrderTerm, orderSql } from "./sorted.ts";
import { randomOrder } from "./sql-values.ts";
import { afterSql, walkTerms } from "./walk.ts";

/** Points for containing the query as a phrase, and for a name equal to the query. */
export const PHRASE_POINTS = 50;
export const NAME_POINTS = 20;

interface Planned {
  readonly source: PlainSource;
  readonly tables: SchemeTables;
  readonly search: PlainSearch;
  /** Full-text expression that every result matches. Without it the table is scanned. */
  readonly expression: string | undefined;
  readonly rest: PlainPlan;
}

/**
 * Searches authors, subjects or lists. One round trip. The number found is exact; pages never overlap, because ties are
 * ordered by record number. Throws a `TooBroadError` for too many wildcards or words, and database errors.
 */
export async function searchPlain(
  { database, generation }: IndexReader,
  scheme: PlainScheme,
  search: PlainSearch,
): Promise<Hits> {
  const queries = [search.query, ...search.filters];
  checkBreadth(queries);
  checkWords(queries, (field) => field === null || PLAIN_FIELDS[scheme].get(field)?.words !== undefined);
  const source = PLAIN_SOURCES[scheme];
  const planned = { source, tables: tablesOf(scheme, generation), search, ...driverOf(scheme, search) };
  const { after } = search;
  const bound = new BoundValues();
  type Row = Readonly<Record<string, unknown>> & { readonly n: number; readonly mark: string | null };
  const found = await rows<Row>(database, { sql: pageSql(planned, bound), values: bound.values });
  const documents = found.flatMap((row) => (row.mark === null ? [] : [source.documentOf(row)]));
  const last = after && found.at(-1)?.mark;
  // JSON list built by the statement.
  const mark = last ? (JSON.parse(last) as Mark) : undefined;
  return { numFound: found[0]?.n ?? 0, numFoundExact: true, documents, mark };
}

function driverOf(scheme: PlainScheme, { query, filters }: PlainSearch) {
  const plan = plainPlan({ op: "and", of: [query, ...filters] }, scheme);
  if (plan.kind === "match") return { expression: matchText(plan.match), rest: { kind: "all" } as const };
  const [first, ...more] = plan.kind === "and" ? plan.of : [];
  if (first?.kind !== "match") return { expression: undefined, rest: plan };
  return { expression: matchText(first.match), rest: { kind: "and", of: more } as const };
}

function countSql({ tables, expression, rest }: Planned, bound: BoundValues): string {
  if (expression !== undefined && rest.kind === "all") {
    return `SELECT count(*) AS n FROM ${tables.text} WHERE ${tables.text} MATCH ${bound.add(expression)}`;
  }
  return `SELECT count(*) AS n FROM ${fromSql({ tables, expression, rest }, bound)}`;
}

/**
 * Returns SQL of the total and the page: the numbers are sorted before further columns are read. Yields at least one
 * row.
 */
function pageSql(planned: Planned, bound: BoundValues): string {
  const { source, tables, search } = planned;
  const { after, rows: wanted, start } = search;
  const { table } = tables;
  const isCounted = after === undefined || after.length === 0;
  const isPage = after !== undefined || start + wanted <= WINDOW_PLAIN_MAX;
  const total = isCounted ? countSql(planned, bound) : "SELECT 0 AS n";
  const where = fromSql(planned, bound);
  const terms = orderTerms(planned, bound);
  const values = terms.map(({ sql }, at) => `, ${sql} AS o${at}`).join("");
  const named = terms.map((term, at) => ({ ...term, sql: `o${at}` }));
  const order = orderSql(named);
  const follows = after?.length ? ` AND ${afterSql(terms, after, (value) => bound.add(value))}` : "";
  const columns = source.columns.map((column) => `${table}.${column}`).join(", ");
  const mark = `json_array(${named.map(({ sql }) => sql).join(", ")})`;
  return `WITH total AS MATERIALIZED (${total}), page AS MATERIALIZED (
      SELECT ${table}.id AS place${values} FROM ${where}${follows}
      ORDER BY ${order} LIMIT ${isPage ? wanted : 0} OFFSET ${after === undefined ? start : 0})
    SELECT total.n, ${columns}, iif(${table}.id IS NULL, NULL, ${mark}) AS mark
    FROM total LEFT JOIN page ON 1 LEFT JOIN ${table} ON ${table}.id = page.place ORDER BY ${order}`;
}

function fromSql(
  { tables, expression, rest }: Omit<Planned, "source" | "search">,
  bound: BoundValues,
): string {
  const { table, text } = tables;
  const more = rest.kind === "all" ? "" : ` AND ${conditionSql(rest, tables, bound)}`;
  if (expression === undefined) return `${table} WHERE ?1 IS NOT NULL${more}`;
  const match = `${text} MATCH ${bound.add(expression)}`;
  return `${text} CROSS JOIN ${table} ON ${table}.id = ${text}.rowid WHERE ${match}${more}`;
}

/** Returns the sort keys of documents. Their number is the last key, and stands for `key`. */
function orderTerms(planned: Planned, bound: BoundValues): OrderTerm[] {
  const { source, tables, search } = planned;
  const id = `${tables.table}.id`;
  const isWalk = search.after !== undefined;
  const best: Sort = { field: "score", descending: true };
  const sorts = search.sort.length > 0 || isWalk ? search.sort : [best];
  return walkTerms(sorts, id, (sort) => {
    // Without text the most popular come first, in the order of an index.
    if (sort.field === "score" && (isWalk || planned.expression === undefined))
      return { sql: `${tables.table}.${source.popular}`, descending: true };
    if (sort.field === "score") return { sql: scoreSql(planned, bound), descending: true };
    const column = source.sorts.get(sort.field);
    return column === undefined ? undefined : sortTerm(`${tables.table}.${column}`, sort);
  });
}

function sortTerm(column: string, { field, descending, seed = "" }: Sort): OrderTerm {
  return field === "random"
    ? { sql: randomOrder(column, seed), descending }
    : { sql: column, descending, isOptional: true };
}

/** Returns SQL of the score: text, phrase, whole name and popularity. */
function scoreSql({ source, tables, search }: Planned, bound: BoundValues): string {
  const { table, text } = tables;
  const points = [
    source.popularity(`${table}.${source.popular}`),
    `-bm25(${text}, ${source.weights.join(", ")})`,
  ];
  const written = freeText(search);
  const phrase = phraseOf(source.name, written);
  if (phrase !== undefined) {
    const found = `SELECT rowid FROM ${text} WHERE ${text} MATCH ${bound.add(matchText(phrase))}`;
    points.push(`${PHRASE_POINTS} * (${table}.id IN (${found}))`);
  }
  if (source.nameSort !== undefined && written !== "") {
    points.push(`${NAME_POINTS} * (${table}.${source.nameSort} = ${bound.add(collationKey(written))})`);
  }
  return points.join(" + ");
}

/** Returns the words without a field, as written. */
export function freeText({ query }: PlainSearch): string {
  return freeLeaves(query)
    .flatMap(({ value }) => (value.kind === "word" || value.kind === "phrase" ? [value.text] : []))
    .join(" ");
}

/** Returns a match for all the words as a phrase. Returns undefined for fewer than two words. */
export function phraseOf(scheme: PlainScheme, text: string): Match | undefined {
  const tokens = queryTerms(text).flatMap((term) => term.tokens);
  if (tokens.length < 2) return undefined;
  return unnamedMatch(scheme, text);
}
