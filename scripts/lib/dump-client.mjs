import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { CommandError } from "./command.mjs";
import { call } from "./service.mjs";

/** @import { Target } from "./service.mjs" */

/** Pause between two looks at a dump, in milliseconds. */
const LOOK_EVERY_MS = 1000;
/** How often the service is asked to go on with it, in milliseconds: whoever had it may have been lost. */
const RESUME_EVERY_MS = 15_000;
/** Attempts to read on in a file that broke off; waits of 0.5, 1, 2, ... seconds lie between them. */
const DOWNLOAD_ATTEMPTS = 7;
const FIRST_WAIT_MS = 500;
const NEWLINE = 0x0a;

/**
 * A dump as the operator sees it.
 * @typedef {{ id: number, kind: "full" | "delta", date: string, state: string, stage: string, step: number, failures: number,
 *   problem: string | null, lines?: number }} Dump
 */
/**
 * A file as it can be downloaded.
 * @typedef {{ name: string, bytes: number, lines: number, sha256: string }} DumpFile
 */

/**
 * Begins a dump, or takes up the one of that day.
 * @param {Target} target
 * @param {{ kind: "full" | "delta", date?: string | undefined }} wish
 * @returns {Promise<{ is_new: boolean, dump: Dump }>}
 */
export function begin(target, { kind, date }) {
  const json = date === undefined ? { kind } : { kind, date };
  return call(target, "/system/dumps", { method: "POST", json });
}

/**
 * Waits until a dump can be downloaded; fails when it has failed.
 * @param {Dump} dump
 * @param {Target} target
 * @param {(dump: Dump) => void} onProgress
 */
export async function published(dump, target, onProgress) {
  const { kind, date } = dump;
  const { sleep = setTimeout } = target;
  for (let resumed = Date.now(); ;) {
    // On another day a dump of everything would be another dump.
    const isItsDay = kind === "delta" || new Date().toISOString().startsWith(date);
    if (isItsDay && Date.now() - resumed > RESUME_EVERY_MS) {
      await begin(target, kind === "delta" ? { kind, date } : { kind });
      resumed = Date.now();
    }
    const { dumps } = /** @type {{ dumps: Dump[] }} */ (await call(target, "/system/dumps.json"));
    const now = dumps.find(({ id }) => id === dump.id);
    if (now === undefined) throw new CommandError(`The dump of ${date} is gone.`);
    if (now.state === "published") return;
    if (now.state !== "open") throw new CommandError(`The dump of ${date} has failed: ${now.problem}`);
    onProgress(now);
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * The files of a dump.
 * @param {Pick<Dump, "kind" | "date">} dump
 * @param {Target} target
 * @returns {Promise<DumpFile[]>}
 */
export async function filesOf({ kind, date }, target) {
  const { dumps } = /** @type {{ dumps: (Pick<Dump, "kind" | "date"> & { files: DumpFile[] })[] }} */ (
    await call(target, "/data.json")
  );
  return dumps.find((one) => one.kind === kind && one.date === date)?.files ?? [];
}

/**
 * Downloads a file into a folder and checks it: size, checksum, and number of lines if it has some. What broke off is read on; a
 * file that is there already is only checked.
 * @param {DumpFile} file
 * @param {string} folder
 * @param {Target} target
 * @returns {Promise<string>} path of the file
 */
export async function download(file, folder, target) {
  const { sleep = setTimeout } = target;
  const place = path.join(folder, file.name);
  if (await isRight(place, file)) return place;
  const part = `${place}.part`;
  for (let attempt = 1; (await sizeOf(part)) < file.bytes; attempt += 1) {
    const problem = await readOn(file, part, target);
    if (problem === undefined) break;
    if (attempt === DOWNLOAD_ATTEMPTS) throw new CommandError(problem);
    await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1));
  }
  if (!(await isRight(part, file))) {
    await rm(part, { force: true });
    throw new CommandError(
      `${file.name} is not what the service says of it. The same command reads it again.`,
    );
  }
  await rename(part, place);
  return place;
}

/**
 * Reads what is missing of a file; answers why it could not.
 * @param {DumpFile} file
 * @param {string} part
 * @param {Target} target
 */
async function readOn({ name, sha256 }, part, { url, fetch: send }) {
  const begun = await sizeOf(part);
  const headers = begun === 0 ? {} : { Range: `bytes=${begun}-`, "If-Range": `"${sha256}"` };
  try {
    const response = await send(`${url}/data/${name}`, { headers });
    if (!response.ok || response.body === null) return `${url}/data/${name} answered ${response.status}`;
    const flags = response.status === 206 ? "a" : "w";
    const body = /** @type {import("node:stream/web").ReadableStream} */ (response.body);
    await pipeline(Readable.fromWeb(body), createWriteStream(part, { flags }));
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `${url}/data/${name}: ${error.cause instanceof Error ? error.cause.message : error.message}`;
  }
}

/** @param {string} place @param {DumpFile} file */
async function isRight(place, { name, bytes, lines, sha256 }) {
  if ((await sizeOf(place)) !== bytes) return false;
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(place)) hash.update(chunk);
  if (hash.digest("hex") !== sha256) return false;
  // A table has no lines that could be counted.
  return !name.endsWith(".gz") || (await countLines(place)) === lines;
}

/** @param {string} place */
async function countLines(place) {
  let lines = 0;
  for await (const chunk of createReadStream(place).pipe(createGunzip())) {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
  }
  return lines;
}

/** Bytes of a file; 0 when there is none. @param {string} place */
async function sizeOf(place) {
  const found = await stat(place).catch(() => undefined);
  return found?.size ?? 0;
}
