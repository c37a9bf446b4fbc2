import * as z from "zod";
import { type CoverSize, COVER_SIZES } from "../../catalog/cover-sizes.ts";
import type { StoredImage } from "../../db/covers/read-covers.ts";
import type { CheckedImage } from "./check-image.ts";
import type { Renditions } from "./make-renditions.ts";

const ID_DIGITS = 10;

/** Returns the R2 key of the original image; `renditionName` that of a smaller size. */
export function originalName(id: number): string {
  return `covers/${String(id).padStart(ID_DIGITS, "0")}/o`;
}

export function renditionName(id: number, size: CoverSize): string {
  return `covers/${String(id).padStart(ID_DIGITS, "0")}/${size}.jpg`;
}

/** Puts the smaller sizes of a cover into R2. They depend on the original only, so repeating this is harmless. */
export async function putRenditions(covers: R2Bucket, id: number, renditions: Renditions): Promise<void> {
  const options = { httpMetadata: { contentType: "image/jpeg" } };
  await Promise.all(
    COVER_SIZES.map((size) => covers.put(renditionName(id, size), renditions[size], options)),
  );
}

const side = z
  .string()
  .regex(/^[1-9]\d*$/)
  .transform(Number);
const metadata = z.object({ width: side, height: side });

/**
 * Puts an image into R2 under the number of its cover. An existing object stays and is described instead, so a repeated
 * step describes the stored image.
 */
export async function putOriginal(
  covers: R2Bucket,
  id: number,
  image: CheckedImage,
): Promise<StoredImage & { readonly isNew: boolean }> {
  const { bytes, contentType, width, height } = image;
  const put = await covers.put(originalName(id), bytes, {
    httpMetadata: { contentType },
    customMetadata: { width: String(width), height: String(height) },
    onlyIf: { etagDoesNotMatch: "*" },
  });
  if (put !== null) return { contentType, bytes: bytes.byteLength, width, height, isNew: true };
  const stored = await covers.head(originalName(id));
  if (stored === null) throw new Error(`cover ${id} is neither stored nor may it be`);
  return {
    ...metadata.parse(stored.customMetadata),
    contentType: stored.httpMetadata?.contentType ?? contentType,
    bytes: stored.size,
    isNew: false,
  };
}
