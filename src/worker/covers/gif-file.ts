import { type FileHeader, textAt } from "./image-bytes.ts";

/** Bytes that a pixel takes at most: its frame, the screen, and the copies of the library. */
const PIXEL_BYTES = 15;

/** What a GIF file says of its screen. Throws a `RangeError` where the file ends. */
export function readGif(view: DataView): FileHeader | undefined {
  if (!["GIF87a", "GIF89a"].includes(textAt(view, 0, 6))) return undefined;
  const size = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  return { ...size, orientation: 1, pixelBytes: PIXEL_BYTES };
}

const [EXTENSION, FRAME, TRAILER] = [0x21, 0x2c, 0x3b];
const FRAME_LENGTH = 10;
/** Extensions before the first frame that are looked at. */
const EXTENSIONS_MAX = 1000;

/** A GIF file that ends after its first frame, in pieces; undefined when there is none, or it exceeds the screen. */
export function plainGif(bytes: Uint8Array): Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = firstFrame(view);
  if (start === undefined || !fitsScreen(view, start)) return undefined;
  const colours = start + FRAME_LENGTH + tableLength(view.getUint8(start + 9));
  // The size of the codes, and then the image.
  const end = blocksEnd(view, colours + 1);
  return [bytes.subarray(0, end), new Uint8Array([TRAILER])];
}

/** Where the first frame begins: after the header, the colours and any extensions. */
function firstFrame(view: DataView): number | undefined {
  let position = 13 + tableLength(view.getUint8(10));
  for (let count = 0; count < EXTENSIONS_MAX; count += 1) {
    const kind = view.getUint8(position);
    if (kind === FRAME) return position;
    if (kind !== EXTENSION) return undefined;
    position = blocksEnd(view, position + 2);
  }
  return undefined;
}

/** Bytes of a table of colours, by the flags before it. */
function tableLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Where blocks end that begin at `position`: after an empty one. */
function blocksEnd(view: DataView, position: number): number {
  let next = position;
  for (;;) {
    const length = view.getUint8(next);
    next += length + 1;
    if (length === 0) return next;
  }
}

function fitsScreen(view: DataView, frame: number): boolean {
  const side = (at: number): number => view.getUint16(at, true);
  return fits(side(frame + 1), side(frame + 5), side(6)) && fits(side(frame + 3), side(frame + 7), side(8));
}

function fits(offset: number, length: number, screen: number): boolean {
  return length > 0 && offset + length <= screen;
}
