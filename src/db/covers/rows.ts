import type { Statement } from "../statement.ts";

/** What covers are of: authors, books, works. */
export type CoverCategory = "a" | "b" | "w";

/** Sequence that gives covers their numbers. */
export const COVER_SEQUENCE = "cover";
/** The first of them: those below are of covers that loaded records name (migration 0019). */
export const FIRST_OWN_COVER = 100_000_001;

/** A cover that is new, and for whom it was made. */
interface NewCover {
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

/** Notes the cover of an edition, whose image is still to be fetched from `sourceUrl`. */
export function pendingCover(cover: NewCover & { readonly sourceUrl: string }): Statement {
  const { id, olid, sourceUrl, author, ip, now } = cover;
  return {
    sql: `INSERT INTO cover (id, category, olid, source_url, author, ip, state, due, created, updated)
          VALUES (?1, 'b', ?2, ?3, ?4, ?5, 'pending', ?6, ?6, ?6)`,
    values: [id, olid, sourceUrl, author, ip, now],
  };
}

/** Notes a cover whose image is there, in all sizes. */
export function storedCover(
  cover: NewCover & { readonly category: CoverCategory },
  { contentType, bytes, width, height }: StoredImage,
): Statement {
  const { id, category, olid, sourceUrl, author, ip, now } = cover;
  return {
    sql: `INSERT INTO cover (id, category, olid, source_url, author, ip, state, renditions, content_type, bytes,
            width, height, created, updated)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'stored', 'made', ?7, ?8, ?9, ?10, ?11, ?11)`,
    values: [id, category, olid, sourceUrl, author, ip, contentType, bytes, width, height, now],
  };
}
