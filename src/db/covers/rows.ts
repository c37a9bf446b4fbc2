/** What covers are of: authors, books, works. */
export type CoverCategory = "a" | "b" | "w";

/** Sequence that gives covers their numbers. */
export const COVER_SEQUENCE = "cover";
/** The first of them: those below are of covers that loaded records name (migration 0019). */
export const FIRST_OWN_COVER = 100_000_001;

/** A cover that is new, and for whom it was made. */
export interface NewCover {
  /** Out of the sequence. */
  readonly id: number;
  /** Record without its folder, `OL1M`. */
  readonly olid: string | null;
  /** Where the image comes from; null for one that was sent as a file. */
  readonly sourceUrl: string | null;
  /** `/people/<username>`; null for the service itself. */
  readonly author: string | null;
  readonly ip: string | null;
  /** Naive UTC. */
  readonly now: string;
}

/** What is known of an image that lies in R2. */
export interface StoredImage {
  readonly contentType: string;
  readonly bytes: number;
  /** Pixels, as people see it. */
  readonly width: number;
  readonly height: number;
}
