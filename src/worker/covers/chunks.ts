import { textAt } from "./image-bytes.ts";

/** A named part of a PNG or WebP file. */
export interface Chunk {
  readonly name: string;
  /** Where all of it begins, and where what it holds does. */
  readonly start: number;
  readonly data: number;
  /** Bytes that it holds. */
  readonly length: number;
  /** Where the next one begins. */
  readonly end: number;
}

/** Chunks of a file that are looked at: image data may be cut into small ones. */
export const CHUNKS_MAX = 100_000;

/** The chunks of a PNG file; ends where one is not there as a whole. */
export function* pngChunks(view: DataView): Generator<Chunk, void> {
  // Length, name, data, checksum.
  const at = (start: number): Chunk => {
    const length = view.getUint32(start);
    return { name: textAt(view, start + 4, 4), start, data: start + 8, length, end: start + 12 + length };
  };
  yield* wholeChunks(view, 8, at);
}

/** The chunks of a WebP file, or of a part of it, up to `end`. */
export function* riffChunks(view: DataView, from: number, end: number): Generator<Chunk, void> {
  // Name, length, data, and a byte that makes their number even.
  const at = (start: number): Chunk => {
    const length = view.getUint32(start + 4, true);
    const next = start + 8 + length + (length % 2);
    return { name: textAt(view, start, 4), start, data: start + 8, length, end: next };
  };
  yield* wholeChunks(new DataView(view.buffer, view.byteOffset, Math.min(end, view.byteLength)), from, at);
}

function* wholeChunks(view: DataView, from: number, at: (start: number) => Chunk): Generator<Chunk, void> {
  let start = from;
  for (let count = 0; count < CHUNKS_MAX && start + 8 <= view.byteLength; count += 1) {
    const chunk = at(start);
    if (chunk.data + chunk.length > view.byteLength) return;
    yield chunk;
    start = chunk.end;
  }
}
