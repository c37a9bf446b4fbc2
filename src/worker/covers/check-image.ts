import { type ImageHeader, readImageHeader } from "./image-header.ts";

/** Largest image that is taken, in bytes. */
export const COVER_BYTES = 10 * 1024 * 1024;
/** Most pixels of it: with four bytes each an isolate can still unpack it. */
export const COVER_PIXELS_MAX = 25_000_000;

/** An image that may be stored. */
export interface CheckedImage extends ImageHeader {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Looks at an image by its bytes alone; a text says why it is not taken. */
export function checkImage(bytes: Uint8Array<ArrayBuffer>): CheckedImage | string {
  if (bytes.byteLength > COVER_BYTES) return `it is larger than ${COVER_BYTES} bytes`;
  const header = readImageHeader(bytes);
  if (header === undefined) return "it is no JPEG, PNG, GIF or WebP image";
  if (header.width * header.height > COVER_PIXELS_MAX) return `it has more than ${COVER_PIXELS_MAX} pixels`;
  return { ...header, bytes };
}
