import { CommandError } from "./command.ts";
import { type Target, call } from "./service.ts";

/** Lines and bytes per request, and concurrent requests. */
const BATCH_LINES = 1000;
const BATCH_BYTES = 650_000;
const CONCURRENCY = 2;
/** Lines per holdings request, the maximum of the service. */
const HOLDINGS_BATCH_LINES = 500;

/** Outcome of a request. */
interface Outcome {
  changes: number[];
  time: string;
  created: number;
  updated: number;
  unchanged: number;
  kept: number;
  rejected: { line: number; reason: string }[];
}
interface Batch {
  numbers: number[];
  body: string;
}

/** Sends dump lines to a service and sums up the outcomes. Use `sendBatches` for large files. */
export async function sendLines(lines: AsyncIterable<string> | Iterable<string>, target: Target) {
  const totals = { created: 0, updated: 0, unchanged: 0 };
  const onDone = (outcome: Outcome) => {
    totals.created += outcome.created;
    totals.updated += outcome.updated;
    totals.unchanged += outcome.unchanged;
    const [reject] = outcome.rejected;
    if (reject !== undefined) throw new CommandError(`line ${reject.line}: ${reject.reason}`);
  };
  await sendBatches(batches(numbered(lines)), target, { onDone });
  return totals;
}

export async function* numbered(lines: AsyncIterable<string> | Iterable<string>) {
  let number = 0;
  for await (const text of lines) yield { number: (number += 1), text: Buffer.from(text) };
}

/** Groups lines into requests. */
export async function* batches(
  lines: AsyncIterable<{ number: number; text: Buffer }>,
  most: number = BATCH_LINES,
): AsyncGenerator<Batch> {
  let texts: Buffer[] = [];
  let numbers: number[] = [];
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

function joined(texts: Buffer[]) {
  return Buffer.concat(texts.flatMap((text) => [text, NEWLINE])).toString("utf8");
}

/** Sends a few batches at a time, and reports them in order. */
export async function sendBatches(
  source: AsyncIterable<Batch>,
  target: Target,
  { onDone }: { onDone: (outcome: Outcome, batch: Batch) => void },
) {
  const underWay: Promise<() => void>[] = [];
  for await (const batch of source) {
    const sending = sendBatch(batch, target).then((outcome) => () => onDone(outcome, batch));
    // A failure is thrown where the batch's turn comes; until then it must not count as unhandled.
    sending.catch(() => undefined);
    underWay.push(sending);
    if (underWay.length >= CONCURRENCY) (await underWay.shift())?.();
  }
  for (const sending of underWay) (await sending)();
}

async function sendBatch({ numbers, body }: Batch, target: Target): Promise<Outcome> {
  const type = "text/tab-separated-values";
  const path = `/system/load?index=${target.index ?? "now"}`;
  const outcome: Outcome = await call(target, path, { method: "POST", body, type });
  const rejected = outcome.rejected.map(({ line, reason }) => ({ line: numbers[line - 1] ?? 0, reason }));
  return { ...outcome, rejected };
}

/**
 * Sends the lines of a holdings file. Idempotent. `onRejected` receives rejected lines. Returns the number of stored
 * items.
 */
export async function sendHoldings(
  lines: AsyncIterable<{ number: number; text: Buffer }>,
  target: Target,
  onRejected: (line: number, reason: string) => void,
): Promise<number> {
  let stored = 0;
  for await (const { numbers, body } of batches(lines, HOLDINGS_BATCH_LINES)) {
    const answer: { stored: number; rejected: { line: number; reason: string }[] } = await call(
      target,
      "/system/holdings",
      {
        method: "POST",
        body,
        type: "application/x-ndjson",
      },
    );
    stored += answer.stored;
    for (const { line, reason } of answer.rejected) onRejected(numbers[line - 1] ?? 0, reason);
  }
  return stored;
}
