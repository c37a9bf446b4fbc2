import type { StoredForWrite } from "../../catalog/write/prepare.ts";
import type { LanguageIndex } from "./language-index.ts";

/** Everything that a decision is made on: what the catalog holds at one instant. */
export interface Found {
  /** Keys that a lookup gave, by `lookupName`, ascending by number; absent when nothing was found. */
  readonly hits: ReadonlyMap<string, readonly string[]>;
  /**
   * Records as stored, by key: what the lookups gave, works of those editions, authors of both, works of the
   * candidate authors that have the wanted title key, and the targets of redirects among all of them.
   */
  readonly records: ReadonlyMap<string, StoredForWrite>;
  /** Works with the wanted title key, by author key, ascending by number. */
  readonly worksOf: ReadonlyMap<string, readonly string[]>;
  readonly languages: LanguageIndex;
}
