import type { HiddenField } from "../fields.ts";
import type { SubjectType } from "./subject-key.ts";
import type { AuthorDocument, EditionDocument, ListDocument, WorkCounts, WorkDocument } from "./types.ts";

/** Points of a work by hour of the day (24) and by day of the week (7, Monday first), and what follows from them. */
export interface Trending {
  readonly hourlySum: number;
  readonly zScore: number;
  /** Undefined: all 0. */
  readonly slots: TrendingSlots | undefined;
}

export interface TrendingSlots {
  readonly hourly: readonly number[];
  readonly daily: readonly number[];
}

/** A work as it is read back: what `present/expand.ts` makes the returned document of. */
export type StoredWork = Omit<WorkDocument, HiddenField | "editions"> & { readonly trending: Trending };

/** An edition as it is read back. */
export type StoredEdition = Omit<EditionDocument, HiddenField>;

/** What an author's works add up to. */
export interface AuthorSums {
  readonly work_count: number;
  readonly top_work?: string;
  readonly top_subjects: readonly string[];
  readonly counts: WorkCounts;
}

export type StoredAuthor = AuthorDocument & AuthorSums;

export interface StoredSubject {
  /** `/subjects/place:france`. */
  readonly key: string;
  readonly name: string;
  readonly subject_type: SubjectType;
  readonly work_count: number;
}

/** What the works in a list are about: the most frequent values. */
export type ListSubjects = Readonly<Partial<Record<SubjectType, readonly string[]>>>;

export type StoredList = ListDocument & ListSubjects;
