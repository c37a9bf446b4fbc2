import type { EbookAccess, ItemMetadata } from "../../catalog/ebook-access.ts";
import { type Shelf, type ShelfCounts, byShelf } from "../../catalog/patrons/shelves.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { MembersOf } from "../fields.ts";

/** Ratings and shelf counts of a work. */
export interface WorkCounts extends ShelfCounts {
  /** Ratings with one to five stars. */
  readonly ratings: readonly [number, number, number, number, number];
}

/** The counts of a work, from how many rated it with so many stars, and have it on a shelf. */
export function workCounts(
  ratedWith: (stars: number) => number,
  countOn: (shelf: Shelf) => number,
): WorkCounts {
  return {
    ratings: [ratedWith(1), ratedWith(2), ratedWith(3), ratedWith(4), ratedWith(5)],
    ...byShelf("member", countOn),
  };
}

/** Members that all documents of works and editions share. Absent values are left out. */
interface BookDocument extends MembersOf<"both"> {
  readonly key: string;
  readonly ebook_access: EbookAccess;
  readonly has_fulltext: boolean;
  readonly public_scan_b: boolean;
  /** `id_goodreads` and its like. */
  readonly identifiers: Readonly<Record<`id_${string}`, readonly string[]>>;
}

/** An edition inside its work. */
export interface EditionDocument extends BookDocument, MembersOf<"edition"> {
  readonly type: "edition";
  /** OLIDs, such as `OL1W`. */
  readonly work_key: readonly string[];
  readonly scores: EditionScores;
}

/** Points of the scorecard; `*_normalized` and the sum are derived when a document is returned. */
export interface EditionScores {
  readonly access: number;
  readonly discovery: number;
  readonly evaluation: number;
}

/**
 * A work with all its editions: what the builder makes and an engine takes. Fields that follow from others (`*_facet`,
 * `*_key` of subjects, `seed`, ...) are not in it: present/expand.ts derives them.
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
  /** In order of number. */
  readonly editions: readonly EditionDocument[];
}

/** An author. Sums over works are made by the engine, from its own work documents. */
export interface AuthorDocument {
  readonly key: string;
  readonly type: "author";
  readonly name: string;
  readonly alternate_names?: readonly string[];
  readonly birth_date?: string;
  readonly death_date?: string;
  readonly date?: string;
}

/** A list or series. Subjects of its works are added by the engine. */
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

/** What is known of a scan, with the box its paper copy is kept in. */
export type ScanItem = ItemMetadata & { readonly boxId?: string };

/** The size of a cover in pixels. */
export interface CoverSize {
  readonly cover_width: number;
  readonly cover_height: number;
}

/** Everything that the document of one work is made of. */
export interface WorkSources {
  /** Undefined: a pseudo-work is made of the only edition, which belongs to no work. */
  readonly work: CatalogRecord | undefined;
  /** In order of number. */
  readonly editions: readonly CatalogRecord[];
  /** Live author records in the order of the work, redirects followed. */
  readonly authors: readonly CatalogRecord[];
  /** Records of the series that the work and its editions name, and what these redirect to, by key. */
  readonly series: ReadonlyMap<string, CatalogRecord>;
  /** By ocaid. */
  readonly items: ReadonlyMap<string, ScanItem>;
  /** Covers that are stored here, by number (Q526). */
  readonly covers?: ReadonlyMap<number, CoverSize>;
  readonly counts: WorkCounts;
  /** How many syllabuses name the work, where that is known. */
  readonly osp?: number;
  /** Of record numbers, such as `OL`. */
  readonly prefix: string;
  /** Whether a scan without metadata is judged by the work's subjects. */
  readonly deriveItems: boolean;
}

/** Counts of a work that nobody has rated or shelved. */
export const NO_COUNTS: WorkCounts = workCounts(
  () => 0,
  () => 0,
);
