import type { Statement } from "../statement.ts";

/** Sequence that gives covers their numbers. */
export const COVER_SEQUENCE = "cover";

/** A cover that is new, and for whom it was made. */
export interface NewCover {
  /** Out of the sequence. */
  readonly id: number;
  /** Record without its folder, `OL1M`. */
  readonly olid: string;
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

/** Notes the cover of an edition, whose image is there. */
export function storedCover(cover: NewCover, { contentType, bytes, width, height }: StoredImage): Statement {
  const { id, olid, sourceUrl, author, ip, now } = cover;
  return {
    sql: `INSERT INTO cover (id, category, olid, source_url, author, ip, state, content_type, bytes, width, height,
            created, updated)
          VALUES (?1, 'b', ?2, ?3, ?4, ?5, 'stored', ?6, ?7, ?8, ?9, ?10, ?10)`,
    values: [id, olid, sourceUrl, author, ip, contentType, bytes, width, height, now],
  };
}
