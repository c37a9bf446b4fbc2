import { createHash, createHmac } from "node:crypto";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { CommandError, codeOf } from "./command.ts";
import { succeeds } from "./bundle.ts";
import { readText, writeWhole } from "./local-state.ts";
import { ROOT } from "./paths.ts";
import type { Config } from "./config.ts";

/** Folders of a state with databases, key-value stores and buckets. Objects and caches are not tracked. */
const FOLDERS = ["d1", "kv", "r2"];
/** File of a state that lists its store files. */
const NOTED = "stores.json";
/** Marker of a filled state, and of one that is being filled. */
export const SEEDED = "seeded.json";
export const SEEDING = `${SEEDED}.started`;
/** Content of the marker of a state that is not filled. */
export const BARE = JSON.stringify({ bare: true });
/** Header of a SQLite file: magic bytes, and offsets of page size and page count. */
const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";
const PAGE_SIZE_AT = 16;
const PAGES_AT = 28;
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26]);
/** Maximum size in bytes of a file that every start checks page by page, which takes a second. */
const CHECKED_BYTES_MAX = 200_000_000;

/**
 * Records the store files of a state, so that a later start notices a missing one. Files deleted while the service runs
 * stay recorded.
 */
export async function noteStores(state: string) {
  // The runtime's own notes hold nothing of ours.
  const files = (await storeFiles(state)).filter((name) => path.basename(name) !== "metadata.sqlite");
  const before = await notedFiles(state);
  const all = [...new Set([...before, ...files])].toSorted();
  if (all.length > before.length)
    await writeWhole(path.join(state, NOTED), `${JSON.stringify(all, null, 2)}\n`);
}

/**
 * Throws if a store file of a state is missing or damaged: the runtime would silently create a new one, or fail with an
 * unspecific error. With `canRecreate`, missing files may be created.
 */
export async function checkStores(
  state: string,
  { config, canRecreate }: { config: Config; canRecreate: boolean },
) {
  const names = storeNames(config);
  const missing = [];
  for (const file of await expectedFiles(state, config)) {
    if (!(await hasContent(path.join(state, file)))) missing.push(file);
  }
  if (missing.length > 0 && !canRecreate) throw new CommandError(goneMessage(state, missing, names));
  for (const file of await storeFiles(state)) {
    const problem = await damageOf(path.join(state, file));
    if (problem !== undefined) {
      throw new CommandError(
        `${names.get(file) ?? "A store"} is damaged: ${path.join(state, file)}: ${problem}.
${WAYS}
Without a copy, move the file away and start with --recreate-missing: it is then recreated empty.`,
      );
    }
  }
  for (const { binding, database_id: id, migrations_dir: folder } of config.d1_databases) {
    const file = path.join(state, databaseFile(id));
    const applied = (await hasContent(file)) ? await migrationsOf(file) : [];
    await requireKnown(applied, { binding, folder });
  }
  if (missing.length === 0) return;
  for (const file of missing) {
    console.log(
      `${names.get(file) ?? file} is recreated empty. Run npm run reindex once the service is ready.`,
    );
  }
  for (const file of missing) await removeDatabase(path.join(state, file));
  await rm(path.join(state, NOTED), { force: true });
  // Seeded again on the next start, which keeps existing records; but never a state that was begun bare.
  const [seeded, seeding] = [path.join(state, SEEDED), path.join(state, SEEDING)];
  const choice = (await readText(seeded)) ?? ((await readText(seeding)) === undefined ? BARE : undefined);
  if (choice === BARE) await writeWhole(seeded, BARE);
  else if (missing.some((file) => file.startsWith("d1/")))
    await succeeds(rename(seeded, seeding), ["ENOENT"]);
}

/** Throws if a newer version has made a database: it has migrations that this one does not have. */
export async function requireKnown(
  applied: readonly unknown[],
  { binding, folder }: { binding: string; folder: string },
) {
  const known = new Set<unknown>(await readdir(path.join(ROOT, folder)));
  const newer = applied.filter((name) => !known.has(name));
  if (newer.length === 0) return;
  throw new CommandError(
    `A newer version of Carrel has made ${binding}: this one does not know ${newer.join(", ")}. Start the newer version.`,
  );
}

/** Lists the migrations of a SQLite file. */
async function migrationsOf(file: string) {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").get();
    if (table === undefined) return [];
    return database
      .prepare("SELECT name FROM d1_migrations")
      .all()
      .map((row) => row["name"]);
  } finally {
    database.close();
  }
}

const WAYS = "Put it back from a copy of the state folder, or choose another folder: --state DIR";

/** Returns the error for a database that the runtime cannot read. */
export function unreadable(binding: string, { id, error: { message } }: { id: string; error: Error }) {
  const reason = /internal error/.test(message) ? "It is damaged, or its disk fails; see above." : message;
  return new CommandError(`${binding} cannot be read: ${databaseFile(id)} of the state. ${reason}\n${WAYS}`);
}

