import { type ImageHeader, readImageHeader } from "./image-header.ts";

/** Largest image that is taken, in bytes. */
export const COVER_BYTES = 10 * 1024 * 1024;
/** Longest side of it, in pixels. */
export const COVER_SIDE_MAX = 16_383;
/**
 * Bytes of memory that an image may take while it is unpacked, out of the 128 MB of an isolate: its pixels, and its file, which
 * is there three times (decision 0028). A photograph of one megabyte may have six million pixels.
 */
export const COVER_MEMORY_BYTES = 80 * 1024 * 1024;
const FILE_COPIES = 3;

/** An image that may be stored, if it can be unpacked. */
export interface CheckedImage extends ImageHeader {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Why something is not taken that is no image at all, whatever it is called. */
export const NO_IMAGE_FILE = "it is no JPEG, PNG, GIF or WebP image";

/** Looks at an image by its header alone; a text says why it is not taken. */
export function checkImage(bytes: Uint8Array<ArrayBuffer>): CheckedImage | string {
  if (bytes.byteLength > COVER_BYTES) return `it is larger than ${COVER_BYTES} bytes`;
  const header = readImageHeader(bytes);
  if (header === undefined) return NO_IMAGE_FILE;
  const { width, height, pixelBytes } = header;
  const size = `it has ${width} times ${height} pixels`;
  if (Math.max(width, height) > COVER_SIDE_MAX) return `${size}, and a side may have ${COVER_SIDE_MAX}`;
  const pixels = Math.floor((COVER_MEMORY_BYTES - FILE_COPIES * bytes.byteLength) / pixelBytes);
  if (width * height > pixels)
    return `${size}, and an image of its kind and length may have ${pixels} in all`;
  return { ...header, bytes };
}
