import { FACET_COLUMNS } from "../../search/indexing/work-facets.ts";
import type { Generation } from "../search/generation.ts";

/**
 * SQL of rows of `work_facet`: the number of a work, `r.c0`, and its values as their codes; NULLs, which no such row may
 * have, when one of them has no code. So nobody writes a work by codes of a generation that was emptied meanwhile. `taken`
 * says of which rows.
 */
export function packedFacetsSql(source: string, generation: Generation, taken = ""): string {
  const columns = FACET_COLUMNS.map(
    ([name, mark]) =>
      `iif(count(*) = count(f.code), coalesce(group_concat(f.packed, '') FILTER (WHERE m.key = '${mark}'), ''), NULL)
        AS ${name}`,
  );
  return `SELECT r.c0 AS id, ${columns.join(", ")}
    FROM ${source} ${taken} CROSS JOIN json_each(r.c2) m CROSS JOIN json_each(m.value) v
    LEFT JOIN facet_value_${generation} f ON f.field = m.key AND f.value = v.value GROUP BY r.c0`;
}
