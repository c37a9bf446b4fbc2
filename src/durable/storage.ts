import { planOnce } from "../db/statement.ts";

type Row<Columns> = Columns & Record<string, SqlStorageValue>;

export function all<Columns>(sql: SqlStorage, text: string, ...values: SqlStorageValue[]): Columns[] {
  return sql.exec<Row<Columns>>(planOnce(text), ...values).toArray();
}

export function first<Columns>(
  sql: SqlStorage,
  text: string,
  ...values: SqlStorageValue[]
): Columns | undefined {
  return all<Columns>(sql, text, ...values)[0];
}

/** Table `state` of an object: values by name. */
export class StateTable<Name extends string> {
  constructor(private readonly sql: SqlStorage) {}

  get(name: Name): string | undefined {
    return storedValue<string>(this.sql, "SELECT value FROM state WHERE name = ?", name);
  }

  set(name: Name, value: string | number): void {
    this.sql.exec("INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)", name, String(value));
  }

  delete(name: Name): void {
    this.sql.exec("DELETE FROM state WHERE name = ?", name);
  }
}

export function storedValues<Value>(sql: SqlStorage, text: string, ...values: SqlStorageValue[]): Value[] {
  return all<Record<string, Value>>(sql, text, ...values).flatMap((row) => Object.values(row).slice(0, 1));
}

export function storedValue<Value>(
  sql: SqlStorage,
  text: string,
  ...values: SqlStorageValue[]
): Value | undefined {
  return storedValues<Value>(sql, text, ...values)[0];
}

/** Returns the values of a statement with a column of JSON. */
export function jsonValues<Value>(sql: SqlStorage, text: string, ...values: SqlStorageValue[]): Value[] {
  return storedValues<string>(sql, text, ...values).map((json) => JSON.parse(json) as Value);
}

/**
 * Runs the missing schema steps on an object's storage, all in one transaction. Steps are never changed once they have
 * run anywhere: new ones are added at the end.
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
