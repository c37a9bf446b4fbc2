import type { Json, JsonObject } from "./record.ts";

/** One value of a document of the store, under its dotted name. */
export type Leaf = readonly [name: string, value: string];

/**
 * What a document of the store is found by: every text, number, `true` and `false` in it, once each.
 * Elements of arrays have the name of the array. Left out are names that start with `_`, and `type`, which documents
 * are found by anyway. A pure function.
 */
export function leavesOf(document: JsonObject): Leaf[] {
  const leaves = new Map<string, Leaf>();
  for (const [name, value] of Object.entries(document)) {
    if (name === "type" || name.startsWith("_")) continue;
    collect(name, value, leaves);
  }
  return [...leaves.values()];
}

function collect(name: string, value: Json | undefined, leaves: Map<string, Leaf>): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const element of value) collect(name, element, leaves);
  } else if (typeof value === "object") {
    for (const [inner, one] of Object.entries(value)) collect(`${name}.${inner}`, one, leaves);
  } else {
    const leaf: Leaf = [name, String(value)];
    leaves.set(JSON.stringify(leaf), leaf);
  }
}
