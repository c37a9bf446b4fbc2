import type { Stores } from "../http/bindings.ts";
import { type CheckedImage, COVER_MEMORY_BYTES } from "./check-image.ts";
import { type ImageSize, fittingSize, turnedSize } from "./image-size.ts";
import { type Pixels, Photon } from "./photon.ts";
import { reduction, takePixels, upright } from "./pixels.ts";
import { plainImage } from "./plain-image.ts";
import { reduceImage } from "./reduce-image.ts";
import { COVER_BOXES, COVER_SIZES, type CoverSize, LARGEST_COVER } from "../../catalog/cover-sizes.ts";

/** Quality of the smaller images, of 100. */
const JPEG_QUALITY = 90;

/** A cover in its smaller sizes, as JPEG files. */
export type Renditions = Readonly<Record<CoverSize, Uint8Array<ArrayBuffer>>>;

/**
 * The smaller sizes of a cover; undefined when it cannot be unpacked. A large image is made smaller first (decision
 * 0032): that may take seconds, and throws a 503 where it fails for now.
 */
export async function coverRenditions(
  image: CheckedImage,
  { images }: Pick<Stores, "images">,
): Promise<Renditions | undefined> {
  if (!image.isLarge) return makeRenditions(image);
  const reduced = images === undefined ? undefined : await reduceImage(image, images);
  return reduced === undefined ? undefined : makeRenditions(reduced, image);
}

/** The instance that made the last ones, as long as nobody needs its memory. */
let last: WeakRef<Photon> | undefined;

/**
 * Makes the smaller sizes of an image; undefined when it cannot be unpacked. All of it happens at once, so there is
 * never more than one image unpacked, and one instance serves for all, those that cannot be unpacked too: its memory
 * comes back late. One that has grown beyond what an image may take is given up. `whole` is the size of what `image`
 * was made of, if it is not the original itself.
 */
export function makeRenditions(image: CheckedImage, whole: ImageSize = image): Renditions | undefined {
  const photon = last?.deref() ?? new Photon();
  last = undefined;
  const renditions = renditionsBy(photon, image, whole);
  if (photon.isUsable && photon.memoryBytes <= COVER_MEMORY_BYTES) last = new WeakRef(photon);
  return renditions;
}

/** The same by an instance of the caller's. The largest is made of the image itself, the others of that. */
export function renditionsBy(
  photon: Photon,
  image: CheckedImage,
  whole: ImageSize = image,
): Renditions | undefined {
  const size = (name: CoverSize): ImageSize => fittingSize(whole, COVER_BOXES[name]);
  /** The largest before the image is turned as people see it. */
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

/** The pixels of an image as they are stored, fewer if it is much larger than `size`, its largest rendition. */
function unpacked(
  photon: Photon,
  file: readonly Uint8Array[],
  { image, size }: { readonly image: CheckedImage; readonly size: ImageSize },
): Pixels | undefined {
  const stored = turnedSize(image, image.orientation);
  try {
    return photon.decode(file, (pixels) => {
      // Something else than what its header says, which everything else was made ready for.
      if (pixels.width !== stored.width || pixels.height !== stored.height) return undefined;
      return takePixels(pixels, reduction(stored, size));
    });
  } catch {
    // The library says no more than that it has failed, which is what it does with broken images.
    return undefined;
  }
}

function resized(photon: Photon, pixels: Pixels, size: ImageSize): Pixels {
  const isDone = pixels.width === size.width && pixels.height === size.height;
  return isDone ? pixels : photon.resize(pixels, size);
}
