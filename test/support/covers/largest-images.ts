import { COVER_MEMORY_BYTES } from "../../../src/worker/covers/check-image.ts";
import { gifImage, jpegImage, losslessChunk, lossyChunk, pngImage, webpOf } from "./real-images.ts";

const largest = (bytesOfPixel: number): number =>
  Math.floor(Math.sqrt((COVER_MEMORY_BYTES * 0.95) / bytesOfPixel));
const side = {
  once: largest(13.5),
  more: largest(15.5),
  four: largest(19.5),
  png: largest(12.5),
  deep: largest(16.5),
};

/** Images of every kind that take nearly all of the memory that an image may take when it is unpacked. */
export const LARGEST_IMAGES = {
  jpeg: () => jpegImage(side.once, side.once, { components: 3 }),
  progressive: () => jpegImage(side.more, side.more, { components: 3, progressive: true }),
  fourColours: () => jpegImage(side.four, side.four, { components: 4, progressive: true }),
  png: () => pngImage(side.png, side.png, { colour: 6 }),
  png16: () => pngImage(side.deep, side.deep, { colour: 6, depth: 16 }),
  webp: () => webpOf(losslessChunk(side.more, side.more, true)),
  lossyWebp: () => webpOf(lossyChunk(side.more, side.more)),
  gif: () => gifImage(1000, 1000),
};
