/** Pixels of an image. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** True when an image with this orientation (EXIF, 1 to 8) shows its rows as columns. */
export function liesOnSide(orientation: number): boolean {
  return orientation >= 5;
}

/** The sides of an image with this orientation, as people see it; and back again. */
export function turnedSize({ width, height }: ImageSize, orientation: number): ImageSize {
  return liesOnSide(orientation) ? { width: height, height: width } : { width, height };
}

/** The size of an image in a box: its sides keep their relation, and it never grows. */
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
