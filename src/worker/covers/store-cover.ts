import { datetimeText } from "../../catalog/datetime.ts";
import { COVER_SEQUENCE, type CoverCategory, storedCover } from "../../db/covers/cover-rows.ts";
import { reserveNumbers } from "../../db/changes/reserve-numbers.ts";
import { prepare } from "../../db/statement.ts";
import type { Sources, Stores } from "../context.ts";
import type { CheckedImage } from "./check-image.ts";
import { coverRenditions } from "./cover-renditions.ts";
import { putOriginal, putRenditions } from "./cover-object.ts";

/** An image that is to become a cover, and whose. */
export interface CoverToStore {
  /** Authors, books (editions) and works. */
  readonly category: CoverCategory;
  /** Record that it is made for, without its folder: `OL1M`; null when nobody said. */
  readonly olid: string | null;
  readonly image: CheckedImage;
  /** Where it comes from; null when it was sent as a file. */
  readonly sourceUrl: string | null;
  /** `/people/<username>`; null when nobody is known. */
  readonly author: string | null;
  readonly ip: string | null;
}

/** The number of a cover, or why there is none. */
export type CoverStored =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly problem: string };

/** Why an image is not stored that looked like one. */
export const UNREADABLE = "the image cannot be unpacked";

/**
 * Stores an image in all its sizes, and notes the cover. Nothing is stored of what cannot be unpacked. Should this break off,
 * files are left under a number that nobody gets.
 */
export async function storeCover(
  { stores, sources }: { readonly stores: Stores; readonly sources: Sources },
  { image, ...cover }: CoverToStore,
): Promise<CoverStored> {
  const renditions = await coverRenditions(image, stores);
  if (renditions === undefined) return { ok: false, problem: UNREADABLE };
  const id = await reserveNumbers(stores.catalog, COVER_SEQUENCE, 1);
  const [stored] = await Promise.all([
    putOriginal(stores.covers, id, image),
    putRenditions(stores.covers, id, renditions),
  ]);
  const now = datetimeText(sources.now());
  await prepare(stores.catalog, storedCover({ ...cover, id, now }, stored)).run();
  return { ok: true, id };
}
