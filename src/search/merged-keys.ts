import { isCatalogKey, lastSegmentOf, recordKeyOfOlid } from "../catalog/keys.ts";
import type { SearchEngine, SearchConditions } from "./engine.ts";
import { type Leaf, type Query, leavesOf, mapLeaves } from "./query/query.ts";

/** Fields whose values are keys of works, editions and authors, or their last segments. */
const KEY_FIELDS = new Set<string | null>([
  "key",
  "edition_key",
  "author_key",
  "cover_edition_key",
  "work_key",
  "seed",
]);

type Conditions = Pick<SearchConditions, "query" | "filters"> &
  Partial<Pick<SearchConditions, "editionClauses">>;

interface MergedKeys {
  /** Prefix of record numbers. */
  readonly prefix: string;
  readTargets(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * Wraps an engine so that keys of merged records, which no index has, find the records that they have become (Q681). The
 * targets are read while the engine searches; if there are any, the engine searches again for them.
 */
export function followMergedKeys(engine: SearchEngine, { prefix, readTargets }: MergedKeys): SearchEngine {
  async function find<Search extends Conditions, Result>(
    search: Search,
    ask: (search: Search) => Promise<Result>,
  ): Promise<Result> {
    const keys = keysIn(search, prefix);
    if (keys.length === 0) return ask(search);
    const [result, targets] = await Promise.all([ask(search), readTargets(keys)]);
    return targets.size === 0 ? result : ask(replaceKeys(search, targets, prefix));
  }
  return {
    ...engine,
    works: (search) => find(search, engine.works),
    authors: (search) => find(search, engine.authors),
    lists: (search) => find(search, engine.lists),
    editions: (search) => find(search, engine.editions),
    facets: (search) => find(search, engine.facets),
  };
}

/** Returns the keys of records that a search names. */
export function keysIn({ query, filters, editionClauses = [] }: Conditions, prefix: string): string[] {
  const leaves = [query, ...filters, ...editionClauses].flatMap(leavesOf);
  return [...new Set(leaves.flatMap((leaf) => keyOfLeaf(leaf, prefix) ?? []))];
}

/** Returns the search with the keys of merged records replaced, in the form in which they were named. */
export function replaceKeys<Search extends Conditions>(
  search: Search,
  targets: ReadonlyMap<string, string>,
  prefix: string,
): Search {
  const follow = (query: Query): Query => mapLeaves(query, (leaf) => followLeaf(leaf, targets, prefix));
  const { query, filters, editionClauses } = search;
  const clauses = editionClauses === undefined ? {} : { editionClauses: editionClauses.map(follow) };
  return { ...search, query: follow(query), filters: filters.map(follow), ...clauses };
}

function followLeaf(leaf: Leaf, targets: ReadonlyMap<string, string>, prefix: string): Leaf {
  const target = targets.get(keyOfLeaf(leaf, prefix) ?? "");
  if (target === undefined || !("text" in leaf.value)) return leaf;
  const text = leaf.value.text.startsWith("/") ? target : lastSegmentOf(target);
  return { ...leaf, value: { ...leaf.value, text } };
}

function keyOfLeaf({ field, value }: Leaf, prefix: string): string | undefined {
  if (!KEY_FIELDS.has(field) || !("text" in value)) return undefined;
  const { text } = value;
  const key = text.startsWith("/") ? text : recordKeyOfOlid(text, prefix);
  return key !== undefined && isCatalogKey(key) ? key : undefined;
}
