import { closeSync, openSync, readSync, writeSync } from "node:fs";

/** JSON object with bytes. */
export interface Frame {
  // oxlint-disable-next-line typescript/no-explicit-any -- callers state the type
  head: any;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Appends a frame to an open file: lengths of head and bytes, head, bytes. */
export function appendFrame(file: number, head: object, bytes: Uint8Array = new Uint8Array()) {
  const json = Buffer.from(JSON.stringify(head));
  for (const part of [new Uint8Array(Uint32Array.of(json.length, bytes.length).buffer), json, bytes]) {
    for (let done = 0; done < part.length;) done += writeSync(file, part, done);
  }
}

/** Yields the frames of a file. Nothing if there is no such file. */
export function* readFrames(name: string): Generator<Frame> {
  const file = openSync(name, "r");
  try {
    for (;;) {
      const lengths = read(file, 8);
      if (lengths === undefined) return;
      const [head = 0, bytes = 0] = new Uint32Array(lengths.buffer);
      yield {
        head: JSON.parse(Buffer.from(read(file, head) ?? []).toString()),
        bytes: read(file, bytes) ?? new Uint8Array(),
      };
    }
  } finally {
    closeSync(file);
  }
}

/** Reads so many bytes; undefined at the end of the file. */
function read(file: number, length: number) {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const count = readSync(file, bytes, done, length - done, null);
    if (count === 0) return undefined;
    done += count;
  }
  return bytes;
}
