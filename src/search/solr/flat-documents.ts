import { type CatalogRecord, isObject, stringsOf } from "../../catalog/record.ts";
import type { AuthorDocument, ListDocument, WorkDocument } from "../documents/types.ts";
import { flatWork } from "./flat-works.ts";
import { UnusableDocument, countOrZero, listMembers, textMembers } from "./members.ts";

/** What one document of an update is (search.md 12). */
export type FlatUpdate =
  | { readonly kind: "work"; readonly document: WorkDocument }
  | { readonly kind: "author"; readonly document: AuthorDocument }
  | { readonly kind: "list"; readonly document: ListDocument }
  /** New values of single fields: `{"key": k, "field": {"set": v}}`. */
  | { readonly kind: "patch"; readonly key: string; readonly values: Readonly<Record<string, number>> };

const KEYS = /^\/(?:(works)|(authors)|(?:people\/[^/]+\/)?lists|series)\/[A-Z]{2}\d{1,15}[AWLM]$/;

/**
 * Reads a document that another program wants indexed. Throws UnusableDocument for one that this index cannot take:
 * subjects and editions outside of their work are made here, not taken.
 */
export function flatUpdate(flat: CatalogRecord): FlatUpdate {
  const [key = ""] = stringsOf(flat["key"]);
  const match = KEYS.exec(key);
  if (match === null)
    throw new UnusableDocument(key === "" ? "field 'key' is missing" : `cannot index '${key}'`);
  if (Object.values(flat).some(isObject)) return { kind: "patch", key, values: newValues(flat) };
  if (match[1] !== undefined) return { kind: "work", document: flatWork(flat) };
  return match[2] === undefined
    ? { kind: "list", document: flatList(flat, key) }
    : { kind: "author", document: flatAuthor(flat, key) };
}

function newValues({ key: _key, ...members }: CatalogRecord): Record<string, number> {
  const entries = Object.entries(members).map(([name, change]): [string, number] => {
    const value = isObject(change) && Object.keys(change).length === 1 ? change["set"] : undefined;
    if (typeof value !== "number") throw new UnusableDocument(`field '${name}' can only be set to a number`);
    return [name, value];
  });
  return Object.fromEntries(entries);
}

/** Sums over the author's works are made here, not taken. */
function flatAuthor(flat: CatalogRecord, key: string): AuthorDocument {
  return {
    key,
    name: "",
    ...textMembers(flat, ["name", "birth_date", "death_date", "date"]),
    ...listMembers(flat, ["alternate_names"]),
    type: "author",
  };
}

function flatList(flat: CatalogRecord, key: string): ListDocument {
  const { seed = [] } = listMembers(flat, ["seed"]);
  const isSeries = key.startsWith("/series/");
  return {
    key,
    name: "",
    last_modified: "",
    ...textMembers(flat, ["name", "last_modified"]),
    type: isSeries ? "series" : "list",
    list_type: isSeries ? "series" : key.startsWith("/people/") ? "user_list" : "community_list",
    seed,
    seed_count: Math.max(seed.length, countOrZero(flat, "seed_count")),
  };
}
