import type { Json, JsonObject } from "./record.ts";

/** Value of a store document, with its dotted name. */
export type StoreLeaf = readonly [name: string, value: string];

/**
 * Returns the index entries of a store document: every distinct text, number, `true` and `false` in it. Elements of
 * arrays have the name of the array. Names that start with `_` are left out, and so is `type`, by which documents are
 * found anyway. Pure function.
 */
export function storeLeavesOf(document: JsonObject): StoreLeaf[] {
  const leaves = new Map<string, StoreLeaf>();
  for (const [name, value] of Object.entries(document)) {
    if (name === "type" || name.startsWith("_")) continue;
    collectLeaves(name, value, leaves);
  }
  return [...leaves.values()];
}

function collectLeaves(name: string, value: Json | undefined, leaves: Map<string, StoreLeaf>): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const element of value) collectLeaves(name, element, leaves);
  } else if (typeof value === "object") {
    for (const [inner, member] of Object.entries(value)) collectLeaves(`${name}.${inner}`, member, leaves);
  } else {
    const leaf: StoreLeaf = [name, String(value)];
    leaves.set(JSON.stringify(leaf), leaf);
  }
}
