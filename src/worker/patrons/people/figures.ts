import type { RequestContext } from "../../http/operation.ts";
import { engineOf } from "../../search/engine.ts";
import { facetRows } from "../../search/facets.ts";
import { type Words, say } from "../../ui/words.ts";
import { workKey } from "../reading/parameters.ts";

/** Fields of the index to count with their titles, and the number of values shown of each. */
interface Wanted {
  readonly fields: readonly (readonly [field: string, title: Words])[];
  readonly rows: number;
}

/** Counts the books that the search index knows, and their most frequent values of some fields. */
export async function figures(
  context: RequestContext,
  works: readonly number[],
  { fields: wanted, rows }: Wanted,
) {
  if (works.length === 0) return { counted: 0, parts: [] };
  const engine = await engineOf(context);
  const { numFound, fields } = await engine.facets({
    query: { op: "all" },
    filters: [],
    editionClauses: [],
    keys: works.map((work) => workKey(context, work)),
    facets: wanted.map(([field]) => ({ field, limit: rows, sort: "count", offset: 0, mincount: 1 })),
  });
  const parts = wanted.map(async ([field, title]) => ({
    title: say(title),
    rows: (await facetRows(field, fields[field] ?? [], context)).map(({ label, count }) => ({
      name: label,
      count,
    })),
  }));
  return { counted: numFound, parts: await Promise.all(parts) };
}
