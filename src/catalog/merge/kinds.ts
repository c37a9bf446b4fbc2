import type { CatalogRecord } from "../record.ts";
import { absorbAuthor, absorbWork } from "./absorb.ts";

/** What is merged. */
export type MergeKind = "author" | "work";

/** What merges of one kind of record do (records.md 5.2, 5.3). */
export interface MergeRules {
  readonly type: string;
  /** Keys of records of this kind begin so. */
  readonly folder: string;
  /** Letter at the end of their numbers. */
  readonly letter: "A" | "W";
  /** Kind of the change. */
  readonly change: "merge-authors" | "merge-works";
  /** Members under which records of `namingTypes` name them, as index rows have them. */
  readonly names: readonly string[];
  readonly namingTypes: readonly string[];
  absorb(master: CatalogRecord, duplicate: CatalogRecord): CatalogRecord;
}

/** The rules of both kinds. */
export const MERGE_RULES: Readonly<Record<MergeKind, MergeRules>> = {
  author: {
    type: "/type/author",
    folder: "/authors/",
    letter: "A",
    change: "merge-authors",
    names: ["authors", "authors.author", "table_of_contents.authors.author"],
    namingTypes: ["/type/edition", "/type/work"],
    absorb: absorbAuthor,
  },
  work: {
    type: "/type/work",
    folder: "/works/",
    letter: "W",
    change: "merge-works",
    names: ["works"],
    namingTypes: ["/type/edition"],
    absorb: absorbWork,
  },
};
