import { Buffer } from "node:buffer";
import { type Chunk, riffChunks } from "./chunks.ts";
import { exifOrientation } from "./exif.ts";
import { type FileHeader, type ImageSize, textAt } from "./image-bytes.ts";
import { turnedSize } from "./orientation.ts";

/** Bytes that a pixel takes at most: brightness and colour, opacity, and the copies of the library. */
const PIXEL_BYTES = 15.5;
/** Where the chunks of a file begin, and in a frame of an animation those of the image. */
const [FILE_START, FRAME_START] = [12, 16];
const ANIMATED = 0x02;

/**
 * What a WebP file says of its image, of an animation the first frame. Throws a `RangeError` where the file ends.
 */
export function readWebp(view: DataView): FileHeader | undefined {
  if (textAt(view, 8, 4) !== "WEBP") return undefined;
  const stored = storedSize(view);
  if (stored === undefined) return undefined;
  const orientation = orientationOf(view);
  return { ...turnedSize(stored, orientation), orientation, pixelBytes: PIXEL_BYTES };
}

/** The first chunk, which begins at byte 12, says what kind of file it is. */
function storedSize(view: DataView): ImageSize | undefined {
  switch (textAt(view, 12, 4)) {
    case "VP8 ":
      return lossySize(view, 20);
    case "VP8L":
      return losslessSize(view, 20);
    case "VP8X":
      return (view.getUint8(20) & ANIMATED) === 0 ? sidesAt(view, 24) : firstFrameSize(view);
    default:
      return undefined;
  }
}

function firstFrameSize(view: DataView): ImageSize | undefined {
  const frame = chunkOf(view, "ANMF");
  return frame === undefined ? undefined : sidesAt(view, frame.data + 6);
}

/** A key frame: a tag of three bytes, a start code, and two numbers of 14 bits below a scale. */
function lossySize(view: DataView, data: number): ImageSize | undefined {
  const isKeyFrame = (view.getUint8(data) & 1) === 0;
  if (!isKeyFrame || textAt(view, data + 3, 3) !== "\x9d\x01*") return undefined;
  return {
    width: view.getUint16(data + 6, true) & 0x3fff,
    height: view.getUint16(data + 8, true) & 0x3fff,
  };
}

/** A signature, and two numbers of 14 bits, each one less than the size. */
function losslessSize(view: DataView, data: number): ImageSize | undefined {
  if (view.getUint8(data) !== 0x2f) return undefined;
  const bits = view.getUint32(data + 1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Two numbers of three bytes, each one less than the size. */
function sidesAt(view: DataView, offset: number): ImageSize {
  return { width: uint24(view, offset) + 1, height: uint24(view, offset + 3) + 1 };
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

function orientationOf(view: DataView): number {
  const exif = chunkOf(view, "EXIF");
  return exif === undefined ? 1 : exifOrientation(view, exif.data, exif.length);
}

function chunkOf(view: DataView, name: string): Chunk | undefined {
  for (const chunk of riffChunks(view, FILE_START, view.byteLength)) if (chunk.name === name) return chunk;
  return undefined;
}

/**
 * A WebP file with nothing but its image, or the first frame, in pieces; undefined when there is none, or it has not the size
 * that the file says.
 */
export function plainWebp(bytes: Uint8Array): Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frame = chunkOf(view, "ANMF");
  const [from, end] =
    frame === undefined ? [FILE_START, bytes.length] : [frame.data + FRAME_START, frame.data + frame.length];
  let opacity: Uint8Array | undefined;
  for (const chunk of riffChunks(view, from, end)) {
    const whole = bytes.subarray(chunk.start, chunk.end);
    if (chunk.name === "ALPH") opacity = whole;
    if (chunk.name === "VP8L") return asFile(view, losslessSize(view, chunk.data), [whole]);
    if (chunk.name === "VP8 ") {
      return asFile(view, lossySize(view, chunk.data), opacity === undefined ? [whole] : [opacity, whole]);
    }
  }
  return undefined;
}

/** A file of an image, whose size must be the one that was told; with opacity apart from it, an extended one. */
function asFile(view: DataView, size: ImageSize | undefined, chunks: Uint8Array[]): Uint8Array[] | undefined {
  const told = storedSize(view);
  if (told === undefined || size?.width !== told.width || size.height !== told.height) return undefined;
  const pieces = chunks.length > 1 ? [extension(size), ...chunks] : chunks;
  const head = new DataView(new ArrayBuffer(FILE_START));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  for (const [at, code] of [...Buffer.from("RIFF....WEBP")].entries()) head.setUint8(at, code);
  head.setUint32(4, length + 4, true);
  return [new Uint8Array(head.buffer), ...pieces];
}

const OPAQUE = 0x10;

/** The chunk that says that opacity comes apart from the image. */
function extension({ width, height }: ImageSize): Uint8Array {
  const sides = [width - 1, height - 1].flatMap((side) => [side & 255, (side >> 8) & 255, side >> 16]);
  return Uint8Array.from([...Buffer.from("VP8X"), 10, 0, 0, 0, OPAQUE, 0, 0, 0, ...sides]);
}
