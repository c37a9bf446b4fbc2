import { packedCode } from "../../search/facets.ts";
import { type WorkFacets, markAndValue } from "../../search/indexing/work-rows.ts";
import type { Generation } from "../search/generation.ts";
import type { Statement } from "../statement.ts";
import { rowStatements } from "./row-statements.ts";

/** Values by which works are counted, as in `WorkFacets`. */
export type FacetValues = ReadonlySet<string>;

/** Codes of values, as stored in `work_facet`. */
export type Codes = ReadonlyMap<string, string>;

/** Position of a value in the requested list, and its code. */
export interface CodeRow {
  readonly place: number;
  readonly code: number;
}

/** Returns statements that assign codes to values without one. Codes stay valid for the lifetime of the generation. */
export function newCodeStatements(values: FacetValues, generation: Generation): Statement[] {
  return rowStatements(
    Array.from(values, markAndValue),
    (source) =>
      `INSERT OR IGNORE INTO facet_value_${generation} (field, value) SELECT r.c0, r.c1 FROM ${source}`,
  );
}

/** Returns statements that read the codes of values, for `codesOf`. */
export function codeStatements(values: FacetValues, generation: Generation): Statement[] {
  return rowStatements(
    Array.from(values, (name, place) => [...markAndValue(name), place]),
    (source) => `SELECT r.c2 AS place, f.code FROM ${source}
      JOIN facet_value_${generation} f ON f.field = r.c0 AND f.value = r.c1`,
  );
}

/** Returns the codes by value. */
export function codesOf(values: FacetValues, found: readonly CodeRow[]): Codes {
  const names = [...values];
  return new Map(found.map(({ place, code }) => [names[place] ?? "", packedCode(code)]));
}

/**
 * Returns the values of a work as codes, parallel to `FACET_COLUMNS`. Null, which the table rejects, if a value has no
 * code.
 */
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
 * Returns a statement that fails the transaction if another rebuild has started since `started`: the generation may
 * have been cleared, so that codes read before have another meaning.
 */
export function sameCodesStatement(started: string | null): Statement {
  return { sql: "UPDATE index_state SET live = NULL WHERE started IS NOT ?1", values: [started] };
}
