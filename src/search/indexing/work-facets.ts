import type { WorkDocument } from "../documents/types.ts";
import { fieldsHaving } from "../fields.ts";

/** Fields that works are counted by, with their marks: the columns of `work_facet` after its first, in order. */
export const FACET_COLUMNS = fieldsHaving("counted");

/**
 * Values that a work is counted for, each once, parallel to `FACET_COLUMNS`: the mark of the field, a blank, and the
 * value.
 */
export type WorkFacets = readonly (readonly string[])[];

const NONE: readonly string[] = [];

/** Returns the values that a work is counted for. Authors are number and name. */
export function workFacetsOf(work: WorkDocument): WorkFacets {
  const authors = work.author_key?.map((key, place) => `${key} ${work.author_name?.[place] ?? ""}`);
  return FACET_COLUMNS.map(([name, mark]) => {
    const value = name === "author_key" ? authors : work[name];
    return value === undefined ? NONE : Array.from(new Set([value].flat().map((facetValue) => `${mark} ${facetValue}`)));
  });
}

/** Returns the mark and value of one of `WorkFacets`: no mark has a blank. */
export function markAndValue(name: string): [mark: string, value: string] {
  const at = name.indexOf(" ");
  return [name.slice(0, at), name.slice(at + 1)];
}
