import { normalizedDatetime } from "../../catalog/datetime.ts";
import { rewriteLegacyKey } from "../../catalog/keys.ts";
import { seedKey, seedsOfRecord } from "../../catalog/lists/seed.ts";
import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import type { ListDocument } from "./types.ts";

const EPOCH = "1970-01-01T00:00:00.000000";
const SERIES = "/series/";
const PEOPLE = "/people/";

/**
 * The document of a list or series. Records of series name no members: `members` are the keys of
 * the works that name the series.
 */
export function buildList(record: CatalogRecord, members: readonly string[] = []): ListDocument {
  const key = keyOf(record) ?? "";
  const isSeries = key.startsWith(SERIES);
  const seed = [...new Set([...seedsOf(record), ...members])];
  return {
    key,
    type: isSeries ? "series" : "list",
    list_type: isSeries ? "series" : key.startsWith(PEOPLE) ? "user_list" : "community_list",
    name: textOf(record["name"]) ?? "",
    seed,
    seed_count: seed.length,
    last_modified: `${normalizedDatetime(textOf(record["last_modified"]) ?? "") ?? EPOCH}Z`,
  };
}

/** Keys of the seeds: subjects by their names, records in their own folders, whatever old lists call these. */
function seedsOf(record: CatalogRecord): string[] {
  return seedsOfRecord(record).map((seed) => rewriteLegacyKey(seedKey(seed) ?? ""));
}
