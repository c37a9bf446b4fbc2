import type { CoverCategory } from "../../../db/covers/rows.ts";

/** A kind of record that has images, and how they are called and changed (lookup.md 7). */
export interface ImageKind {
  /** Names operations and parameters: `edition_id`. */
  readonly noun: "edition" | "work" | "author";
  readonly type: string;
  readonly folder: string;
  readonly letter: string;
  readonly category: CoverCategory;
  /** Member of the record. */
  readonly member: "covers" | "photos";
  /** What one image is called, and several. */
  readonly image: "cover" | "photo";
  readonly images: "covers" | "photos";
  /** Kinds of the changes. */
  readonly adding: string;
  readonly updating: string;
}

const cover = {
  member: "covers",
  image: "cover",
  images: "covers",
  adding: "add-cover",
  updating: "update-book-covers",
} as const;

export const EDITION: ImageKind = {
  noun: "edition",
  type: "/type/edition",
  folder: "books",
  letter: "M",
  category: "b",
  ...cover,
};

export const WORK: ImageKind = {
  noun: "work",
  type: "/type/work",
  folder: "works",
  letter: "W",
  category: "w",
  ...cover,
};

export const AUTHOR: ImageKind = {
  noun: "author",
  type: "/type/author",
  folder: "authors",
  letter: "A",
  category: "a",
  member: "photos",
  image: "photo",
  images: "photos",
  adding: "add-photo",
  updating: "update-author-photos",
};

/** A record whose images are meant. */
export interface ImageTarget {
  readonly kind: ImageKind;
  /** `OL1M` */
  readonly olid: string;
  /** `/books/OL1M` */
  readonly key: string;
}

/** The record with a number, given in digits. */
export function imageTarget(kind: ImageKind, digits: string, prefix: string): ImageTarget {
  const olid = `${prefix}${digits}${kind.letter}`;
  return { kind, olid, key: `/${kind.folder}/${olid}` };
}
