import type { Stores } from "../http/bindings.ts";
import { type CheckedImage, COVER_MEMORY_BYTES } from "./check-image.ts";
import { type ImageSize, fittingSize, turnedSize, reduction, takePixels, upright } from "./pixels.ts";
import { type Pixels, Photon } from "./photon.ts";
import { plainImage } from "./plain-image.ts";
import { reduceImage } from "./reduce-image.ts";
import { COVER_BOXES, COVER_SIZES, type CoverSize, LARGEST_COVER } from "../../catalog/cover-sizes.ts";

/** JPEG quality of the smaller images, of 100. */
const JPEG_QUALITY = 90;

/** Smaller sizes of a cover, as JPEG files. */
export type Renditions = Readonly<Record<CoverSize, Uint8Array<ArrayBuffer>>>;

/**
 * Makes the smaller sizes of a cover; undefined if it cannot be decoded. A large image is reduced first (decision
 * 0032): that may take seconds, and throws 503 on temporary failures.
 */
export async function coverRenditions(
  image: CheckedImage,
  { images }: Pick<Stores, "images">,
): Promise<Renditions | undefined> {
  if (!image.isLarge) return makeRenditions(image);
  const reduced = images === undefined ? undefined : await reduceImage(image, images);
  return reduced === undefined ? undefined : makeRenditions(reduced, image);
}

/** Last used instance, unless its memory has been collected. */
let last: WeakRef<Photon> | undefined;

/**
 * Makes the smaller sizes of an image; undefined if it cannot be decoded. Runs synchronously, so there is never more
 * than one decoded image, and one instance serves all images, including those that cannot be decoded: its memory is
 * freed late. An instance that has grown beyond the limit of an image is dropped. `whole` is the size of the original
 * if `image` was made from a larger one.
 */
export function makeRenditions(image: CheckedImage, whole: ImageSize = image): Renditions | undefined {
  const photon = last?.deref() ?? new Photon();
  last = undefined;
  const renditions = renditionsBy(photon, image, whole);
  if (photon.isUsable && photon.memoryBytes <= COVER_MEMORY_BYTES) last = new WeakRef(photon);
  return renditions;
}

/**
 * Makes the smaller sizes of an image with the given instance. The largest size is made from the image itself, the
 * others from the largest.
 */
export function renditionsBy(
  photon: Photon,
  image: CheckedImage,
  whole: ImageSize = image,
): Renditions | undefined {
  const size = (name: CoverSize): ImageSize => fittingSize(whole, COVER_BOXES[name]);
  /** Largest size, before the image is turned upright. */
  const stored = turnedSize(size(LARGEST_COVER), image.orientation);
  const file = plainImage(image);
  const pixels = file === undefined ? undefined : unpacked(photon, file, { image, size: stored });
  if (pixels === undefined) return undefined;
  const large = upright(resized(photon, pixels, stored), image.orientation);
  const files = COVER_SIZES.map(
    (name) => [name, photon.jpeg(resized(photon, large, size(name)), JPEG_QUALITY)] as const,
  );
  // Every size has its file.
  return Object.fromEntries(files) as Renditions;
}

/** Returns the pixels of an image as stored, reduced if the image is much larger than `size`, its largest rendition. */
function unpacked(
  photon: Photon,
  file: readonly Uint8Array[],
  { image, size }: { readonly image: CheckedImage; readonly size: ImageSize },
): Pixels | undefined {
  const stored = turnedSize(image, image.orientation);
  try {
    return photon.decode(file, (pixels) => {
      // The pixels differ from the header, for which everything else was prepared.
      if (pixels.width !== stored.width || pixels.height !== stored.height) return undefined;
      return takePixels(pixels, reduction(stored, size));
    });
  } catch {
    // The library reports no details of a failure, and fails for broken images.
    return undefined;
  }
}

function resized(photon: Photon, pixels: Pixels, size: ImageSize): Pixels {
  const isDone = pixels.width === size.width && pixels.height === size.height;
  return isDone ? pixels : photon.resize(pixels, size);
}
