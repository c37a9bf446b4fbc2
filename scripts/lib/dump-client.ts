import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { CommandError } from "./command.ts";
import { type Target, call } from "./service.ts";

/** Pause between two looks at a dump, in milliseconds. */
const LOOK_EVERY_MS = 1000;
/** How often the service is asked to go on with it, in milliseconds: whoever had it may have been lost. */
const RESUME_EVERY_MS = 15_000;
/** Attempts to read on in a file that broke off; waits of 0.5, 1, 2, ... seconds lie between them. */
const DOWNLOAD_ATTEMPTS = 7;
const FIRST_WAIT_MS = 500;
const NEWLINE = 0x0a;

/** A dump as the operator sees it. */
export interface Dump {
  id: number;
  kind: "full" | "delta";
  date: string;
  state: string;
  stage: string;
  step: number;
  failures: number;
  problem: string | null;
  lines?: number;
}
/** A file as it can be downloaded. */
interface DumpFile {
  name: string;
  bytes: number;
  lines: number;
  sha256: string;
}

/** Begins a dump, or takes up the one of that day. */
export function begin(
  target: Target,
  { kind, date }: { kind: "full" | "delta"; date?: string | undefined },
): Promise<{ is_new: boolean; dump: Dump }> {
  const json = date === undefined ? { kind } : { kind, date };
  return call(target, "/system/dumps", { method: "POST", json });
}

/** Waits until a dump can be downloaded; fails when it has failed. */
export async function published(dump: Dump, target: Target, onProgress: (dump: Dump) => void) {
  const { kind, date } = dump;
  const { sleep = setTimeout } = target;
  for (let resumed = Date.now(); ;) {
    // On another day a dump of everything would be another dump.
    const isItsDay = kind === "delta" || new Date().toISOString().startsWith(date);
    if (isItsDay && Date.now() - resumed > RESUME_EVERY_MS) {
      await begin(target, kind === "delta" ? { kind, date } : { kind });
      resumed = Date.now();
    }
    const { dumps } = (await call(target, "/system/dumps.json")) as { dumps: Dump[] };
    const now = dumps.find(({ id }) => id === dump.id);
    if (now === undefined) throw new CommandError(`The dump of ${date} is gone.`);
    if (now.state === "published") return;
    if (now.state !== "open") throw new CommandError(`The dump of ${date} has failed: ${now.problem}`);
    onProgress(now);
    await sleep(LOOK_EVERY_MS);
  }
}

/** The files of a dump. */
export async function filesOf(
  { kind, date }: Pick<Dump, "kind" | "date">,
  target: Target,
): Promise<DumpFile[]> {
  const { dumps } = (await call(target, "/data.json")) as {
    dumps: (Pick<Dump, "kind" | "date"> & { files: DumpFile[] })[];
  };
  return dumps.find((one) => one.kind === kind && one.date === date)?.files ?? [];
}

/**
 * Downloads a file into a folder and checks it: size, checksum, and number of lines if it has some. What broke off is
 * read on; a file that is there already is only checked. Returns path of the file.
 */
export async function download(file: DumpFile, folder: string, target: Target): Promise<string> {
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

/** Reads what is missing of a file; answers why it could not. */
async function readOn({ name, sha256 }: DumpFile, part: string, { url, fetch: send }: Target) {
  const begun = await sizeOf(part);
  const headers = begun === 0 ? {} : { Range: `bytes=${begun}-`, "If-Range": `"${sha256}"` };
  try {
    const response = await send(`${url}/data/${name}`, { headers });
    if (!response.ok || response.body === null) return `${url}/data/${name} answered ${response.status}`;
    const flags = response.status === 206 ? "a" : "w";
    const body = response.body as import("node:stream/web").ReadableStream;
    await pipeline(Readable.fromWeb(body), createWriteStream(part, { flags }));
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `${url}/data/${name}: ${error.cause instanceof Error ? error.cause.message : error.message}`;
  }
}

async function isRight(place: string, { name, bytes, lines, sha256 }: DumpFile) {
  if ((await sizeOf(place)) !== bytes) return false;
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(place)) hash.update(chunk);
  if (hash.digest("hex") !== sha256) return false;
  // A table has no lines that could be counted.
  return !name.endsWith(".gz") || (await countLines(place)) === lines;
}

async function countLines(place: string) {
  let lines = 0;
  for await (const chunk of createReadStream(place).pipe(createGunzip())) {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
  }
  return lines;
}

/** Bytes of a file; 0 when there is none. */
async function sizeOf(place: string) {
  const found = await stat(place).catch(() => undefined);
  return found?.size ?? 0;
}
