import { readFile, readdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { CommandError } from "./command.mjs";

const [packed, unpacked] = [promisify(gzip), promisify(gunzip)];
const NAME = /^changes-(\d{12})-(\d{12})\.json\.gz$/;

/**
 * A file of a backup: an answer of /changes.json, with the changes after `since` up to `cursor`.
 * @typedef {{ file: string, since: number, cursor: number }} BackupFile
 */

/**
 * The files of a backup, in their order; an error when one is missing between them.
 * @param {string} folder
 * @returns {Promise<BackupFile[]>}
 */
export async function backupFiles(folder) {
  const names = (await readdir(folder)).sort();
  const files = names.flatMap((name) => {
    const [, since, cursor] = NAME.exec(name) ?? [];
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

/**
 * Writes a file of a backup: it is there as a whole, or not at all.
 * @param {string} folder
 * @param {string} text
 * @param {{ since: number, cursor: number }} place
 */
export async function writeBackupFile(folder, text, { since, cursor }) {
  const [from, to] = [since, cursor].map((number) => String(number).padStart(12, "0"));
  const file = path.join(folder, `changes-${from}-${to}.json.gz`);
  await writeFile(`${file}.new`, await packed(text), { flush: true });
  await rename(`${file}.new`, file);
}

/**
 * The answer that a file holds; an error when the file is damaged.
 * @param {string} file
 */
export async function readBackupFile(file) {
  try {
    return (await unpacked(await readFile(file))).toString("utf8");
  } catch (error) {
    throw new CommandError(`${file} is damaged: ${error instanceof Error ? error.message : error}`);
  }
}
