/**
 * What a patron's object stores, as steps that are never changed once they have run anywhere: new ones are added at the
 * end. Times are milliseconds since the epoch.
 */
export const STEPS: readonly string[] = [
  `CREATE TABLE session (
     id TEXT PRIMARY KEY,
     opened INTEGER NOT NULL,
     expires INTEGER NOT NULL,
     seen INTEGER NOT NULL,
     remembered INTEGER NOT NULL,
     client TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE preference (
     name TEXT PRIMARY KEY,
     value TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE state (
     name TEXT PRIMARY KEY,
     value TEXT NOT NULL
   ) STRICT, WITHOUT ROWID`,
];

/** Brings an object's storage up to the last step, all in one transaction. */
export function upgrade(storage: DurableObjectStorage): void {
  storage.transactionSync(() => {
    const { sql } = storage;
    sql.exec("CREATE TABLE IF NOT EXISTS step (number INTEGER PRIMARY KEY) STRICT");
    const { done } = sql.exec<{ done: number }>("SELECT count(*) AS done FROM step").one();
    for (const [index, step] of STEPS.entries()) {
      if (index < done) continue;
      sql.exec(step);
      sql.exec("INSERT INTO step (number) VALUES (?)", index + 1);
    }
  });
}
