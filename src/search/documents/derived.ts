import { SHELVES } from "../../catalog/patrons/shelves.ts";
import type { Json } from "../../catalog/record.ts";
import { countReaders, averageRatingOf, countRatings, sortableRatingOf } from "./popularity.ts";
import { type SubjectType, SUBJECT_TYPES, subjectKeyOf, subjectSeedOf } from "./subject-key.ts";
import type { WorkCounts } from "./types.ts";
import { sortDistinct } from "../text/collation.ts";

export type Getter<Source> = (source: Source) => Json | undefined;

export type Getters<Source> = Readonly<Record<string, Getter<Source>>>;

type Subjects = Readonly<Partial<Record<SubjectType, readonly string[]>>>;

/** Returns getters of members that are returned unchanged. */
export function copyGetters<Source extends object>(
  names: readonly (keyof Source & string)[],
): Getters<Source> {
  return Object.fromEntries(names.map((name) => [name, (source: Source) => toJson(source[name])]));
}

export const SUBJECT_GETTERS: Getters<Subjects> = Object.fromEntries(
  SUBJECT_TYPES.flatMap((type): [string, Getter<Subjects>][] => [
    [type, (source) => toJsonList(source[type])],
    [`${type}_facet`, (source) => sortDistinct(source[type] ?? [])],
    [`${type}_key`, (source) => sortDistinct(subjectKeysOf(source[type] ?? []))],
  ]),
);

export const COUNT_GETTERS: Getters<{ readonly counts: WorkCounts }> = {
  ratings_average: ({ counts }) => averageRatingOf(counts.ratings),
  ratings_count: ({ counts }) => countRatings(counts.ratings),
  ratings_count_1: ({ counts }) => counts.ratings[0],
  ratings_count_2: ({ counts }) => counts.ratings[1],
  ratings_count_3: ({ counts }) => counts.ratings[2],
  ratings_count_4: ({ counts }) => counts.ratings[3],
  ratings_count_5: ({ counts }) => counts.ratings[4],
  ratings_sortable: ({ counts }) => sortableRatingOf(counts.ratings),
  readinglog_count: ({ counts }) => countReaders(counts),
  ...Object.fromEntries(
    SHELVES.map(({ count, member }): [string, Getter<{ readonly counts: WorkCounts }>] => [
      `${count}_count`,
      ({ counts }) => counts[member],
    ]),
  ),
};

/** Returns keys of subject pages without their folder. */
export function subjectKeysOf(names: readonly string[]): string[] {
  return names.map(subjectKeyOf).filter((key) => key !== "");
}

/** Returns the keys of all subjects, in the form used in lists. */
export function subjectSeedsOf(source: Subjects): string[] {
  return SUBJECT_TYPES.flatMap((type) => (source[type] ?? []).map((name) => subjectSeedOf(type, name)));
}

/** Returns `OL1A Leo Tolstoy` for each author. */
export function authorFacetsOf(
  keys: readonly string[] | undefined,
  names: readonly string[] | undefined,
): string[] | undefined {
  return sortDistinct((keys ?? []).map((key, index) => `${key} ${names?.[index] ?? ""}`));
}

/** Returns a list as JSON; undefined if it is empty. */
export function toJsonList(values: readonly (string | number)[] | undefined): Json | undefined {
  // Documents are never modified, so the list need not be copied.
  return values === undefined || values.length === 0 ? undefined : (values as (string | number)[]);
}

/** Returns a value as JSON. Documents hold JSON, although their types only say so member by member. */
function toJson(value: unknown): Json | undefined {
  if (Array.isArray(value)) return toJsonList(value);
  return value === "" ? undefined : (value as Json | undefined);
}
