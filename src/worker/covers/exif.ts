import { textAt } from "./image-bytes.ts";

const ORIENTATION = 0x0112;

/** The orientation that EXIF data tells of an image, 1 to 8; 1 where there is none, or what is there is broken. */
export function exifOrientation(view: DataView, offset: number, length: number): number {
  try {
    const exif = new DataView(view.buffer, view.byteOffset + offset, length);
    // JPEG files name what they hold, and so do some others.
    return orientationOf(exif, textAt(exif, 0, 6) === "Exif\0\0" ? 6 : 0);
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** Looks into the first directory. */
function orientationOf(exif: DataView, start: number): number {
  const tiff = new DataView(exif.buffer, exif.byteOffset + start, exif.byteLength - start);
  const order = textAt(tiff, 0, 2);
  if (order !== "II" && order !== "MM") return 1;
  const isLittle = order === "II";
  const directory = tiff.getUint32(4, isLittle);
  const entries = tiff.getUint16(directory, isLittle);
  for (let index = 0; index < entries; index += 1) {
    const entry = directory + 2 + index * 12;
    if (tiff.getUint16(entry, isLittle) === ORIENTATION) {
      const orientation = tiff.getUint16(entry + 8, isLittle);
      return orientation >= 1 && orientation <= 8 ? orientation : 1;
    }
  }
  return 1;
}
