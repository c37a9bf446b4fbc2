import { utf8Length } from "../catalog/bytes.ts";

/**
 * A statement as data: built by pure functions, run by one of the two runners. Lists travel as one JSON
 * parameter (`json_each`), because D1 binds 100 values at most.
 */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Parameter[];
}

/** What a statement is given. */
type Parameter = string | number | null;

/** In place of a statement that is not needed. */
export const NO_ROWS: Statement = { sql: "SELECT 1 WHERE 1 = 0", values: [] };

/** What a statement gives: its rows, and how many it changed, those of triggers included. */
export interface Result<Row = unknown> {
  readonly results: Row[];
  readonly meta: {
    readonly changes: number;
    /** Bytes of the whole database, where it says so. */
    readonly size_after?: number;
  };
}

/** A statement with its values, ready to run. */
export interface Prepared {
  all<Row>(): Promise<Result<Row>>;
  /** The first row. */
  first<Row>(): Promise<Row | null>;
  run(): Promise<Result>;
}

/** What statements run on. D1 is one as it is, so that it costs nothing. */
export interface Database {
  prepare(sql: string): { bind(...values: Parameter[]): Prepared };
  /** Runs statements in one transaction and one round trip. */
  batch<Row>(statements: Prepared[]): Promise<Result<Row>[]>;
}

/** A database as one caller sees it, whose reads follow his own writes. */
export interface Session extends Database {
  /** What a later session has to begin with so that it sees what this one has; null when it has seen nothing. */
  getBookmark(): string | null;
}

/** A whole database. */
export interface Store extends Database {
  /**
   * `first-primary`: sees all that is stored; `first-unconstrained`: what is near, which may be a little older; else a
   * bookmark: at least what that session saw.
   */
  withSession(from: string): Session;
}

/** Prepares a statement with its values bound. */
export function prepare(database: Database, { sql, values }: Statement): Prepared {
  return database.prepare(sql).bind(...values);
}

/** All rows of one statement: one round trip. */
export async function rows<Row>(database: Database, statement: Statement): Promise<Row[]> {
  return (await prepare(database, statement).all<Row>()).results;
}

/** First row of one statement, or undefined. */
export async function firstRow<Row>(database: Database, statement: Statement): Promise<Row | undefined> {
  return (await prepare(database, statement).first<Row>()) ?? undefined;
}

/** What a statement gives in its first column: one round trip. */
export async function allValues<Value>(database: Database, statement: Statement): Promise<Value[]> {
  const resultRows = await rows<Record<string, Value>>(database, statement);
  return resultRows.flatMap((row) => Object.values(row).slice(0, 1));
}

/** The first of these values; undefined without a row. */
export async function firstValue<Value>(
  database: Database,
  statement: Statement,
): Promise<Value | undefined> {
  return Object.values((await firstRow<Record<string, Value>>(database, statement)) ?? {})[0];
}

/** Runs a statement that changes rows; resolves to how many it changed, those of triggers included. */
export async function run(database: Database, statement: Statement): Promise<number> {
  return (await prepare(database, statement).run()).meta.changes;
}

/** Rows of several statements in one transaction and one round trip. */
export async function batchRows(database: Database, statements: readonly Statement[]): Promise<unknown[][]> {
  const [first, ...more] = statements;
  if (first === undefined) return [];
  // A statement is a transaction of its own, and cheaper than a batch of one.
  if (more.length === 0) return [await rows(database, first)];
  const results = await database.batch(statements.map((statement) => prepare(database, statement)));
  return results.map((result) => result.results);
}

/**
 * Rows of statements, or of groups of them, by name, in one transaction and one round trip. The rows of a group's
 * statements follow one another.
 */
export async function batchGroups<Rows extends object>(
  database: Database,
  groups: { readonly [name in keyof Rows]: Statement | readonly Statement[] },
): Promise<{ [name in keyof Rows]: Rows[name][] }> {
  const lists = Object.values<Statement | readonly Statement[]>(groups).map((group) => [group].flat());
  const results = await batchRows(database, lists.flat());
  let next = 0;
  const grouped = lists.map(({ length }) => results.slice(next, (next += length)).flat());
  const named = Object.keys(groups).map((name, index) => [name, grouped[index]]);
  // The names are those of `groups`; what rows hold is for the statements to say, as everywhere.
  return Object.fromEntries(named) as { [name in keyof Rows]: Rows[name][] };
}

/**
 * The WHERE of conditions that must all hold, and their values: SQL with a `?` where each of its values stands. Those with
 * an undefined value are left out; without any there is no WHERE.
 */
export function whereSql(
  conditions: readonly (readonly [sql: string, ...values: (string | number | undefined)[]])[],
): {
  readonly where: string;
  readonly values: (string | number)[];
} {
  const stated = conditions.filter(([, ...values]) => !values.includes(undefined));
  let count = 0;
  const sql = stated.map(([text]) => text.replaceAll("?", () => `?${(count += 1)}`)).join(" AND ");
  const values = stated.flatMap(([, ...terms]) => terms.filter((value) => value !== undefined));
  return { where: sql === "" ? "" : `WHERE ${sql}`, values };
}

/** Most bytes of a list in one parameter: half of what D1 takes. */
export const PARAMETER_BYTES = 1_000_000;
/** Most bytes of UTF-8 that a UTF-16 unit becomes. */
const BYTES_OF_UNIT = 3;

/**
 * A statement whose one parameter is a list: several when the list is long, and then each sees a part of it;
 * none at all for an empty list.
 */
export function overList(list: readonly unknown[], sql: string): Statement[] {
  if (list.length === 0) return [];
  const parameter = JSON.stringify(list);
  if (isParameter(parameter)) return [{ sql, values: [parameter] }];
  return splitJsonLists(list).map((text) => ({ sql, values: [text] }));
}

function isParameter(text: string): boolean {
  if (text.length * BYTES_OF_UNIT <= PARAMETER_BYTES) return true;
  return text.length <= PARAMETER_BYTES && utf8Length(text) <= PARAMETER_BYTES;
}

/** JSON texts of consecutive parts of a list. An element too long for a part is one by itself. */
function splitJsonLists(list: readonly unknown[]): string[] {
  const parts: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const element of list) {
    const text = JSON.stringify(element);
    const length = utf8Length(text) + 1;
    if (bytes + length > PARAMETER_BYTES) {
      parts.push([]);
      bytes = 1;
    }
    parts.at(-1)?.push(text);
    bytes += length;
  }
  return parts.map((part) => `[${part.join(",")}]`);
}

/** A part of a list. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
}
