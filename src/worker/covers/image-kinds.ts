import type { CoverCategory } from "../../db/covers/read-covers.ts";

/** Categories in the order of the interface: books, authors, works. */
export const COVER_CATEGORIES: readonly CoverCategory[] = ["b", "a", "w"];

export interface ImageKind {
  /** Noun in the names of operations, parameters (`edition_id`) and the type. */
  readonly noun: "edition" | "work" | "author";
  readonly folder: string;
  readonly letter: string;
  readonly category: CoverCategory;
  /** Singular; and plural, which is the member of the record. */
  readonly image: "cover" | "photo";
  readonly images: "covers" | "photos";
  readonly updating: string;
}

const covers = { image: "cover", images: "covers", updating: "update-book-covers" } as const;
const photos = { image: "photo", images: "photos", updating: "update-author-photos" } as const;
export const EDITION: ImageKind = { noun: "edition", folder: "books", letter: "M", category: "b", ...covers };
export const WORK: ImageKind = { noun: "work", folder: "works", letter: "W", category: "w", ...covers };
export const AUTHOR: ImageKind = { noun: "author", folder: "authors", letter: "A", category: "a", ...photos };

export const IMAGE_KINDS: readonly ImageKind[] = [EDITION, WORK, AUTHOR];
