import path from "node:path";
import { fileOf, newestParts, noteOf, storedFiles } from "./backup-client.ts";
import { type BackupOptions, checkFile, readLines, readManifest } from "./backup-files.ts";
import { checkChanges } from "./change-log.ts";
import { CommandError, codeOf } from "./command.ts";
import { type Target, call } from "./service.ts";

/**
 * Reads all files of a backup again, and compares checksums and numbers of lines with those that were noted, and numbers
 * with the service. Returns lines about what it found. Throws a CommandError that names what is damaged.
 */
export async function verifyBackup(
  target: Target,
  { folder, identity, onProgress }: BackupOptions,
): Promise<string[]> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) throw new CommandError(`There is no whole backup in ${folder}.`);
  const damaged: string[] = [];
  const check = async (file: string, noted: { bytes: number; sha256: string; rows?: number }) => {
    try {
      const { bytes, sha256 } = await checkFile(file);
      const isSame = bytes === noted.bytes && sha256 === noted.sha256;
      if (!isSame || (noted.rows !== undefined && noted.rows !== (await countLines(file, identity))))
        damaged.push(file);
    } catch (error) {
      if (!(error instanceof CommandError) && codeOf(error) !== "ENOENT") throw error;
      damaged.push(error instanceof CommandError ? error.message : `${file} is missing`);
    }
  };
  const changes = await checkChanges(folder);
  const files = Object.entries(manifest.files);
  const stored = await storedFiles(folder);
  for (const [index, [name, note]] of files.entries()) {
    await check(path.join(folder, name), note);
    onProgress("files", (index + 1) / (files.length + stored.length), index + 1);
  }
  for (const [index, file] of stored.entries()) {
    await check(fileOf(folder, file.bucket, file.name), { bytes: file.bytes, sha256: file.sha256 });
    onProgress(
      "files",
      (files.length + index + 1) / (files.length + stored.length),
      files.length + index + 1,
    );
  }
  if (damaged.length > 0) throw new CommandError(`These are damaged:\n${damaged.join("\n")}`);
  const names = new Set<string>();
  for await (const { name } of newestParts(manifest, "patrons", { folder, identity })) names.add(name);
  const lines = [
    `${folder}: ${files.length + stored.length + changes.files} files are whole`,
    `changes: ${changes.end} here, ${(await call(target, "/changes.json?limit=0")).end} in the service`,
    `patrons: ${names.size} here`,
  ];
  const { tables } = await call(target, "/system/backup?counts=true");
  for (const { store, name, rows } of tables) {
    const note = noteOf(manifest, `${store}.${name}`);
    if (note?.rows !== rows)
      lines.push(`${store}.${name}: ${note?.rows ?? 0} rows here, ${rows} in the service`);
  }
  return lines;
}

async function countLines(file: string, identity: string | undefined) {
  let count = 0;
  for await (const _line of readLines(file, identity)) count += 1;
  return count;
}
