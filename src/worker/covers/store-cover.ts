import { datetimeText } from "../../catalog/datetime.ts";
import { type CoverCategory, type StoredImage, COVER_SEQUENCE } from "../../db/covers/rows.ts";
import { noteRenditions, storedCover } from "../../db/covers/write.ts";
import { isUnrendered } from "../../db/covers/read.ts";
import { reserveNumber } from "../../db/editing/numbers.ts";
import { run } from "../../db/statement.ts";
import type { Sources, Stores } from "../http/bindings.ts";
import type { Jobs } from "../http/queue.ts";
import { type CheckedImage, checkImage } from "./check-image.ts";
import { originalName, putOriginal, putRenditions } from "./cover-object.ts";
import { coverRenditions } from "./make-renditions.ts";

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

/** Why an image is not stored that looked like one. */
export const UNREADABLE = "the image cannot be unpacked";

/**
 * Stores an image in all its sizes, and notes the cover; its number, undefined when the image cannot be unpacked: then
 * nothing is stored. Should this break off, files are left under a number that nobody gets.
 */
export async function storeCover(
  { stores, sources }: { readonly stores: Stores; readonly sources: Sources },
  { image, ...cover }: CoverToStore,
): Promise<number | undefined> {
  const renditions = await coverRenditions(image, stores);
  if (renditions === undefined) return undefined;
  const id = await reserveNumber(stores.catalog, COVER_SEQUENCE);
  const [stored] = await Promise.all([
    putOriginal(stores.covers, id, image),
    putRenditions(stores.covers, id, renditions),
  ]);
  const now = datetimeText(sources.now());
  await run(stores.catalog, storedCover({ ...cover, id, now }, stored));
  return id;
}

type CoverStores = Pick<Stores, "covers" | "images">;

/**
 * Stores an image under the number that a cover has already, in all sizes; undefined when it cannot be unpacked. Where an
 * earlier attempt has left an image, that one stays, and the smaller sizes are its.
 */
export async function storeFetched(
  stores: CoverStores,
  id: number,
  image: CheckedImage,
): Promise<StoredImage | undefined> {
  const { covers } = stores;
  const renditions = await coverRenditions(image, stores);
  if (renditions === undefined) return undefined;
  const { isNew, ...stored } = await putOriginal(covers, id, image);
  if (isNew) await putRenditions(covers, id, renditions);
  else await renderOriginal(stores, id);
  return stored;
}

/** Makes the smaller sizes of an image that is stored. False when it is not there, or cannot be unpacked. */
async function renderOriginal(stores: CoverStores, id: number): Promise<boolean> {
  const { covers } = stores;
  const original = await covers.get(originalName(id));
  if (original === null) return false;
  const image = checkImage(new Uint8Array(await original.arrayBuffer()), stores);
  const renditions = typeof image === "string" ? undefined : await coverRenditions(image, stores);
  if (renditions === undefined) return false;
  await putRenditions(covers, id, renditions);
  return true;
}

/** Makes the smaller sizes of a cover that was stored without them. Does nothing where nothing is to be done. */
export async function renderStored(id: number, { stores }: Jobs): Promise<void> {
  if (!(await isUnrendered(stores.catalog, id))) return;
  const made = await renderOriginal(stores, id);
  await noteRenditions(stores.catalog, id, made ? "made" : "none");
}
