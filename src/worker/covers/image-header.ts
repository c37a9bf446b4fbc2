import { readGif } from "./gif-file.ts";
import { type FileHeader, textAt } from "./image-bytes.ts";
import { readJpeg } from "./jpeg-header.ts";
import { readPng } from "./png-file.ts";
import { readWebp } from "./webp-file.ts";

/** Kinds of images that are taken, by what their bytes say. */
export type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

/** What the bytes of an image say of it. */
export interface ImageHeader extends FileHeader {
  readonly contentType: ImageType;
}

/** What image these bytes are, whatever they are called; undefined for none that is known here, or a broken header. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const header = headerOf(view);
    return header !== undefined && header.width > 0 && header.height > 0 ? header : undefined;
  } catch (error) {
    // A header that says it goes on where the file has ended.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function headerOf(view: DataView): ImageHeader | undefined {
  if (view.getUint16(0) === 0xffd8) return typed("image/jpeg", readJpeg(view));
  const start = textAt(view, 0, 4);
  if (start === "\x89PNG") return typed("image/png", readPng(view));
  if (start === "GIF8") return typed("image/gif", readGif(view));
  if (start === "RIFF") return typed("image/webp", readWebp(view));
  return undefined;
}

function typed(contentType: ImageType, header: FileHeader | undefined): ImageHeader | undefined {
  return header === undefined ? undefined : { contentType, ...header };
}
