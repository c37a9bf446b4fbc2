import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "./command.mjs";

/** @import { Target } from "./load-client.mjs" */

/** Attempts for one request; waits of 0.5, 1, 2, ... seconds lie between them. */
const IMPORT_REQUEST_ATTEMPTS = 7;
const FIRST_WAIT_MS = 500;

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

/** The service refuses, and asking again would not help. */
export class RefusedError extends CommandError {
  status;

  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * Sends something to the operator's routes, or reads a page of a batch; answers the JSON.
 * @param {Target} target
 * @param {string} path
 * @param {{ method?: string, json?: unknown, bytes?: Uint8Array<ArrayBuffer> }} [request]
 * @returns {Promise<any>}
 */
export async function call(target, path, request = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const { answer, problem } = await once(target, path, request);
    if (problem === undefined) return answer;
    if (attempt === IMPORT_REQUEST_ATTEMPTS) throw new CommandError(problem);
    await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1));
  }
}

/**
 * One attempt. A problem is one that may be gone the next time.
 * @param {Target} target
 * @param {string} path
 * @param {{ method?: string, json?: unknown, bytes?: Uint8Array<ArrayBuffer> }} request
 * @returns {Promise<{ answer?: unknown, problem?: string }>}
 */
async function once({ url, token, fetch: send }, path, { method = "GET", json, bytes }) {
  try {
    const response = await send(url + path, {
      method,
      headers: {
        Accept: "application/json",
        Authorization: `Bearer ${token}`,
        "Content-Type": json === undefined ? "application/octet-stream" : "application/json",
      },
      body: json === undefined ? (bytes ?? null) : JSON.stringify(json),
    });
    const text = await response.text();
    if (response.ok) return { answer: JSON.parse(text) };
    const problem = `${url} answered ${response.status}: ${text.slice(0, 300)}`;
    if (response.status === 429 || response.status >= 500) return { problem };
    throw new RefusedError(response.status, problem);
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    return { problem: `${url} cannot be reached: ${reason}` };
  }
}

/**
 * Path of a batch's file among the operator's routes.
 * @param {string} name
 */
export function filePath(name) {
  return `/system/imports/${name.split("/").map(encodeURIComponent).join("/")}`;
}
