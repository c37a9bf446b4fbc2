import { setTimeout } from "node:timers/promises";
import { CommandError } from "./command.mjs";
import { partsOf } from "./import-files.mjs";
import { Journal } from "./journal.mjs";
import { RefusedError, call } from "./service.mjs";

/** @import { Target } from "./service.mjs" */

/** Pause between two looks at a batch, in milliseconds: many times what a look takes, and from this to that. */
const PAUSE_MS = { min: 500, max: 5000 };
const PAUSE_LOOKS = 10;
/** How often the service is asked to take up what was left alone, in milliseconds. */
const RESUME_EVERY_MS = 15_000;
const FAILED_PAGE = 100;

/** Codes of failures that are not the record's fault. */
const UNEXPECTED = new Set(["internal-error", "unhandled-exception"]);

/**
 * A batch as the service shows it.
 * @typedef {{ id: number, name: string, format: string | null, state: "splitting" | "ready" | "failed", size: number | null, position: number,
 *   records: number, skipped: number, problem: string | null }} Batch
 */
/**
 * An item of a batch.
 * @typedef {{ id: number, ia_id: string, status: string, error: string | null, comments: string | null,
 *   place: number | null }} Item
 */
/**
 * A batch with its counts and a page of its items.
 * @typedef {{ batch: Batch, counts: Record<string, number>, items: Item[] }} BatchView
 */

/**
 * A file that is to become a batch.
 * @typedef {{ file: string, name: string, format: string, size: number, digest: string }} Upload
 */
/**
 * An upload in parts, as far as it is.
 * @typedef {{ upload: string, bytes: number, parts: { part: number, etag: string }[] }} State
 */

/**
 * Puts a file there, and makes a batch of it; nothing is sent of a file that is there already. An upload that was stopped
 * goes on with the part that it stopped at.
 * @param {Upload} wanted
 * @param {Target} target
 * @param {(bytes: number) => void} onProgress
 * @returns {Promise<{ batch: Batch, isNew: boolean }>}
 */
export async function upload(wanted, target, onProgress) {
  const { name, size, digest } = wanted;
  /** @type {Journal<State>} */
  const journal = new Journal(`${target.url}\n${name}\n${digest}`, "import-");
  const begun = await call(target, filePath(name), {
    method: "POST",
    json: { action: "begin", size, digest },
  });
  if (begun.batch !== null) {
    journal.remove();
    return { batch: begun.batch, isNew: false };
  }
  if (begun.upload === null) return { batch: await putWhole(wanted, target), isNew: true };
  const state = { upload: begun.upload, bytes: begun.part_bytes, parts: [] };
  const known = journal.read();
  try {
    const batch = await putParts(wanted, target, { state: known ?? state, journal, onProgress });
    return { batch, isNew: true };
  } catch (error) {
    // What was begun before may be over by now: the service keeps unfinished uploads for some days.
    if (known === undefined || !(error instanceof RefusedError)) throw error;
    journal.remove();
    return { batch: await putParts(wanted, target, { state, journal, onProgress }), isNew: true };
  }
}

/**
 * Has a file read on that could not be: what was in the way may be gone.
 * @param {string} name
 * @param {Target} target
 */
export async function reopen(name, target) {
  await call(target, filePath(name), { method: "POST", json: { action: "reopen" } });
}

/** @param {Upload} wanted @param {Target} target @returns {Promise<Batch>} */
async function putWhole({ file, name, format, size, digest }, target) {
  const { value: bytes } = await partsOf(file, size + 1).next();
  if (bytes === undefined || bytes.length !== size) throw new CommandError(`${file} has changed meanwhile.`);
  const query = new URLSearchParams({ format, digest });
  const { batch } = await call(target, `${filePath(name)}?${query}`, { method: "PUT", body: bytes });
  return batch;
}

/**
 * @param {Upload} wanted
 * @param {Target} target
 * @param {{ state: State, journal: Journal<State>, onProgress: (bytes: number) => void }} how
 * @returns {Promise<Batch>}
 */
async function putParts({ file, name, format, digest }, target, { state, journal, onProgress }) {
  let number = 0;
  let sent = 0;
  for await (const bytes of partsOf(file, state.bytes)) {
    number += 1;
    sent += bytes.length;
    if (number > state.parts.length) {
      const query = new URLSearchParams({ upload: state.upload, part: String(number) });
      const { part, etag } = await call(target, `${filePath(name)}?${query}`, { method: "PUT", body: bytes });
      state.parts.push({ part, etag });
      journal.write(state);
    }
    onProgress(sent);
  }
  const complete = { action: "complete", upload: state.upload, parts: state.parts, format, digest };
  const { batch } = await call(target, filePath(name), { method: "POST", json: complete });
  journal.remove();
  return batch;
}

/** Path of a batch's file among the operator's routes. @param {string} name */
export function filePath(name) {
  return `/system/imports/${name.split("/").map(encodeURIComponent).join("/")}`;
}

/**
 * Waits until every record of a batch is done with.
 * @param {number} id
 * @param {Target} target
 * @param {{ onProgress: (share: number, done: number) => void, staleSeconds: number }} options
 * @returns {Promise<BatchView>}
 */
export async function follow(id, target, { onProgress, staleSeconds }) {
  const { sleep = setTimeout } = target;
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

/** A line of the file of rejects: place, source, code and reason. @param {Item} item */
export function rejectLine({ place, ia_id: source, error, comments }) {
  const cells = [place ?? "", source, error ?? "", comments ?? ""];
  return `${cells.map((cell) => String(cell).replaceAll(/[\t\r\n]+/g, " ")).join("\t")}\n`;
}

/** True for failures that are the service's own. @param {Item} item */
export function isUnexpected({ error }) {
  return error === null || UNEXPECTED.has(error);
}
