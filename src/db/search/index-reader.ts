import type { Database } from "../statement.ts";
import type { Generation } from "./generation.ts";

/** What a reader of the index needs: the database, which generation answers, the prefix of record numbers. */
export interface IndexReader {
  readonly database: Database;
  readonly generation: Generation;
  readonly prefix: string;
  /**
   * Terms that wildcards stand for, by the id of the request, kept for as long as the reader is used: one request.
   * A search that is made once more with other spellings asks for the same.
   */
  readonly vocabulary?: Map<string, readonly string[]>;
}
