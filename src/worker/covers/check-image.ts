import { MIB } from "../../catalog/units.ts";
import type { Stores } from "../http/bindings.ts";
import { Buffer } from "node:buffer";
import { imageMeta } from "image-meta";
import { jpegSegments, partNamed, pngChunks, textAt, imageViewOf, webpChunks } from "./image-parts.ts";
import { type ImageSize, turnedSize } from "./pixels.ts";
import type { Text, TextKey } from "../../catalog/texts.ts";

/** Largest accepted image, in bytes. */
export const COVER_BYTES = 10 * MIB;
/** Longest side of an image that is decoded here, in pixels. */
export const COVER_SIDE_MAX = 16_383;
/**
 * Bytes of memory that an image may take while it is decoded, out of the 128 MB of an isolate: its pixels, and three
 * copies of its file (decision 0028). A photograph of one megabyte may have six million pixels.
 */
export const COVER_MEMORY_BYTES = 80 * MIB;
const FILE_COPIES = 3;
/** Maximum pixels of an image that is reduced before it is decoded, and of one of its sides (decision 0032). */
export const LARGE_PIXELS_MAX = 65_000_000;
export const LARGE_SIDE_MAX = 12_000;

/** Image with a valid header, which may still be impossible to decode. */
export interface CheckedImage extends ImageHeader {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True if the image is too large to be decoded here and must be reduced first. */
  readonly isLarge: boolean;
}

/** Reason why an image is rejected. */
export type ImageProblem = Text<Extract<TextKey, `bad_request.image_${string}`>>;

export const NO_IMAGE_FILE: ImageProblem = { key: "bad_request.image_file" };

/**
 * Checks an image by its header alone. Returns the reason if it is rejected. Large images are accepted if
 * there is an image service to reduce them (Q490).
 */
export function checkImage(
  bytes: Uint8Array<ArrayBuffer>,
  { images }: Partial<Pick<Stores, "images">> = {},
): CheckedImage | ImageProblem {
  if (bytes.byteLength > COVER_BYTES)
    return { key: "bad_request.image_bytes", values: { most: COVER_BYTES } };
  const header = readImageHeader(bytes);
  if (header === undefined) return NO_IMAGE_FILE;
  const { width, height, pixelBytes } = header;
  const problem = (key: ImageProblem["key"], most: number): ImageProblem => ({
    key,
    values: { width, height, most },
  });
  const side = Math.max(width, height);
  if (side > COVER_SIDE_MAX) return problem("bad_request.image_side", COVER_SIDE_MAX);
  const pixels = Math.floor((COVER_MEMORY_BYTES - FILE_COPIES * bytes.byteLength) / pixelBytes);
  if (width * height <= pixels) return { ...header, bytes, isLarge: false };
  if (images === undefined) return problem("bad_request.image_pixels", pixels);
  if (side > LARGE_SIDE_MAX) return problem("bad_request.image_side", LARGE_SIDE_MAX);
  if (width * height > LARGE_PIXELS_MAX) return problem("bad_request.image_pixels", LARGE_PIXELS_MAX);
  return { ...header, bytes, isLarge: true };
}

/**
 * Maximum bytes per pixel while an image is decoded: for a JPEG file in one pass; in several passes, all of which are
 * kept until the last; the latter with four colours; for a GIF and a WebP file; for a PNG file in addition to its
 * channels (decision 0028).
 */
const PIXEL_BYTES = { jpeg: 13.5, progressive: 15.5, fourColours: 19.5, gif: 15, webp: 15.5, png: 8.5 };

/** Header of an image, with the size as displayed. */
interface ImageHeader extends ImageSize {
  readonly contentType: "image/jpeg" | "image/png" | "image/gif" | "image/webp";
  /** EXIF orientation of the stored image: 1 is upright, 5 to 8 lie on a side. */
  readonly orientation: number;
  /** Maximum bytes per pixel while the image is decoded (decision 0028). */
  readonly pixelBytes: number;
}

/** Reads the header of an image, regardless of its name; undefined for unknown formats and broken headers. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  try {
    const header = bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegHeader(bytes) : otherHeader(bytes);
    if (header === undefined || header.width === 0 || header.height === 0) return undefined;
    return { ...header, ...turnedSize(header, header.orientation) };
  } catch {
    // The file is truncated (a `RangeError`), or the library does not know the format.
    return undefined;
  }
}

/** Frames that can be decoded: one pass, of either kind, and several passes. */
const [BASELINE, EXTENDED, PROGRESSIVE] = [0xc0, 0xc1, 0xc2];
const DECODABLE_FRAMES = new Set([BASELINE, EXTENDED, PROGRESSIVE]);
/** Markers in the range of frames that are not frames: Huffman tables, an extension, arithmetic coding. */
const NO_FRAMES = new Set([0xc4, 0xc8, 0xcc]);
const APPLICATION_1 = 0xe1;
const SAMPLE_BITS = 8;
/**
 * Reads the header of a JPEG file, with the size as stored. The library does not report the kind of the frame, on which
 * the memory depends.
 */
