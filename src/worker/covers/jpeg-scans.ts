/** Passes in which an image may be stored: ten at most are usual, and each costs as much as an image in one. */
export const JPEG_SCANS_MAX = 50;

const [MARKER, START_OF_SCAN, END_OF_IMAGE] = [0xff, 0xda, 0xd9];

/**
 * Where the image of a JPEG file ends, before whatever telephones write after it: further images, films. Undefined when it is
 * stored in more passes than are unpacked.
 */
export function jpegEnd(bytes: Uint8Array): number | undefined {
  let scans = 0;
  let position = 2;
  while (position >= 0 && position + 2 <= bytes.length) {
    const code = bytes[position + 1] ?? 0;
    if (bytes[position] !== MARKER) position = bytes.indexOf(MARKER, position);
    else if (code === END_OF_IMAGE) return position + 2;
    else if (code === MARKER) position += 1;
    else if (isWithinData(code)) position += 2;
    else {
      if (code === START_OF_SCAN) scans += 1;
      if (scans > JPEG_SCANS_MAX) return undefined;
      position += 2 + (((bytes[position + 2] ?? 0) << 8) | (bytes[position + 3] ?? 0));
    }
  }
  return bytes.length;
}

/** A byte of the image that looks like the beginning of a marker, and markers within an image; no length follows. */
function isWithinData(code: number): boolean {
  return code <= 0x01 || (code >= 0xd0 && code <= 0xd7);
}
