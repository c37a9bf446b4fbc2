import { SERIES_SEEDS_MAX } from "../../catalog/lists/limits.ts";
import type { ListSeed } from "../../catalog/lists/seed-entry.ts";
import { badDocument } from "../../catalog/write/failures.ts";
import { readListSeeds } from "../../db/lists/read-seeds.ts";
import type { RequestContext } from "../context.ts";
import { writeError } from "../writes/write-error.ts";

/** The works of a series that is to be edited as a whole, in their order; a 400 when there are too many of them. */
export async function seriesMembers(context: RequestContext, key: string): Promise<readonly ListSeed[]> {
  const database = context.stores.catalog.withSession("first-primary");
  const found = await readListSeeds(database, key, { start: 0, count: SERIES_SEEDS_MAX });
  if (found === undefined) return [];
  if (found.list.seedCount <= SERIES_SEEDS_MAX) return found.seeds;
  // Q258: those that are not shown would be taken away.
  const message = `A series of more than ${SERIES_SEEDS_MAX} works is changed by adding and removing works`;
  throw writeError([badDocument(message, { key, property: "seeds" })]);
}
