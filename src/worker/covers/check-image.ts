import type { Stores } from "../http/bindings.ts";
import { type ImageHeader, readImageHeader } from "./image-header.ts";

/** Largest accepted image, in bytes. */
export const COVER_BYTES = 10 * 1024 * 1024;
/** Longest side of an image that is decoded here, in pixels. */
export const COVER_SIDE_MAX = 16_383;
/**
 * Bytes of memory that an image may take while it is decoded, out of the 128 MB of an isolate: its pixels, and three
 * copies of its file (decision 0028). A photograph of one megabyte may have six million pixels.
 */
export const COVER_MEMORY_BYTES = 80 * 1024 * 1024;
const FILE_COPIES = 3;
/** Maximum pixels of an image that is reduced before it is decoded, and of one of its sides (decision 0032). */
export const LARGE_PIXELS_MAX = 65_000_000;
export const LARGE_SIDE_MAX = 12_000;

/** Image with a valid header, which may still be impossible to decode. */
export interface CheckedImage extends ImageHeader {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True if the image is too large to be decoded here and must be reduced first. */
  readonly isLarge: boolean;
}

export const NO_IMAGE_FILE = "it is no JPEG, PNG, GIF or WebP image";

/**
 * Checks an image by its header alone. Returns the reason as a string if it is rejected. Large images are accepted if
 * there is an image service to reduce them (Q490).
 */
export function checkImage(
  bytes: Uint8Array<ArrayBuffer>,
  { images }: Partial<Pick<Stores, "images">> = {},
): CheckedImage | string {
  if (bytes.byteLength > COVER_BYTES) return `it is larger than ${COVER_BYTES} bytes`;
  const header = readImageHeader(bytes);
  if (header === undefined) return NO_IMAGE_FILE;
  const { width, height, pixelBytes } = header;
  const size = `it has ${width} times ${height} pixels`;
  const side = Math.max(width, height);
  if (side > COVER_SIDE_MAX) return `${size}, and a side may have ${COVER_SIDE_MAX}`;
  const pixels = Math.floor((COVER_MEMORY_BYTES - FILE_COPIES * bytes.byteLength) / pixelBytes);
  if (width * height <= pixels) return { ...header, bytes, isLarge: false };
  if (images === undefined) return `${size}, and an image of its kind and length may have ${pixels} in all`;
  if (side > LARGE_SIDE_MAX) return `${size}, and a side of so many may have ${LARGE_SIDE_MAX}`;
  if (width * height > LARGE_PIXELS_MAX) return `${size}, and an image may have ${LARGE_PIXELS_MAX} in all`;
  return { ...header, bytes, isLarge: true };
}
