import { mapShelves } from "../../catalog/patrons/shelves.ts";
import type { AuthorSums, WorkCounts } from "../documents/types.ts";

export const TOP_SUBJECTS = 10;
/** Maximum number of an author's works whose subjects are counted: those with most editions. */
export const AUTHOR_SUBJECT_WORKS_MAX = 5000;
/** Number of an author's subjects in a tally: enough that it can lose many before the other ones have to be counted. */
export const TALLIED_SUBJECTS_MAX = 100;

/** Subject of works: its field as in `SUBJECT_COUNT_FIELDS`, its text, and the number of works. */
export type TalliedSubject = readonly [field: number, value: string, works: number];

/** Data that is stored with the sums of an author, so that they can follow a change of one work. */
export interface AuthorTally {
  /** Work with most editions, of several the one with the lowest number. Null without works. */
  readonly top: readonly [editions: number, id: number] | null;
  /** The most frequent subjects, in the order of `compareSubjects`. */
  readonly subjects: readonly TalliedSubject[];
  /** Number of works that no other subject exceeds; 0 if there are no others, null if the subjects are not tallied. */
  readonly rest: number | null;
}

export interface TalliedSums {
  readonly sums: AuthorSums;
  readonly tally: AuthorTally;
}

/** Contribution of an indexed work to the sums of its authors. */
export interface WorkShare {
  readonly id: number;
  /** Numbers of the authors. */
  readonly authors: ReadonlySet<number>;
  readonly editions: number;
  readonly title: string;
  readonly counts: WorkCounts;
  /** Digit of the field, then the text. */
  readonly subjects: ReadonlySet<string>;
}

/** Change of an indexed work. Without `before` it is new, without `after` it is deleted. */
export interface ShareChange {
  readonly before: WorkShare | undefined;
  readonly after: WorkShare | undefined;
}

/**
 * Returns the sums of an author after changes of works, or undefined if they have to be computed from all works: the top
 * work fell, or a subject that is not tallied may be among the most frequent ones.
 */
export function changeSums(
  author: number,
  { sums, tally }: TalliedSums,
  changes: readonly ShareChange[],
): TalliedSums | undefined {
  const ofAuthor = (share: WorkShare | undefined) =>
    share?.authors.has(author) === true ? share : undefined;
  const own = changes.map(({ before, after }) => ({ before: ofAuthor(before), after: ofAuthor(after) }));
  const lost = own.flatMap(({ before }) => before ?? []);
  const gained = own.flatMap(({ after }) => after ?? []);
  const works = sums.work_count - lost.length + gained.length;
  if (works < gained.length) return undefined;
  const top = changeTop(tally.top, { title: sums.top_work, works, lost, gained });
  const subjects = changeSubjects(tally, { works, changes: own });
  if (top === undefined || subjects === undefined) return undefined;
  const counts = [
    ...lost.map((share) => [share.counts, -1] as const),
    ...gained.map((share) => [share.counts, 1] as const),
  ].reduce((total, [part, sign]) => addCounts(total, part, sign), sums.counts);
  return {
    sums: {
      work_count: works,
      ...(top !== null && { top_work: top.title }),
      top_subjects: subjects.changed ? topSubjectsOf(subjects.changed.subjects) : sums.top_subjects,
      counts,
    },
    tally: {
      top: top === null ? null : [top.editions, top.id],
      ...(subjects.changed ?? { subjects: tally.subjects, rest: tally.rest }),
    },
  };
}

/** Returns the most frequent subjects, given in order; one that is both a subject and a place counts once. */
export function topSubjectsOf(subjects: readonly TalliedSubject[]): string[] {
  return [...new Set(subjects.map(([, value]) => value))].slice(0, TOP_SUBJECTS);
}

/** Returns the tally of all subjects of an author, given in order, with more than `TALLIED_SUBJECTS_MAX` if there are. */
export function tallySubjects(subjects: readonly TalliedSubject[]): Pick<AuthorTally, "subjects" | "rest"> {
  return {
    subjects: subjects.slice(0, TALLIED_SUBJECTS_MAX),
    rest: subjects[TALLIED_SUBJECTS_MAX]?.[2] ?? 0,
  };
}

