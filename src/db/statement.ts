import { AsyncLocalStorage } from "node:async_hooks";
import { utf8Length } from "../catalog/bytes.ts";

/**
 * Statement as data, built by pure functions and run by one of the two databases. A list is passed as one JSON
 * parameter (`json_each`), because D1 binds at most 100 values.
 */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Parameter[];
}

type Parameter = string | number | null;

/** Placeholder for a statement that is not needed. */
export const NO_ROWS: Statement = { sql: "SELECT 1 WHERE 1 = 0", values: [] };

/** Rows of a statement, and the number of rows it changed, including those of triggers. */
export interface Result<Row = unknown> {
  readonly results: Row[];
  readonly meta: {
    readonly changes: number;
    /** Rows that the statement has read, if reported. */
    readonly rows_read?: number;
    /** Size of the database in bytes, if reported. */
    readonly size_after?: number;
  };
}

export interface Prepared {
  all<Row>(): Promise<Result<Row>>;
  first<Row>(): Promise<Row | null>;
  run(): Promise<Result>;
}

/** Database that runs statements. A D1 binding satisfies it directly, without a wrapper. */
export interface Database {
  prepare(sql: string): { bind(...values: Parameter[]): Prepared };
  /** Runs statements in one transaction and one round trip. */
  batch<Row>(statements: Prepared[]): Promise<Result<Row>[]>;
}

/** Database for one client, whose reads see its own writes. */
export interface DatabaseSession extends Database {
  /** Returns the bookmark with which a later session sees the same state; null if this one has read nothing. */
  getBookmark(): string | null;
}

/** Database that opens sessions. */
export interface Store extends Database {
  /** Makes numbers that the database gives out ascend beyond those stored; absent if it always does so. */
  passNumbers?(tables: readonly string[]): Promise<void>;
  /**
   * Opens a session. `first-primary`: sees all committed writes; `first-unconstrained`: may read from a replica that
   * lags behind; otherwise a bookmark: sees at least the state of that session.
   */
  withSession(from: string): DatabaseSession;
}

/**
 * Returns a database that sends statements which are begun together as one batch: for many reads at once, because the
 * calls of an invocation are limited. An error in one of them fails them all.
 */
