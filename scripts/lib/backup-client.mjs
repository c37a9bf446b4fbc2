import { mkdir } from "node:fs/promises";
import { backupFiles, readBackupFile, writeBackupFile } from "./backup-files.mjs";
import { CommandError } from "./command.mjs";
import { request } from "./mirror-client.mjs";

/** @import { Target } from "./load-client.mjs" */

/** Changes asked for at once. */
const BACKUP_CHANGES = 500;

/**
 * How far a backup or restore is: the last change that is done, and the last one that there is.
 * @typedef {(progress: { cursor: number, end: number }) => void} OnProgress
 */

/**
 * Adds to a folder what it lacks of a service's log of changes: all records with all their revisions, as the service sends
 * them. It can be stopped anywhere and be run again, and reads nothing twice.
 * @param {string} source address of the service
 * @param {string} folder
 * @param {{ fetch: typeof fetch, onProgress?: OnProgress }} options
 */
export async function backUp(source, folder, { fetch: send, onProgress }) {
  // For nobody else: accounts may come into it, too.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = await backupFiles(folder);
  let cursor = files.at(-1)?.cursor ?? 0;
  await requireSameLog(source, files, send);
  for (;;) {
    const text = await request(`${source}/changes.json?since=${cursor}&limit=${BACKUP_CHANGES}`, {}, send);
    const { cursor: next, end } = JSON.parse(text);
    if (next > cursor) await writeBackupFile(folder, text, { since: cursor, cursor: next });
    cursor = next;
    onProgress?.({ cursor, end });
    if (cursor >= end) return { cursor, files: (await backupFiles(folder)).length };
  }
}

/**
 * Makes sure that the folder holds the beginning of this service's log, and of no other one.
 * @param {string} source
 * @param {import("./backup-files.mjs").BackupFile[]} files
 * @param {typeof fetch} send
 */
async function requireSameLog(source, files, send) {
  const last = files.at(-1);
  if (last === undefined) return;
  const here = JSON.parse(await readBackupFile(last.file)).changes.at(-1);
  const answer = await request(`${source}/changes.json?since=${last.cursor - 1}&limit=1`, {}, send);
  const [there] = JSON.parse(answer).changes;
  if (there === undefined || identity(here) !== identity(there)) {
    throw new CommandError(
      `${source} does not have change ${last.cursor} of this backup: it is another log.`,
    );
  }
}

/**
 * What of a change never becomes another one; documents may be corrected by a later load.
 * @param {{ id: number, kind: string, timestamp: string, author: unknown }} change
 */
function identity({ id, kind, timestamp, author }) {
  return JSON.stringify([id, kind, timestamp, author]);
}

/**
 * Sends a backup to a service that is empty, or was stopped while it took the same backup.
 * @param {string} folder
 * @param {Target} target
 * @param {OnProgress} [onProgress]
 */
export async function restore(folder, { url, token, fetch: send }, onProgress) {
  const files = await backupFiles(folder);
  const end = files.at(-1)?.cursor ?? 0;
  if (end === 0) throw new CommandError(`There is no backup in ${folder}.`);
  const { end: known } = JSON.parse(await request(`${url}/changes.json?limit=0`, {}, send));
  if (known > end) throw new CommandError(`${url} has changes that the backup does not have.`);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  let stored = 0;
  for (const { file, cursor } of files) {
    // The file that it ends in is sent again: the service refuses a log that is not this one.
    if (cursor < known) continue;
    const body = await readBackupFile(file);
    const answer = await request(
      `${url}/system/changes?index=later`,
      { method: "POST", headers, body },
      send,
    );
    stored += JSON.parse(answer).stored;
    onProgress?.({ cursor, end });
  }
  return { stored, end };
}
