import { type Database, rows } from "../statement.ts";

/** All language records: their documents, by key. There are some 500. */
export function readLanguages(database: Database): Promise<{ key: string; document: string }[]> {
  return rows(database, {
    sql: "SELECT key, document FROM record WHERE type = '/type/language' ORDER BY key LIMIT 2000",
    values: [],
  });
}
