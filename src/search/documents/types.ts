import type { EbookAccess, ItemMetadata } from "../../catalog/ebook-access.ts";
import { type Shelf, type ShelfCounts, mapShelves } from "../../catalog/patrons/shelves.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { HiddenField, MembersOf } from "../fields.ts";
import type { SubjectType } from "./subject-key.ts";

export interface WorkCounts extends ShelfCounts {
  readonly ratings: readonly [number, number, number, number, number];
}

/** Builds the counts of a work from the number of ratings per star and of readers per shelf. */
export function toWorkCounts(
  ratedWith: (stars: number) => number,
  countOn: (shelf: Shelf) => number,
): WorkCounts {
  return {
    ratings: [ratedWith(1), ratedWith(2), ratedWith(3), ratedWith(4), ratedWith(5)],
    ...mapShelves("member", countOn),
  };
}

interface BookDocument extends MembersOf<"both"> {
  key: string;
  ebook_access: EbookAccess;
  has_fulltext: boolean;
  public_scan_b: boolean;
  identifiers: Readonly<Record<`id_${string}`, readonly string[]>>;
}

export interface EditionDocument extends BookDocument, MembersOf<"edition"> {
  readonly type: "edition";
  readonly work_key: readonly string[];
  readonly scores: EditionScores;
}

/** Points of the scorecard. `*_normalized` and the sum are computed when a document is returned. */
export interface EditionScores {
  readonly access: number;
  readonly discovery: number;
  readonly evaluation: number;
}

/**
 * Work with all its editions, as built for an engine. Fields that follow from others (`*_facet`, `*_key` of subjects,
 * `seed`, ...) are not included: present/expand.ts derives them.
 */
export interface WorkDocument extends BookDocument, MembersOf<"work"> {
  readonly type: "work";
  readonly title: string;
  readonly title_sort: string;
  readonly edition_count: number;
  readonly ebook_count_i: number;
  /** Seconds since the epoch. */
  readonly last_modified_i: number;
  readonly counts: WorkCounts;
  readonly editions: readonly EditionDocument[];
}

export interface AuthorDocument {
  readonly key: string;
  readonly type: "author";
  readonly name: string;
  readonly alternate_names?: readonly string[];
  readonly birth_date?: string;
  readonly death_date?: string;
  readonly date?: string;
  /** Numbers in other catalogs in their normal form, such as `viaf:102333412`. */
  readonly remote_ids?: readonly string[];
}

export interface ListDocument {
  readonly key: string;
  readonly type: "list" | "series";
  readonly list_type: "series" | "user_list" | "community_list";
  readonly name: string;
  readonly seed: readonly string[];
  readonly seed_count: number;
  /** ISO time with `Z`. */
  readonly last_modified: string;
}

export type ScanItem = ItemMetadata & { readonly boxId?: string };

/** Size of a cover in pixels. */
export interface CoverPixels {
  readonly cover_width: number;
  readonly cover_height: number;
}

export interface WorkSources {
  /** Undefined for a pseudo-work: the only edition, which belongs to no work. */
  readonly work: CatalogRecord | undefined;
  /** Editions in order of number. */
  readonly editions: readonly CatalogRecord[];
  /** Live author records in the order of the work, with redirects followed. */
  readonly authors: readonly CatalogRecord[];
  /** Series of the work and its editions, and the targets of their redirects, by key. */
  readonly series: ReadonlyMap<string, CatalogRecord>;
  readonly items: ReadonlyMap<string, ScanItem>;
  /** Covers stored by this service, by number (Q526). */
  readonly covers?: ReadonlyMap<number, CoverPixels>;
  readonly counts: WorkCounts;
  readonly osp?: number;
  readonly prefix: string;
  /** True to derive the access of a scan without metadata from the work's subjects. */
  readonly deriveItems: boolean;
}

export const NO_COUNTS: WorkCounts = toWorkCounts(
  () => 0,
  () => 0,
);

/** Trending points by hour of the day and by weekday (Monday first), and values computed from them. */
export interface Trending {
  readonly hourlySum: number;
  readonly zScore: number;
  readonly slots: TrendingSlots | undefined;
}

export interface TrendingSlots {
  readonly hourly: readonly number[];
  readonly daily: readonly number[];
}

export type StoredWork = Omit<WorkDocument, HiddenField | "editions"> & { readonly trending: Trending };

export type StoredEdition = Omit<EditionDocument, HiddenField>;

export interface AuthorSums {
  readonly work_count: number;
  readonly top_work?: string;
  readonly top_subjects: readonly string[];
  readonly counts: WorkCounts;
}

export type StoredAuthor = AuthorDocument & AuthorSums;

export interface StoredSubject {
  readonly key: string;
  readonly name: string;
  readonly subject_type: SubjectType;
  readonly work_count: number;
}

export type ListSubjects = Readonly<Partial<Record<SubjectType, readonly string[]>>>;

export type StoredList = ListDocument & ListSubjects;
