import type { WorkDocument } from "../documents/types.ts";
import { fieldsHaving } from "../fields.ts";

/** Fields that works are counted by, with their marks: the columns of `work_facet` after its first, in order. */
export const FACET_COLUMNS = fieldsHaving("counted");

/** The values that a work counts for, each once, by the mark of their field. Authors are number and name. */
export function workFacets(work: WorkDocument): Readonly<Record<string, readonly string[]>> {
  const authors = work.author_key?.map((key, place) => `${key} ${work.author_name?.[place] ?? ""}`);
  const facets: Record<string, readonly string[]> = {};
  for (const [name, mark] of FACET_COLUMNS) {
    const value = name === "author_key" ? authors : work[name];
    if (value !== undefined) facets[mark] = [...new Set([value].flat())].map(String);
  }
  return facets;
}
