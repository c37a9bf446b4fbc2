import type { Stores } from "../http/bindings.ts";
import { type CheckedImage, COVER_MEMORY_BYTES, NO_IMAGE_FILE, checkImage } from "./check-image.ts";
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
import { type CoverSize, COVER_BOXES, COVER_SIZES, LARGEST_COVER } from "../../catalog/cover-sizes.ts";
import { boundedBytes } from "../http/bytes.ts";
import { logLine } from "../http/log.ts";
import { Room } from "../http/room.ts";
import { failure } from "../http/failure.ts";

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
  if (file === undefined) return undefined;
  const { width, height } = turnedSize(image, image.orientation);
  let pixels: Pixels | undefined;
  try {
    pixels = photon.decode(file, (decoded) => {
      // Other pixels than those of the header, for which everything else was prepared, are refused.
      if (decoded.width !== width || decoded.height !== height) return undefined;
      // An image that is much larger than its largest size is reduced.
      return takePixels(decoded, reductionFactor({ width, height }, storedSize));
    });
  } catch {
    // The library reports no details of a failure, and fails for broken images.
  }
  if (pixels === undefined) return undefined;
  const large = turnUpright(resize(photon, pixels, storedSize), image.orientation);
  const files = COVER_SIZES.map(
    (name) => [name, photon.jpeg(resize(photon, large, size(name)), JPEG_QUALITY)] as const,
  );
  // Every size has its file.
  return Object.fromEntries(files) as Renditions;
}

function resize(photon: Photon, pixels: Pixels, size: ImageSize): Pixels {
  const hasSize = pixels.width === size.width && pixels.height === size.height;
  return hasSize ? pixels : photon.resize(pixels, size);
}

/** Pixels of a side of a reduced image: twice those of the largest rendition, so that the reduction is invisible. */
export const REDUCED_SIDE = 2 * COVER_BOXES[LARGEST_COVER].width;
/** Largest file of a reduced image, in bytes: its pixels have four million, or eight at 16 bits. */
export const REDUCED_BYTES_MAX = 9_000_000;
export const REDUCE_MS = 20_000;
const RETRY_SECONDS = 60;

/** Error codes of the service for unreadable images: not an image, too large, unknown format, broken. */
const UNREADABLE_CODES: ReadonlySet<number> = new Set([9412, 9413, 9520, 9523]);
/**
 * Messages with 9523 that are not about the image: responses without a code, and a computer without sharp. On the local
 * runtime sharp's failures have no code either, but name it.
 */
const OTHER_FAILURE = /^Unexpected error response (?![^]*\bat Sharp\.)|\bSharp library is not available\b/;

/** Concurrent reductions of an isolate. On the local runtime they take this computer's memory. */
export const LARGE_AT_ONCE_MAX = 2;
/** Pixels beyond which an image is reduced alone: 64 million take both processors of a small computer for 3 s. */
export const ALONE_PIXELS = 20_000_000;
/** Milliseconds after which a turn ends at the latest. */
const LARGE_TURN_MS = 30_000;
const turns = new Room({
  size: LARGE_AT_ONCE_MAX,
  heldMs: LARGE_TURN_MS,
});

/**
 * Reduces a large image by a service outside the isolate; undefined if it cannot be read, or does not match its header.
 * The service gets nothing but the image, so it does not turn it: the reduced image has the orientation of the stored
 * one. Throws 503.
 */
async function reduceImage(
  large: CheckedImage,
  images: NonNullable<Stores["images"]>,
): Promise<CheckedImage | undefined> {
  const pieces = stripImage(large);
  if (pieces === undefined) return undefined;
  const turn = {};
  const amount = large.width * large.height > ALONE_PIXELS ? LARGE_AT_ONCE_MAX : 1;
  await turns.take(turn, { amount }, () => Date.now());
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  try {
    bytes = await withTimeout(callService(pieces, images));
  } catch (error) {
    if (error instanceof Error && "code" in error && typeof error.code === "number") {
      // The image is the cause, and would fail again.
      if (UNREADABLE_CODES.has(error.code) && !OTHER_FAILURE.test(error.message)) return undefined;
    }
    logLine("error", "cover", { problem: "a large image was not made smaller", error: String(error) });
    throw failure("unavailable.large_images", {}, { retryAfter: RETRY_SECONDS });
  } finally {
    turns.leave(turn, Date.now());
  }
  const image = bytes === undefined ? NO_IMAGE_FILE : checkImage(bytes);
  if ("key" in image) return undefined;
  const { orientation } = large;
  const size = fittingSize(turnedSize(large, orientation), { width: REDUCED_SIDE, height: REDUCED_SIDE });
  // Rounding may differ by a pixel.
  if (Math.abs(image.width - size.width) > 1 || Math.abs(image.height - size.height) > 1) return undefined;
  return { ...image, ...turnedSize(image, orientation), orientation };
}

/** Calls the service. The output is PNG, which keeps opacity: transparent areas are white in all covers. */
async function callService(pieces: readonly Uint8Array[], images: NonNullable<Stores["images"]>) {
  const rest = pieces.values();
  const file = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = rest.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
  const result = await images
    .input(file)
    .transform({ width: REDUCED_SIDE, height: REDUCED_SIDE, fit: "scale-down" })
    .output({ format: "image/png", anim: false });
  return boundedBytes(result.image(), { limit: REDUCED_BYTES_MAX });
}

async function withTimeout<Value>(running: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${REDUCE_MS} ms`)), REDUCE_MS);
  try {
    return await Promise.race([running, promise]);
  } finally {
    clearTimeout(timer);
  }
}
