import { toLookupLccn, normalizeOclc } from "../../catalog/identifiers/edition-identifiers.ts";
import { toCanonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { TEXT_ROWS, UNINDEXED_MEMBERS } from "../../catalog/index-rows.ts";
import { WHOLE_TITLE_LENGTH, normalizeTitle } from "../../catalog/matching/match-keys.ts";
import { textOfValue } from "../../catalog/query/parse-query.ts";
import {
  type Comparison,
  type Condition,
  type RecordQuery,
  QueryError,
  followRequiredKeys,
  requiredKeysOf,
} from "../../catalog/query/record-query.ts";
import { type RecordColumns, fittingRecords, requireWhole } from "../records/record-rows.ts";
import { readTargets } from "../redirects.ts";
import { type Database, type Statement, batchRows, rows } from "../statement.ts";
import {
  type IndexTerm,
  SqlBuilder,
  conditionSql,
  derivedTermOf,
  driverSql,
  prefixOf,
  termSql,
} from "./conditions.ts";

type QueryRow = Pick<RecordColumns, "key" | "flags" | "document">;

/** Runs a query. Returns "cut-off" if it would have to scan too many records. Throws `DocumentsTooLarge`. */
export async function runQuery(
  database: Database,
  query: RecordQuery,
  scanRecords: number = SCAN_RECORDS,
): Promise<QueryRow[] | "cut-off"> {
  const records = await runPlan(database, query, { shown: "document", scanRecords });
  return records === "cut-off" ? records : requireWhole<QueryRow>(records);
}

/** Runs a query for keys only, regardless of the sizes of the documents. Returns "cut-off" like `runQuery`. */
export async function runKeyQuery(
  database: Database,
  query: RecordQuery,
  scanRecords: number = SCAN_RECORDS,
): Promise<string[] | "cut-off"> {
  const keys = await runPlan(database, query, { shown: "key", scanRecords });
  // The rows have the column of the statement.
  return keys === "cut-off" ? keys : (keys as { key: string }[]).map(({ key }) => key);
}

/** Runs a query. If it finds nothing, runs it again for the targets of merged records that it names (Q684). */
async function runPlan(
  database: Database,
  query: RecordQuery,
  scope: QueryScope,
): Promise<readonly unknown[] | "cut-off"> {
  const records = await runOnce(database, query, scope);
  if (records === "cut-off" || records.length > 0) return records;
  const targets = await readTargets(database, requiredKeysOf(query));
  return targets.size === 0 ? records : runOnce(database, followRequiredKeys(query, targets), scope);
}

async function runOnce(
  database: Database,
  query: RecordQuery,
  scope: QueryScope,
): Promise<readonly unknown[] | "cut-off"> {
  if (query.limit === 0) return [];
  const { statement, cutOff } = planRecordQuery(query, scope);
  if (cutOff === undefined) return rows<unknown>(database, statement);
  const [records = [], more = []] = await batchRows(database, [statement, cutOff]);
  const isComplete = more.length === 0 || (query.sort === undefined && records.length === query.limit);
  return isComplete ? records : "cut-off";
}

/**
 * Maximum records scanned by a query without an indexed condition. An incomplete scan is an error instead of a partial
 * result (Q34).
 */
export const SCAN_RECORDS = 300_000;

interface QueryScope {
  /** Rows have only the `key`, or are `QueryRow` if they are `whole`. */
  readonly shown: "key" | "document";
  readonly scanRecords: number;
}

/**
 * Plans a query: the most selective index narrows the records, their documents decide. For a scan, `cutOff` yields a
 * row if it is incomplete.
 */
export function planRecordQuery(
  query: RecordQuery,
  { shown, scanRecords }: QueryScope,
): { readonly statement: Statement; readonly cutOff: Statement | undefined } {
  const sql = new SqlBuilder();
  const driver = chooseDriver(query);
  checkPatterns(query, driver);
  const filters = query.conditions
    .filter((condition) => condition !== driver.exactCondition)
    .map((condition) => {
      const authors = editionAuthorsOf(condition, query.type);
      return authors === undefined ? conditionSql(condition, sql) : termSql(authors, sql);
    });
  const isFiltered = filters.length > (query.type === undefined ? 0 : 1);
  const isScan = driver.term === undefined && (isFiltered || !isSortedByIndex(query));
  const driving = driverSql(driver.term, sql);
  const window = isScan ? [windowSql(query.type, scanRecords, sql)] : [];
  // PostgreSQL scans the ids of all types, so it starts at the first one of this type; for SQLite the plus disables
  // that index.
  if (driver.term === undefined && query.type !== undefined) {
    window.push(`+r.id >= (SELECT min(id) FROM record WHERE type = ${sql.bind(query.type)})`);
  }
  const where = [...driving.where, ...window, ...filters].map((part) => `(${part})`).join(" AND ");
  const source = `FROM ${driving.from} ${where === "" ? "" : `WHERE ${where}`}
    ORDER BY ${orderSql(query, sql)} LIMIT ${sql.bind(query.limit)} OFFSET ${sql.bind(query.offset)}`;
  const statement = {
    sql:
      shown === "key"
        ? `SELECT r.key ${source}`
        : fittingRecords({
            source: `SELECT r.id ${source}`,
            ...(query.sort === undefined && { order: "id" }),
          }),
    values: sql.values,
  };
  return { statement, cutOff: isScan ? cutOffStatement(query.type, scanRecords) : undefined };
}

/** Index lookup that narrows the records before their documents are checked. */
interface Driver {
  readonly term?: IndexTerm | undefined;
  /** Condition that the index decides completely. */
  readonly exactCondition?: Condition | undefined;
}

function chooseDriver(query: RecordQuery): Driver {
  let best: Driver = {};
  for (const condition of query.conditions) {
    const candidate = driverOf(condition, query.type);
    if (rankOf(candidate) < rankOf(best)) best = candidate;
  }
  return best;
}

const RANKS: Record<IndexTerm["index"], number> = {
  key: 0,
  identifier: 1,
  property: 2,
  editionAuthors: 2.5,
  keyPrefix: 3,
  titlePrefix: 4,
};

function rankOf({ term }: Driver): number {
  return term === undefined ? 9 : RANKS[term.index];
}

/** Q819: returns the lookup of editions by authors, their own or those of their works; undefined for other conditions. */
function editionAuthorsOf(
  { element, comparisons: [comparison, ...others] }: Condition,
  type: string | undefined,
): IndexTerm | undefined {
  const isAuthors = [...element, ...(comparison?.path ?? [])].join(".") === "authors" && others.length === 0;
  if (type !== "/type/edition" || !isAuthors || comparison?.operator !== "=") return undefined;
  const keys = comparison.values.flatMap((value) => (value.kind === "reference" ? value.key : []));
  return keys.length < comparison.values.length ? undefined : { index: "editionAuthors", values: keys };
}

function driverOf(condition: Condition, type: string | undefined): Driver {
  const derived = derivedTermOf(condition);
  if (derived !== undefined) return { term: derived };
  const authors = editionAuthorsOf(condition, type);
  if (authors !== undefined) return { term: authors, exactCondition: condition };
  const [comparison, ...others] = condition.comparisons;
  if (comparison === undefined) return {};
  const path = [...condition.element, ...comparison.path];
  const exactCondition = others.length === 0 ? condition : undefined;
  if (comparison.operator === "~") return { term: prefixTerm(path, comparison) };
  if (comparison.operator !== "=") return {};
  const values = comparison.values.map(textOfValue).filter((text) => text !== undefined);
  if (values.length < comparison.values.length) return {};
  if (path.length === 1 && path[0] === "key") return { term: { index: "key", values }, exactCondition };
  if (comparison.values.some(({ kind }) => kind !== "reference"))
    return { term: textTerm(path, values, type) };
  // For these the index contains texts only, not references.
  if (TEXT_ROWS.has(path[0] ?? "") || path.some((name) => UNINDEXED_MEMBERS.has(name))) return {};
  return { term: { index: "property", name: path.join("."), values }, exactCondition };
}

const EDITION_IDENTIFIERS = new Map<
  string,
  { kind: string; normalize: (text: string) => string | undefined }
>([
  ["isbn_10", { kind: "isbn", normalize: toCanonicalIsbn }],
  ["isbn_13", { kind: "isbn", normalize: toCanonicalIsbn }],
  ["lccn", { kind: "lccn", normalize: toLookupLccn }],
  ["oclc_numbers", { kind: "oclc", normalize: normalizeOclc }],
  ["ocaid", { kind: "ocaid", normalize: (text) => text }],
  ["source_records", { kind: "source", normalize: (text) => text }],
]);

function textTerm(
  path: readonly string[],
  texts: readonly string[],
  type: string | undefined,
): IndexTerm | undefined {
  const [name = "", source] = path;
  if (path.length === 1 && (name === "title" || name === "name")) {
    const values = texts.map(normalizeTitle);
    return values.includes("") ? undefined : { index: "property", name, values };
  }
  const identifier =
    path.length === 1 && type === "/type/edition" ? EDITION_IDENTIFIERS.get(name) : undefined;
  if (identifier !== undefined) return identifierTerm(identifier.kind, texts.map(identifier.normalize));
  if (path.length !== 2 || source === undefined) return undefined;
  const values = texts.map((text) => text.trim());
  if (name === "identifiers" && type === "/type/edition") return identifierTerm(source, values);
  const isNamed = name === "identifiers" || name === "remote_ids";
  return isNamed ? { index: "property", name: `${name}.${source}`, values } : undefined;
}

function identifierTerm(kind: string, values: readonly (string | undefined)[]): IndexTerm | undefined {
  const known = values.flatMap((value) => value || []);
  return known.length < values.length ? undefined : { index: "identifier", name: kind, values: known };
}

function prefixTerm(path: readonly string[], { values }: Comparison): IndexTerm | undefined {
  const prefix = prefixOf(textOfValue(values[0]) ?? "");
  if (prefix === undefined || path.length !== 1) return undefined;
  const [name] = path;
  if (name === "key") return { index: "keyPrefix", values: [prefix] };
  if (name !== "title" && name !== "name") return undefined;
  const folded = foldedPrefixOf(prefix);
  return folded === undefined ? undefined : { index: "titlePrefix", name, values: [folded] };
}

/**
 * Returns the start that all normalised titles with a prefix share. Returns undefined if it may be an article, which
 * normalisation drops.
 */
function foldedPrefixOf(prefix: string): string | undefined {
  const start = prefix.replace(/^\s+(?=\s)/, "").slice(0, WHOLE_TITLE_LENGTH);
  // An incomplete last word may become `and`, which normalisation drops, like a first article.
  const last = /(?<=\s)\S{0,3}$/.exec(start);
  let safe = last === null ? start : start.slice(0, last.index).trimEnd();
  while (/\sand$/i.test(safe)) safe = safe.slice(0, -"and".length).trimEnd();
  if (/^\s?(?:t|th|the|a)?$/i.test(safe)) return undefined;
  const folded = normalizeTitle(safe);
  return folded.length < 2 ? undefined : folded;
}

/** Checks patterns (Q35): one without an index needs another condition that narrows the records. */
function checkPatterns(query: RecordQuery, driver: Driver): void {
  if (driver.term !== undefined || query.conditions.some(isNarrowing)) return;
  const comparisons = query.conditions.flatMap((condition) => condition.comparisons);
  for (const { operator, values } of comparisons) {
    const isPrefix = operator === "~" && prefixOf(textOfValue(values[0]) ?? "") !== undefined;
    if (isPrefix || (operator !== "~" && operator !== "~i")) continue;
    throw new QueryError("bad_data.query_pattern");
  }
}

function isNarrowing({ element, comparisons }: Condition): boolean {
  return comparisons.some(
    ({ operator, path }) => operator === "=" && (element.length > 0 || path[0] !== "type"),
  );
}

function windowSql(type: string | undefined, scanRecords: number, sql: SqlBuilder): string {
  const of = type === undefined ? "" : `WHERE type = ${sql.bind(type)}`;
  return `r.id < coalesce((SELECT id FROM record ${of} ORDER BY id LIMIT 1 OFFSET ${scanRecords}), 9223372036854775807)`;
}

function cutOffStatement(type: string | undefined, scanRecords: number): Statement {
  const of = type === undefined ? "" : "WHERE type = ?1";
  return {
    sql: `SELECT 1 AS more FROM record ${of} ORDER BY id LIMIT 1 OFFSET ${scanRecords}`,
    values: type === undefined ? [] : [type],
  };
}

function isSortedByIndex({ sort, type }: RecordQuery): boolean {
  if (sort === undefined) return true;
  const { property } = sort;
  return type === undefined ? property === "key" || property === "type" : property === "last_modified";
}

const SORT_COLUMNS = new Set(["key", "type", "created", "last_modified"]);

function orderSql({ sort }: RecordQuery, sql: SqlBuilder): string {
  if (sort === undefined) return "r.id";
  const { property, descending } = sort;
  const by = SORT_COLUMNS.has(property)
    ? `r.${property}`
    : `json_extract(r.document, ${sql.bind(`$."${property}"`)})`;
  return `${by} ${descending ? "DESC" : "ASC"}, r.id`;
}
