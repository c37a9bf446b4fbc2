import type { CoverSize } from "../cover-sizes.ts";
import type { EbookAccess } from "../ebook-access.ts";
import type { LendingStatus } from "../lending/loan.ts";
import { type CatalogRecord, type Json, elementsOf, keyOf, textOf, typeKeyOf } from "../record.ts";

/** Public addresses used in responses, without trailing slashes. */
export interface LookupConfig {
  readonly baseUrl: string;
  readonly coversUrl: string;
  readonly archiveUrl: string;
}

/** Edition with the data of its lookup entries. Records are as readers see them (`toReadView`). */
export interface EditionBundle {
  /** Requested edition, redirects followed. */
  readonly edition: CatalogRecord;
  /** First work of the edition, redirects followed. */
  readonly work?: CatalogRecord;
  /** Authors of the work and the edition, by the key that refers to them. */
  readonly authors: ReadonlyMap<string, CatalogRecord>;
  readonly access: EbookAccess;
  /** Lending status of the scan; absent if it is unknown or was not read. */
  readonly lending?: LendingStatus;
}

/** Returns true if a lendable scan has no free copy. */
export function isCheckedOut(status: LendingStatus | undefined): boolean {
  return status !== undefined && status.isLendable && status.free === 0;
}

/** Returns the first valid image of a list: -1 and null stand for removed images. */
export function firstImageOf(images: Json | undefined): number | undefined {
  return elementsOf(images)
    .filter((id) => typeof id === "number")
    .find((id) => id > 0);
}

export function coverIdOf(record: CatalogRecord): number | undefined {
  return firstImageOf(record["covers"]);
}

export function buildCoverUrl(coversUrl: string, id: number, size: CoverSize): string {
  return `${coversUrl}/b/id/${id}-${size}.jpg`;
}

/** Returns the addresses of a record's cover, or of an author's photo, in three sizes. Returns undefined if it has none. */
export function coverUrlsOf(coversUrl: string, record: CatalogRecord) {
  const isAuthor = typeKeyOf(record) === "/type/author";
  const id = isAuthor ? firstImageOf(record["photos"]) : coverIdOf(record);
  if (id === undefined) return undefined;
  const url = (size: CoverSize): string =>
    isAuthor ? `${coversUrl}/a/id/${id}-${size}.jpg` : buildCoverUrl(coversUrl, id, size);
  return { small: url("S"), medium: url("M"), large: url("L") };
}

/** Returns the id of an edition's scan. Returns undefined if it has none. */
export function ocaidOf(edition: CatalogRecord): string | undefined {
  const ocaid = textOf(edition["ocaid"]);
  return ocaid === "" ? undefined : ocaid;
}

/**
 * Serialises an object with its members in the given order. A JavaScript object would move names that look like array
 * indices, such as a bare ISBN-10, to the front. Of a repeated name the last value is used, at the first position
 * (Q26).
 */
export function formatOrderedObject(entries: Iterable<readonly [string, unknown]>): string {
  const members: string[] = [];
  for (const [name, value] of new Map(entries)) {
    const json: string | undefined = JSON.stringify(value);
    if (json !== undefined) members.push(`${JSON.stringify(name)}:${json}`);
  }
  return `{${members.join(",")}}`;
}

export function workKeyOf({ works }: CatalogRecord): string | undefined {
  return keyOf(elementsOf(works)[0]);
}

export function distinctKeys(keys: readonly (string | undefined)[]): string[] {
  return [...new Set(keys.filter((key) => key !== undefined))];
}
