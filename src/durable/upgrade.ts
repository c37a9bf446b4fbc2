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
