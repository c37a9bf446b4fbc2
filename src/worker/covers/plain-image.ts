import { Buffer } from "node:buffer";
import { type CheckedImage, sizeAtStart } from "./check-image.ts";
import {
  START_OF_SCAN,
  jpegScans,
  jpegSegments,
  partNamed,
  pngChunks,
  imageViewOf,
  webpChunks,
} from "./image-parts.ts";
import { type ImageSize, turnedSize } from "./pixels.ts";

const STRIP = {
  "image/jpeg": stripJpeg,
  "image/png": stripPng,
  "image/gif": stripGif,
  "image/webp": stripWebp,
};

/**
 * Returns the pieces of an image file to decode: the (first) image, without parts that could cost more than the image
 * itself, or turn it. Undefined if the file is broken.
 */
export function stripImage(image: CheckedImage): Uint8Array[] | undefined {
  try {
    return STRIP[image.contentType](image.bytes, turnedSize(image, image.orientation));
  } catch {
    // The file is truncated (a `RangeError`), or the library that reads sizes does not recognize its first image.
    return undefined;
  }
}

const [FIRST_APPLICATION, LAST_APPLICATION, COMMENT] = [0xe0, 0xef, 0xfe];
/** Application segments that define colours: JFIF and Adobe. */
const JPEG_NEEDED: ReadonlySet<number> = new Set([0xe0, 0xee]);

/** Removes orientation, profile and text, and everything after the image. */
function stripJpeg(bytes: Uint8Array): Uint8Array[] | undefined {
  const pieces = [bytes.subarray(0, 2)];
  for (const { name, whole } of jpegSegments(bytes)) {
    if (name === START_OF_SCAN) {
      const scans = jpegScans(whole);
      return scans && [...pieces, scans];
    }
    const isApplication = name >= FIRST_APPLICATION && name <= LAST_APPLICATION;
    if (isApplication ? JPEG_NEEDED.has(name) : name !== COMMENT) pieces.push(whole);
  }
  return undefined;
}

/** Chunks that form the image. All others can be larger than it, such as colour profiles of a gigabyte. */
const PNG_NEEDED: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);

function stripPng(bytes: Uint8Array): Uint8Array[] | undefined {
  const pieces = [bytes.subarray(0, 8)];
  for (const { name, whole } of pngChunks(bytes)) {
    if (PNG_NEEDED.has(name)) pieces.push(whole);
    if (name === "IEND") return pieces;
  }
  return undefined;
}

const [GIF_EXTENSION, GIF_FRAME, GIF_TRAILER] = [0x21, 0x2c, 0x3b];

/** Keeps everything up to the end of the first frame, which must fit on the screen. */
function stripGif(bytes: Uint8Array, screen: ImageSize): Uint8Array[] | undefined {
  const view = imageViewOf(bytes);
  let frame = 13 + gifTableLength(view.getUint8(10));
  while (view.getUint8(frame) === GIF_EXTENSION) frame = gifBlocksEnd(view, frame + 2);
  const fits = (at: number, side: number): boolean => {
    const length = view.getUint16(frame + at + 4, true);
    return length > 0 && view.getUint16(frame + at, true) + length <= side;
  };
  if (view.getUint8(frame) !== GIF_FRAME || !fits(1, screen.width) || !fits(3, screen.height))
    return undefined;
  // The table of colours, the size of the codes, and the image.
  const end = gifBlocksEnd(view, frame + 11 + gifTableLength(view.getUint8(frame + 9)));
  return [bytes.subarray(0, end), Uint8Array.of(GIF_TRAILER)];
}

/** Returns the bytes of a table of colours, by the flags before it. */
function gifTableLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Returns the end of the blocks that begin at a position: after an empty one. */
function gifBlocksEnd(view: DataView, position: number): number {
  let [next, length] = [position, -1];
  while (length !== 0) {
    length = view.getUint8(next);
    next += length + 1;
  }
  return next;
}

/** Start of the chunks in a file, and of the image's chunks in a frame of an animation. */
const [WEBP_START, WEBP_FRAME_START] = [12, 16];

/** Keeps the first image, which must have the size in the file's header. */
function stripWebp(bytes: Uint8Array, header: ImageSize): Uint8Array[] | undefined {
  const file = bytes.subarray(WEBP_START);
  const image = partNamed(webpChunks(file), "ANMF")?.data.subarray(WEBP_FRAME_START) ?? file;
  let opacity: Uint8Array[] = [];
  for (const { name, whole } of webpChunks(image)) {
    if (name === "ALPH") opacity = [webpExtension(header), whole];
    if (name !== "VP8 " && name !== "VP8L") continue;
    const size = sizeAtStart(Buffer.concat(webpFile([whole.subarray(0, 20)])));
    const isAsInHeader = size.width === header.width && size.height === header.height;
    return isAsInHeader ? webpFile(name === "VP8 " ? [...opacity, whole] : [whole]) : undefined;
  }
  return undefined;
}

function webpFile(chunks: readonly Uint8Array[]): Uint8Array[] {
  const head = Buffer.from("RIFF....WEBP");
  head.writeUInt32LE(
    chunks.reduce((sum, chunk) => sum + chunk.length, 4),
    4,
  );
  return [head, ...chunks];
}

function webpExtension({ width, height }: ImageSize): Uint8Array {
  const chunk = Buffer.from("VP8X\x0a\0\0\0\x10\0\0\0......", "latin1");
  chunk.writeUIntLE(width - 1, 12, 3);
  chunk.writeUIntLE(height - 1, 15, 3);
  return chunk;
}
