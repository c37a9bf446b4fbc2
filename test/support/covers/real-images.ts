// Images that can be unpacked, made by hand, as the library under test should not have made all that it reads.
import { crc32, deflateSync } from "node:zlib";

type Bytes = Uint8Array<ArrayBuffer>;
type Piece = Uint8Array | readonly number[];

const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));
const big16 = (value: number): number[] => [(value >> 8) & 255, value & 255];
const big32 = (value: number): number[] => [...big16(value >>> 16), ...big16(value & 0xffff)];
const little16 = (value: number): number[] => big16(value).toReversed();
const little24 = (value: number): number[] => [value & 255, (value >> 8) & 255, (value >> 16) & 255];
const little32 = (value: number): number[] => big32(value).toReversed();

/** All pieces one after the other. */
export function joined(...pieces: readonly Piece[]): Bytes {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let position = 0;
  for (const piece of pieces) {
    bytes.set(piece, position);
    position += piece.length;
  }
  return bytes;
}

/** Red, green, blue, opacity. */
export type Colour = readonly [number, number, number, number];

const PNG_START = ascii("\x89PNG\r\n\x1a\n");

export function pngChunk(name: string, data: Piece): Bytes {
  const named = joined(ascii(name), data);
  return joined(big32(data.length), named, big32(crc32(named)));
}

export interface PngOptions {
  /** Colour type, with `depth` bits a channel: 0 grey, 2 colours, 3 of a table, 4 grey with opacity, 6 all four. */
  readonly colour?: 0 | 2 | 3 | 4 | 6;
  readonly depth?: number;
  /** Rows to compress instead of black ones. */
  readonly rows?: Uint8Array;
  /** Further chunks before the image. */
  readonly chunks?: readonly Uint8Array[];
}

const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** A PNG file: black, unless it is told otherwise. */
export function pngImage(
  width: number,
  height: number,
  { colour = 2, depth = 8, rows, chunks = [] }: PngOptions = {},
): Bytes {
  const row = 1 + Math.ceil((width * CHANNELS[colour] * depth) / 8);
  return joined(
    PNG_START,
    pngChunk("IHDR", [...big32(width), ...big32(height), depth, colour, 0, 0, 0]),
    ...(colour === 3 ? [pngChunk("PLTE", [0, 0, 0, 255, 255, 255])] : []),
    ...chunks,
    pngChunk("IDAT", deflateSync(rows ?? new Uint8Array(row * height), { level: 9 })),
    pngChunk("IEND", []),
  );
}

/** A PNG file with a colour for every pixel. */
export function drawnPng(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour,
  chunks: readonly Uint8Array[] = [],
): Bytes {
  const rows = new Uint8Array((1 + width * 4) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows.set(colourAt(x, y), y * (1 + width * 4) + 1 + x * 4);
  }
  return pngImage(width, height, { colour: 6, rows, chunks });
}

const jpegSegment = (marker: number, data: readonly number[]): number[] => [
  0xff,
  marker,
  ...big16(data.length + 2),
  ...data,
];

export interface JpegOptions {
  readonly components?: 1 | 3 | 4;
  readonly progressive?: boolean;
  /** Number of scans. */
  readonly scans?: number;
  /** Segments before the size. */
  readonly before?: readonly (readonly number[])[];
  /** Bytes in place of the compressed image. */
  readonly data?: Uint8Array;
}

/** A grey JPEG file, or with `components` one in colours: all of its blocks are the same. */
export function jpegImage(
  width: number,
  height: number,
  { components = 1, progressive = false, scans = 1, before = [], data }: JpegOptions = {},
): Bytes {
  const numbers = Array.from({ length: components }, (_, index) => index + 1);
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8) * components;
  // Two bits for the brightness of a block, which is as before, and two that say that nothing else comes.
  const packed = data ?? new Uint8Array(Math.ceil((blocks * (progressive ? 2 : 4)) / 8) + 8);
  const table = (id: number): number[] =>
    jpegSegment(0xc4, [id, 0, 2, ...Array.from({ length: 14 }, () => 0), 0, 1]);
  const scan = joined(
    jpegSegment(0xda, [components, ...numbers.flatMap((number) => [number, 0]), 0, progressive ? 0 : 63, 0]),
    packed,
  );
  return joined(
    [0xff, 0xd8],
    ...before,
    jpegSegment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    table(0x00),
    table(0x10),
    jpegSegment(progressive ? 0xc2 : 0xc0, [
      8,
      ...big16(height),
      ...big16(width),
      components,
      ...numbers.flatMap((number) => [number, 0x11, 0]),
    ]),
    ...Array.from({ length: scans }, () => scan),
    [0xff, 0xd9],
  );
}

