/**
 * A statement as data: built by pure functions, run by one of the two runners. Lists travel as one JSON
 * parameter (`json_each`), because D1 binds 100 values at most.
 */
export interface Statement {
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

/** What statements run on: the database, or a session of it. */
export type Database = Pick<D1Database, "prepare" | "batch"> | D1DatabaseSession;

/** Prepares a statement with its values bound. */
export function prepare(database: Database, { sql, values }: Statement): D1PreparedStatement {
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

/** Rows of several statements in one transaction and one round trip. */
export async function batchRows(database: Database, statements: readonly Statement[]): Promise<unknown[][]> {
  const [first, ...more] = statements;
  if (first === undefined) return [];
  // A statement is a transaction of its own, and cheaper than a batch of one.
  if (more.length === 0) return [await rows(database, first)];
  const results = await database.batch(statements.map((statement) => prepare(database, statement)));
  return results.map((result) => result.results);
}

/** A statement whose one parameter is a list; none at all for an empty list. */
export function overList(list: readonly unknown[], sql: string): Statement[] {
  return list.length === 0 ? [] : [{ sql, values: [JSON.stringify(list)] }];
}
