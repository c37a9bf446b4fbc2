import { normalizedDatetime } from "../../catalog/datetime.ts";
import { rewriteLegacyKey } from "../../catalog/keys.ts";
import { seedKey, seedsOfRecord } from "../../catalog/lists/seeds.ts";
import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import type { ListDocument } from "./types.ts";

const EPOCH = "1970-01-01T00:00:00.000000";

/**
 * Builds the document of a list or series. Records of series do not list their members: `members` are the keys of the
 * works that refer to the series.
 */
export function buildList(record: CatalogRecord, members: readonly string[] = []): ListDocument {
  const key = keyOf(record) ?? "";
  const seed = [...new Set([...seedsOf(record), ...members])];
  return {
    key,
    ...listTypes(key),
    name: textOf(record["name"]) ?? "",
    seed,
    seed_count: seed.length,
    last_modified: `${normalizedDatetime(textOf(record["last_modified"]) ?? "") ?? EPOCH}Z`,
  };
}

/** Returns the types of a list by its key. */
export function listTypes(key: string): Pick<ListDocument, "type" | "list_type"> {
  if (key.startsWith("/series/")) return { type: "series", list_type: "series" };
  return { type: "list", list_type: key.startsWith("/people/") ? "user_list" : "community_list" };
}

/**
 * Returns the keys of the seeds: subjects by name, records with their current folder instead of the legacy one of old
 * lists.
 */
function seedsOf(record: CatalogRecord): string[] {
  return seedsOfRecord(record).map((seed) => rewriteLegacyKey(seedKey(seed) ?? ""));
}
