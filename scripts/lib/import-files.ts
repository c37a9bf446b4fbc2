import { createHash } from "node:crypto";
import path from "node:path";
import { openDump } from "./lines.ts";
import { CommandError } from "./command.ts";

/** There is something wrong with one file; others can be imported all the same. */
export class FileError extends CommandError {}

/** Bytes at the beginning of a file by which its format is recognised. */
const HEAD_BYTES = 64 * 1024;
const NAMESPACES = [
  ["http://www.loc.gov/MARC21/slim", "marcxml"],
  ["http://www.w3.org/2005/Atom", "opds"],
  ["http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf"],
];

/** A file as it is sent, unpacked. */
interface Measured {
  size: number;
  digest: string;
  format: string | undefined;
}

/** Reads a file once, plain or gzip: its length and digest without the packing, and what it seems to hold. */
export async function measure(file: string): Promise<Measured> {
  const hash = createHash("sha256");
  let size = 0;
  let head = Buffer.alloc(0);
  try {
    for await (const chunk of openDump(file).stream) {
      hash.update(chunk);
      size += chunk.length;
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    }
  } catch (error) {
    throw new FileError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  if (size === 0) throw new FileError(`${file} is empty.`);
  return { size, digest: hash.digest("hex"), format: formatOf(head) };
}

/** The format of a file that begins so; undefined when it is none. */
export function formatOf(head: Buffer): string | undefined {
  const text = head
    .toString("latin1")
    .replace(/^\u00EF\u00BB\u00BF/, "")
    .trimStart();
  if (/^[{#]/.test(text)) return "jsonl";
  if (/^\d{5}/.test(text)) return "marc";
  if (!text.startsWith("<")) return undefined;
  const found = NAMESPACES.map(([namespace = "", format = ""]) => ({ at: text.indexOf(namespace), format }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at);
  return found[0]?.format;
}

/** The bytes of a file, unpacked, in parts of one size but for the last. */
export async function* partsOf(file: string, bytes: number): AsyncGenerator<Buffer<ArrayBuffer>> {
  let pending: Buffer[] = [];
  let length = 0;
  for await (const chunk of openDump(file).stream) {
    pending.push(chunk);
    length += chunk.length;
    while (length >= bytes) {
      const whole = Buffer.concat(pending);
      yield whole.subarray(0, bytes);
      pending = [whole.subarray(bytes)];
      length -= bytes;
    }
  }
  if (length > 0) yield Buffer.concat(pending);
}

/**
 * The batch that a file becomes: its own name, or the one that was given; of several files that have one together, that
 * name stands before theirs.
 */
export function batchName(file: string, { batch, isOne }: { batch: string | undefined; isOne: boolean }) {
  const own = path
    .basename(file)
    .replace(/\.gz$/, "")
    .replace(/[^\w.-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "");
  if (own === "") throw new FileError(`${file} has no name that a batch can have. Give one with --batch.`);
  if (batch === undefined) return own;
  return isOne ? batch : `${batch}/${own}`;
}
