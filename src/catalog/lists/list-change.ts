import { rewriteLegacyKey } from "../keys.ts";
import type { CatalogRecord, Json } from "../record.ts";
import {
  LIST_SEEDS_MAX,
  SERIES_SEEDS_MAX,
  annotationOf,
  seedKey,
  type Seed,
  type SeedAnnotation,
} from "./seeds.ts";

/** Most JSON text of what a change of a list tells of its seeds, in UTF-16 units: a change is small, whatever the list. */
export const LIST_CHANGE_DATA_LENGTH = 65_536;

/** What may be told, the most telling first. */
const DETAILS = ["add", "remove", "seeds"];

/**
 * The data of a change of a list: its key, and what was added, removed and is in it.
 * Q256: what would make the data longer than `LIST_CHANGE_DATA_LENGTH` is left out.
 */
export function listChangeData(list: string, details: CatalogRecord): CatalogRecord {
  let length = 0;
  const members: [string, Json][] = [];
  for (const name of DETAILS) {
    const value = details[name];
    if (value === undefined) continue;
    length += JSON.stringify(value).length;
    if (length > LIST_CHANGE_DATA_LENGTH) break;
    members.push([name, value]);
  }
  return { list: { key: list }, ...Object.fromEntries(members) };
}

/** Seeds to be added and keys of seeds to be removed. */
export interface SeedChange {
  readonly add: readonly Seed[];
  readonly remove: readonly string[];
}

/** Told when a list would have more seeds than `LIST_SEEDS_MAX`. */
export const TOO_MANY_SEEDS = `A list holds at most ${LIST_SEEDS_MAX} seeds`;

/** Told when more works of a series than `SERIES_SEEDS_MAX` would be changed at once. */
export const TOO_MANY_WORKS = `At most ${SERIES_SEEDS_MAX} works of a series are changed at once`;

/**
 * The seeds of a list after a change: what is there stays where it is, and takes over notes and position that are sent
 * anew; what is not there comes last; then the others go. A seed that is added and removed is not there afterwards.
 * Undefined when that is what is there already (Q261).
 */
export function changeSeeds(stored: readonly Json[], { add, remove }: SeedChange): Json[] | undefined {
  const additions = new Map(add.map((seed) => [identityOf(seed), seed]));
  const known = new Set(stored.map(identityOf));
  const removedKeys = new Set(remove.map(rewriteLegacyKey));
  const updatedSeeds = stored.map((seed) => {
    const addition = additions.get(identityOf(seed));
    return addition === undefined ? seed : annotate(seed, annotationOf(addition));
  });
  const added = [...additions].flatMap(([key, seed]) => (known.has(key) ? [] : [seed]));
  const all = [...updatedSeeds, ...added].filter((seed) => !removedKeys.has(identityOf(seed)));
  return JSON.stringify(all) === JSON.stringify(stored) ? undefined : all;
}

/** A list's record with other seeds. */
export function withSeeds(list: CatalogRecord, seeds: readonly Json[]): CatalogRecord {
  return { ...list, seeds: [...seeds] };
}

/** Lists of the early years hold keys such as `/b/OL1M`. */
function identityOf(seed: Json): string {
  return rewriteLegacyKey(seedKey(seed) ?? "");
}

function annotate(seed: Json, newAnnotation: SeedAnnotation): Json {
  const key = seedKey(seed);
  if (key === undefined || Object.keys(newAnnotation).length === 0) return seed;
  return { thing: { key }, ...annotationOf(seed), ...newAnnotation };
}
