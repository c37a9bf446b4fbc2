import { rewriteLegacyKey } from "../../catalog/keys.ts";
import { type CatalogRecord, type Json, keyOf, typeKey } from "../../catalog/record.ts";

/** How deep references are looked for in a document. */
export const CHANGED_KEYS_DEPTH_MAX = 32;

const INDEXED = /^\/(?:works|books|authors)\/[^/]+$|^(?:\/people\/[^/]+)?\/(?:lists|series)\/[^/]+$/;

/** True for keys of records that the index has documents of, or that change documents. */
export function isIndexedKey(key: string): boolean {
  return INDEXED.test(key);
}

/**
 * Keys that a change of a record produces: its own, and those that it referred to before and no
 * longer does. A redirect that leads elsewhere leaves its old target, and one that is new names its target.
 */
export function changedKeys(
  key: string,
  { before, after }: { before: CatalogRecord | undefined; after: CatalogRecord },
): string[] {
  const now = new Set<string>();
  collectKeys(after, now, 0);
  const earlier = new Set<string>();
  if (before !== undefined) collectKeys(before, earlier, 0);
  const left = [...earlier.difference(now)];
  return [...new Set([key, ...left, ...targetOf(before), ...targetOf(after)])].filter(isIndexedKey);
}

/** Where a redirect leads; nothing for other records. */
export function targetOf(record: CatalogRecord | undefined): string[] {
  if (record === undefined || typeKey(record) !== "/type/redirect") return [];
  const location = keyOf(record["location"]);
  return location === undefined ? [] : [rewriteLegacyKey(location)];
}

/**
 * True when documents of other records show something else of this author or series now: its name, or that it is
 * no more, or leads to another.
 */
export function isShownDifferently(before: CatalogRecord | undefined, after: CatalogRecord): boolean {
  return before === undefined || shown(before) !== shown(after);
}

function shown(record: CatalogRecord): string {
  return JSON.stringify([typeKey(record), record["name"], record["alternate_names"], targetOf(record)]);
}

/** The names of an author or series, as other documents show them: JSON, to be compared. */
export function namesOf({ name, alternate_names: others }: NamedDocument): string {
  return JSON.stringify([name, others ?? []]);
}

/** What `namesOf` looks at. */
interface NamedDocument {
  readonly name: string;
  readonly alternate_names?: readonly string[];
}

function collectKeys(value: Json | undefined, into: Set<string>, depth: number): void {
  if (typeof value !== "object" || value === null || depth > CHANGED_KEYS_DEPTH_MAX) return;
  if (Array.isArray(value)) {
    for (const element of value) collectKeys(element, into, depth + 1);
    return;
  }
  // The record's own key is one of them too, in both of its states.
  if (typeof value["key"] === "string") into.add(rewriteLegacyKey(value["key"]));
  for (const name in value) collectKeys(value[name], into, depth + 1);
}
