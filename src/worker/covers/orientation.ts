import type { ImageSize } from "./image-bytes.ts";
import type { Pixels } from "./photon.ts";

/** The orientations from this one on lie on a side. */
const FIRST_ON_SIDE = 5;

/** True when an image with this orientation (EXIF, 1 to 8) shows its rows as columns. */
export function liesOnSide(orientation: number): boolean {
  return orientation >= FIRST_ON_SIDE;
}

/** The sides of an image with this orientation, as people see it; and back again. */
export function turnedSize({ width, height }: ImageSize, orientation: number): ImageSize {
  return liesOnSide(orientation) ? { width: height, height: width } : { width, height };
}

/** Orientations that count columns from the right, and rows from the bottom. */
const FROM_RIGHT: ReadonlySet<number> = new Set([2, 3, 7, 8]);
const FROM_BOTTOM: ReadonlySet<number> = new Set([3, 4, 6, 7]);

/** An image the way people see it, out of the way it is stored. */
export function upright(pixels: Pixels, orientation: number): Pixels {
  if (orientation === 1) return pixels;
  const size = turnedSize(pixels, orientation);
  const from = new Uint32Array(pixels.bytes.buffer, pixels.bytes.byteOffset, pixels.width * pixels.height);
  const to = new Uint32Array(from.length);
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const [column, row] = liesOnSide(orientation) ? [y, x] : [x, y];
      const storedColumn = FROM_RIGHT.has(orientation) ? pixels.width - 1 - column : column;
      const storedRow = FROM_BOTTOM.has(orientation) ? pixels.height - 1 - row : row;
      to[y * size.width + x] = from[storedRow * pixels.width + storedColumn] ?? 0;
    }
  }
  return { bytes: new Uint8Array(to.buffer), ...size };
}
