import { withoutMark } from "../head.ts";
import { parseAsciiNumber } from "./binary.ts";
import { LENGTH_DIGITS, LENGTH_SLACK, MARC_LENGTH_MAX, readStatedLength } from "./record.ts";

const FIRST_CAPACITY = 1 << 16;

/** Buffer of unprocessed bytes: appended at the end, dropped at the start. */
export class ByteBuffer {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  append(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#bytes.length) this.#makeRoom(chunk.length);
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  drop(count: number): void {
    this.#start = Math.min(this.#end, this.#start + count);
  }

  slice(from: number, to: number): Uint8Array {
    return this.#bytes.slice(this.#start + from, Math.min(this.#end, this.#start + to));
  }

  view(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  /** Makes room for at least twice the needed size, so that moving takes linear time overall. */
  #makeRoom(more: number): void {
    const needed = this.length + more;
    const target = needed * 2 > this.#bytes.length ? new Uint8Array(needed * 2) : this.#bytes;
    target.set(this.view());
    [this.#bytes, this.#end, this.#start] = [target, this.length, 0];
  }
}

/** Position of a record in a file, and its bytes. Of an overlong record only the first bytes are included. */
export interface RecordPiece {
  readonly offset: number;
  readonly length: number;
  readonly bytes: Uint8Array;
}

const FIELD_END = 0x1e;
const RECORD_END = 0x1d;

/**
 * Splits a MARC 21 file of any size into records. A record ends at the length in its leader if its terminator is there, or
 * if the next record begins there without one; otherwise at its next terminator (Q305). So a damaged one does not affect
 * the others. Damaged records are yielded as well, for `readMarc` to read or reject. `source` starts at byte `offset` of
 * the file, at the start of a record.
 */
export async function* splitMarcRecords(
  source: AsyncIterable<Uint8Array>,
  { offset = 0 }: { offset?: number } = {},
): AsyncGenerator<RecordPiece> {
  const cutter = new RecordCutter(offset);
  for await (const chunk of source) {
    // A chunk may be larger than the buffer limit.
    for (let at = 0; at < chunk.length; at += MARC_LENGTH_MAX) {
      cutter.add(chunk.subarray(at, at + MARC_LENGTH_MAX));
      for (let piece = cutter.next(); piece !== undefined; piece = cutter.next()) yield piece;
    }
  }
  for (let piece = cutter.last(); piece !== undefined; piece = cutter.last()) yield piece;
}

/**
 * Returns the record at the start of these bytes, by its stated length; if that is off by a few bytes, by where
 * `splitMarcRecords` ends it. Returns all bytes if no length is stated.
 */
export function cutRecord(bytes: Uint8Array): Uint8Array {
  const stated = readStatedLength(bytes) ?? 0;
  if (stated === 0) return bytes;
  const cutter = new RecordCutter(0);
  cutter.add(bytes);
  const length = cutter.last()?.length ?? stated;
  return bytes.subarray(0, Math.abs(length - stated) <= LENGTH_SLACK ? length : stated);
}

class RecordCutter {
  readonly #buffer = new ByteBuffer();
  #offset: number;
  /** Number of bytes at the start of the buffer known to have no terminator. */
  #searched = 0;
  /** Start of an overlong record, and the number of its bytes dropped. */
  #overlong: Uint8Array | undefined;
  #dropped = 0;

  constructor(offset: number) {
    this.#offset = offset;
  }

  add(chunk: Uint8Array): void {
    this.#buffer.append(chunk);
  }

  /** Returns the next record, or undefined if more bytes are needed. */
  next(): RecordPiece | undefined {
    if (this.#overlong === undefined && this.#searched === 0) {
      this.#skipBlank();
      const stated = this.#statedEnd();
      if (stated === "later") return undefined;
      if (stated !== undefined) return this.#take(stated);
    }
    const end = this.#buffer.view().indexOf(RECORD_END, this.#searched);
    if (end !== -1) return this.#take(end + 1);
    this.#searched = this.#buffer.length;
    if (this.#searched > MARC_LENGTH_MAX) this.#passOverlong();
    return undefined;
  }

  /** Returns the next record at the end of the file, complete or not. */
  last(): RecordPiece | undefined {
    const piece = this.next();
    if (piece !== undefined) return piece;
    const end = this.#buffer.view().indexOf(RECORD_END);
    if (end !== -1) return this.#take(end + 1);
    // At the end of a file spaces are padding as well.
    const isPadding =
      this.#overlong === undefined && this.#buffer.view().every((byte) => byte === 0x20 || isBlank(byte));
    return isPadding ? undefined : this.#take(this.#buffer.length);
  }

  /** Returns the end of the record by its stated length, if it or the start of the next record is there. */
  #statedEnd(): number | "later" | undefined {
    const bytes = this.#buffer.view();
    if (bytes.length < LENGTH_DIGITS) return "later";
    const stated = parseAsciiNumber(bytes, 0, LENGTH_DIGITS) ?? 0;
    if (stated > bytes.length) return "later";
    if (stated <= LENGTH_DIGITS) return undefined;
    if (bytes[stated - 1] === RECORD_END) return stated;
    // The stated length may count the terminator that is missing.
    const end = [stated, stated - 1].find((at) => bytes[at - 1] === FIELD_END && bytes[at] !== RECORD_END);
    if (end === undefined) return undefined;
    if (bytes.length < end + LENGTH_DIGITS) return "later";
    return readStatedLength(bytes, end) === undefined ? undefined : end;
  }

  #take(length: number): RecordPiece {
    const bytes = this.#overlong ?? this.#buffer.slice(0, length);
    const piece = { offset: this.#offset, length: this.#dropped + length, bytes };
    this.#buffer.drop(length);
    this.#offset += piece.length;
    [this.#searched, this.#dropped, this.#overlong] = [0, 0, undefined];
    return piece;
  }

  #passOverlong(): void {
    this.#overlong ??= this.#buffer.slice(0, MARC_LENGTH_MAX + 1);
    this.#dropped += this.#buffer.length;
    this.#buffer.drop(this.#buffer.length);
    this.#searched = 0;
  }

  #skipBlank(): void {
    const bytes = this.#buffer.view();
    // A text editor may have put the byte order mark of UTF-8 before the first record.
    let blank = this.#offset === 0 ? bytes.length - withoutMark(bytes).length : 0;
    while (blank < bytes.length && isBlank(bytes[blank] ?? 0)) blank += 1;
    this.#buffer.drop(blank);
    this.#offset += blank;
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d || byte === 0x00 || byte === 0x1a;
}
