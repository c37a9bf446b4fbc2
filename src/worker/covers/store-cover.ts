import { datetimeText } from "../../catalog/datetime.ts";
import { type CoverCategory, type StoredImage, COVER_SEQUENCE, isUnrendered } from "../../db/covers/read-covers.ts";
import { noteRenditions, storedCover } from "../../db/covers/write-covers.ts";
import { reserveNumber } from "../../db/editing/numbers.ts";
import { run } from "../../db/statement.ts";
import type { Sources, Stores } from "../http/bindings.ts";
import type { Jobs } from "../http/queue.ts";
import { type CheckedImage, checkImage } from "./check-image.ts";
import { originalName, putOriginal, putRenditions } from "./cover-object.ts";
import { coverRenditions } from "./make-renditions.ts";

export interface CoverToStore {
  readonly category: CoverCategory;
  /** Record of the cover, without its folder: `OL1M`; null if unknown. */
  readonly olid: string | null;
  readonly image: CheckedImage;
  /** Origin of the image; null if it was sent as a file. */
  readonly sourceUrl: string | null;
  /** Uploader, `/people/<username>`; null if unknown. */
  readonly author: string | null;
  readonly ip: string | null;
}

export const UNREADABLE = "the image cannot be unpacked";

/**
 * Stores an image in all sizes, and creates the cover. Returns its number, or undefined without storing anything if the
 * image cannot be decoded. An interruption leaves files under a number that is never used.
 */
export async function storeCover(
  { stores, sources }: { stores: Stores; sources: Sources },
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
 * Stores an image in all sizes under the existing number of a cover; undefined if it cannot be decoded. An image left
 * by an earlier attempt stays, and the smaller sizes are made from it.
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

/** Makes the smaller sizes of a stored image. False if it is missing or cannot be decoded. */
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

export async function renderStored(id: number, { stores }: Jobs): Promise<void> {
  if (!(await isUnrendered(stores.catalog, id))) return;
  const isMade = await renderOriginal(stores, id);
  await noteRenditions(stores.catalog, id, isMade ? "made" : "none");
}
