import { createHash } from "node:crypto";
import path from "node:path";
import { decodeHead, findForeignFormat } from "../../src/import/head.ts";
import { MARC_NAMESPACES } from "../../src/import/marc/xml.ts";
import { openDump } from "./lines.ts";
import { CommandError } from "./command.ts";

/** Failure of one file, which does not stop the import of others. */
export class FileError extends CommandError {}

/** Number of bytes used to detect the format. */
const HEAD_BYTES = 64 * 1024;
const NAMESPACES = [
  ...MARC_NAMESPACES.filter((namespace) => namespace !== "").map((namespace) => [namespace, "marcxml"]),
  ["http://www.w3.org/2005/Atom", "opds"],
  ["http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf"],
];

interface Measured {
  size: number;
  digest: string;
  format: string | undefined;
}

/** Measures a file, plain or gzip: uncompressed length, digest and detected format. */
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

/** Detects the format from the beginning of a file. Undefined if it is unknown. Throws FileError if it is not read. */
export function formatOf(head: Buffer): string | undefined {
  const start = decodeHead(head);
  const problem = findForeignFormat(start);
  if (problem !== undefined) throw new FileError(problem);
  // Trims the mark of UTF-16 too.
  const text = start.trimStart();
  if (/^[{#]/.test(text)) return "jsonl";
  if (/^\d{5}/.test(text)) return "marc";
  if (!text.startsWith("<")) return undefined;
  const found = NAMESPACES.map(([namespace = "", format = ""]) => ({ at: text.indexOf(namespace), format }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at);
  return (
    found[0]?.format ??
    (/<(?:[\w-]+:)?(?:leader|controlfield|datafield)[\s>]/.test(text) ? "marcxml" : undefined)
  );
}

/** Yields the uncompressed bytes of a file in parts of equal size, except the last. */
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

/** Returns the batch name: the file name, or `batch`; for several files `batch` is a prefix. */
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
