import type { Hits, Mark, PlainSearch, Sort } from "../../search/engine.ts";
import { matchTextOf } from "../../search/plan/match.ts";
import type { PlainScheme } from "../../search/plain-fields.ts";
import { collationKeyOf } from "../../search/text/collation.ts";
import { rows } from "../statement.ts";
import { checkCosts } from "./check-costs.ts";
import type { IndexReader } from "./index-reader.ts";
import { afterSql, orderSql } from "./order-sql.ts";
import { type OrderTerm, walkTerms } from "../../search/engine/order-terms.ts";
import { type SchemeTables, BoundValues, plainConditionSql, tablesOf } from "./plain-sql.ts";
import {
  type PlainSource,
  type PreparedPlain,
  PLAIN_SOURCES,
  phraseOf,
  freeText,
  preparePlain,
  NAME_POINTS,
  PHRASE_POINTS,
} from "../../search/engine/plain-search.ts";
import { FIRST_ROW, numberOfRow, textRowOf } from "./text-rows.ts";
import { requireRoom, withinRoom } from "./read-works.ts";
import { randomOrderSql } from "./sql-values.ts";

interface PlainStatement extends PreparedPlain {
  readonly source: PlainSource;
  readonly tables: SchemeTables;
  readonly search: PlainSearch;
}

/**
 * Searches authors, subjects or lists. One round trip. The number found is exact; pages never overlap, because ties are
 * ordered by record number. Throws a `TooBroadError` for too many wildcards or words, `DocumentsTooLarge`, and database
 * errors.
 */
export async function searchPlain(
  index: IndexReader,
  scheme: PlainScheme,
  search: PlainSearch,
): Promise<Hits> {
  const { database, generation } = index;
  const source = PLAIN_SOURCES[scheme];
  const statement = { source, tables: tablesOf(scheme, generation), search, ...preparePlain(scheme, search) };
  await checkCosts(index, scheme, statement.plan);
  const bound = new BoundValues();
  type Row = Readonly<Record<string, unknown>> & { readonly n: number; readonly mark: string | null };
  const sql = isRanked(statement) ? rankedPageSql(statement, bound) : pageSql(statement, bound);
  const others = ["n", "mark", ...source.columns.filter((column) => column !== "document")];
  const bounded = source.columns.includes("document")
    ? withinRoom({ others, texts: ["document"] }, sql)
    : sql;
  const results = requireRoom(await rows<Row>(database, { sql: bounded, values: bound.values }));
  const documents = results.flatMap((row) => (row.mark === null ? [] : [source.documentOf(row)]));
  const last = search.after && results.at(-1)?.mark;
  // JSON list built by the statement.
  const mark = last ? (JSON.parse(last) as Mark) : undefined;
  return { numFound: results[0]?.n ?? 0, numFoundExact: true, documents, mark };
}

function countSql(statement: PlainStatement, bound: BoundValues): string {
  const { tables, driver, rest } = statement;
  if (driver !== undefined && rest.kind === "all") {
    return `SELECT count(*) AS n FROM ${tables.text} WHERE ${tables.text} MATCH ${bound.add(matchTextOf(driver))}`;
  }
  return `SELECT count(*) AS n FROM ${fromSql(statement, bound)}`;
}

/**
 * Returns SQL of the total and the page: the numbers are sorted before further columns are read. Yields at least one
 * row.
 */
function pageSql(statement: PlainStatement, bound: BoundValues): string {
  const { source, tables, search, offset, limit } = statement;
  const { after } = search;
  const { table } = tables;
  const total = after?.length ? "SELECT 0 AS n" : countSql(statement, bound);
  const where = fromSql(statement, bound);
  const terms = orderTerms(statement, bound);
  const values = terms.map(({ value }, at) => `, ${value} AS o${at}`).join("");
  const named = terms.map((term, at) => ({ ...term, value: `o${at}` }));
  const order = orderSql(named);
  const follows = after?.length ? ` AND ${afterSql(terms, after, (value) => bound.add(value))}` : "";
  const columns = source.columns.map((column) => `${table}.${column}`).join(", ");
  const mark = `json_array(${named.map(({ value }) => value).join(", ")})`;
  return `WITH total AS MATERIALIZED (${total}), page AS MATERIALIZED (
      SELECT ${table}.id AS place${values} FROM ${where}${follows}
      ORDER BY ${order} LIMIT ${limit} OFFSET ${offset})
    SELECT total.n, ${columns}, iif(${table}.id IS NULL, NULL, ${mark}) AS mark
    FROM total LEFT JOIN page ON 1 LEFT JOIN ${table} ON ${table}.id = page.place ORDER BY ${order}`;
}

