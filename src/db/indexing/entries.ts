import type { KnownEntries, Generation } from "../../search/engine.ts";
import { packCode } from "../../search/facets.ts";
import { type WorkFacets, type WorkRows, splitMarkedValue } from "../../search/indexing/work-rows.ts";
import { toSpellingTerms } from "../../search/text/spelling.ts";
import type { Statement } from "../statement.ts";
import { rowStatements } from "./row-statements.ts";

export type FacetValues = ReadonlySet<string>;

export type Codes = ReadonlyMap<string, string>;

export interface CodeRow {
  readonly place: number;
  readonly code: number;
}

/** Returns statements that assign codes to values without one. Codes stay valid for the lifetime of the generation. */
export function codeInsertions(values: FacetValues, generation: Generation): Statement[] {
  return rowStatements(
    Array.from(values, splitMarkedValue),
    (source) =>
      `INSERT OR IGNORE INTO facet_value_${generation} (field, value) SELECT r.c0, r.c1 FROM ${source}`,
  );
}

/** Returns statements that read the codes of values, for `codesOf`. */
export function codeStatements(values: FacetValues, generation: Generation): Statement[] {
  return rowStatements(
    Array.from(values, (name, place) => [...splitMarkedValue(name), place]),
    (source) => `SELECT r.c2 AS place, f.code FROM ${source}
      JOIN facet_value_${generation} f ON f.field = r.c0 AND f.value = r.c1`,
  );
}

/** Returns the codes by name of the value, from the rows of `codeStatements`. */
export function codesOf(values: FacetValues, codeRows: readonly CodeRow[]): Codes {
  const names = [...values];
  return new Map(codeRows.map(({ place, code }) => [names[place] ?? "", packCode(code)]));
}

/**
 * Returns the values of a work as codes, parallel to `FACET_COLUMNS`. Null, which the table rejects, if a value has no
 * code.
 */
export function packFacets(
  facets: WorkFacets,
  codeOf: (name: string) => string | undefined,
): (string | null)[] {
  return facets.map((names) => {
    let packed = "";
    for (const name of names) {
      const code = codeOf(name);
      if (code === undefined) return null;
      packed += code;
    }
    return packed;
  });
}

/** Entries stored once per generation, regardless of how many works have them. */
interface Entries {
  readonly words: ReadonlySet<string>;
  readonly values: FacetValues;
}

/** Maximum number of words, and of codes, cached in memory. */
const KNOWN_MAX = 60_000;

/** Returns the entries of works, without those that are known to be stored. */
export function entriesOf(works: readonly WorkRows[], known: KnownEntries | undefined): Entries {
  const words = new Set<string>();
  const values = new Set<string>();
  for (const { terms, facets } of works) {
    for (const term of terms) if (known?.words.has(term) !== true) words.add(term);
    for (const name of facets.flat()) if (known?.codes.has(name) !== true) values.add(name);
  }
  return { words, values };
}

export function rememberWords({ words }: KnownEntries, written: ReadonlySet<string>): void {
  for (const word of written) if (words.size < KNOWN_MAX) words.add(word);
}

export function rememberCodes({ codes }: KnownEntries, written: Codes): void {
  for (const [name, code] of written) if (codes.size < KNOWN_MAX) codes.set(name, code);
}

/**
 * Returns statements that write missing words. Words that no title has any more may stay, because corrections look up
 * their frequency.
 */
export function wordStatements(words: ReadonlySet<string>, generation: Generation): Statement[] {
  return rowStatements(
    toSpellingTerms(words).map(({ term, skeleton }) => [term, skeleton]),
    (source) =>
      `INSERT OR IGNORE INTO spelling_${generation} (term, skeleton) SELECT r.c0, r.c1 FROM ${source}`,
  );
}
