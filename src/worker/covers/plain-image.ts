import { plainGif } from "./gif-file.ts";
import type { ImageType } from "./image-header.ts";
import { plainJpeg } from "./jpeg-file.ts";
import { plainPng } from "./png-file.ts";
import { plainWebp } from "./webp-file.ts";

const PLAIN: Readonly<Record<ImageType, (bytes: Uint8Array) => Uint8Array[] | undefined>> = {
  "image/jpeg": plainJpeg,
  "image/png": plainPng,
  "image/gif": plainGif,
  "image/webp": plainWebp,
};

/**
 * An image file as it is given to the library, in pieces: without anything that is not the image, or the first one, and that
 * could cost more than it. Undefined when the file is broken.
 */
export function plainImage(contentType: ImageType, bytes: Uint8Array): Uint8Array[] | undefined {
  try {
    return PLAIN[contentType](bytes);
  } catch (error) {
    // It ends where it says that it goes on.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
