import { utf8Length } from "../../../src/catalog/bytes.ts";
import type { Database } from "../../../src/db/statement.ts";

/** Totals of the rows that statements read, and maxima of their results. */
export interface Measured {
  rowsRead: number;
  /** Rows that were written, with entries of indexes. */
  rowsWritten: number;
  /** Length of the largest answer of a statement, as JSON text. */
  length: number;
  /** Bytes of the largest value of a row. */
  value: number;
  /** Number of calls, and bytes of the largest answer of one, as JSON text. */
  trips: number;
  call: number;
}

/** A database that tells what its statements read and answer, one by one (`all`) or in batches. */
export function measured(database: D1Database): [Measured, Database] {
  const sums: Measured = { rowsRead: 0, rowsWritten: 0, length: 0, value: 0, trips: 0, call: 0 };
  const bare = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const noteCall = (results: D1Result[]) => {
    sums.trips += 1;
    sums.call = Math.max(sums.call, utf8Length(JSON.stringify(results.map((result) => result.results))));
  };
  const note = <Row>(result: D1Result<Row>): D1Result<Row> => {
    sums.rowsRead += result.meta.rows_read;
    sums.rowsWritten += result.meta.rows_written;
    sums.length = Math.max(sums.length, JSON.stringify(result.results).length);
    for (const row of result.results)
      for (const value of Object.values(row ?? {}))
        sums.value = Math.max(sums.value, utf8Length(String(value)));
    return result;
  };
  const watched = (statement: D1PreparedStatement): D1PreparedStatement => {
    const proxy = new Proxy(statement, {
      get(target, name) {
        if (name === "bind")
          return (...values: (string | number | null)[]) => watched(target.bind(...values));
        const run = async () => {
          const result = await target.all();
          noteCall([result]);
          return note(result);
        };
        if (name === "all") return run;
        if (name === "first") return async () => (await run()).results[0] ?? null;
        throw new Error(`statements are not measured by ${String(name)}`);
      },
    });
    bare.set(proxy, statement);
    return proxy;
  };
  const batch = async <Row>(statements: D1PreparedStatement[]): Promise<D1Result<Row>[]> => {
    const results = await database.batch<Row>(
      statements.map((statement) => bare.get(statement) ?? statement),
    );
    noteCall(results);
    return results.map(note);
  };
  return [sums, { prepare: (sql) => watched(database.prepare(sql)), batch }];
}
