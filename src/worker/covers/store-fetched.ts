import type { StoredImage } from "../../db/covers/cover-rows.ts";
import type { Stores } from "../context.ts";
import { type CheckedImage, checkImage } from "./check-image.ts";
import { coverRenditions } from "./cover-renditions.ts";
import { originalName, putOriginal, putRenditions } from "./cover-object.ts";

/** Where images are kept, and what makes large ones smaller. */
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
export async function renderOriginal(stores: CoverStores, id: number): Promise<boolean> {
  const { covers } = stores;
  const original = await covers.get(originalName(id));
  if (original === null) return false;
  const image = checkImage(new Uint8Array(await original.arrayBuffer()), stores);
  const renditions = typeof image === "string" ? undefined : await coverRenditions(image, stores);
  if (renditions === undefined) return false;
  await putRenditions(covers, id, renditions);
  return true;
}
