import { mkdir, readFile, readdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { CommandError } from "./command.ts";
import type { Mark } from "./journal.ts";
import { type Target, call, request } from "./service.ts";

/** Changes per request, and the long-poll timeout of a mirror in seconds. */
const LOG_CHANGES = 500;
const MIRROR_WAIT_SECONDS = 25;

/**
 * Progress of a mirror, backup or restore: the last completed change, the last existing one, and the number that a
 * mirror stored in this step.
 */
interface Progress {
  cursor: number;
  end: number;
  stored?: number;
}
interface Change {
  id: number;
  kind: string;
  timestamp: string;
  author: unknown;
  documents?: unknown;
  changes?: unknown;
}
/** Backup file: a response of /changes.json with the changes after `since` up to `cursor`. */
interface BackupFile {
  file: string;
  since: number;
  cursor: number;
}

const FILE_NAME = /^changes-(\d{12})-(\d{12})\.json\.gz$/;
const [packed, unpacked] = [promisify(gzip), promisify(gunzip)];

/**
 * Copies the change log of a source. With `once` it returns after catching up, otherwise never. Responses are passed on
 * unparsed, so documents stay identical to the byte.
 */
export async function follow(
  source: string,
  target: Target,
  { once, onProgress }: { once: boolean; onProgress?: (progress: Required<Progress>) => void },
) {
  let cursor = await endOf(target.url, target.fetch);
  await checkStart(source, target, cursor);
  for (;;) {
    const wait = once ? 0 : MIRROR_WAIT_SECONDS;
    const part = await readLog(source, target.fetch, `since=${cursor}&limit=${LOG_CHANGES}&wait=${wait}`);
    const stored = part.cursor > cursor ? await apply(part.text, target) : 0;
    ({ cursor } = part);
    onProgress?.({ cursor, end: part.end, stored });
    if (once && cursor >= part.end) return;
  }
}

/**
 * Checks that the mirror holds a prefix of the source's log, by its last change. If that differs, sends the whole
 * prefix again: the mirror rejects foreign changes, but accepts the same load with another time.
 */
async function checkStart(source: string, target: Target, last: number) {
  if (last === 0 || (await lastOf(source, target, last)) === (await lastOf(target.url, target, last))) return;
  let cursor = 0;
  while (cursor < last) {
    const limit = Math.min(LOG_CHANGES, last - cursor);
    const part = await readLog(source, target.fetch, `since=${cursor}&limit=${limit}`);
    if (part.cursor === cursor) {
      throw new CommandError(`${target.url} has changes that ${source} does not have.`);
    }
    await apply(part.text, target);
    ({ cursor } = part);
  }
}

/** Reads a change without its documents, which a later load may have corrected. */
async function lastOf(url: string, { fetch: send }: Target, id: number) {
  const { changes } = await readLog(url, send, `since=${id - 1}&limit=1`);
  return JSON.stringify({ ...changes[0], documents: undefined, changes: undefined });
}

/**
 * Returns the number and time of a change, by default of the newest one, which tell a log from others; undefined if the
 * service does not have it.
 */
export async function markOf({ url, fetch: send }: Target, id?: number): Promise<Mark | undefined> {
  const last = id ?? (await endOf(url, send));
  const { changes } = await readLog(url, send, `since=${Math.max(0, last - 1)}&limit=1`);
  return changes[0]?.id === last ? { id: last, time: changes[0].timestamp } : undefined;
}

/**
 * Appends to a folder what it lacks of a service's change log, which has all revisions of all records. Can be
 * interrupted and resumed at any point. `source` is the URL of the service.
 */
export async function backUp(
  source: string,
  folder: string,
  { fetch: send, onProgress }: { fetch: typeof fetch; onProgress?: (progress: Progress) => void },
) {
  // For the owner only: the backup may contain accounts.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = await backupFiles(folder);
  let cursor = files.at(-1)?.cursor ?? 0;
  await requireSameLog(source, files, send);
  for (;;) {
    const part = await readLog(source, send, `since=${cursor}&limit=${LOG_CHANGES}`);
    if (part.cursor > cursor)
      await writeBackupFile(folder, part.text, { since: cursor, cursor: part.cursor });
    ({ cursor } = part);
    onProgress?.({ cursor, end: part.end });
    if (cursor >= part.end) return { cursor, files: (await backupFiles(folder)).length };
  }
}

/** Throws unless the folder holds a prefix of this service's log. */
async function requireSameLog(source: string, files: BackupFile[], send: typeof fetch) {
  const last = files.at(-1);
  if (last === undefined) return;
  const here = JSON.parse(await readBackupFile(last.file)).changes.at(-1);
  const { changes } = await readLog(source, send, `since=${last.cursor - 1}&limit=1`);
  if (changes[0] === undefined || identity(here) !== identity(changes[0])) {
    throw new CommandError(
      `${source} does not have change ${last.cursor} of this backup: it is another log.`,
    );
  }
}

/** Returns the immutable part of a change. A later load may correct documents, and the author may be removed. */
function identity({ id, kind, timestamp }: Change) {
  return JSON.stringify([id, kind, timestamp]);
}

/** Sends a backup to an empty service, or resumes an interrupted restore of the same backup. */
export async function restore(folder: string, target: Target, onProgress?: (progress: Progress) => void) {
  const files = await backupFiles(folder);
  const end = files.at(-1)?.cursor ?? 0;
  if (end === 0) throw new CommandError(`There is no backup in ${folder}.`);
  const known = await endOf(target.url, target.fetch);
  if (known > end) throw new CommandError(`${target.url} has changes that the backup does not have.`);
  let stored = 0;
  for (const { file, cursor } of files) {
    // The file that it ends in is sent again: the service refuses a log that is not this one.
    if (cursor < known) continue;
    stored += await apply(await readBackupFile(file), target, "?index=later");
    onProgress?.({ cursor, end });
  }
  return { stored, end };
}

/** Reads all files of a backup. Returns their number and the last change. Throws a CommandError if one is damaged. */
export async function checkChanges(folder: string) {
  const files = await backupFiles(folder);
  for (const { file } of files) JSON.parse(await readBackupFile(file));
  return { files: files.length, end: files.at(-1)?.cursor ?? 0 };
}

/** Returns the id of the last change of a service. */
async function endOf(url: string, send: typeof fetch) {
  return (await readLog(url, send, "limit=0")).end;
}

/** Reads a part of a log. Returns the raw response and its parsed form. */
async function readLog(url: string, send: typeof fetch, query: string) {
  const text = await request({ fetch: send }, `${url}/changes.json?${query}`);
  const { cursor, end, changes }: { cursor: number; end: number; changes: Change[] } = JSON.parse(text);
  return { text, cursor, end, changes };
}

/** Sends a part of a log to a service. Returns the number of changes new to it. */
async function apply(text: string, target: Target, query = ""): Promise<number> {
  const sent = { method: "POST", body: text, type: "application/json" };
  return (await call(target, `/system/changes${query}`, sent)).stored;
}

/** Lists the files of a backup in order. Throws if there is a gap. */
async function backupFiles(folder: string): Promise<BackupFile[]> {
  const names = (await readdir(folder)).sort();
  const files = names.flatMap((name) => {
    const [, since, cursor] = FILE_NAME.exec(name) ?? [];
    return since === undefined
      ? []
      : [{ file: path.join(folder, name), since: Number(since), cursor: Number(cursor) }];
  });
  let end = 0;
  for (const { file, since, cursor } of files) {
    if (since !== end)
      throw new CommandError(`The changes from ${end} to ${since} are missing before ${file}.`);
    end = cursor;
  }
  return files;
}

/** Writes a backup file atomically. */
async function writeBackupFile(
  folder: string,
  text: string,
  { since, cursor }: { since: number; cursor: number },
) {
  const [from, to] = [since, cursor].map((number) => String(number).padStart(12, "0"));
  const file = path.join(folder, `changes-${from}-${to}.json.gz`);
  await writeFile(`${file}.new`, await packed(text), { flush: true });
  await rename(`${file}.new`, file);
}

/** Reads the response in a backup file. Throws if the file is damaged. */
async function readBackupFile(file: string) {
  try {
    return (await unpacked(await readFile(file))).toString("utf8");
  } catch (error) {
    throw new CommandError(`${file} is damaged: ${error instanceof Error ? error.message : error}`);
  }
}