type TopWork = Pick<WorkShare, "id" | "editions" | "title">;

/** Returns the work with most editions, null without works, and undefined if it is one that has not changed. */
function changeTop(
  top: AuthorTally["top"],
  {
    title = "",
    works,
    lost,
    gained,
  }: {
    title: string | undefined;
    works: number;
    lost: readonly WorkShare[];
    gained: readonly WorkShare[];
  },
): TopWork | null | undefined {
  const [best] = gained.toSorted((a, b) => b.editions - a.editions || a.id - b.id);
  if (gained.length === works) return best ?? null;
  if (top === null) return undefined;
  const [editions, id] = top;
  const isBeaten = best !== undefined && (best.editions - editions || id - best.id) >= 0;
  if (isBeaten) return best;
  return lost.some((share) => share.id === id) ? undefined : { id, editions, title };
}

/** Returns the subjects if they change at all, and undefined if all works have to be counted. */
function changeSubjects(
  { subjects, rest }: AuthorTally,
  { works, changes }: { works: number; changes: readonly ShareChange[] },
): { changed: Pick<AuthorTally, "subjects" | "rest"> | undefined } | undefined {
  if (rest === null || works > AUTHOR_SUBJECT_WORKS_MAX) {
    return changes.every(hasSameSubjects) ? { changed: undefined } : undefined;
  }
  const differences = new Map<string, number>();
  const add = (share: WorkShare | undefined, sign: number): void => {
    for (const key of share?.subjects ?? []) differences.set(key, (differences.get(key) ?? 0) + sign);
  };
  for (const { before, after } of changes) {
    add(before, -1);
    add(after, 1);
  }
  const counts = new Map(subjects.map(([field, value, count]) => [`${field}${value}`, count]));
  let untalliedGain = 0;
  let isChanged = false;
  for (const [key, difference] of differences) {
    if (difference === 0) continue;
    isChanged = true;
    const count = counts.get(key);
    if (count === undefined && rest > 0) untalliedGain = Math.max(untalliedGain, difference);
    else counts.set(key, (count ?? 0) + difference);
  }
  if (!isChanged) return { changed: undefined };
  const tallied = Array.from(counts, ([key, count]): TalliedSubject => [Number(key[0]), key.slice(1), count])
    .filter(([, , count]) => count > 0)
    .sort(compareSubjects);
  if (rest === 0) return { changed: tallySubjects(tallied) };
  const limit = rest + untalliedGain;
  const certain = topSubjectsOf(tallied.filter(([, , count]) => count > limit));
  return certain.length < TOP_SUBJECTS ? undefined : { changed: { subjects: tallied, rest: limit } };
}

function hasSameSubjects({ before, after }: ShareChange): boolean {
  if (before === undefined || after === undefined) return before === after;
  // The works whose subjects are counted are those with most editions.
  return before.editions === after.editions && before.subjects.symmetricDifference(after.subjects).size === 0;
}

/** Compares by count, then by text as SQLite does, both descending. */
function compareSubjects([, a, aCount]: TalliedSubject, [, b, bCount]: TalliedSubject): number {
  if (aCount !== bCount || a === b) return bCount - aCount;
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at === length ? b.length - a.length : byteOrderOf(b.charCodeAt(at)) - byteOrderOf(a.charCodeAt(at));
}

const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;
const UNITS = 0x10000;

/** Returns a number that orders UTF-16 units as the bytes of UTF-8 are: surrogates are above all other units. */
function byteOrderOf(unit: number): number {
  return unit >= SURROGATES && unit < AFTER_SURROGATES ? unit + UNITS : unit;
}

function addCounts(total: WorkCounts, part: WorkCounts, sign: number): WorkCounts {
  const [one, two, three, four, five] = total.ratings.map(
    (count, star) => count + sign * (part.ratings[star] ?? 0),
  );
  return {
    ratings: [one ?? 0, two ?? 0, three ?? 0, four ?? 0, five ?? 0],
    ...mapShelves("member", ({ member }) => total[member] + sign * part[member]),
  };
}
