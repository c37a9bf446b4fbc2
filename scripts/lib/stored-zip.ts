import { once } from "node:events";
import { type WriteStream, createWriteStream } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import path from "node:path";
import { finished } from "node:stream/promises";
import { crc32 } from "node:zlib";

/** Numbers from here on need ZIP64 records. */
const FIELD_FULL = 0xffffffff;
const COUNT_FULL = 0xffff;
/** Format version 4.5 has ZIP64. Names are UTF-8. */
const VERSION = 45;
const UTF8 = 0x0800;
/** 1 January 1980, so that the same members result in the same bytes. */
const DATE = 0x0021;

/** Encodes numbers of given sizes in little-endian order. */
function packed(...fields: readonly [value: number, bytes: number][]) {
  const buffer = Buffer.alloc(fields.reduce((length, [, bytes]) => length + bytes, 0));
  let position = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), position);
    else buffer.writeUIntLE(value, position, bytes);
    position += bytes;
  }
  return buffer;
}

/** Writes a ZIP file without compression (APPNOTE.TXT 6.3). The file is renamed to its name when it is complete. */
export class StoredZip {
  #file;
  #stream;
  #fieldMax;
  #offset = 0;
  #directory: Buffer[] = [];

  /** `fieldMax` is smaller only in tests. */
  static async create(file: string, options?: { fieldMax?: number }) {
    await mkdir(path.dirname(file), { recursive: true });
    const stream = createWriteStream(`${file}.part`);
    await once(stream, "open");
    return new StoredZip(file, stream, options);
  }

  constructor(file: string, stream: WriteStream, { fieldMax = FIELD_FULL }: { fieldMax?: number } = {}) {
    this.#file = file;
    this.#stream = stream;
    this.#fieldMax = fieldMax;
  }

  /** Number of members so far. */
  get size() {
    return this.#directory.length;
  }

  /** Adds a member of less than 4 GB. */
  async add(name: string, bytes: Buffer) {
    const offset = this.#offset;
    const text = Buffer.from(name);
    const common = packed(
      [VERSION, 2],
      [UTF8, 2],
      [0, 2],
      [0, 2],
      [DATE, 2],
      [crc32(bytes), 4],
      [bytes.length, 4],
      [bytes.length, 4],
      [text.length, 2],
    );
    await this.#write(packed([0x04034b50, 4]), common, packed([0, 2]), text, bytes);
    const isFar = offset >= this.#fieldMax;
    const extra = isFar ? packed([1, 2], [8, 2], [offset, 8]) : Buffer.alloc(0);
    const place = packed([extra.length, 2], [0, 2], [0, 2], [0, 2], [0, 4], [isFar ? FIELD_FULL : offset, 4]);
    this.#directory.push(Buffer.concat([packed([0x02014b50, 4], [VERSION, 2]), common, place, text, extra]));
  }

  /** Writes the directory and renames the file. */
  async close() {
    const start = this.#offset;
    for (const entry of this.#directory) await this.#write(entry);
    const end = this.#offset;
    const [count, length] = [this.size, end - start];
    const isLarge = count >= COUNT_FULL || start >= this.#fieldMax || length >= this.#fieldMax;
    if (isLarge) {
      await this.#write(
        packed([0x06064b50, 4], [44, 8], [VERSION, 2], [VERSION, 2], [0, 4], [0, 4]),
        packed([count, 8], [count, 8], [length, 8], [start, 8]),
        packed([0x07064b50, 4], [0, 4], [end, 8], [1, 4]),
      );
    }
    const shown = isLarge ? COUNT_FULL : count;
    await this.#write(
      packed([0x06054b50, 4], [0, 2], [0, 2], [shown, 2], [shown, 2]),
      packed([isLarge ? FIELD_FULL : length, 4], [isLarge ? FIELD_FULL : start, 4], [0, 2]),
    );
    this.#stream.end();
    await finished(this.#stream);
    await rename(`${this.#file}.part`, this.#file);
  }

  async #write(...parts: Buffer[]) {
    for (const part of parts) {
      this.#offset += part.length;
      if (!this.#stream.write(part)) await once(this.#stream, "drain");
    }
  }
}
