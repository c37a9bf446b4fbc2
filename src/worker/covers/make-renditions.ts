import type { Stores } from "../http/bindings.ts";
import { type CheckedImage, COVER_MEMORY_BYTES } from "./check-image.ts";
import {
  type ImageSize,
  type Pixels,
  fittingSize,
  turnedSize,
  reductionFactor,
  takePixels,
  turnUpright,
} from "./pixels.ts";
import { Photon } from "./photon.ts";
import { stripImage } from "./plain-image.ts";
import { reduceImage } from "./reduce-image.ts";
import { COVER_BOXES, COVER_SIZES, type CoverSize, LARGEST_COVER } from "../../catalog/cover-sizes.ts";

const JPEG_QUALITY = 90;

export type Renditions = Readonly<Record<CoverSize, Uint8Array<ArrayBuffer>>>;

/**
 * Makes the smaller sizes of a cover; undefined if it cannot be decoded. A large image is reduced first (decision 0032),
 * which may take seconds, and throws 503 on temporary failures.
 */
export async function coverRenditions(
  image: CheckedImage,
  { images }: Pick<Stores, "images">,
): Promise<Renditions | undefined> {
  if (!image.isLarge) return makeRenditions(image);
  const reduced = images === undefined ? undefined : await reduceImage(image, images);
  return reduced === undefined ? undefined : makeRenditions(reduced, image);
}

/** Last used instance, unless it has been garbage-collected. */
let lastPhoton: WeakRef<Photon> | undefined;

/**
 * Makes the smaller sizes of an image; undefined if it cannot be decoded. Runs synchronously, so there is never more
 * than one decoded image. One instance serves all images, because its memory is freed late; an instance that has grown
 * beyond the limit of an image is dropped. `whole` is the size of the original if `image` was made from a larger one.
 */
export function makeRenditions(image: CheckedImage, whole: ImageSize = image): Renditions | undefined {
  const photon = lastPhoton?.deref() ?? new Photon();
  lastPhoton = undefined;
  const renditions = renderWith(photon, image, whole);
  if (photon.isUsable && photon.memoryBytes <= COVER_MEMORY_BYTES) lastPhoton = new WeakRef(photon);
  return renditions;
}

/**
 * Makes the smaller sizes of an image with the given instance. The largest size is made from the image itself, the
 * others from the largest.
 */
export function renderWith(
  photon: Photon,
  image: CheckedImage,
  whole: ImageSize = image,
): Renditions | undefined {
  const size = (name: CoverSize): ImageSize => fittingSize(whole, COVER_BOXES[name]);
  // The image is turned upright after resizing.
  const storedSize = turnedSize(size(LARGEST_COVER), image.orientation);
  const file = stripImage(image);
  const pixels = file === undefined ? undefined : decode(photon, file, { image, size: storedSize });
  if (pixels === undefined) return undefined;
  const large = turnUpright(resize(photon, pixels, storedSize), image.orientation);
  const files = COVER_SIZES.map(
    (name) => [name, photon.jpeg(resize(photon, large, size(name)), JPEG_QUALITY)] as const,
  );
  // Every size has its file.
  return Object.fromEntries(files) as Renditions;
}

/** Returns the pixels of an image as stored, reduced if the image is much larger than `size`, its largest rendition. */
function decode(
  photon: Photon,
  file: readonly Uint8Array[],
  { image, size }: { image: CheckedImage; size: ImageSize },
): Pixels | undefined {
  const stored = turnedSize(image, image.orientation);
  try {
    return photon.decode(file, (pixels) => {
      // The pixels differ from the header, for which everything else was prepared.
      if (pixels.width !== stored.width || pixels.height !== stored.height) return undefined;
      return takePixels(pixels, reductionFactor(stored, size));
    });
  } catch {
    // The library reports no details of a failure, and fails for broken images.
    return undefined;
  }
}

function resize(photon: Photon, pixels: Pixels, size: ImageSize): Pixels {
  const hasSize = pixels.width === size.width && pixels.height === size.height;
  return hasSize ? pixels : photon.resize(pixels, size);
}
