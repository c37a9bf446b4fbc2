import { rewriteLegacyKey } from "../keys.ts";
import type { MergeRules } from "./kinds.ts";

/** What somebody wants merged: keys, in order; `duplicates` once each and without the master. */
export interface MergeOrder {
  readonly master: string;
  readonly duplicates: readonly string[];
}

/** Why records cannot be merged, to be told as 400 `bad_data`. */
export interface MergeProblem {
  readonly problem: string;
}

/** Checks an order by itself (records.md 5.2): keys of the right kind, and at least one that is not the master. */
export function mergeOrder(
  sent: { readonly master: string; readonly duplicates: readonly string[] },
  { folder, type }: MergeRules,
): MergeOrder | MergeProblem {
  const master = rewriteLegacyKey(sent.master);
  const duplicates = [...new Set(sent.duplicates.map(rewriteLegacyKey))].filter((key) => key !== master);
  const wrong = [master, ...duplicates].find((key) => !key.startsWith(folder));
  if (wrong !== undefined) return { problem: `Bad key for ${type}: '${wrong}'` };
  if (duplicates.length === 0) return { problem: "nothing to merge: no duplicates besides the master" };
  return { master, duplicates };
}
