import { exifOrientation } from "./exif.ts";
import type { FileHeader } from "./image-bytes.ts";
import { turnedSize } from "./orientation.ts";

/** Segments before the one with the size that are looked at: real files have some tens. */
export const JPEG_SEGMENTS_MAX = 1000;
/** Bytes that may fill the room before a marker. */
const JPEG_FILL_LENGTH = 1000;

const END_OF_IMAGE = 0xd9;
export const START_OF_SCAN = 0xda;
const APPLICATION_1 = 0xe1;
/** Those among the markers of frames that are something else: Huffman tables, an extension, arithmetic coding. */
const NO_FRAMES = new Set([0xc4, 0xc8, 0xcc]);
/** Frames that are unpacked: in one pass, of either kind, and in several. The others are not used for pictures of books. */
const [BASELINE, EXTENDED, PROGRESSIVE] = [0xc0, 0xc1, 0xc2];
const FRAMES = new Set([BASELINE, EXTENDED, PROGRESSIVE]);
const SAMPLE_BITS = 8;

/** The size in a JPEG file; undefined when none comes before the image. Throws a `RangeError` where the file ends. */
export function readJpeg(view: DataView): FileHeader | undefined {
  let position = 2;
  let orientation = 1;
  for (let segment = 0; segment < JPEG_SEGMENTS_MAX; segment += 1) {
    const start = markerAt(view, position);
    if (start === undefined) return undefined;
    const marker = view.getUint8(start);
    position = start + 1;
    if (isAlone(marker)) continue;
    if (marker === END_OF_IMAGE || marker === START_OF_SCAN) return undefined;
    const length = view.getUint16(position);
    if (length < 2) return undefined;
    if (isFrame(marker)) return frameHeader(view, start, orientation);
    if (marker === APPLICATION_1 && orientation === 1) {
      orientation = exifOrientation(view, position + 2, length - 2);
    }
    position += length;
  }
  return undefined;
}

/** Where the code of the next marker stands; undefined where there is no marker. */
export function markerAt(view: DataView, position: number): number | undefined {
  if (view.getUint8(position) !== 0xff) return undefined;
  for (let next = position + 1; next < position + JPEG_FILL_LENGTH; next += 1) {
    if (view.getUint8(next) !== 0xff) return next;
  }
  return undefined;
}

/** Markers that no length follows. */
export function isAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.has(marker);
}

/** Bytes that a pixel takes at most: in one pass; in several, where all of it is kept until the last; and with four colours. */
const PIXEL_BYTES = { once: 13.5, progressive: 15.5, fourColours: 19.5 };

function frameHeader(view: DataView, start: number, orientation: number): FileHeader | undefined {
  if (!FRAMES.has(view.getUint8(start)) || view.getUint8(start + 3) !== SAMPLE_BITS) return undefined;
  const stored = { height: view.getUint16(start + 4), width: view.getUint16(start + 6) };
  const isOnce = view.getUint8(start) !== PROGRESSIVE;
  const colours = view.getUint8(start + 8) > 3 ? PIXEL_BYTES.fourColours : PIXEL_BYTES.progressive;
  return { ...turnedSize(stored, orientation), orientation, pixelBytes: isOnce ? PIXEL_BYTES.once : colours };
}