function databaseFile(id: string) {
  return storeFile("d1", "miniflare-D1DatabaseObject", id);
}

function goneMessage(state: string, missing: string[], names: Map<string, string>) {
  const lines = missing.map((file) => `  ${names.get(file) ?? "store"}: ${path.join(state, file)}`);
  return `These files of ${state} are gone or empty:
${lines.join("\n")}
${WAYS}
To make it anew, without what it held: --recreate-missing. To start from nothing, remove ${state}.`;
}

/** Lists the store files that a state should have. */
async function expectedFiles(state: string, config: Config): Promise<string[]> {
  const noted = await notedFiles(state);
  if (noted.length > 0) return noted;
  // Filled by a version that noted nothing.
  const isSeeded = await succeeds(stat(path.join(state, SEEDED)), ["ENOENT"]);
  return isSeeded ? config.d1_databases.map(({ database_id: id }) => databaseFile(id)) : [];
}

async function notedFiles(state: string): Promise<string[]> {
  const text = (await readText(path.join(state, NOTED))) ?? "";
  return text === "" ? [] : JSON.parse(text);
}

/** Lists the existing store files, relative to the state. */
async function storeFiles(state: string) {
  const found = [];
  for (const folder of FOLDERS) {
    for (const kind of await namesIn(path.join(state, folder))) {
      const files = await namesIn(path.join(state, folder, kind));
      found.push(
        ...files.filter((file) => file.endsWith(".sqlite")).map((file) => `${folder}/${kind}/${file}`),
      );
    }
  }
  return found.toSorted();
}

async function namesIn(folder: string) {
  return readdir(folder).catch(() => []);
}

/** Returns true for a database with content in its file or write-ahead log. */
async function hasContent(file: string) {
  const [size, logSize = 0] = await Promise.all([sizeOf(file), sizeOf(`${file}-wal`)]);
  return size !== undefined && size + logSize > 0;
}

/** Returns the size of a file in bytes; undefined if there is none. */
async function sizeOf(file: string) {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Checks a SQLite file. Returns the problem; undefined if there is none. */
async function damageOf(file: string) {
  const { header, size } = await beginningOf(file);
  if (size === 0) return undefined;
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) return "it is not a database";
  const isShort = size < pageSize(header) * header.readUInt32BE(PAGES_AT);
  // A checkpoint writes the first page first: if it was interrupted, the log still has the pages of the end.
  if (isShort && ((await sizeOf(`${file}-wal`)) ?? 0) === 0) return "its end is missing";
  // Not imported at the top: Node 22 prints a warning.
  const { DatabaseSync } = await import("node:sqlite");
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const isQuick = size > CHECKED_BYTES_MAX && !isShort;
      const check = isQuick ? "SELECT 'ok' FROM sqlite_master" : "PRAGMA quick_check(1)";
      const [first = "ok"] = Object.values(database.prepare(check).get() ?? {});
      return first === "ok" ? undefined : String(first).replaceAll("\n", " ");
    } finally {
      database.close();
    }
  } catch (error) {
    // Others, such as a full disk, are no damage.
    const isDamage =
      error instanceof Error && "errcode" in error && DAMAGED.has(Number(error.errcode) & 0xff);
    return isDamage ? error.message : undefined;
  }
}

async function beginningOf(file: string) {
  const handle = await open(file);
  try {
    const { buffer: header } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return { header, size: (await handle.stat()).size };
  } finally {
    await handle.close();
  }
}

function pageSize(header: Buffer) {
  const size = header.readUInt16BE(PAGE_SIZE_AT);
  return size === 1 ? 65_536 : size;
}

export function storeNames({
  d1_databases: databases,
  kv_namespaces: namespaces,
  r2_buckets: buckets,
}: Config): Map<string, string> {
  return new Map([
    ...databases.map((d) => [databaseFile(d.database_id), d.binding] as const),
    ...namespaces.map((k) => [storeFile("kv", "miniflare-KVNamespaceObject", k.id), k.binding] as const),
    ...buckets.map((b) => [storeFile("r2", "miniflare-R2BucketObject", b.bucket_name), b.binding] as const),
  ]);
}

/** Returns the file of a store, named by the runtime's object id, a hash of class and object name. */
function storeFile(folder: string, kind: string, name: string) {
  const key = createHash("sha256").update(kind).digest();
  const first = createHmac("sha256", key).update(name).digest().subarray(0, 16);
  const second = createHmac("sha256", key).update(first).digest().subarray(0, 16);
  return `${folder}/${kind}/${Buffer.concat([first, second]).toString("hex")}.sqlite`;
}

/** Deletes an empty database and its sidecar files. */
async function removeDatabase(file: string) {
  for (const end of ["", "-wal", "-shm"]) await rm(file + end, { force: true });
}