/** Number of matches up to which all are ranked by their score. */
const ALL_RANKED_MAX = 1000;
/**
 * Of more matches, the number of authors that are ranked: of those with most works, of those with the words as a phrase, and
 * of namesakes.
 */
const RANKED_MAX = 200;
const RANKED = `(SELECT iif(n > ${ALL_RANKED_MAX}, ${RANKED_MAX}, ${ALL_RANKED_MAX}) FROM total)`;

/** Returns true for a search of words alone, best first: its texts are read in order of popularity, as far as needed. */
function isRanked({ source, search, driver, rest, sorts, limit }: PlainStatement): boolean {
  const isBestFirst = sorts.length === 1 && sorts[0]?.field === "score" && search.after === undefined;
  return source.name === "author" && driver !== undefined && rest.kind === "all" && isBestFirst && limit > 0;
}

/**
 * Returns SQL of the total and the page, like `pageSql`, for any number of matches: the most popular of them, of those that
 * contain the words as a phrase and of those with the words as their name come first, by score; the others follow in the
 * order of their text rows. These are the same for every page, so pages neither overlap nor leave gaps.
 */
function rankedPageSql(statement: PlainStatement, bound: BoundValues): string {
  const { source, tables, search, offset, limit, driver } = statement;
  const { table, text } = tables;
  const match = `${text} MATCH ${bound.add(driver === undefined ? null : matchTextOf(driver))}`;
  const words = freeText(search);
  const phrase = phraseOf(source.name, words);
  const firstSql = (condition: string): string =>
    `SELECT rowid AS row FROM ${text} WHERE ${condition} AND rowid > ${FIRST_ROW} ORDER BY rowid LIMIT ${RANKED}`;
  const first = `first AS MATERIALIZED (${firstSql(match)})`;
  const phrases = `phrase AS MATERIALIZED (${
    phrase === undefined
      ? "SELECT 0 AS row WHERE 0"
      : firstSql(`${text} MATCH ${bound.add(matchTextOf(phrase))}`)
  })`;
  const namesakes = `namesake AS MATERIALIZED (SELECT ${textRowOf(table)} AS row FROM ${table}
      WHERE name_sort = ${bound.add(collationKeyOf(words))} ORDER BY work_count DESC, id LIMIT ${RANKED})`;
  // Authors written before rows depended on popularity are all ranked.
  const old = `old AS MATERIALIZED (SELECT rowid AS row FROM ${text}
      WHERE ${match} AND rowid < ${FIRST_ROW} AND EXISTS (SELECT 1 FROM ${table} WHERE text_row IS NULL))`;
  const ranked = `ranked AS MATERIALIZED (
      SELECT row FROM first UNION SELECT row FROM phrase UNION SELECT row FROM namesake UNION SELECT row FROM old)`;
  const score = pointsSql(statement, {
    phrase: phrase && `${text}.rowid IN (SELECT row FROM phrase UNION SELECT row FROM namesake)`,
    name: `${text}.rowid IN (SELECT row FROM namesake)`,
  });
  // The sign keeps the full-text search from being made once for each of these rows.
  const scored = `scored AS MATERIALIZED (
      SELECT ${table}.id AS place, ${score} AS score
      FROM ${text} CROSS JOIN ${table} ON ${table}.id = ${numberOfRow(`${text}.rowid`)}
      WHERE ${match} AND ${text}.rowid <= (SELECT max(row) FROM ranked) AND +${text}.rowid IN (SELECT row FROM ranked))`;
  const count = "(SELECT count(*) FROM scored)";
  const columns = source.columns.map((column) => `${table}.${column}`).join(", ");
  return `WITH total AS MATERIALIZED (SELECT count(*) AS n FROM ${text} WHERE ${match}),
    ${[first, phrases, namesakes, old, ranked, scored].join(",\n    ")},
    page(place, at) AS MATERIALIZED (
      SELECT * FROM (SELECT place, row_number() OVER (ORDER BY score DESC, place) FROM scored
        ORDER BY 2 LIMIT ${limit} OFFSET ${offset})
      UNION ALL SELECT * FROM (
        SELECT ${numberOfRow("rowid")}, ${count} + rowid FROM ${text}
        WHERE ${match} AND +rowid NOT IN (SELECT row FROM ranked) ORDER BY rowid
        LIMIT max(0, ${offset + limit} - max(${offset}, ${count})) OFFSET max(0, ${offset} - ${count})))
    SELECT total.n, ${columns}, CAST(page.place AS TEXT) AS mark
    FROM total LEFT JOIN page ON 1 LEFT JOIN ${table} ON ${table}.id = page.place ORDER BY page.at`;
}

