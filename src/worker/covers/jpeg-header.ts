import { type ImageSize, textAt } from "./image-bytes.ts";

/** Segments before the one with the size that are looked at: real files have some tens. */
const JPEG_SEGMENTS_MAX = 1000;
/** Bytes that may fill the room before a marker. */
const JPEG_FILL_LENGTH = 1000;

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const APPLICATION_1 = 0xe1;
/** Those among the markers of frames that are something else: Huffman tables, an extension, arithmetic coding. */
const NO_FRAMES = new Set([0xc4, 0xc8, 0xcc]);

/** The size in a JPEG file; undefined when none comes before the image. Throws a `RangeError` where the file ends. */
export function readJpeg(view: DataView): ImageSize | undefined {
  let position = 2;
  let turned = false;
  for (let segment = 0; segment < JPEG_SEGMENTS_MAX; segment += 1) {
    const start = markerAt(view, position);
    if (start === undefined) return undefined;
    const marker = view.getUint8(start);
    position = start + 1;
    if (isAlone(marker)) continue;
    if (marker === END_OF_IMAGE || marker === START_OF_SCAN) return undefined;
    const length = view.getUint16(position);
    if (length < 2) return undefined;
    if (isFrame(marker)) return frameSize(view, position, turned);
    if (marker === APPLICATION_1) turned ||= isTurned(view, position + 2, length - 2);
    position += length;
  }
  return undefined;
}

/** Where the code of the next marker stands; undefined where there is no marker. */
function markerAt(view: DataView, position: number): number | undefined {
  if (view.getUint8(position) !== 0xff) return undefined;
  for (let next = position + 1; next < position + JPEG_FILL_LENGTH; next += 1) {
    if (view.getUint8(next) !== 0xff) return next;
  }
  return undefined;
}

/** Markers that no length follows. */
function isAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.has(marker);
}

function frameSize(view: DataView, position: number, turned: boolean): ImageSize {
  const [height, width] = [view.getUint16(position + 3), view.getUint16(position + 5)];
  return turned ? { width: height, height: width } : { width, height };
}

const ORIENTATION = 0x0112;
/** The orientations from this one on lie on a side. */
const FIRST_TURNED = 5;

/** True when a segment of EXIF data says that the image lies on a side. What is broken in it says nothing. */
function isTurned(view: DataView, offset: number, length: number): boolean {
  const exif = new DataView(view.buffer, view.byteOffset + offset, length);
  try {
    return orientationOf(exif) >= FIRST_TURNED;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The orientation in the first directory of EXIF data, 1 to 8; 1 without any. */
function orientationOf(exif: DataView): number {
  if (textAt(exif, 0, 6) !== "Exif\0\0") return 1;
  const tiff = new DataView(exif.buffer, exif.byteOffset + 6, exif.byteLength - 6);
  const isLittle = textAt(tiff, 0, 2) === "II";
  const directory = tiff.getUint32(4, isLittle);
  const entries = tiff.getUint16(directory, isLittle);
  for (let index = 0; index < entries; index += 1) {
    const entry = directory + 2 + index * 12;
    if (tiff.getUint16(entry, isLittle) === ORIENTATION) {
      const orientation = tiff.getUint16(entry + 8, isLittle);
      return orientation > 8 ? 1 : orientation;
    }
  }
  return 1;
}
