import { setTimeout as sleep } from "node:timers/promises";
import { call } from "./import-client.mjs";

/** @import { Target } from "./load-client.mjs" */
/** @import { BatchView, Item } from "./import-client.mjs" */

/** Pause between two looks at a batch, in milliseconds: many times what a look takes, and from this to that. */
const PAUSE_MS = { min: 500, max: 5000 };
const PAUSE_LOOKS = 10;
/** How often the service is asked to take up what was left alone, in milliseconds. */
const RESUME_EVERY_MS = 15_000;
const FAILED_PAGE = 100;

/** Codes of failures that are not the record's fault. */
const UNEXPECTED = new Set(["internal-error", "unhandled-exception"]);

/**
 * Waits until every record of a batch is done with.
 * @param {number} id
 * @param {Target} target
 * @param {{ onProgress: (share: number, done: number) => void, staleSeconds: number }} options
 * @returns {Promise<BatchView>}
 */
export async function follow(id, target, { onProgress, staleSeconds }) {
  await takeUp(target, staleSeconds);
  let resumed = Date.now();
  for (;;) {
    if (Date.now() - resumed > RESUME_EVERY_MS) {
      await call(target, "/system/imports", { method: "POST", json: {} });
      resumed = Date.now();
    }
    const began = Date.now();
    const view = /** @type {BatchView} */ (await call(target, `/import/batch/${id}.json?limit=1`));
    const { batch, counts } = view;
    const { pending = 0, processing = 0 } = counts;
    const items = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const done = items - pending - processing;
    const split = batch.size === null || batch.size === 0 ? 1 : batch.position / batch.size;
    onProgress(split * (items === 0 ? Number(batch.state !== "splitting") : done / items), done);
    if (batch.state !== "splitting" && pending + processing === 0) return view;
    await sleep(Math.min(Math.max(PAUSE_MS.min, PAUSE_LOOKS * (Date.now() - began)), PAUSE_MS.max));
  }
}

/**
 * Has everything taken up that was left alone, as many times as it takes: a call takes up a bounded number of items.
 * @param {Target} target
 * @param {number} staleSeconds
 */
export async function takeUp(target, staleSeconds) {
  const json = { stale_seconds: staleSeconds };
  for (let all = 0; ;) {
    const { sent, pending } = await call(target, "/system/imports", { method: "POST", json });
    all += sent;
    if (!(sent > 0 && all < pending)) return;
  }
}

/**
 * The items of a batch that have failed, in the order of the file.
 * @param {number} id
 * @param {Target} target
 * @returns {AsyncGenerator<Item>}
 */
export async function* failedItems(id, target) {
  for (let after = 0; ;) {
    const query = `status=failed&limit=${FAILED_PAGE}&after=${after}`;
    const { items } = /** @type {BatchView} */ (await call(target, `/import/batch/${id}.json?${query}`));
    yield* items;
    const last = items.at(-1);
    if (last === undefined || items.length < FAILED_PAGE) return;
    after = last.id;
  }
}

/**
 * A line of the file of rejects: place, source, code and reason.
 * @param {Item} item
 */
export function rejectLine({ place, ia_id: source, error, comments }) {
  const cells = [place ?? "", source, error ?? "", comments ?? ""];
  return `${cells.map((cell) => String(cell).replaceAll(/[\t\r\n]+/g, " ")).join("\t")}\n`;
}

/**
 * True for failures that are the service's own.
 * @param {Item} item
 */
export function isUnexpected({ error }) {
  return error === null || UNEXPECTED.has(error);
}
