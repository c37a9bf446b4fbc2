import { idOfKey } from "../../catalog/key-numbers.ts";
import { popularityBandOf } from "../documents/popularity.ts";

const NUMBERS_PER_KIND = 2 ** 40;
export const BEFORE_ALL_WORKS = -2 * NUMBERS_PER_KIND;
/** Number of rows of one popularity band in `work_text` and `author_text`. A power of two; half of them are for numbers below 0. */
export const BAND_ROWS = 4 * NUMBERS_PER_KIND;
/** Maximum number of editions of one work that are found by their own texts. A power of two. */
const EDITION_ROWS_MAX = 8192;

/**
 * Returns the number of a work in the index: that of its key. A pseudo-work, which stands for an edition without a work
 * (`/works/OL1M`), has the edition's number with a minus. Undefined for every other key.
 */
export function workIdOfKey(key: string, prefix: string): number | undefined {
  if (!key.startsWith("/works/")) return undefined;
  const id = idOfKey(key, prefix);
  if (id !== undefined) return id % NUMBERS_PER_KIND;
  const edition = key.endsWith("M")
    ? editionIdOfKey(`/books/${key.slice("/works/".length)}`, prefix)
    : undefined;
  return edition === undefined || edition === 0 ? undefined : -edition;
}

/** Returns the key of a work or pseudo-work by its number: 7 is `/works/OL7W`, -7 is `/works/OL7M`. */
export function keyOfWorkId(id: number, prefix: string): string {
  return id < 0 ? `/works/${prefix}${-id}M` : `/works/${prefix}${id}W`;
}

/** Returns a work's row in `work_text`: by popularity band, then number, so that the best come first. */
export function workRowId(id: number, popularity: number): number {
  return popularityBandOf(popularity) * BAND_ROWS + id;
}

/** Lower bounds of the bands of authors by their number of works, highest first. */
const AUTHOR_BANDS = [1000, 500, 200, 100, 50, 35, 25, 20, 15, 10, 7, 5, 4, 3, 2, 1, 0];

/** Returns an author's row in `author_text`: by the band of the number of works, then number. */
export function authorRowId(id: number, works: number): number {
  return (1 + AUTHOR_BANDS.findIndex((end) => works >= end)) * BAND_ROWS + id;
}

/** Returns the number of `/authors/OL1A`; undefined for other keys. */
export function authorIdOfKey(key: string, prefix: string): number | undefined {
  return numberOf(key, "/authors/", prefix);
}

/** Returns the key of an author by number. */
export function keyOfAuthorId(id: number, prefix: string): string {
  return `/authors/${prefix}${id}A`;
}

/** Returns the number of `/books/OL1M`; undefined for other keys. */
export function editionIdOfKey(key: string, prefix: string): number | undefined {
  return numberOf(key, "/books/", prefix);
}

/** Returns the key of an edition by number. */
export function keyOfEditionId(id: number, prefix: string): string {
  return `/books/${prefix}${id}M`;
}

/**
 * Returns the row of an edition's texts in `edition_text`; undefined for the last ones of a work with more than 8,192.
 * In SQL: `row >> 13` is the work, `row & 8191` the rank, which together are the key of `edition`.
 */
export function editionRowId(work: number, rank: number): number | undefined {
  return rank < EDITION_ROWS_MAX ? work * EDITION_ROWS_MAX + rank : undefined;
}

/** Returns a 31-bit hash of a number, the basis of random orders: equal in every rebuild. */
export function randomOf(id: number): number {
  let hash = Math.imul(id ^ (id >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 1;
}

function numberOf(key: string, folder: string, prefix: string): number | undefined {
  const id = key.startsWith(folder) ? idOfKey(key, prefix) : undefined;
  return id === undefined ? undefined : id % NUMBERS_PER_KIND;
}

/** Returns a 31-bit hash of a text, the basis of random orders: equal in every rebuild. */
export function randomOfText(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash, 31) + text.charCodeAt(at);
  return randomOf(hash);
}
