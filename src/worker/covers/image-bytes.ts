/** Pixels of an image. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** What a file says of its image. The size is as people see it. */
export interface FileHeader extends ImageSize {
  /** How the image is stored, as EXIF numbers it: 1 is upright, 5 to 8 lie on a side. */
  readonly orientation: number;
  /** Bytes that one pixel takes at most while the image is unpacked (decision 0028). */
  readonly pixelBytes: number;
}

/** Bytes as text, one character each. Throws a `RangeError` where there are none. */
export function textAt(view: DataView, offset: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(offset + index)));
}
