import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { RefusedError, call, filePath } from "./import-client.mjs";
import { partsOf } from "./import-files.mjs";
import { CommandError } from "./command.mjs";
import { ROOT } from "./paths.mjs";

/** @import { Target } from "./load-client.mjs" */
/** @import { Batch } from "./import-client.mjs" */

const FOLDER = path.join(ROOT, ".wrangler/load");

/**
 * A file that is to become a batch.
 * @typedef {{ file: string, name: string, format: string, size: number, digest: string }} Upload
 */
/**
 * An upload in parts, as far as it is.
 * @typedef {{ upload: string, bytes: number, parts: { part: number, etag: string }[] }} State
 */

/**
 * Puts a file there, and makes a batch of it; nothing is sent of a file that is there already. An upload that was stopped
 * goes on with the part that it stopped at.
 * @param {Upload} wanted
 * @param {Target} target
 * @param {(bytes: number) => void} onProgress
 * @returns {Promise<{ batch: Batch, isNew: boolean }>}
 */
export async function upload(wanted, target, onProgress) {
  const { name, size, digest } = wanted;
  const journal = new UploadJournal(`${target.url}\n${name}\n${digest}`);
  const begin = { action: "begin", size, digest };
  const {
    batch,
    upload: id,
    part_bytes: bytes,
  } = await call(target, filePath(name), {
    method: "POST",
    json: begin,
  });
  if (batch !== null) {
    journal.remove();
    return { batch, isNew: false };
  }
  if (id === null) return { batch: await putWhole(wanted, target), isNew: true };
  const known = journal.read();
  try {
    const state = known ?? { upload: id, bytes, parts: [] };
    return { batch: await putParts(wanted, target, { state, journal, onProgress }), isNew: true };
  } catch (error) {
    // What was begun before may be over by now: the service keeps unfinished uploads for some days.
    if (known === undefined || !(error instanceof RefusedError)) throw error;
    journal.remove();
    const state = { upload: id, bytes, parts: [] };
    return { batch: await putParts(wanted, target, { state, journal, onProgress }), isNew: true };
  }
}

/**
 * Has a file read on that could not be: what was in the way may be gone.
 * @param {string} name
 * @param {Target} target
 */
export async function reopen(name, target) {
  await call(target, filePath(name), { method: "POST", json: { action: "reopen" } });
}

/**
 * @param {Upload} wanted
 * @param {Target} target
 * @returns {Promise<Batch>}
 */
async function putWhole({ file, name, format, size, digest }, target) {
  const { value: bytes } = await partsOf(file, size + 1).next();
  if (bytes === undefined || bytes.length !== size) throw new CommandError(`${file} has changed meanwhile.`);
  const query = new URLSearchParams({ format, digest });
  const { batch } = await call(target, `${filePath(name)}?${query}`, { method: "PUT", bytes });
  return batch;
}

/**
 * @param {Upload} wanted
 * @param {Target} target
 * @param {{ state: State, journal: UploadJournal, onProgress: (bytes: number) => void }} how
 * @returns {Promise<Batch>}
 */
async function putParts({ file, name, format, digest }, target, { state, journal, onProgress }) {
  let number = 0;
  let sent = 0;
  for await (const bytes of partsOf(file, state.bytes)) {
    number += 1;
    sent += bytes.length;
    if (number > state.parts.length) {
      const query = new URLSearchParams({ upload: state.upload, part: String(number) });
      const { part, etag } = await call(target, `${filePath(name)}?${query}`, { method: "PUT", bytes });
      state.parts.push({ part, etag });
      journal.write(state);
    }
    onProgress(sent);
  }
  const complete = { action: "complete", upload: state.upload, parts: state.parts, format, digest };
  const { batch } = await call(target, filePath(name), { method: "POST", json: complete });
  journal.remove();
  return batch;
}

/** Remembers which parts of a file are there, over crashes too. */
class UploadJournal {
  #file;

  /** @param {string} what */
  constructor(what) {
    const name = createHash("sha256").update(what).digest("hex").slice(0, 24);
    this.#file = path.join(FOLDER, `import-${name}.json`);
  }

  /** @returns {State | undefined} */
  read() {
    try {
      return JSON.parse(readFileSync(this.#file, "utf8"));
    } catch (error) {
      const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (isMissing || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** @param {State} state */
  write(state) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${this.#file}.new`, JSON.stringify(state));
    renameSync(`${this.#file}.new`, this.#file);
  }

  remove() {
    rmSync(this.#file, { force: true });
  }
}
