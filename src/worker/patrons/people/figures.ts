import type { RequestContext } from "../../http/operation.ts";
import { engineOf } from "../../search/engine.ts";
import { facetRows } from "../../search/facets.ts";
import { type Words, say } from "../../ui/words.ts";
import { workKey } from "../reading/parameters.ts";

/** What is counted: fields of the index and what their values are called, and how many values of each are shown. */
interface Wanted {
  readonly fields: readonly (readonly [field: string, title: Words])[];
  readonly rows: number;
}

/** How many of some books the search knows, and what they have in common, the most frequent first. */
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
