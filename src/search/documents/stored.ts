import type { HiddenField } from "../fields.ts";
import type { SubjectType } from "./subject-key.ts";
import type { AuthorDocument, EditionDocument, ListDocument, WorkCounts, WorkDocument } from "./types.ts";

/**
 * Trending data of a work: points by hour of the day (24) and by day of the week (7, Monday first), and the values
 * computed from them.
 */
export interface Trending {
  readonly hourlySum: number;
  readonly zScore: number;
  /** Undefined if all slots are 0. */
  readonly slots: TrendingSlots | undefined;
}

export interface TrendingSlots {
  readonly hourly: readonly number[];
  readonly daily: readonly number[];
}

/** Work as read from the index. `present/expand.ts` makes the returned document from it. */
export type StoredWork = Omit<WorkDocument, HiddenField | "editions"> & { readonly trending: Trending };

/** Edition as read from the index. */
export type StoredEdition = Omit<EditionDocument, HiddenField>;

/** Sums over an author's works. */
export interface AuthorSums {
  readonly work_count: number;
  readonly top_work?: string;
  readonly top_subjects: readonly string[];
  readonly counts: WorkCounts;
}

export type StoredAuthor = AuthorDocument & AuthorSums;

export interface StoredSubject {
  /** Key such as `/subjects/place:france`. */
  readonly key: string;
  readonly name: string;
  readonly subject_type: SubjectType;
  readonly work_count: number;
}

/** Subjects of the works in a list: the most frequent values. */
export type ListSubjects = Readonly<Partial<Record<SubjectType, readonly string[]>>>;

export type StoredList = ListDocument & ListSubjects;
