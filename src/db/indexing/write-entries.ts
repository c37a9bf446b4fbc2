import type { KnownEntries } from "../../search/engine.ts";
import type { WorkRows } from "../../search/indexing/work-rows.ts";
import { spellingTerms } from "../../search/text/spelling.ts";
import type { Generation } from "../search/generation.ts";
import type { Statement } from "../statement.ts";
import { rowStatements } from "./row-statements.ts";
import type { Codes, FacetValues } from "./value-codes.ts";

/** Entries stored once per generation, regardless of how many works have them. */
interface Entries {
  /** Words for spelling correction of queries. */
  readonly words: ReadonlySet<string>;
  readonly values: FacetValues;
}

/** Maximum number of words, and of codes, cached in memory. */
const KNOWN_MAX = 60_000;

/** Returns the entries of works that are not known to be stored. */
export function entriesOf(works: readonly WorkRows[], known: KnownEntries | undefined): Entries {
  const words = new Set<string>();
  const values = new Set<string>();
  for (const { terms, facets } of works) {
    for (const term of terms) if (known?.words.has(term) !== true) words.add(term);
    for (const name of facets.flat()) if (known?.codes.has(name) !== true) values.add(name);
  }
  return { words, values };
}

/** Caches words that have been written. */
export function rememberWords({ words }: KnownEntries, written: ReadonlySet<string>): void {
  for (const word of written) if (words.size < KNOWN_MAX) words.add(word);
}

/** Caches codes that have been written. */
export function rememberCodes({ codes }: KnownEntries, written: Codes): void {
  for (const [name, code] of written) if (codes.size < KNOWN_MAX) codes.set(name, code);
}

/**
 * Returns statements that write missing words. Words that no title has any more may stay, because corrections look up
 * their frequency.
 */
export function wordStatements(words: ReadonlySet<string>, generation: Generation): Statement[] {
  return rowStatements(
    spellingTerms(words).map(({ term, skeleton }) => [term, skeleton]),
    (source) =>
      `INSERT OR IGNORE INTO spelling_${generation} (term, skeleton) SELECT r.c0, r.c1 FROM ${source}`,
  );
}
