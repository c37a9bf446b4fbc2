import type { WorkRows } from "../../search/indexing/work-rows.ts";
import { spellingTerms } from "../../search/text/spelling.ts";
import type { Generation } from "../search/generation.ts";
import type { Statement } from "../statement.ts";
import { rowStatements } from "./row-statements.ts";

/** What a generation has once, however many works bring it along. */
export interface Entries {
  /** Words for the spelling of queries. */
  readonly words: ReadonlySet<string>;
  /** Values that works are counted by, with the marks of their fields, under what they are remembered as. */
  readonly values: ReadonlyMap<string, readonly [mark: string, value: string]>;
}

/** Entries that are kept in mind. */
const KNOWN_MAX = 100_000;

/** What works bring along, without what is known to be there. */
export function entriesOf(works: readonly WorkRows[], known: ReadonlySet<string> | undefined): Entries {
  const words = new Set<string>();
  const values = new Map<string, readonly [string, string]>();
  for (const { terms, facets } of works) {
    for (const term of terms) if (known?.has(term) !== true) words.add(term);
    for (const [mark, own] of Object.entries(facets)) {
      for (const value of own) {
        // No word has a blank.
        const name = `${mark} ${value}`;
        if (known?.has(name) !== true) values.set(name, [mark, value]);
      }
    }
  }
  return { words, values };
}

/** Keeps in mind what has been written. */
export function remember(known: Set<string>, { words, values }: Entries): void {
  for (const entry of [...words, ...values.keys()]) if (known.size < KNOWN_MAX) known.add(entry);
}

/**
 * Statements that write what is not there. Words may stay when no title has them any more: corrections look up how
 * frequent they are. Values get codes, which stay for as long as the generation does.
 */
export function entryStatements({ words, values }: Entries, generation: Generation): Statement[] {
  return [
    ...rowStatements(
      spellingTerms(words).map(({ term, skeleton }) => [term, skeleton]),
      (source) =>
        `INSERT OR IGNORE INTO spelling_${generation} (term, skeleton) SELECT r.c0, r.c1 FROM ${source}`,
    ),
    ...rowStatements(
      [...values.values()],
      (source) =>
        `INSERT OR IGNORE INTO facet_value_${generation} (field, value) SELECT r.c0, r.c1 FROM ${source}`,
    ),
  ];
}
