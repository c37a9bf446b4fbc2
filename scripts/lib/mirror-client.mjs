import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "./command.mjs";

/** @import { Target } from "./load-client.mjs" */

/** Changes asked for at once, and seconds that the source waits with its answer when there are none. */
const MIRROR_CHANGES = 500;
const MIRROR_WAIT_SECONDS = 25;
/** Attempts for one request; waits of 0.5, 1, 2, ... seconds lie between them. */
const MIRROR_ATTEMPTS = 8;
const MIRROR_FIRST_WAIT_MS = 500;

/**
 * How far a mirror is: the last change that it has, the last one of the source, and how many were stored just now.
 * @typedef {{ cursor: number, end: number, stored: number }} MirrorProgress
 */
/**
 * @typedef {{ once: boolean, onProgress?: (progress: MirrorProgress) => void }} FollowOptions
 */

/**
 * Takes over the log of a source. Returns when the mirror has caught up, with `once`; else never.
 * The texts are handed on as they came, so that not a byte of a document changes on the way.
 * @param {string} source
 * @param {Target} target
 * @param {FollowOptions} options
 * @returns {Promise<MirrorProgress>}
 */
export async function follow(source, target, { once, onProgress }) {
  const here = parsed(await request(`${target.url}/changes.json?limit=0`, {}, target.fetch));
  let cursor = here.end;
  await checkStart(source, target, cursor);
  for (;;) {
    const wait = once ? 0 : MIRROR_WAIT_SECONDS;
    const address = `${source}/changes.json?since=${cursor}&limit=${MIRROR_CHANGES}&wait=${wait}`;
    const text = await request(address, {}, target.fetch);
    const { cursor: next, end } = parsed(text);
    let stored = 0;
    if (next > cursor) stored = (await apply(text, target)).stored;
    cursor = next;
    onProgress?.({ cursor, end, stored });
    if (once && cursor >= end) return { cursor, end, stored };
  }
}

/**
 * Makes sure that the mirror has the beginning of the source's log: its last change says so. Where that differs, all
 * of what the mirror has is sent to it again: it refuses what it does not have, but takes the same load at another time.
 * @param {string} source
 * @param {Target} target
 * @param {number} last
 */
async function checkStart(source, target, last) {
  if (last === 0 || (await lastOf(source, target, last)) === (await lastOf(target.url, target, last))) return;
  let cursor = 0;
  while (cursor < last) {
    const limit = Math.min(MIRROR_CHANGES, last - cursor);
    const text = await request(`${source}/changes.json?since=${cursor}&limit=${limit}`, {}, target.fetch);
    const { cursor: next } = parsed(text);
    if (next === cursor) throw new CommandError(`${target.url} has changes that ${source} does not have.`);
    await apply(text, target);
    cursor = next;
  }
}

/**
 * A change without its documents, some of which a later load may have corrected.
 * @param {string} url
 * @param {Target} target
 * @param {number} id
 */
async function lastOf(url, target, id) {
  const text = await request(`${url}/changes.json?since=${id - 1}&limit=1`, {}, target.fetch);
  const [{ documents: _documents, changes: _changes, ...change } = {}] = parsed(text).changes;
  return JSON.stringify(change);
}

/**
 * @param {string} text
 * @param {Target} target
 * @returns {Promise<{ stored: number, known: number, end: number }>}
 */
async function apply(text, { url, token, fetch: send }) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return parsed(await request(`${url}/system/changes`, { method: "POST", headers, body: text }, send));
}

/** @param {string} text */
function parsed(text) {
  return JSON.parse(text);
}

/**
 * The text of an answer; tries again while that may help.
 * @param {string} address
 * @param {RequestInit} init
 * @param {typeof fetch} send
 */
export async function request(address, init, send) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await attemptOne(address, init, send);
    if ("text" in answer) return answer.text;
    if (attempt === MIRROR_ATTEMPTS) throw new CommandError(answer.problem);
    await sleep(MIRROR_FIRST_WAIT_MS * 2 ** (attempt - 1));
  }
}

/**
 * @param {string} address
 * @param {RequestInit} init
 * @param {typeof fetch} send
 * @returns {Promise<{ text: string } | { problem: string }>}
 */
async function attemptOne(address, init, send) {
  try {
    const response = await send(address, init);
    const text = await response.text();
    if (response.ok) return { text };
    const problem = `${address} answered ${response.status}: ${text.slice(0, 300)}`;
    if (response.status === 429 || response.status >= 500) return { problem };
    throw new CommandError(problem);
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    const { cause } = error;
    return {
      problem: `${address} cannot be reached: ${cause instanceof Error ? cause.message : error.message}`,
    };
  }
}
