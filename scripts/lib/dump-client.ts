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
import type { ReadableStream } from "node:stream/web";

/** Poll interval in milliseconds. */
const LOOK_EVERY_MS = 1000;
/** Interval in milliseconds of requests to resume the dump, in case its worker was lost. */
const RESUME_EVERY_MS = 15_000;
/** Attempts to resume a download, with waits of 0.5, 1, 2, ... seconds. */
const DOWNLOAD_ATTEMPTS = 7;
const FIRST_WAIT_MS = 500;
const NEWLINE = 0x0a;

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
interface DumpFile {
  name: string;
  bytes: number;
  lines: number;
  sha256: string;
}

/** Starts a dump, or resumes the one of that day. */
export function begin(
  target: Target,
  { kind, date }: { kind: "full" | "delta"; date?: string | undefined },
): Promise<{ is_new: boolean; dump: Dump }> {
  const json = date === undefined ? { kind } : { kind, date };
  return call(target, "/system/dumps", { method: "POST", json });
}

/** Waits until a dump is published. Throws if the dump failed. */
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
 * Downloads a file and verifies its size, checksum and number of lines. Resumes a partial download; only verifies a
 * complete one. Returns the path.
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

/** Downloads the missing part of a file. Returns the reason if that failed. */
async function readOn({ name, sha256 }: DumpFile, part: string, { url, fetch: send }: Target) {
  const begun = await sizeOf(part);
  const headers: Record<string, string> =
    begun === 0 ? {} : { Range: `bytes=${begun}-`, "If-Range": `"${sha256}"` };
  try {
    const response = await send(`${url}/data/${name}`, { headers });
    if (!response.ok || response.body === null) return `${url}/data/${name} answered ${response.status}`;
    const flags = response.status === 206 ? "a" : "w";
    const body = response.body as unknown as ReadableStream;
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

/** Returns the size of a file in bytes, 0 if there is none. */
async function sizeOf(place: string) {
  const found = await stat(place).catch(() => undefined);
  return found?.size ?? 0;
}
