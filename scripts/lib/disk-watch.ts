import { randomBytes } from "node:crypto";
import { rm, stat, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { explain } from "./command.ts";

/** File whose space is released to the databases when the disk is full, so that they can still be opened and read. */
const RESERVE = "reserve";
const RESERVE_BYTES_MAX = 2_000_000;
/** The reserve takes at most one part in so many of the free space. */
const RESERVE_SHARE = 8;
/** The disk is full if less free space than this share of the reserve is left. */
const FULL_AT = 0.5;
const FREE_AT = 4;
const LOOK_EVERY_MS = 1000;
/** Actor that makes the service read-only. `src/worker/http/read-only.ts` reports it to clients. */
const BY = "a full disk";

const CLOSE = `INSERT INTO service_state (name, value, changed, by) VALUES ('read_only', 'on', ?1, ?2)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed = excluded.changed, by = excluded.by
  WHERE service_state.value <> 'on'`;
const OPEN = "UPDATE service_state SET value = 'off', changed = ?1, by = NULL WHERE value = 'on' AND by = ?2";

interface Database {
  prepare: (sql: string) => { bind: (...values: unknown[]) => { run: () => Promise<unknown> } };
}

/**
 * Makes the service read-only while its disk is full: a failed write closes its database, and opening it again needs
 * space. `catalog` opens the database anew each time: a handle ends with its runtime. Returns a function that ends the watch.
 */
export async function watchDisk(
  state: string,
  {
    catalog,
    freeBytes = () => freeBytesOf(state),
    everyMs = LOOK_EVERY_MS,
  }: { catalog: () => Database | Promise<Database>; freeBytes?: () => Promise<number>; everyMs?: number },
) {
  const reserve = path.join(state, RESERVE);
  let size = await sizeOf(reserve);
  /** Undefined before the first check: the previous process may have ended with a full disk. */
  let isFull: boolean | undefined;
  const look = async () => {
    const free = await freeBytes();
    const unit = size || Math.min(RESERVE_BYTES_MAX, Math.floor(free / RESERVE_SHARE));
    if (isFull !== true && free < unit * FULL_AT) {
      await rm(reserve, { force: true });
      await set(await catalog(), CLOSE);
      isFull = true;
      console.error(`The disk of ${state} is full: the service is read-only until there is room again.`);
    } else if (isFull !== false && free >= unit * FREE_AT) {
      if ((await sizeOf(reserve)) === 0) await writeFile(reserve, randomBytes(unit));
      size = unit;
      await set(await catalog(), OPEN);
      if (isFull) console.log(`There is room again on the disk of ${state}: the service can be written to.`);
      isFull = false;
    }
  };
  let looking = Promise.resolve();
  const lookSafely = () => {
    looking = looking.then(look).catch((error) => console.error("disk:", explain(error) ?? String(error)));
    return looking;
  };
  await lookSafely();
  const timer = setInterval(lookSafely, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}

function set(catalog: Database, sql: string) {
  const now = new Date().toISOString().replace("Z", "000");
  return catalog.prepare(sql).bind(now, BY).run();
}

async function freeBytesOf(folder: string) {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function sizeOf(file: string) {
  return (await stat(file).catch(() => ({ size: 0 }))).size;
}
