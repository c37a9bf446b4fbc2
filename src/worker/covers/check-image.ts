import type { Stores } from "../http/bindings.ts";
import { type ImageHeader, readImageHeader } from "./image-header.ts";

/** Largest image that is taken, in bytes. */
export const COVER_BYTES = 10 * 1024 * 1024;
/** Longest side of one that is unpacked here, in pixels. */
export const COVER_SIDE_MAX = 16_383;
/**
 * Bytes of memory that an image may take while it is unpacked, out of the 128 MB of an isolate: its pixels, and its
 * file, which is there three times (decision 0028). A photograph of one megabyte may have six million pixels.
 */
export const COVER_MEMORY_BYTES = 80 * 1024 * 1024;
const FILE_COPIES = 3;
/** Pixels of an image that is made smaller before it is unpacked, and of a side of it (decision 0032). */
export const LARGE_PIXELS_MAX = 65_000_000;
export const LARGE_SIDE_MAX = 12_000;

/** An image that may be stored, if it can be unpacked. */
export interface CheckedImage extends ImageHeader {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True when it is too large to be unpacked here: it has to be made smaller first. */
  readonly isLarge: boolean;
}

/** Why something is not taken that is no image at all, whatever it is called. */
export const NO_IMAGE_FILE = "it is no JPEG, PNG, GIF or WebP image";

/**
 * Looks at an image by its header alone; a text says why it is not taken. With `images` large ones are taken, too (Q490).
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