export function gatherCalls(database: Database): Database {
  let waiting: { prepared: Prepared; resolve(result: Result): void; reject(error: unknown): void }[] = [];
  const send = async (): Promise<void> => {
    const calls = waiting;
    waiting = [];
    try {
      const results = await database.batch(calls.map(({ prepared }) => prepared));
      for (const [index, result] of results.entries()) calls[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  };
  const all = <Row>(prepared: Prepared): Promise<Result<Row>> =>
    new Promise((resolve, reject) => {
      // The rows are those of the statement.
      waiting.push({ prepared, resolve: (result) => resolve(result as Result<Row>), reject });
      if (waiting.length === 1) setTimeout(() => void send());
    });
  return {
    prepare: (sql) => ({
      bind(...values) {
        const prepared = database.prepare(sql).bind(...values);
        const first = async <Row>(): Promise<Row | null> => (await all<Row>(prepared)).results[0] ?? null;
        return { all: () => all(prepared), first, run: () => all(prepared) };
      },
    }),
    batch: <Row>(statements: Prepared[]) => Promise.all(statements.map((statement) => statement.all<Row>())),
  };
}

const BOUND_LIMITS = /(?<=(?:LIMIT|OFFSET) )\?\d*/g;

/**
 * Keeps SQLite from planning a statement anew at each execution: it does so if a limit is bound, because the plan depends
 * on the value, but does not look into expressions. Planning can take longer than the statement.
 */
export function planOnce(sql: string): string {
  return sql.replaceAll(BOUND_LIMITS, "CAST($& AS BIGINT)");
}

/** Prepares a statement with its values bound. */
export function prepare(database: Database, { sql, values }: Statement): Prepared {
  return database.prepare(planOnce(sql)).bind(...values);
}

/** Function that runs a call of a database when the client that it is for has its turn. */
type Turns = <Row>(call: () => Promise<Result<Row>[]>) => Promise<Result<Row>[]>;

const turns = new AsyncLocalStorage<Turns>();

/** Runs a function whose calls of databases wait for their turns. Without, they run at once. */
export function inTurns<Value>(wait: Turns, work: () => Value): Value {
  return turns.run(wait, work);
}

function inTurn<Row>(call: () => Promise<Result<Row>[]>): Promise<Result<Row>[]> {
  return (turns.getStore() ?? ((now) => now()))(call);
}

/** Returns all rows of a statement. One round trip. */
export async function rows<Row>(database: Database, statement: Statement): Promise<Row[]> {
  const [result] = await inTurn(async () => [await prepare(database, statement).all<Row>()]);
  return result?.results ?? [];
}

/** Returns the first row of a statement, or undefined. One round trip. */
export async function firstRow<Row>(database: Database, statement: Statement): Promise<Row | undefined> {
  const [result] = await inTurn(async () => {
    const row = await prepare(database, statement).first<Row>();
    return [{ results: row === null ? [] : [row], meta: { changes: 0 } }];
  });
  return result?.results[0];
}

/** Returns the first column of all rows. One round trip. */
export async function allValues<Value>(database: Database, statement: Statement): Promise<Value[]> {
  const resultRows = await rows<Record<string, Value>>(database, statement);
  return resultRows.flatMap((row) => Object.values(row).slice(0, 1));
}

/** Returns the first column of the first row. Returns undefined without a row. */
export async function firstValue<Value>(
  database: Database,
  statement: Statement,
): Promise<Value | undefined> {
  return Object.values((await firstRow<Record<string, Value>>(database, statement)) ?? {})[0];
}

/** Runs a statement and returns the number of rows it changed, including those of triggers. */
export async function run(database: Database, statement: Statement): Promise<number> {
  const [result] = await inTurn(async () => [await prepare(database, statement).run()]);
  return result?.meta.changes ?? 0;
}

/** Returns the rows of several statements, in one transaction and one round trip. */
export async function batchRows(database: Database, statements: readonly Statement[]): Promise<unknown[][]> {
  const [first, ...more] = statements;
  if (first === undefined) return [];
  // A single statement is a transaction of its own, and cheaper than a batch.
  if (more.length === 0) return [await rows(database, first)];
  const prepared = statements.map((statement) => prepare(database, statement));
  const results = await inTurn(() => database.batch(prepared));
  return results.map((result) => result.results);
}

/**
 * Returns the rows of statements or groups of statements, by name, in one transaction and one round trip. The rows of a
 * group are concatenated.
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
  // The names are those of `groups`; row types are determined by the statements, as everywhere.
  return Object.fromEntries(named) as { [name in keyof Rows]: Rows[name][] };
}

/**
 * Builds a WHERE clause of conditions that must all hold, with numbered placeholders for each `?`. Conditions with an
 * undefined value are skipped; without conditions the clause is empty.
 */
export function whereSql(
  conditions: readonly (readonly [sql: string, ...values: (string | number | undefined)[]])[],
): { readonly where: string; readonly values: (string | number)[] } {
  const stated = conditions.filter(([, ...values]) => !values.includes(undefined));
  let count = 0;
  const sql = stated.map(([text]) => text.replaceAll("?", () => `?${(count += 1)}`)).join(" AND ");
  const values = stated.flatMap(([, ...terms]) => terms.filter((value) => value !== undefined));
  return { where: sql === "" ? "" : `WHERE ${sql}`, values };
}

/** Maximum size of a list in one parameter, in bytes: half of the limit of D1. */
export const PARAMETER_BYTES = 1_000_000;
/** Maximum bytes of UTF-8 per UTF-16 unit. */
const BYTES_OF_UNIT = 3;

/**
 * Builds statements with a list as their only parameter. A long list is split over several statements, each with a part
 * of it; an empty list needs none.
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

/** Serialises consecutive parts of a list. An element that exceeds the limit gets a part of its own. */
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

export interface Window {
  readonly limit: number;
  readonly offset: number;
}
