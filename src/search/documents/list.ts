import { normalizedDatetime } from "../../catalog/datetime.ts";
import { type CatalogRecord, type Json, isObject, keyOf, textOf } from "../../catalog/record.ts";
import type { ListDocument } from "./types.ts";

const EPOCH = "1970-01-01T00:00:00.000000";
const SERIES = "/series/";
const PEOPLE = "/people/";

/**
 * The document of a list or series (search.md 9.5). Records of series name no members: `members` are the keys of
 * the works that name the series.
 */
export function buildList(record: CatalogRecord, members: readonly string[] = []): ListDocument {
  const key = keyOf(record) ?? "";
  const isSeries = key.startsWith(SERIES);
  const seed = [...new Set([...seedsOf(record["seeds"]), ...members])];
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

function seedsOf(seeds: Json | undefined): string[] {
  if (!Array.isArray(seeds)) return [];
  return seeds.flatMap((seed) => {
    const text = seedOf(seed);
    return text === undefined || text === "" ? [] : [text];
  });
}

/** Subjects are plain strings; records are `{key}`, or `{thing: {key}}` with a note beside it. */
function seedOf(seed: Json): string | undefined {
  if (!isObject(seed)) return typeof seed === "string" ? seed : undefined;
  return keyOf(seed) ?? keyOf(seed["thing"]);
}
