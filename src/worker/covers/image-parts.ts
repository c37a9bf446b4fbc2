import { Buffer } from "node:buffer";

/** Part of an image file: a segment of a JPEG file (its name is a number), a chunk of a PNG or WebP file. */
interface Part<Name> {
  name: Name;
  data: Uint8Array;
  /** Complete part, with its name and length. */
  whole: Uint8Array;
}

/** Maximum segments before the image; real files have some tens. */
const JPEG_SEGMENTS_MAX = 1000;
/** Fill bytes allowed before a marker. */
const JPEG_FILL_LENGTH = 1000;
const MARKER = 0xff;
export const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/**
 * Yields the segments of a JPEG file; the last one is the image, with everything after it. Throws a `RangeError` if the
 * file is truncated.
 */
export function* jpegSegments(bytes: Uint8Array): Generator<Part<number>, void> {
  const view = imageViewOf(bytes);
  let start = 2;
  for (let count = 0; count < JPEG_SEGMENTS_MAX && view.getUint8(start) === MARKER; count += 1) {
    let code = start + 1;
    while (view.getUint8(code) === MARKER) code += 1;
    const name = view.getUint8(code);
    if (name === END_OF_IMAGE || code - start > JPEG_FILL_LENGTH) return;
    const whole = bytes.subarray(start);
    if (name === START_OF_SCAN) return yield { name, data: whole, whole };
    const end = code + 1 + (isWithinImage(name) ? 0 : view.getUint16(code + 1));
    yield { name, data: bytes.subarray(code + 3, end), whole: bytes.subarray(start, end) };
    start = end;
  }
}

/** Maximum passes of an image: up to ten are usual, and each costs as much as an image in one pass. */
export const JPEG_SCANS_MAX = 50;

/**
 * Returns the image of a JPEG file from its first pass on, without the data that phones append: further images, films.
 * Undefined if it has more passes than may be decoded.
 */
export function jpegScans(bytes: Uint8Array): Uint8Array | undefined {
  let scans = 0;
  let position = 0;
  while (position >= 0 && position + 2 <= bytes.length) {
    const code = bytes[position + 1] ?? 0;
    if (bytes[position] !== MARKER) position = bytes.indexOf(MARKER, position);
    else if (code === END_OF_IMAGE) return bytes.subarray(0, position + 2);
    else if (code === MARKER) position += 1;
    // An escaped byte of the image, or a marker within it.
    else if (code === 0 || isWithinImage(code)) position += 2;
    else {
      if (code === START_OF_SCAN) scans += 1;
      if (scans > JPEG_SCANS_MAX) return undefined;
      position += 2 + (((bytes[position + 2] ?? 0) << 8) | (bytes[position + 3] ?? 0));
    }
  }
  return bytes;
}

/** True for markers that may occur within an image and have no length. */
function isWithinImage(code: number): boolean {
  return code === 0x01 || (code >= 0xd0 && code <= 0xd7);
}

/** Maximum chunks of a file; image data may be split into small ones. */
export const CHUNKS_MAX = 100_000;

/** Yields the chunks of a PNG file: length, name, data, checksum. Ends at an incomplete chunk. */
export function* pngChunks(bytes: Uint8Array): Generator<Part<string>, void> {
  yield* chunks(bytes.subarray(8), (view) => ({ name: 4, length: view.getUint32(0), after: 4 }));
}

/** Yields the chunks of a WebP file, or of a frame in it: name, length, data, and padding to an even length. */
export function* webpChunks(bytes: Uint8Array): Generator<Part<string>, void> {
  yield* chunks(bytes, (view) => {
    const length = view.getUint32(4, true);
    return { name: 0, length, after: length % 2 };
  });
}

/**
 * Yields the chunks of bytes. `headOf` returns the offset of a chunk's name, the length of its data, and the number of
 * bytes after the data.
 */
function* chunks(
  bytes: Uint8Array,
  headOf: (view: DataView) => Record<"name" | "length" | "after", number>,
): Generator<Part<string>, void> {
  let rest = bytes;
  for (let count = 0; count < CHUNKS_MAX && rest.length >= 8; count += 1) {
    const { name, length, after } = headOf(imageViewOf(rest));
    if (8 + length > rest.length) return;
    const end = 8 + length + after;
    yield { name: textAt(rest, name), data: rest.subarray(8, 8 + length), whole: rest.subarray(0, end) };
    rest = rest.subarray(end);
  }
}

export function partNamed<Name>(parts: Iterable<Part<Name>>, name: Name): Part<Name> | undefined {
  for (const part of parts) if (part.name === name) return part;
  return undefined;
}

/** Returns four bytes as text, as in names of chunks. */
export function textAt(bytes: Uint8Array, offset: number): string {
  return Buffer.from(bytes.subarray(offset, offset + 4)).toString("latin1");
}

export function imageViewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
