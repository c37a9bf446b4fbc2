import { CommandError } from "./command.ts";
import { type Target, call } from "./service.ts";

/** Lines and bytes of one request, and requests under way at a time. */
const BATCH_LINES = 1000;
const BATCH_BYTES = 650_000;
const CONCURRENCY = 2;
/** Lines of one request of holdings: as many as the service takes. */
const HOLDINGS_BATCH_LINES = 500;

/** What the service made of some lines. */
interface Outcome {
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

/** Sends dump lines to a service and adds up what became of them. For large files there is `sendBatches`. */
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

/** Groups lines into requests of at most so many lines. */
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

/** Sends batches, a few at a time, and reports them done in their order. */
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
 * Sends the lines of a holdings file to a service. `onRejected` is told of those that it does not take. All of it may
 * be sent again. Returns how many items were stored.
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