export interface GifOptions {
  readonly frames?: number;
  readonly left?: number;
  readonly top?: number;
  readonly frameWidth?: number;
  readonly frameHeight?: number;
  /** Pixels that there are of a frame. */
  readonly pixels?: number;
}

/** A red GIF file. */
export function gifImage(width: number, height: number, options: GifOptions = {}): Bytes {
  const { frames = 1, left = 0, top = 0, frameWidth = width, frameHeight = height } = options;
  const { pixels = frameWidth * frameHeight } = options;
  const place = [left, top, frameWidth, frameHeight].flatMap((side) => little16(side));
  const frame = joined([0x2c, ...place, 0, 2], ...gifBlocks(gifCodes(pixels)), [0]);
  const colours = [255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0];
  return joined(
    ascii("GIF89a"),
    [...little16(width), ...little16(height), 0x91, 0, 0, ...colours],
    ...Array.from({ length: frames }, () => frame),
    [0x3b],
  );
}

/** Pixels of the first colour, in codes of three bits: after every second one the table is begun anew, so it never grows. */
function gifCodes(pixels: number): Bytes {
  const [RED, CLEAR, END] = [0, 4, 5];
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  const put = (code: number): void => {
    bits |= code << count;
    count += 3;
    while (count >= 8) {
      bytes.push(bits & 255);
      bits >>>= 8;
      count -= 8;
    }
  };
  put(CLEAR);
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    put(RED);
    if (pixel % 2 === 1) put(CLEAR);
  }
  put(END);
  return new Uint8Array([...bytes, bits & 255]);
}

function gifBlocks(bytes: Uint8Array): Piece[] {
  return Array.from({ length: Math.ceil(bytes.length / 255) }, (_, index) => {
    const block = bytes.subarray(index * 255, (index + 1) * 255);
    return joined([block.length], block);
  });
}

export function riffChunk(name: string, data: Piece): Bytes {
  return joined(ascii(name), little32(data.length), data, data.length % 2 === 0 ? [] : [0]);
}

/** A WebP file of these chunks. */
export function webpOf(...chunks: readonly Uint8Array[]): Bytes {
  const data = joined(ascii("WEBP"), ...chunks);
  return joined(ascii("RIFF"), little32(data.length), data);
}

/** The chunk of an image in one colour. Nothing but zeros is a whole image in this format. */
export function lossyChunk(width: number, height: number): Bytes {
  const length = Math.min(Math.ceil(width / 16) * Math.ceil(height / 16) * 4 + 400, 2 ** 19 - 1);
  const tag = little24((length << 5) | 0x10);
  const sides = [...little16(width), ...little16(height)];
  return riffChunk("VP8 ", joined(tag, [0x9d, 0x01, 0x2a, ...sides], new Uint8Array(length * 9)));
}

/** The chunk of a black image without losses: transparent, unless it is said to be opaque. */
export function losslessChunk(width: number, height: number, hasOpacity = false): Bytes {
  // Sizes, opacity, version; no transformations, no colour cache, no groups; five tables of a single symbol.
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let bit = 0; bit < count; bit += 1) bits.push((value >> bit) & 1);
  };
  for (const [value, count] of [
    [width - 1, 14],
    [height - 1, 14],
    [hasOpacity ? 1 : 0, 1],
    [0, 3],
    [0, 3],
  ] as const) {
    put(value, count);
  }
  for (let table = 0; table < 5; table += 1) put(0b1001, 4);
  const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit, place) => byte | (bit << place), 0),
  );
  return riffChunk("VP8L", [0x2f, ...bytes, 0, 0, 0, 0, 0, 0, 0, 0]);
}

/** The chunk that says how large all of it is, and with `flags` what there is (2: an animation, 16: opacity). */
export function extendedChunk(width: number, height: number, flags = 0): Bytes {
  return riffChunk("VP8X", [flags, 0, 0, 0, ...little24(width - 1), ...little24(height - 1)]);
}

/** A frame of an animation. */
export function frameChunk(width: number, height: number, ...chunks: readonly Uint8Array[]): Bytes {
  const place = [...little24(0), ...little24(0), ...little24(width - 1), ...little24(height - 1)];
  return riffChunk("ANMF", joined(place, little24(100), [0], ...chunks));
}
