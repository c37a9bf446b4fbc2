import type { ItemMetadata } from "../../catalog/ebook-access.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { WorkCounts } from "./types.ts";

/** What is known of a scan, with the box its paper copy is kept in. */
export type ScanItem = ItemMetadata & { readonly boxId?: string };

/** Size of a cover picture, in pixels. */
export interface CoverSize {
  readonly width: number;
  readonly height: number;
}

/** Everything that the document of one work is made of (search.md 9.1). */
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
  readonly counts: WorkCounts;
  /** How many syllabuses name the work, where that is known. */
  readonly osp?: number;
  /** Of record numbers, such as `OL`. */
  readonly prefix: string;
  /** Whether a scan without metadata is judged by the work's subjects. */
  readonly deriveItems: boolean;
  /** By number of the cover; without it documents name no sizes. */
  readonly coverSizes?: ReadonlyMap<number, CoverSize>;
}

/** Counts of a work that nobody has rated or shelved. */
export const NO_COUNTS: WorkCounts = {
  ratings: [0, 0, 0, 0, 0],
  wantToRead: 0,
  currentlyReading: 0,
  alreadyRead: 0,
  stoppedReading: 0,
};
