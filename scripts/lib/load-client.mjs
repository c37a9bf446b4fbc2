import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "./command.mjs";

/** Lines and bytes of one request, and requests under way at a time. */
const BATCH_LINES = 1000;
const BATCH_BYTES = 650_000;
const CONCURRENCY = 2;
/** Attempts for one request; waits of 0.5, 1, 2, ... seconds lie between them. */
const ATTEMPTS = 7;
const FIRST_WAIT_MS = 500;

/**
 * Where lines are sent. `index: "later"`: the search index is brought up to date after all of them (index-client.mjs).
 * @typedef {{ url: string, token: string, fetch: typeof fetch, index?: "now" | "later" }} Target
 */
/**
 * What the service made of some lines.
 * @typedef {{ created: number, updated: number, unchanged: number, kept: number, rejected: { line: number, reason: string }[] }} Outcome
 */
/**
 * @typedef {{ numbers: number[], body: string }} Batch
 */

/**
 * Sends dump lines to a service and adds up what became of them. For large files there is `sendBatches`.
 * @param {AsyncIterable<string> | Iterable<string>} lines
 * @param {Target} target
 */
export async function sendLines(lines, target) {
  const totals = { created: 0, updated: 0, unchanged: 0 };
  /** @param {Outcome} outcome */
  const onDone = (outcome) => {
    totals.created += outcome.created;
    totals.updated += outcome.updated;
    totals.unchanged += outcome.unchanged;
    const [reject] = outcome.rejected;
    if (reject !== undefined) throw new CommandError(`line ${reject.line}: ${reject.reason}`);
  };
  await sendBatches(batches(numbered(lines)), target, { onDone });
  return totals;
}

/** @param {AsyncIterable<string> | Iterable<string>} lines */
export async function* numbered(lines) {
  let number = 0;
  for await (const text of lines) yield { number: (number += 1), text: Buffer.from(text) };
}

/**
 * Groups lines into requests of at most so many lines.
 * @param {AsyncIterable<{ number: number, text: Buffer }>} lines
 * @param {number} [most]
 * @returns {AsyncGenerator<Batch>}
 */
export async function* batches(lines, most = BATCH_LINES) {
  /** @type {Buffer[]} */
  let texts = [];
  /** @type {number[]} */
  let numbers = [];
  let bytes = 0;
  for await (const { number, text } of lines) {
    if (texts.length === most || (texts.length > 0 && bytes + text.length > BATCH_BYTES)) {
      yield { numbers, body: joined(texts) };
      [texts, numbers, bytes] = [[], [], 0];
    }
    texts.push(text);
    numbers.push(number);
    bytes += text.length + 1;
  }
  if (texts.length > 0) yield { numbers, body: joined(texts) };
}

const NEWLINE = Buffer.from("\n");

/** @param {Buffer[]} texts */
function joined(texts) {
  return Buffer.concat(texts.flatMap((text) => [text, NEWLINE])).toString("utf8");
}

/**
 * Sends batches, a few at a time, and reports them done in their order.
 * @param {AsyncIterable<Batch>} source
 * @param {Target} target
 * @param {{ onDone: (outcome: Outcome, batch: Batch) => void }} options
 */
export async function sendBatches(source, target, { onDone }) {
  /** @type {Promise<() => void>[]} */
  const underWay = [];
  for await (const batch of source) {
    const sending = sendBatch(batch, target).then((outcome) => () => onDone(outcome, batch));
    // A failure is thrown where the batch's turn comes; until then it must not count as unhandled.
    sending.catch(() => undefined);
    underWay.push(sending);
    if (underWay.length >= CONCURRENCY) (await underWay.shift())?.();
  }
  for (const sending of underWay) (await sending)();
}

/**
 * @param {Batch} batch
 * @param {Target} target
 * @returns {Promise<Outcome>}
 */
async function sendBatch(batch, target) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await post(batch, target);
    if (typeof answer !== "string") {
      const rejected = answer.rejected.map(({ line, reason }) => ({
        line: batch.numbers[line - 1] ?? 0,
        reason,
      }));
      return { ...answer, rejected };
    }
    if (attempt === ATTEMPTS) throw new CommandError(answer);
    await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1));
  }
}

/**
 * One attempt. Text says what went wrong and may go right the next time.
 * @param {Batch} batch
 * @param {Target} target
 * @returns {Promise<Outcome | string>}
 */
async function post({ body }, { url, token, fetch: send, index = "now" }) {
  try {
    const response = await send(`${url}/system/load?index=${index}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "text/tab-separated-values" },
      body,
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    const problem = `${url} answered ${response.status}: ${text.slice(0, 300)}`;
    if (response.status === 429 || response.status >= 500) return problem;
    throw new CommandError(problem);
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    return `${url} cannot be reached: ${error.cause instanceof Error ? error.cause.message : error.message}`;
  }
}
