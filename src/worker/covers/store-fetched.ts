import type { StoredImage } from "../../db/covers/cover-rows.ts";
import { type CheckedImage, checkImage } from "./check-image.ts";
import { originalName, putOriginal, putRenditions } from "./cover-object.ts";
import { makeRenditions } from "./make-renditions.ts";

/**
 * Stores an image under the number that a cover has already, in all sizes; undefined when it cannot be unpacked. Where an
 * earlier attempt has left an image, that one stays, and the smaller sizes are its.
 */
export async function storeFetched(
  covers: R2Bucket,
  id: number,
  image: CheckedImage,
): Promise<StoredImage | undefined> {
  const renditions = makeRenditions(image);
  if (renditions === undefined) return undefined;
  const { isNew, ...stored } = await putOriginal(covers, id, image);
  if (isNew) await putRenditions(covers, id, renditions);
  else await renderOriginal(covers, id);
  return stored;
}

/** Makes the smaller sizes of an image that is stored. False when it is not there, or cannot be unpacked. */
export async function renderOriginal(covers: R2Bucket, id: number): Promise<boolean> {
  const original = await covers.get(originalName(id));
  if (original === null) return false;
  const image = checkImage(new Uint8Array(await original.arrayBuffer()));
  const renditions = typeof image === "string" ? undefined : makeRenditions(image);
  if (renditions === undefined) return false;
  await putRenditions(covers, id, renditions);
  return true;
}