function jpegHeader(bytes: Uint8Array): ImageHeader | undefined {
  let orientation = 1;
  for (const { name, data } of jpegSegments(bytes)) {
    if (name === APPLICATION_1 && orientation === 1) orientation = exifOrientation(data);
    if (name < 0xc0 || name > 0xcf || NO_FRAMES.has(name)) continue;
    const view = imageViewOf(data);
    if (!DECODABLE_FRAMES.has(name) || view.getUint8(0) !== SAMPLE_BITS) return undefined;
    const progressive = view.getUint8(5) > 3 ? PIXEL_BYTES.fourColours : PIXEL_BYTES.progressive;
    const pixelBytes = name === PROGRESSIVE ? progressive : PIXEL_BYTES.jpeg;
    const [height, width] = [view.getUint16(1), view.getUint16(3)];
    return { contentType: "image/jpeg", width, height, orientation, pixelBytes };
  }
  return undefined;
}

/** Bytes per PNG pixel with eight bits a channel, by colour type, including the opacity that may be added. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 2, 2: 4, 3: 4, 4: 2, 6: 4 };

function otherHeader(bytes: Uint8Array): ImageHeader | undefined {
  const { type, ...size } = sizeAtStart(bytes);
  if (type === "gif")
    return { contentType: "image/gif", ...size, orientation: 1, pixelBytes: PIXEL_BYTES.gif };
  if (type === "webp") return webpHeader(bytes, size);
  const channels = CHANNELS[bytes[25] ?? -1];
  // The library also accepts files as PNG that begin with another byte, or with a chunk of Apple's.
  const isPng = type === "png" && bytes[0] === 0x89 && textAt(bytes, 12) === "IHDR";
  if (!isPng || channels === undefined) return undefined;
  const orientation = exifOrientation(partNamed(pngChunks(bytes), "eXIf")?.data);
  const pixelBytes = PIXEL_BYTES.png + channels * (bytes[24] === 16 ? 2 : 1);
  return { contentType: "image/png", ...size, orientation, pixelBytes };
}

const [FIRST_OF_WEBP, WEBP_ANIMATED] = [0x52, 0x02];

/** Reads the header of a WebP file. The size of an animation is that of the first frame: three bytes each, less one. */
function webpHeader(bytes: Uint8Array, size: ImageSize): ImageHeader | undefined {
  const chunks = bytes.subarray(12);
  const orientation = exifOrientation(partNamed(webpChunks(chunks), "EXIF")?.data);
  const header = { contentType: "image/webp", ...size, orientation, pixelBytes: PIXEL_BYTES.webp } as const;
  if (textAt(bytes, 12) !== "VP8X" || ((bytes[20] ?? 0) & WEBP_ANIMATED) === 0) return header;
  const frame = partNamed(webpChunks(chunks), "ANMF");
  if (frame === undefined) return undefined;
  const side = (at: number): number => 1 + (imageViewOf(frame.data).getUint32(at, true) & 0xff_ffff);
  return { ...header, width: side(6), height: side(9) };
}

/** Bytes at the start of a file that contain its size. The library gets no others, to limit its work. */
const SIZE_WITHIN = 30;

/** Reads the size from the first bytes of a PNG, GIF or WebP file. Throws if the bytes are of none of them. */
export function sizeAtStart(bytes: Uint8Array): ImageSize & { readonly type: string | undefined } {
  const start = Uint8Array.from({ length: SIZE_WITHIN }, (_, index) => bytes[index] ?? 0);
  // The library rejects files with meaningless flags, and some whose colours look like the start of another format.
  if (bytes[0] === FIRST_OF_WEBP) start[20] = 0;
  if (textAt(bytes, 12) === "VP8L") start[25] = 0;
  const { type, width, height } = imageMeta(bytes.length < 10 ? bytes : start);
  return { type, width, height };
}

const EXIF = Buffer.from("Exif\0\0");
/** Bytes of EXIF data that are read: as many as a segment may have. */
const EXIF_WITHIN = 65_000;
const SMALLEST_FRAME = [0xff, 0xc0, 0, 8, SAMPLE_BITS, 0, 1, 0, 1];

/**
 * Returns the orientation in EXIF data, 1 to 8; 1 if there is none or the data are broken. The library reads it from
 * JPEG files only, so the data are wrapped in a minimal one.
 */
function exifOrientation(exif: Uint8Array = EXIF): number {
  const isNamed = EXIF.equals(exif.subarray(0, EXIF.length));
  const data = Buffer.concat([isNamed ? new Uint8Array() : EXIF, exif.subarray(0, EXIF_WITHIN)]);
  const length = data.length + 2;
  const start = Uint8Array.of(0xff, 0xd8, 0xff, APPLICATION_1, length >> 8, length & 255);
  const { orientation = 1 } = imageMeta(Buffer.concat([start, data, Uint8Array.from(SMALLEST_FRAME)]));
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}
