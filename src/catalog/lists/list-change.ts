import { rewriteLegacyKey } from "../keys.ts";
import type { CatalogRecord, Json } from "../record.ts";
import {
  LIST_SEEDS_MAX,
  SEED_NOTES_LENGTH,
  SERIES_SEEDS_MAX,
  annotationOf,
  buildAnnotation,
  seedKeyOf,
  type Seed,
  type SeedAnnotation,
} from "./seeds.ts";

/** Placeholder key of the first new record of a change. */
export const NEW_LIST = "/__new__/0";

/** Maximum length of the JSON about seeds in the data of a list change, in UTF-16 units. */
export const LIST_CHANGE_DATA_LENGTH = 65_536;

/** Members of the data, the most informative first. */
const DETAILS = ["add", "remove", "seeds"];

/**
 * Builds the data of a list change: its key, and the added, removed and current seeds. Q256: members that would exceed
 * `LIST_CHANGE_DATA_LENGTH` are left out.
 */
export function buildListChangeData(list: string, details: CatalogRecord): CatalogRecord {
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

/** Seeds to add, and keys of seeds to remove. */
export interface SeedChange {
  readonly add: readonly Seed[];
  readonly remove: readonly string[];
}

export const TOO_MANY_SEEDS = { key: "bad_request.seeds", values: { most: LIST_SEEDS_MAX } } as const;

export const TOO_MANY_WORKS = {
  key: "bad_request.series_works",
  values: { most: SERIES_SEEDS_MAX },
} as const;

/**
 * Returns the seeds of a list after a change. Existing seeds keep their position and take over new notes and positions;
 * new ones are appended; then seeds are removed, including added ones. Returns undefined if nothing changes (Q261).
 */
export function applySeedChange(stored: readonly Json[], { add, remove }: SeedChange): Json[] | undefined {
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

/**
 * Replaces merged records among seeds by their targets (Q683). A seed keeps its place, notes and position; of two seeds
 * that become one the first stays, with the notes of both. Returns `seeds` itself if nothing changes.
 */
export function followSeeds(seeds: readonly Json[], targets: ReadonlyMap<string, string>): readonly Json[] {
  if (!seeds.some((seed) => targets.has(identityOf(seed)))) return seeds;
  const followed = new Map<string, Json>();
  for (const seed of seeds) {
    const key = targets.get(identityOf(seed));
    const next = key === undefined ? seed : withKey(seed, key);
    const known = followed.get(identityOf(next));
    followed.set(identityOf(next), known === undefined ? next : joinAnnotations(known, next));
  }
  return [...followed.values()];
}

function withKey(seed: Json, key: string): Json {
  const annotation = annotationOf(seed);
  return Object.keys(annotation).length === 0 ? { key } : { thing: { key }, ...annotation };
}

function joinAnnotations(first: Json, second: Json): Json {
  const [a, b] = [annotationOf(first), annotationOf(second)];
  const texts = new Set([a.notes, b.notes].filter((notes) => notes !== undefined));
  const joined = [...texts].join("\n");
  const notes = joined.length > SEED_NOTES_LENGTH ? a.notes : joined;
  return annotate(first, buildAnnotation(notes, a.position ?? b.position));
}

export function withSeeds(list: CatalogRecord, seeds: readonly Json[]): CatalogRecord {
  return { ...list, seeds: [...seeds] };
}

/** Returns the canonical key of a seed: early lists contain keys such as `/b/OL1M`. */
function identityOf(seed: Json): string {
  return rewriteLegacyKey(seedKeyOf(seed) ?? "");
}

function annotate(seed: Json, newAnnotation: SeedAnnotation): Json {
  const key = seedKeyOf(seed);
  if (key === undefined || Object.keys(newAnnotation).length === 0) return seed;
  return { thing: { key }, ...annotationOf(seed), ...newAnnotation };
}
