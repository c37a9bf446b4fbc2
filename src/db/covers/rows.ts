/** What covers are of: authors, books, works. */
export type CoverCategory = "a" | "b" | "w";

/** Sequence that gives covers their numbers. */
export const COVER_SEQUENCE = "cover";
/** The first of them: those below are of covers that loaded records name (migration 0019). */
export const FIRST_OWN_COVER = 100_000_001;

/** What is known of an image that lies in R2. */
export interface StoredImage {
  readonly contentType: string;
  readonly bytes: number;
  /** Pixels, as people see it. */
  readonly width: number;
  readonly height: number;
}

/** `cover` in D1 `CATALOG`, of which the image is stored. Times are naive UTC. */
export interface CoverRow extends StoredImage {
  /** Out of the sequence. */
  readonly id: number;
  readonly category: CoverCategory;
  /** Record that it was made for, without its folder: `OL1M`. */
  readonly olid: string | null;
  /** `/people/<username>`; null for the service itself. */
  readonly author: string | null;
  readonly ip: string | null;
  /** Where the image comes from; null for one that was sent as a file. */
  readonly sourceUrl: string | null;
  /** Null: its smaller sizes are still to be made. */
  readonly renditions: "made" | "none" | null;
  /** Why it is not fetched yet, or has not been; and how often that was tried. */
  readonly problem: string | null;
  readonly attempts: number;
  /** When it was deleted. */
  readonly deleted: string | null;
  readonly created: string;
  readonly updated: string;
}
