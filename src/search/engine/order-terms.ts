import type { Sort } from "../engine.ts";
export interface OrderTerm {
  readonly value: string;
  readonly descending: boolean;
  /** True if documents without a value come last in both directions. */
  readonly isOptional?: boolean;
}

/** Returns the sort keys up to the unique one, which is the number, regardless of the texts of the keys (Q561). */
export function walkTerms(
  sorts: readonly Sort[],
  id: string,
  termsOf: (sort: Sort) => readonly OrderTerm[],
): OrderTerm[] {
  const at = sorts.findIndex(({ field }) => field === "key");
  const before = at === -1 ? sorts : sorts.slice(0, at);
  return [...before.flatMap(termsOf), { value: id, descending: sorts[at]?.descending ?? false }];
}
