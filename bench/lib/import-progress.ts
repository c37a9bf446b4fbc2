import { readdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/** Folder of the local runtime's databases in the state. */
const DATABASES = "d1/miniflare-D1DatabaseObject";
const POLL_MS = 2;
/** A third of the kills comes while the file is being split: one in each equal part of its first 80 %. */
const SPLITTING = { share: 1 / 3, bytes: 0.8 };
/** The others come at random shares of the items that are then left, none so late that the batch may be finished. */
const IMPORTING_SHARE_MAX = 0.92;

/** Progress of a batch: bytes of its file that are split, and items that are finished. */
export interface Progress {
  position: number;
  size: number;
  done: number;
  items: number;
}

const PROGRESS = `
  SELECT b.position, b.size, count(i.id) AS items,
         count(i.id) FILTER (WHERE i.status NOT IN ('pending', 'processing')) AS done
  FROM import_batch b LEFT JOIN import_item i ON i.batch_id = b.id WHERE b.id = ?`;

/**
 * Waits until a batch has reached a point. Reads the database file, because the local runtime answers no requests while a
 * queue consumer is busy. `first` is the progress at the start of the wait.
 */
export async function waitForProgress(
  state: string,
  id: number,
  isReached: (now: Progress, first: Progress) => boolean,
) {
  const catalog = openCatalog(state);
  try {
    const statement = catalog.prepare(PROGRESS);
    const read = () => statement.get(id) as unknown as Progress;
    const first = read();
    for (;;) {
      const now = read();
      if (isReached(now, first)) return now;
      await sleep(POLL_MS);
    }
  } finally {
    catalog.close();
  }
}

/** Opens the database with the import batches. */
function openCatalog(state: string) {
  const folder = path.join(state, DATABASES);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".sqlite"))) {
    const database = new DatabaseSync(path.join(folder, file), { readOnly: true });
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'import_batch'").get() !== undefined)
      return database;
    database.close();
  }
  throw new Error(`no catalog in ${folder}`);
}

/** Random moments in the life of a batch, in order: positions in the file, then shares of the items. */
export class KillSchedule {
  #state;
  #id;
  #positions: number[];
  #shares: number[];
  #split: Progress | undefined;

  constructor({
    state,
    id,
    kills,
    random,
  }: {
    state: string;
    id: number;
    kills: number;
    random: () => number;
  }) {
    this.#state = state;
    this.#id = id;
    const splitting = Math.floor(kills * SPLITTING.share);
    const places = Array.from({ length: splitting }, (_, index) => (index + random()) / splitting);
    this.#positions = places.map((place) => place * SPLITTING.bytes);
    const shares = Array.from({ length: kills - splitting }, () => random() * IMPORTING_SHARE_MAX);
    this.#shares = shares.toSorted((a, b) => a - b);
  }

  /** Waits for the next moment, and until the batch has made progress, so that the kill interrupts something. */
  async next() {
    const place = this.#positions.shift();
    if (place !== undefined) {
      await waitForProgress(this.#state, this.#id, ({ position, size }, first) => {
        return position === size || (position >= place * size && position > first.position);
      });
      return;
    }
    const share = this.#shares.shift() ?? 0;
    this.#split ??= await waitForProgress(this.#state, this.#id, ({ position, size }) => position === size);
    const { done: before, items: all } = this.#split;
    const wanted = before + share * (all - before);
    await waitForProgress(this.#state, this.#id, ({ done, items }, first) => {
      return done === items || (done >= wanted && done > first.done);
    });
  }
}
