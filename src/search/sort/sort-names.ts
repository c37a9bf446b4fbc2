import type { Sort } from "../engine.ts";
import { randomSort } from "./random-sort.ts";

/** What the names of a scheme's orders stand for. */
export type SortNames = ReadonlyMap<string, Sort>;

/** Orders by their names, or the first name that is none. */
export type ParsedSort =
  | { readonly sorts: readonly Sort[] }
  | { readonly invalid: string; readonly message: string };

/** The names of orders that start a random one with a seed of the client's own. */
const SEEDED = ["random_", "random.hourly_", "random.daily_"];
const RANDOM_NAMES = ["random", "random asc", "random desc", "random.hourly", "random.daily"];

/** `<name>`, `<name> asc` and `<name> desc` for one field; the bare name is one of the two. */
export function bothWays(name: string, field: string, bare: "asc" | "desc"): [string, Sort][] {
  return [
    [name, { field, descending: bare === "desc" }],
    [`${name} asc`, { field, descending: false }],
    [`${name} desc`, { field, descending: true }],
  ];
}

/**
 * Reads a comma-separated list of orders (search.md 4.4); an empty text is the order of relevance, no sorts at
 * all. `now` is in milliseconds since the epoch.
 */
export function parseSorts(text: string, names: SortNames, now: number): ParsedSort {
  const wanted = text.split(",").map((name) => name.trim());
  const sorts: Sort[] = [];
  for (const name of wanted.filter((one) => one !== "")) {
    const sort = names.get(name) ?? randomSort(name, now);
    if (sort === undefined) return { invalid: name, message: invalidSort(name, names) };
    sorts.push(sort);
  }
  return { sorts };
}

/** What a client is told of an order that does not exist (search.md 0.1 A1). */
function invalidSort(name: string, names: SortNames): string {
  const options = [...names.keys(), ...RANDOM_NAMES, ...SEEDED].join(", ");
  return `Invalid sort option: '${name}'. Valid options are: ${options}`;
}
