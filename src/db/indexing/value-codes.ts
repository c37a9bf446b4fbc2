import { packedCode } from "../../search/facet-codes.ts";
import { type WorkFacets, markAndValue } from "../../search/indexing/work-facets.ts";
import type { Generation } from "../search/generation.ts";
import type { Statement } from "../statement.ts";
import { rowStatements } from "./row-statements.ts";

/** Values that works are counted by, as `WorkFacets` have them. */
export type FacetValues = ReadonlySet<string>;

/** Codes of values, as they stand in `work_facet`. */
export type Codes = ReadonlyMap<string, string>;

/** A value's place among all that were asked for, and its code. */
export interface CodeRow {
  readonly place: number;
  readonly code: number;
}

/** Statements that give values codes which have none, and keep them for as long as the generation stands. */
export function newCodeStatements(values: FacetValues, generation: Generation): Statement[] {
  return rowStatements(
    Array.from(values, markAndValue),
    (source) =>
      `INSERT OR IGNORE INTO facet_value_${generation} (field, value) SELECT r.c0, r.c1 FROM ${source}`,
  );
}

/** Statements that read the codes of values, for `codesOf`. */
export function codeStatements(values: FacetValues, generation: Generation): Statement[] {
  return rowStatements(
    Array.from(values, (name, place) => [...markAndValue(name), place]),
    (source) => `SELECT r.c2 AS place, f.code FROM ${source}
      JOIN facet_value_${generation} f ON f.field = r.c0 AND f.value = r.c1`,
  );
}

/** The codes that were read. */
export function codesOf(values: FacetValues, found: readonly CodeRow[]): Codes {
  const names = [...values];
  return new Map(found.map(({ place, code }) => [names[place] ?? "", packedCode(code)]));
}

/** Values of a work as their codes, parallel to `FACET_COLUMNS`; null, which no row may have, where one has no code. */
export function packedFacets(
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

/**
 * Fails, and with it the transaction, when another rebuild has begun since `started`: the generation may have been emptied,
 * and codes that were read then stand for something else.
 */
export function sameCodesStatement(started: string | null): Statement {
  return { sql: "UPDATE index_state SET live = NULL WHERE started IS NOT ?1", values: [started] };
}
