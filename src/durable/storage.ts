import type { ActivityKind } from "../catalog/patrons/activity.ts";

/** What is kept of a patron beside tables. */
type PatronState =
  | "barred"
  | "closed"
  | "code"
  | "lending_keys"
  | "name"
  | "removed"
  | "resends"
  | "sequence"
  | "shelf_undo";

/** What the parts of a patron's object share. */
export interface PatronCore {
  readonly sql: SqlStorage;
  readonly state: StateTable<PatronState>;
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

/** The table `state` of an object: single values by name. */
export class StateTable<Name extends string> {
  constructor(private readonly sql: SqlStorage) {}

  get(name: Name): string | undefined {
    return firstValue<string>(this.sql, "SELECT value FROM state WHERE name = ?", name);
  }

  set(name: Name, value: string | number): void {
    this.sql.exec("INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)", name, String(value));
  }

  delete(name: Name): void {
    this.sql.exec("DELETE FROM state WHERE name = ?", name);
  }
}

/** What a statement gives in its first column. */
export function allValues<Value>(sql: SqlStorage, text: string, ...values: SqlStorageValue[]): Value[] {
  return all<Record<string, Value>>(sql, text, ...values).flatMap((row) => Object.values(row).slice(0, 1));
}

/** The first of these values; undefined without a row. */
export function firstValue<Value>(
  sql: SqlStorage,
  text: string,
  ...values: SqlStorageValue[]
): Value | undefined {
  return allValues<Value>(sql, text, ...values)[0];
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
