/** What the parts of a patron's object share. */
export interface PatronCore {
  readonly sql: SqlStorage;
  /** Runs `work` as one transaction: all of it is stored, or nothing. */
  transact<Result>(work: () => Result): Result;
  /** Notes that others must learn what has become of a subject; inside a transaction. */
  mark(kind: "work" | "follow" | "like", subject: string | number): void;
  /** Sends what is noted, after the transaction; the alarm does it again until it was confirmed. */
  flush(): void;
}

/** A row of a table, as the runtime types it. */
export type Row<Columns> = Columns & Record<string, SqlStorageValue>;

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
