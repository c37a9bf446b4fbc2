import { CommandError } from "./command.mjs";
import { call } from "./service.mjs";

/** @import { Target } from "./service.mjs" */

/** Lines and bytes of one request, and requests under way at a time. */
const BATCH_LINES = 1000;
const BATCH_BYTES = 650_000;
const CONCURRENCY = 2;
/** Lines of one request of holdings: as many as the service takes. */
const HOLDINGS_BATCH_LINES = 500;

/**
 * What the service made of some lines.
 * @typedef {{ created: number, updated: number, unchanged: number, kept: number, rejected: { line: number, reason: string }[] }} Outcome
 */
/** @typedef {{ numbers: number[], body: string }} Batch */

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

/** @param {Batch} batch @param {Target} target @returns {Promise<Outcome>} */
async function sendBatch({ numbers, body }, target) {
  const type = "text/tab-separated-values";
  const path = `/system/load?index=${target.index ?? "now"}`;
  /** @type {Outcome} */
  const outcome = await call(target, path, { method: "POST", body, type });
  const rejected = outcome.rejected.map(({ line, reason }) => ({ line: numbers[line - 1] ?? 0, reason }));
  return { ...outcome, rejected };
}

/**
 * Sends the lines of a holdings file to a service. `onRejected` is told of those that it does not take. All of it may be
 * sent again.
 * @param {AsyncIterable<{ number: number, text: Buffer }>} lines
 * @param {Target} target
 * @param {(line: number, reason: string) => void} onRejected
 * @returns {Promise<number>} how many items were stored
 */
export async function sendHoldings(lines, target, onRejected) {
  let stored = 0;
  for await (const { numbers, body } of batches(lines, HOLDINGS_BATCH_LINES)) {
    /** @type {{ stored: number, rejected: { line: number, reason: string }[] }} */
    const answer = await call(target, "/system/holdings", {
      method: "POST",
      body,
      type: "application/x-ndjson",
    });
    stored += answer.stored;
    for (const { line, reason } of answer.rejected) onRejected(numbers[line - 1] ?? 0, reason);
  }
  return stored;
}
