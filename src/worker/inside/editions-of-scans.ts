import type { EditionBundle } from "../../catalog/lookup/shared.ts";
import type { RequestContext } from "../context.ts";
import { gatherBundles } from "../lookup/bundles.ts";
import { findByBibKeys } from "../lookup/find.ts";

/** The editions that scans belong to, with works, authors and access, by scan id. Three statements at most, and lending. */
export async function editionsOfScans(
  database: D1DatabaseSession,
  identifiers: readonly string[],
  context: RequestContext,
): Promise<ReadonlyMap<string, EditionBundle>> {
  const keys = identifiers.map((value) => ({ requested: value, kind: "ocaid" as const, value }));
  const found = await findByBibKeys(database, keys);
  const { byEdition } = await gatherBundles(database, found, {
    depth: "work-and-authors",
    context,
    withLoans: true,
  });
  return new Map(
    found.flatMap(({ key, edition }) => {
      const bundle = byEdition.get(edition);
      return bundle === undefined ? [] : [[key.value, bundle] as const];
    }),
  );
}