function fromSql({ tables, driver, rest }: PlainStatement, bound: BoundValues): string {
  const { table, text } = tables;
  const more = rest.kind === "all" ? "" : ` AND ${plainConditionSql(rest, tables, bound)}`;
  if (driver === undefined) return `${table} WHERE ?1 IS NOT NULL${more}`;
  const match = `${text} MATCH ${bound.add(matchTextOf(driver))}`;
  return `${text} CROSS JOIN ${table} ON ${table}.id = ${numberOfRow(`${text}.rowid`)} WHERE ${match}${more}`;
}

/** Returns the sort keys of documents. Their number is the last key, and stands for `key`. */
function orderTerms(statement: PlainStatement, bound: BoundValues): OrderTerm[] {
  const { source, tables, search, driver, sorts } = statement;
  return walkTerms(sorts, `${tables.table}.id`, (sort) => {
    if (sort.field === "score") {
      // Without text the most popular come first, in the order of an index.
      const isPopular = search.after !== undefined || driver === undefined;
      const value = isPopular ? `${tables.table}.${source.popular}` : scoreSql(statement, bound);
      return [{ value, descending: true }];
    }
    const column = source.sorts.get(sort.field);
    return column === undefined ? [] : [sortTerm(`${tables.table}.${column}`, sort)];
  });
}

function sortTerm(column: string, { field, descending, seed = "" }: Sort): OrderTerm {
  return field === "random"
    ? { value: randomOrderSql(column, seed), descending }
    : { value: column, descending, isOptional: true };
}

function scoreSql(statement: PlainStatement, bound: BoundValues): string {
  const { source, tables, search } = statement;
  const { table, text } = tables;
  const words = freeText(search);
  const phrase = phraseOf(source.name, words);
  const hasName = source.nameSort !== undefined && words !== "";
  return pointsSql(statement, {
    phrase:
      phrase &&
      `${table}.id IN (SELECT ${numberOfRow("rowid")} FROM ${text} WHERE ${text} MATCH ${bound.add(matchTextOf(phrase))})`,
    name: hasName ? `${table}.${source.nameSort} = ${bound.add(collationKeyOf(words))}` : undefined,
  });
}

/** Returns SQL of the score of a row. `phrase`, `name`: conditions of the points for the words as a phrase, and as the name. */
function pointsSql(
  { source, tables: { table, text } }: PlainStatement,
  { phrase, name }: { phrase: string | undefined; name: string | undefined },
): string {
  const points = [
    source.popularity(`${table}.${source.popular}`),
    `-bm25(${text}, ${source.weights.join(", ")})`,
    phrase && `${PHRASE_POINTS} * (${phrase})`,
    name && `${NAME_POINTS} * (${name})`,
  ];
  return points.filter((part) => part !== undefined).join(" + ");
}
