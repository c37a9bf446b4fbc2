import type { Stores } from "../context.ts";
import type { CheckedImage } from "./check-image.ts";
import { type Renditions, makeRenditions } from "./make-renditions.ts";
import { reduceImage } from "./reduce-image.ts";

/**
 * The smaller sizes of a cover; undefined when it cannot be unpacked. A large image is made smaller first (decision 0032): that
 * may take seconds, and throws a 503 where it fails for now.
 */
export async function coverRenditions(
  image: CheckedImage,
  { images }: Pick<Stores, "images">,
): Promise<Renditions | undefined> {
  if (!image.isLarge) return makeRenditions(image);
  const reduced = images === undefined ? undefined : await reduceImage(image, images);
  return reduced === undefined ? undefined : makeRenditions(reduced, image);
}
