import type { CoverSize } from "../cover-sizes.ts";
import type { EbookAccess } from "../ebook-access.ts";
import type { LendingStatus } from "../lending/loan.ts";
import { type CatalogRecord, type Json, elementsOf, textOf } from "../record.ts";

/** Public addresses that answers point to, without trailing slashes. */
export interface LookupConfig {
  readonly baseUrl: string;
  readonly coversUrl: string;
  readonly archiveUrl: string;
}

/** An edition with all that its lookup entries show. Records are as read (`readView`). */
export interface EditionBundle {
  /** The edition asked for, its redirects followed. */
  readonly edition: CatalogRecord;
  /** Its first work, redirects followed. */
  readonly work?: CatalogRecord;
  /** Authors of the work and the edition, by the key under which they are named there. */
  readonly authors: ReadonlyMap<string, CatalogRecord>;
  readonly access: EbookAccess;
  /** How lending has the edition's scan; absent when it does not know it, or was not asked. */
  readonly lending?: LendingStatus;
}

/** True when lending has no free copy of a scan that it lends. */
export function isCheckedOut(status: LendingStatus | undefined): boolean {
  return status !== undefined && status.isLendable && status.free === 0;
}

/** The first image of a list that is one: -1 and null stand for an image taken away. */
export function firstImage(images: Json | undefined): number | undefined {
  return elementsOf(images)
    .filter((id) => typeof id === "number")
    .find((id) => id > 0);
}

/** The first cover of a record that is one. */
export function coverId(record: CatalogRecord): number | undefined {
  return firstImage(record["covers"]);
}

/** Address of a cover. */
export function coverUrl(coversUrl: string, id: number, size: CoverSize): string {
  return `${coversUrl}/b/id/${id}-${size}.jpg`;
}

/** Addresses of a record's cover in three sizes; undefined when it has none. */
export function coverUrlsOf(coversUrl: string, record: CatalogRecord) {
  const id = coverId(record);
  if (id === undefined) return undefined;
  const url = (size: CoverSize): string => coverUrl(coversUrl, id, size);
  return { small: url("S"), medium: url("M"), large: url("L") };
}

/** Scan item of an edition. */
export function ocaidOf(edition: CatalogRecord): string | undefined {
  const ocaid = textOf(edition["ocaid"]);
  return ocaid === "" ? undefined : ocaid;
}

/**
 * JSON text of an object with its members in the order given. A JavaScript object would move names that look
 * like array indices, such as a bare ISBN-10, to the front. Of a repeated name the last value
 * stands at the first place (Q26).
 */
export function jsonObjectInOrder(entries: Iterable<readonly [string, unknown]>): string {
  const members: string[] = [];
  for (const [name, value] of new Map(entries)) {
    const json: string | undefined = JSON.stringify(value);
    if (json !== undefined) members.push(`${JSON.stringify(name)}:${json}`);
  }
  return `{${members.join(",")}}`;
}
