import type { ActivityKind } from "../catalog/patrons/activity.ts";

/** What the parts of a patron's object share. */
export interface PatronCore {
  readonly sql: SqlStorage;
  /** Runs `work` as one transaction: all of it is stored, or nothing. */
  transact<Result>(work: () => Result): Result;
  /** The same, and sends what it has noted; the alarm does that again until it was confirmed. */
  change<Result>(work: () => Result): Result;
  /** Notes that others must learn what has become of a subject; inside a transaction. */
  mark(kind: ActivityKind, subject: string | number): void;
}

/** A row of a table, as the runtime types it. */
type Row<Columns> = Columns & Record<string, SqlStorageValue>;

/** All rows of a statement. */
export function all<Columns>(sql: SqlStorage, text: string, ...values: SqlStorageValue[]): Columns[] {
  // The column types are those of the schema beside this file.
  return sql.exec<Row<Columns>>(text, ...values).toArray();
}

/** The first row of a statement. */
export function first<Columns>(
  sql: SqlStorage,
  text: string,
  ...values: SqlStorageValue[]
): Columns | undefined {
  return all<Columns>(sql, text, ...values)[0];
}

/**
 * Brings an object's storage up to the last of its steps, all in one transaction. Steps are never changed once they have run
 * anywhere: new ones are added at the end.
 */
export function upgrade(storage: DurableObjectStorage, steps: readonly string[]): void {
  storage.transactionSync(() => {
    const { sql } = storage;
    sql.exec("CREATE TABLE IF NOT EXISTS step (number INTEGER PRIMARY KEY) STRICT");
    const { done } = sql.exec<{ done: number }>("SELECT count(*) AS done FROM step").one();
    for (const [index, step] of steps.entries()) {
      if (index < done) continue;
      sql.exec(step);
      sql.exec("INSERT INTO step (number) VALUES (?)", index + 1);
    }
  });
}
