import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { codeOf } from "./command.ts";

/** Maximum line length in bytes. No document within the limits needs more. */
export const LINE_BYTES = 4 * 1024 * 1024;
/** Bytes that are read and unpacked at once. */
const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Line without its newline. `text` is undefined if the line is too long. */
export interface Line {
  number: number;
  text: Buffer | undefined;
}

/** Opens a dump file, plain or gzip. At damage its lines end, and `problem` says where. */
export function openDump(file: string) {
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const stream = file.endsWith(".gz") ? source.pipe(createGunzip({ chunkSize: CHUNK_BYTES })) : source;
  if (stream !== source) source.once("error", (error) => stream.destroy(error));
  const dump = { stream, lines: readLines(), bytesRead: () => source.bytesRead, problem: "" };
  async function* readLines() {
    let last = 0;
    try {
      for await (const line of splitLines(stream)) {
        yield line;
        last = line.number;
      }
    } catch (error) {
      if (!(error instanceof Error && codeOf(error)?.startsWith("Z_"))) throw error;
      dump.problem = `${file} is damaged after line ${last}: ${error.message}`;
    }
  }
  return dump;
}

/** Splits a stream into lines, holding no more than one line at a time. Empty lines are counted and left out. */
export async function* splitLines(stream: AsyncIterable<Buffer>, most = LINE_BYTES): AsyncGenerator<Line> {
  const pending = new Pending(most);
  let number = 0;
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      pending.add(chunk.subarray(start, end));
      number += 1;
      const text = pending.take();
      if (text === undefined || text.length > 0) yield { number, text };
      start = end + 1;
    }
    pending.add(chunk.subarray(start));
  }
  const last = pending.take();
  if (last === undefined || last.length > 0) yield { number: number + 1, text: last };
}

/** Incomplete line at the end of the received data. */
class Pending {
  #parts: Buffer[] = [];
  #length = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(part: Buffer) {
    this.#length += part.length;
    if (this.#length <= this.#most) this.#parts.push(part);
    else this.#parts = [];
  }

  take() {
    const [first = Buffer.alloc(0)] = this.#parts;
    const whole = this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
    const line = this.#length > this.#most ? undefined : whole;
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}
