import { FACET_COLUMNS } from "../../search/indexing/work-facets.ts";
import type { Generation } from "../search/generation.ts";

/**
 * SQL of rows of `work_facet`: the number of a work, `r.c0`, and its values as their codes. A value without a code, which
 * nobody leaves behind, is a question mark. `taken` says of which rows.
 */
export function packedFacetsSql(source: string, generation: Generation, taken = ""): string {
  const columns = FACET_COLUMNS.map(
    ([name, mark]) =>
      `coalesce(group_concat(coalesce(f.packed, '?'), '') FILTER (WHERE m.key = '${mark}'), '') AS ${name}`,
  );
  return `SELECT r.c0 AS id, ${columns.join(", ")}
    FROM ${source} ${taken} CROSS JOIN json_each(r.c2) m CROSS JOIN json_each(m.value) v
    LEFT JOIN facet_value_${generation} f ON f.field = m.key AND f.value = v.value GROUP BY r.c0`;
}
