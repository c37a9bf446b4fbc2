import type { Database } from "../statement.ts";
import type { Generation } from "./generation.ts";

/** What a reader of the index needs: the database, which generation answers, the prefix of record numbers. */
export interface IndexReader {
  readonly database: Database;
  readonly generation: Generation;
  readonly prefix: string;
}
