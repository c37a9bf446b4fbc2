import { JPEG_SEGMENTS_MAX, START_OF_SCAN, isAlone, markerAt } from "./jpeg-header.ts";
import { jpegEnd } from "./jpeg-scans.ts";

const [FIRST_APPLICATION, LAST_APPLICATION, COMMENT] = [0xe0, 0xef, 0xfe];
/** Segments of applications that say how colours are stored: JFIF and Adobe. */
const NEEDED: ReadonlySet<number> = new Set([0xe0, 0xee]);

/**
 * A JPEG file with nothing but its image, in pieces: no orientation, profile, or text, and nothing that follows it. Undefined when
 * the image does not begin, or has too many passes. Throws a `RangeError` where the file ends.
 */
export function plainJpeg(file: Uint8Array): Uint8Array[] | undefined {
  const imageEnd = jpegEnd(file);
  if (imageEnd === undefined) return undefined;
  const bytes = file.subarray(0, imageEnd);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces = [bytes.subarray(0, 2)];
  let position = 2;
  for (let segment = 0; segment < JPEG_SEGMENTS_MAX; segment += 1) {
    const code = markerAt(view, position);
    if (code === undefined) return undefined;
    const marker = view.getUint8(code);
    if (marker === START_OF_SCAN) return [...pieces, bytes.subarray(position)];
    const end = isAlone(marker) ? code + 1 : code + 1 + view.getUint16(code + 1);
    if (isNeeded(marker)) pieces.push(bytes.subarray(position, end));
    position = end;
  }
  return undefined;
}

function isNeeded(marker: number): boolean {
  if (marker >= FIRST_APPLICATION && marker <= LAST_APPLICATION) return NEEDED.has(marker);
  return marker !== COMMENT;
}
