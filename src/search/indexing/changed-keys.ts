import { rewriteLegacyKey } from "../../catalog/keys.ts";
import { type CatalogRecord, type Json, keyOf, typeKeyOf } from "../../catalog/record.ts";

export const CHANGED_KEYS_DEPTH_MAX = 32;

const INDEXED = /^\/(?:works|books|authors)\/[^/]+$|^(?:\/people\/[^/]+)?\/(?:lists|series)\/[^/]+$/;

/** Returns true for keys of records that the index has documents of, or that change documents. */
export function isIndexedKey(key: string): boolean {
  return INDEXED.test(key);
}

/** Returns the record's key, keys that it no longer refers to, and old and new redirect targets. */
export function changedKeysOf(
  key: string,
  { before, after }: { before: CatalogRecord | undefined; after: CatalogRecord },
): string[] {
  const currentKeys = new Set<string>();
  collectKeys(after, currentKeys, 0);
  const earlierKeys = new Set<string>();
  if (before !== undefined) collectKeys(before, earlierKeys, 0);
  const removedKeys = [...earlierKeys.difference(currentKeys)];
  return [...new Set([key, ...removedKeys, ...redirectTargets(before), ...redirectTargets(after)])].filter(
    isIndexedKey,
  );
}

/** Returns the target of a redirect; nothing for other records. */
export function redirectTargets(record: CatalogRecord | undefined): string[] {
  if (record === undefined || typeKeyOf(record) !== "/type/redirect") return [];
  const location = keyOf(record["location"]);
  return location === undefined ? [] : [rewriteLegacyKey(location)];
}

/** Returns true if other documents now show the record differently: names, deletion or target. */
export function isShownDifferently(before: CatalogRecord | undefined, after: CatalogRecord): boolean {
  return before === undefined || shownMembersOf(before) !== shownMembersOf(after);
}

function shownMembersOf(record: CatalogRecord): string {
  return JSON.stringify([
    typeKeyOf(record),
    record["name"],
    record["alternate_names"],
    redirectTargets(record),
  ]);
}

/** Returns the names of an author or series as other documents show them: JSON, for comparison. */
export function namesOf({
  name,
  alternate_names: others,
}: {
  name: string;
  alternate_names?: readonly string[];
}): string {
  return JSON.stringify([name, others ?? []]);
}

function collectKeys(value: Json | undefined, into: Set<string>, depth: number): void {
  if (typeof value !== "object" || value === null || depth > CHANGED_KEYS_DEPTH_MAX) return;
  if (Array.isArray(value)) {
    for (const element of value) collectKeys(element, into, depth + 1);
    return;
  }
  // The record's own key is collected too, in both of its states.
  if (typeof value["key"] === "string") into.add(rewriteLegacyKey(value["key"]));
  for (const name in value) collectKeys(value[name], into, depth + 1);
}
