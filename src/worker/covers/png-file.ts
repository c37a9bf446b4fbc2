import { pngChunks } from "./chunks.ts";
import { exifOrientation } from "./exif.ts";
import { type FileHeader, textAt } from "./image-bytes.ts";
import { turnedSize } from "./orientation.ts";

const SIGNATURE_LENGTH = 8;
/** Bytes a pixel of eight bits a channel, by colour type, with the opacity that may be added to it. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 2, 2: 4, 3: 4, 4: 2, 6: 4 };
/** Bytes that a pixel takes besides: twice as colours with opacity, and what is allotted in between. */
const COPIES_BYTES = 8.5;

/** What a PNG file says of its image. Throws a `RangeError` where the file ends. */
export function readPng(view: DataView): FileHeader | undefined {
  if (textAt(view, 4, 4) !== "\r\n\x1a\n" || textAt(view, 12, 4) !== "IHDR") return undefined;
  const channels = CHANNELS[view.getUint8(25)];
  if (channels === undefined) return undefined;
  const orientation = orientationOf(view);
  const size = turnedSize({ width: view.getUint32(16), height: view.getUint32(20) }, orientation);
  const depth = view.getUint8(24) === 16 ? 2 : 1;
  return { ...size, orientation, pixelBytes: COPIES_BYTES + channels * depth };
}

function orientationOf(view: DataView): number {
  for (const { name, data, length } of pngChunks(view)) {
    if (name === "eXIf") return exifOrientation(view, data, length);
  }
  return 1;
}

/** The chunks that an image is made of. All others can hold more than it, such as colour profiles of a gigabyte. */
const NEEDED: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);

/** A PNG file with nothing but its image, in pieces; undefined when it does not come to its end. */
export function plainPng(bytes: Uint8Array): Uint8Array[] | undefined {
  const pieces = [bytes.subarray(0, SIGNATURE_LENGTH)];
  for (const { name, start, end } of pngChunks(
    new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  )) {
    if (NEEDED.has(name)) pieces.push(bytes.subarray(start, end));
    if (name === "IEND") return pieces;
  }
  return undefined;
}
