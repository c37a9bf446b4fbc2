const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));
const uint16 = (value: number): number[] => [value >> 8, value & 255];
const uint32 = (value: number): number[] => [...uint16(value >>> 16), ...uint16(value & 0xffff)];
const little16 = (value: number): number[] => uint16(value).toReversed();
const little24 = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16];
const little32 = (value: number): number[] => uint32(value).toReversed();
const bytes = (...parts: readonly number[][]): Uint8Array<ArrayBuffer> => new Uint8Array(parts.flat());

const START = [0xff, 0xd8];

/** A segment of a JPEG file: marker, length, contents. */
export function segment(marker: number, ...parts: readonly number[][]): number[] {
  const data = parts.flat();
  return [0xff, marker, ...uint16(data.length + 2), ...data];
}

/** The segment with the size; `marker` says how the image is packed. */
export function frame(width: number, height: number, marker = 0xc0): number[] {
  return segment(marker, [8], uint16(height), uint16(width), [1, 1, 0x11, 0]);
}

/** A segment of EXIF data that says how the image lies. */
export function exif(orientation: number, { little = false, entries = 1 } = {}): number[] {
  const two = little ? little16 : uint16;
  const four = little ? little32 : uint32;
  const entry = [...two(0x0112), ...two(3), ...four(1), ...two(orientation), ...two(0)];
  const head = [...ascii(little ? "II" : "MM"), ...two(42), ...four(8)];
  return segment(0xe1, ascii("Exif\0\0"), head, two(entries), entry, four(0));
}

/** A JPEG file up to its image, with these segments before the size. */
export function jpeg(width: number, height: number, ...before: readonly number[][]): Uint8Array<ArrayBuffer> {
  return bytes(START, segment(0xe0, ascii("JFIF\0")), ...before, frame(width, height), segment(0xda, [0]));
}

/** A JPEG file of these segments alone. */
export function jpegOf(...segments: readonly number[][]): Uint8Array<ArrayBuffer> {
  return bytes(START, ...segments);
}

/** The beginning of a PNG file. */
export function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = [...ascii("IHDR"), ...uint32(width), ...uint32(height), 8, 2, 0, 0, 0];
  return bytes(ascii("\x89PNG\r\n\x1a\n"), uint32(13), header, uint32(0));
}

/** The beginning of a GIF file. */
export function gif(width: number, height: number, version = "89a"): Uint8Array<ArrayBuffer> {
  return bytes(ascii(`GIF${version}`), little16(width), little16(height), [0, 0, 0]);
}

/** The beginning of a WebP file, of each of the three kinds. */
export const webp = {
  lossy: (width: number, height: number): Uint8Array<ArrayBuffer> =>
    riff("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a], little16(width | 0x4000), little16(height)),
  lossless: (width: number, height: number, data: number[] = []): Uint8Array<ArrayBuffer> =>
    riff("VP8L", [0x2f], little32((width - 1) | ((height - 1) << 14)), data),
  extended: (width: number, height: number): Uint8Array<ArrayBuffer> =>
    riff("VP8X", [0, 0, 0, 0], little24(width - 1), little24(height - 1)),
};

function riff(kind: string, ...parts: readonly number[][]): Uint8Array<ArrayBuffer> {
  const data = parts.flat();
  return bytes(ascii("RIFF"), little32(data.length + 12), ascii(`WEBP${kind}`), little32(data.length), data);
}
