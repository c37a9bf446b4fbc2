import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import { CommandError, codeOf } from "./command.ts";
import { splitLines } from "./lines.ts";
import { writeWhole } from "./local-state.ts";

const MANIFEST = "manifest.json";

/** Folder of a backup, and how it is used. */
export interface BackupOptions {
  folder: string;
  /** True for the tables of the catalog only, for a catalog that moves. */
  catalogOnly?: boolean | undefined;
  /** Secret key of age. */
  identity?: string | undefined;
  onProgress: (label: string, share: number, count: number) => void;
}

/** File of a backup: its size, checksum in hex, and lines. */
export interface FileNote {
  bytes: number;
  sha256: string;
  rows: number;
}

/** State of a backup. It is written after each file, so that a backup that was stopped goes on. */
export interface Manifest {
  format: 2;
  /** Files by name, other than those of the log of changes and of covers and texts. */
  files: Record<string, FileNote>;
  /**
   * Changes of patrons up to `version` are in the files, but for those of `unread` patrons; `reading` is set while all
   * patrons are read.
   */
  patrons: { version: number; reading?: { version: number; after: string }; unread?: string[] };
  /** Sequences of the loan desks in the files, by the ids of their items. */
  desks?: Record<string, number>;
  /** Names of data that the last backup could not read, with the reason. */
  missing: string[];
}

export async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(path.join(folder, MANIFEST), "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Reads the secret key in a file of `age-keygen`; undefined without a file. */
export async function readIdentity(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const key = (await readFile(file, "utf8")).split("\n").find((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (key === undefined) throw new CommandError(`${file} has no secret key of age.`);
  return key.trim();
}

export function writeManifest(folder: string, manifest: Manifest) {
  return writeWhole(path.join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
}

/** Writes lines into a compressed file, encrypted for a public key if there is one, atomically and with mode 600. */
export async function writeLines(
  file: string,
  lines: AsyncIterable<string>,
  recipient?: string,
): Promise<FileNote> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  let rows = 0;
  async function* counted() {
    for await (const line of lines) {
      rows += 1;
      yield `${line}\n`;
    }
  }
  const packed = Readable.from(counted()).pipe(createGzip());
  const content = recipient === undefined ? packed : await encrypted(packed, recipient);
  const note = await writeChecked(file, content);
  return { ...note, rows };
}

/** Writes bytes into a file, atomically and with mode 600. */
export async function writeChecked(
  file: string,
  content: Readable,
): Promise<{ bytes: number; sha256: string }> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const { check, note } = checking();
  await pipeline(content, check, createWriteStream(`${file}.new`, { mode: 0o600, flush: true }));
  await rename(`${file}.new`, file);
  return note();
}

/** Passes bytes on, and counts and hashes them. */
function checking() {
  const hash = createHash("sha256");
  let bytes = 0;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { check, note: () => ({ bytes, sha256: hash.digest("hex") }) };
}

async function encrypted(content: Readable, recipient: string) {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return Readable.fromWeb((await encrypter.encrypt(webStream(content))) as never);
}

function webStream(content: Readable): ReadableStream<Uint8Array> {
  // Node and the worker declare these types anew, each in its own way.
  return Readable.toWeb(content) as unknown as ReadableStream<Uint8Array>;
}

/** Reads the lines of a file. Throws a CommandError that names it if it is damaged, or no identity opens it. */
export async function* readLines(file: string, identity?: string): AsyncGenerator<string> {
  try {
    let content: Readable = createReadStream(file);
    if (file.endsWith(".age")) {
      if (identity === undefined) throw new CommandError(`${file} is encrypted: --identity FILE`);
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      const opened = await decrypter.decrypt(webStream(content));
      content = Readable.fromWeb(opened as never);
    }
    for await (const { text } of splitLines(content.pipe(createGunzip()), Number.POSITIVE_INFINITY)) {
      if (text !== undefined) yield text.toString();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} is damaged: ${error instanceof Error ? error.message : error}`);
  }
}

/** Reads a file whole. Returns its size and checksum. */
export async function checkFile(file: string) {
  const { check, note } = checking();
  await pipeline(createReadStream(file), check, async (chunks) => {
    for await (const _chunk of chunks);
  });
  return note();
}
