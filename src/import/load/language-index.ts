/** All languages of the catalog, by what texts may name them (import.md 20). Deprecated ones are not in it. */
export interface LanguageIndex {
  /** Keys of language records. */
  readonly keys: ReadonlySet<string>;
  /** By the first `identifiers.iso_639_1`. */
  readonly byIso: ReadonlyMap<string, string>;
  /** By name and translated names, folded: the keys of all languages that have it. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
}
