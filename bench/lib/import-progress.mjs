import { readdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/** Where the local runtime keeps the databases in the state. */
const DATABASES = "d1/miniflare-D1DatabaseObject";
/** Pause between two looks, in milliseconds. */
const LOOK_EVERY_MS = 2;

/**
 * How far a batch is: bytes of its file that are split, and items that are done with.
 * @typedef {{ position: number, size: number, done: number, items: number }} Progress
 */

const PROGRESS = `
  SELECT b.position, b.size, count(i.id) AS items,
         count(i.id) FILTER (WHERE i.status NOT IN ('pending', 'processing')) AS done
  FROM import_batch b LEFT JOIN import_item i ON i.batch_id = b.id WHERE b.id = ?`;

/**
 * Waits until a batch is as far as is wanted. It looks into the database itself: the local runtime answers nobody while the
 * consumer of a queue has something to do.
 * @param {string} state
 * @param {number} id
 * @param {(now: Progress, first: Progress) => boolean} isReached `first`: as it was at the first look
 */
export async function reach(state, id, isReached) {
  const catalog = openCatalog(state);
  try {
    const look = catalog.prepare(PROGRESS);
    // The row has the columns of the statement.
    const progress = () => /** @type {Progress} */ (/** @type {unknown} */ (look.get(id)));
    const first = progress();
    for (;;) {
      const now = progress();
      if (isReached(now, first)) return now;
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    catalog.close();
  }
}

/**
 * The database of a state that has the batches.
 * @param {string} state
 */
function openCatalog(state) {
  const folder = path.join(state, DATABASES);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".sqlite"))) {
    const database = new DatabaseSync(path.join(folder, file), { readOnly: true });
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'import_batch'").get() !== undefined)
      return database;
    database.close();
  }
  throw new Error(`there is no catalog in ${folder}`);
}
