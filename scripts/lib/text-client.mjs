import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "./command.mjs";

/** @import { Target } from "./load-client.mjs" */

/** Attempts for one text; waits of 0.5, 1, 2, ... seconds lie between them. */
const ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;

/**
 * What a book is known by: values by the name of the parameter.
 * @typedef {Record<string, string | string[] | undefined>} Metadata
 */

/**
 * Stores the text of a book. Answers its number of pages and its title.
 * @param {{ item: string, text: string, metadata: Metadata }} book
 * @param {Target} target
 * @returns {Promise<{ identifier: string, pages: number, title: string | null }>}
 */
export async function putText({ item, text, metadata }, target) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(metadata)) {
    for (const one of [value].flat()) if (one !== undefined) parameters.append(name, one);
  }
  const query = parameters.size === 0 ? "" : `?${parameters}`;
  return JSON.parse(await send(`${item}${query}`, { method: "PUT", body: text }, target));
}

/**
 * Removes the text of a book.
 * @param {string} item
 * @param {Target} target
 */
export async function deleteText(item, target) {
  await send(item, { method: "DELETE" }, target);
}

/**
 * @param {string} path
 * @param {{ method: string, body?: string }} request
 * @param {Target} target
 */
async function send(path, request, target) {
  for (let attempt = 1; ; attempt += 1) {
    const { text, problem } = await once(path, request, target);
    if (problem === undefined) return text;
    if (attempt === ATTEMPTS) throw new CommandError(problem);
    await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1));
  }
}

/**
 * One attempt. A problem is one that may be gone the next time.
 * @param {string} path
 * @param {{ method: string, body?: string }} request
 * @param {Target} target
 * @returns {Promise<{ text: string, problem?: string }>}
 */
async function once(path, { method, body }, { url, token, fetch: call }) {
  try {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "text/plain; charset=utf-8" };
    const response = await call(`${url}/system/text/${path}`, { method, headers, body: body ?? null });
    const text = await response.text();
    if (response.ok) return { text };
    const problem = `${url} answered ${response.status}: ${text.slice(0, 300)}`;
    if (response.status === 429 || response.status >= 500) return { text, problem };
    throw new CommandError(problem);
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    return { text: "", problem: `${url} cannot be reached: ${reason}` };
  }
}
