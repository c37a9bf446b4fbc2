import { type ImageSize, textAt } from "./image-bytes.ts";
import { readJpeg } from "./jpeg-header.ts";

/** Kinds of images that are taken, by what their bytes say. */
export type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

/** What the first bytes of an image say of it. Its size is as people see it: turned by what the file says of that. */
export interface ImageHeader extends ImageSize {
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

function typed(contentType: ImageType, size: ImageSize | undefined): ImageHeader | undefined {
  return size === undefined ? undefined : { contentType, width: size.width, height: size.height };
}

function readPng(view: DataView): ImageSize | undefined {
  if (textAt(view, 4, 4) !== "\r\n\x1a\n" || textAt(view, 12, 4) !== "IHDR") return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageSize | undefined {
  if (!["GIF87a", "GIF89a"].includes(textAt(view, 0, 6))) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** RIFF: its first chunk begins at byte 12, and what it holds at byte 20. */
function readWebp(view: DataView): ImageSize | undefined {
  if (textAt(view, 8, 4) !== "WEBP") return undefined;
  switch (textAt(view, 12, 4)) {
    case "VP8 ":
      return readLossy(view);
    case "VP8L":
      return readLossless(view);
    case "VP8X":
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return undefined;
  }
}

/** A key frame: a tag of three bytes, a start code, and two numbers of 14 bits below a scale. */
function readLossy(view: DataView): ImageSize | undefined {
  const isKeyFrame = (view.getUint8(20) & 1) === 0;
  if (!isKeyFrame || textAt(view, 23, 3) !== "\x9d\x01*") return undefined;
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

/** A signature, and two numbers of 14 bits, each one less than the size. */
function readLossless(view: DataView): ImageSize | undefined {
  if (view.getUint8(20) !== 0x2f) return undefined;
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}
