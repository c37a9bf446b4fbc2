import type { CatalogRecord, Json } from "../../../catalog/record.ts";
import type { ImageKind } from "./kinds.ts";

/** Images that a record may have. */
export const RECORD_IMAGES_MAX = 1000;

/** What stands among the images of a record, -1 and null of the early years included. */
export function storedImages(record: CatalogRecord, { member }: ImageKind): readonly Json[] {
  const value = record[member];
  return Array.isArray(value) ? value : [];
}

/** The numbers of a record's images, without what is none. */
export function imagesOf(record: CatalogRecord, kind: ImageKind): number[] {
  return storedImages(record, kind).filter(isImage);
}

function isImage(value: Json): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

/** How the images of a record are to be: those wanted, in their order. */
export interface WantedImages {
  readonly images: readonly number[];
  /** Those that whoever wants it so has seen; undefined when he did not say. */
  readonly shown: ReadonlySet<number> | undefined;
}

/** The images of a record afterwards. Q415: those that somebody added meanwhile stay, and come first. */
export function arranged(before: readonly number[], { images, shown }: WantedImages): number[] {
  const unseen = shown === undefined ? [] : before.filter((id) => !shown.has(id) && !images.includes(id));
  return [...new Set([...unseen, ...images])];
}
