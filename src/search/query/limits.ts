import type { Query } from "./query.ts";

/** Longest text of a query, in characters. */
export const SEARCH_TEXT_LENGTH_MAX = 16_384;
/** Groups, signs and fields inside each other that the parser follows. */
export const SYNTAX_DEPTH_MAX = 100;
/** Levels of a query, a single condition being one (search.md 2.8). */
export const QUERY_TREE_DEPTH_MAX = 16;
/** Conditions of a query (search.md 2.8). */
export const QUERY_LEAVES_MAX = 256;

/** Whether queries that will be asked together are deeper, or have more conditions, than is allowed. */
export function isTooComplex(queries: readonly Query[]): boolean {
  let leaves = 0;
  const isTooDeep = (query: Query, depth: number): boolean => {
    if (depth > QUERY_TREE_DEPTH_MAX) return true;
    if (query.op === "not") return isTooDeep(query.of, depth + 1);
    if (query.op === "and" || query.op === "or") return query.of.some((part) => isTooDeep(part, depth + 1));
    leaves += 1;
    return leaves > QUERY_LEAVES_MAX;
  };
  return queries.some((query) => isTooDeep(query, 1));
}
