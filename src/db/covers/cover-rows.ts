/** Records that have covers: authors, books, works. */
export type CoverCategory = "a" | "b" | "w";

export const COVER_SEQUENCE = "cover";
/** First number of the sequence: lower numbers are covers of loaded records (migration 0019). */
export const FIRST_OWN_COVER = 100_000_001;

/** Description of an image in R2. */
export interface StoredImage {
  readonly contentType: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
}

/** Row of `cover` in D1 `CATALOG` whose image is stored. Times are naive UTC. */
export interface CoverRow extends StoredImage {
  readonly id: number;
  readonly category: CoverCategory;
  /** Record that the cover was made for, without its folder: `OL1M`. */
  readonly olid: string | null;
  /** Uploader, `/people/<username>`; null for the service itself. */
  readonly author: string | null;
  readonly ip: string | null;
  /** Origin of the image; null for an image that was sent as a file. */
  readonly sourceUrl: string | null;
  /** Null if the smaller sizes are still to be made. */
  readonly renditions: "made" | "none" | null;
  /** Reason of the last failed attempt to fetch the image; and the number of attempts. */
  readonly problem: string | null;
  readonly attempts: number;
  readonly deleted: string | null;
  readonly created: string;
  readonly updated: string;
}
