/** Size of an image, in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** True if the rows of an image with this orientation (EXIF, 1 to 8) are displayed as columns. */
export function liesOnSide(orientation: number): boolean {
  return orientation >= 5;
}

/** Converts the stored size of an image with this orientation to the displayed size, or back. */
export function turnedSize({ width, height }: ImageSize, orientation: number): ImageSize {
  return liesOnSide(orientation) ? { width: height, height: width } : { width, height };
}

/** Returns the size of an image fitted into a box: it keeps its proportions and never grows. */
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
