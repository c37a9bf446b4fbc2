/** Passes in which an image may be stored: ten at most are usual, and each costs as much as an image in one. */
export const JPEG_SCANS_MAX = 50;

const [MARKER, START_OF_SCAN, END_OF_IMAGE] = [0xff, 0xda, 0xd9];

/** True when a JPEG file stores its image in no more passes than are unpacked. */
export function hasFewScans(bytes: Uint8Array): boolean {
  let scans = 0;
  let position = 2;
  while (position >= 0 && position + 4 <= bytes.length) {
    const code = bytes[position + 1] ?? 0;
    if (bytes[position] !== MARKER) position = bytes.indexOf(MARKER, position);
    else if (code === END_OF_IMAGE) return true;
    else if (code === MARKER) position += 1;
    else if (isWithinData(code)) position += 2;
    else {
      if (code === START_OF_SCAN) scans += 1;
      if (scans > JPEG_SCANS_MAX) return false;
      position += 2 + (((bytes[position + 2] ?? 0) << 8) | (bytes[position + 3] ?? 0));
    }
  }
  return true;
}

/** A byte of the image that looks like the beginning of a marker, and markers within an image; no length follows. */
function isWithinData(code: number): boolean {
  return code <= 0x01 || (code >= 0xd0 && code <= 0xd7);
}
