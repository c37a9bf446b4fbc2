/** Size of an image, in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Pixels of an image, row by row, four bytes each: red, green, blue, opacity. */
export interface Pixels extends ImageSize {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** True if the rows of an image with this orientation (EXIF, 1 to 8) are displayed as columns. */
function isOnSide(orientation: number): boolean {
  return orientation >= 5;
}

/** Converts the stored size of an image with this orientation to the displayed size, or back. */
export function turnedSize({ width, height }: ImageSize, orientation: number): ImageSize {
  return isOnSide(orientation) ? { width: height, height: width } : { width, height };
}

/** Fits an image into a box: it keeps its proportions and never grows. */
export function fittingSize(image: ImageSize, box: ImageSize): ImageSize {
  let { width, height } = image;
  if (width > box.width) {
    height = Math.max(Math.floor((height * box.width) / width), 1);
    width = box.width;
  }
  if (height > box.height) {
    width = Math.max(Math.floor((width * box.height) / height), 1);
    height = box.height;
  }
  return { width, height };
}

/** Orientations that count columns from the right, and rows from the bottom. */
const FROM_RIGHT: ReadonlySet<number> = new Set([2, 3, 7, 8]);
const FROM_BOTTOM: ReadonlySet<number> = new Set([3, 4, 6, 7]);

/** Turns an image from its stored to its displayed orientation. */
export function turnUpright(pixels: Pixels, orientation: number): Pixels {
  if (orientation === 1) return pixels;
  const size = turnedSize(pixels, orientation);
  const from = new Uint32Array(pixels.bytes.buffer, pixels.bytes.byteOffset, pixels.width * pixels.height);
  const to = new Uint32Array(from.length);
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const [column, row] = isOnSide(orientation) ? [y, x] : [x, y];
      const storedColumn = FROM_RIGHT.has(orientation) ? pixels.width - 1 - column : column;
      const storedRow = FROM_BOTTOM.has(orientation) ? pixels.height - 1 - row : row;
      to[y * size.width + x] = from[storedRow * pixels.width + storedColumn] ?? 0;
    }
  }
  return { bytes: new Uint8Array(to.buffer), ...size };
}

/** Minimum ratio of the averaged image to its final size: averaging is invisible at this ratio. */
const GAP = 2;

/** Returns the number of pixels of a side that may be averaged into one if an image is resized to `size` afterwards. */
export function reductionFactor(image: ImageSize, size: ImageSize): number {
  const factor = Math.min(image.width / size.width, image.height / size.height) / GAP;
  return Math.max(Math.floor(factor), 1);
}

/**
 * Copies an image, opaque on white, averaging each square of `factor` pixels a side into one. Incomplete squares at the
 * right or at the bottom become one pixel as well.
 */
export function takePixels({ bytes, width, height }: Pixels, factor: number): Pixels {
  const size = { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
  const taken = new Uint8Array(size.width * size.height * 4);
  const sums = new Uint32Array(size.width * 3);
  for (let row = 0; row < size.height; row += 1) {
    const rows = Math.min(factor, height - row * factor);
    sums.fill(0);
    for (let y = row * factor; y < row * factor + rows; y += 1) {
      addRow(sums, bytes.subarray(y * width * 4, (y + 1) * width * 4), factor);
    }
    const out = taken.subarray(row * size.width * 4, (row + 1) * size.width * 4);
    writeRow(out, sums, (column) => rows * Math.min(factor, width - column * factor));
  }
  return { bytes: taken, ...size };
}

/** Adds a row of pixels to the sums of red, green and blue of its squares. */
function addRow(sums: Uint32Array, row: Uint8Array, factor: number): void {
  let sum = 0;
  let left = factor;
  for (let position = 0; position < row.length; position += 4) {
    const opacity = row[position + 3] ?? 0;
    for (let channel = 0; channel < 3; channel += 1) {
      const value = row[position + channel] ?? 0;
      const onWhite = opacity === 255 ? value : Math.round((value * opacity + 255 * (255 - opacity)) / 255);
      sums[sum + channel] = (sums[sum + channel] ?? 0) + onWhite;
    }
    left -= 1;
    if (left === 0) [sum, left] = [sum + 3, factor];
  }
}

/** Writes a row of averages; `pixels` returns the number of pixels in a square. */
function writeRow(row: Uint8Array, sums: Uint32Array, pixels: (column: number) => number): void {
  for (let column = 0; column * 4 < row.length; column += 1) {
    const count = pixels(column);
    for (let channel = 0; channel < 3; channel += 1) {
      row[column * 4 + channel] = Math.round((sums[column * 3 + channel] ?? 0) / count);
    }
    row[column * 4 + 3] = 255;
  }
}
