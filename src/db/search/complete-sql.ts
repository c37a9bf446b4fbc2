import { type Match, conjoinMatches, matchTextOf } from "../../search/plan/match.ts";
import { collationKeyOf } from "../../search/text/collation.ts";
import { matchAllWords, isOneLetter, matchStartingWords } from "../../search/typed-text.ts";
import type { PlainScheme } from "../../search/plain-fields.ts";
import { rows } from "../statement.ts";
import { checkCosts } from "./check-costs.ts";
import { completeWorks } from "./complete-works.ts";
import {
  type Completed,
  type CompletionSource,
  type PlainCompletion,
  LETTER_DOCUMENTS_MAX,
  SAME_NAMES,
  filterPlan,
  nameOptions,
  typedPlan,
} from "../../search/engine/complete-text.ts";
import type { IndexReader } from "./index-reader.ts";
import { type SchemeTables, BoundValues, plainConditionSql, tablesOf } from "./plain-sql.ts";
import { PLAIN_SOURCES } from "../../search/engine/plain-search.ts";
import { searchPlain } from "./plain.ts";
import { numberOfRow } from "./text-rows.ts";

/** Returns the operations of the embedded index for completions. Methods throw database errors. */
export function createCompletionSource(index: IndexReader): CompletionSource {
  return {
    works: (completion) => completeWorks(index, completion),
    plain: (completion) => completePlain(index, completion),
    search: (scheme, search) => searchPlain(index, scheme, search),
  };
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
