import { env } from "cloudflare:workers";
import { systemSources } from "../../../src/worker/http/bindings.ts";
import { type BudgetedJobs, type QueueConsumer, jobsOf as jobsIn } from "../../../src/worker/http/queue.ts";
import { importsQueue } from "../../../src/worker/imports/jobs.ts";
import { UNSPENT } from "./budget.ts";
import { LANGUAGES } from "./importing.ts";
import type { LoggedIn } from "./logged-in.ts";
import { emptyQueues } from "./queues.ts";
import type { TestService } from "./service.ts";

/** An item as it is stored. */
export interface StoredItem {
  readonly id: number;
  readonly batch_id: number;
  readonly ia_id: string;
  readonly status: string;
  readonly error: string | null;
  readonly comments: string | null;
  readonly data: string | null;
  readonly ol_key: string | null;
  readonly place: number | null;
  readonly attempts: number;
  readonly losses: number;
  readonly claim: string | null;
  readonly due: string | null;
  readonly sent: string;
  readonly import_time: string | null;
}

/** All items, in order of their numbers. */
export async function storedItems(batch?: number): Promise<StoredItem[]> {
  const sql = "SELECT * FROM import_item WHERE CAST(?1 AS BIGINT) IS NULL OR batch_id = ?1 ORDER BY id";
  return (
    await env.CATALOG.prepare(sql)
      .bind(batch ?? null)
      .all<StoredItem>()
  ).results;
}

/** Ids and statuses of all items. */
export async function statuses(): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await storedItems()).map(({ ia_id: id, status, error }) => [
      id,
      error === null ? status : `${status}: ${error}`,
    ]),
  );
}

/** Nothing is queued, no batch is there, and no message is on its way. */
export async function emptyImports(): Promise<void> {
  await emptyQueues();
  await env.CATALOG.batch([
    env.CATALOG.prepare("DELETE FROM import_item"),
    env.CATALOG.prepare("DELETE FROM import_batch"),
  ]);
}

/** Stores, settings and clock of jobs: the clock of the service, and a budget that never ends. */
export function jobsOf(service: TestService, settings: Partial<Cloudflare.Env> = {}): BudgetedJobs {
  const sources = { ...systemSources, now: () => service.now };
  return { ...jobsIn({ ...env, ...settings }), sources, budget: UNSPENT };
}

/** Languages that records name. */
export async function loadLanguages(service: TestService): Promise<void> {
  await service.load(...LANGUAGES);
}

let messages = 0;

/** Delivers messages to the consumer; answers for each of them what became of it. */
export async function deliver(jobs: BudgetedJobs, ...bodies: unknown[]): Promise<string[]> {
  return delivered(importsQueue.work, jobs, bodies);
}

/** Delivers a message for the nth time; answers what became of it. */
export async function deliverOnce(
  jobs: BudgetedJobs,
  body: unknown,
  attempts: number,
): Promise<string | undefined> {
  return (await delivered(importsQueue.work, jobs, [body], attempts))[0];
}

/** Delivers messages to the consumer of dead letters. */
export async function bury(jobs: BudgetedJobs, ...bodies: unknown[]): Promise<void> {
  await delivered(importsQueue.onDeadLetter ?? importsQueue.work, jobs, bodies);
}

/** Delivers messages to a consumer for the nth time. Returns the outcome of each. */
export async function delivered(
  work: QueueConsumer["work"],
  jobs: BudgetedJobs,
  bodies: readonly unknown[],
  attempts = 1,
): Promise<string[]> {
  const ends = bodies.map(() => "");
  const batch = bodies.map((body, index): Message => {
    messages += 1;
    return {
      id: `message-${messages}`,
      timestamp: new Date(jobs.sources.now()),
      body,
      attempts,
      ack: () => void (ends[index] = "done"),
      retry: ({ delaySeconds = 0 } = {}) => void (ends[index] = `again after ${delaySeconds} s`),
    };
  });
  await work(batch, jobs);
  return ends;
}

/** A record that can be imported, as a line of a batch says it. */
export function bookOf(n: number, more: Record<string, unknown> = {}) {
  return {
    title: `Book number ${n}`,
    source_records: [`test:${n}`],
    authors: [{ name: `Writer ${n}` }],
    publishers: ["A House"],
    publish_date: "2001",
    ...more,
  };
}

/** JSON lines. */
export function linesOf(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Sends the form of a new batch. */
export function submit(
  who: Pick<LoggedIn, "fetch">,
  fields: { file?: string | Uint8Array; text?: string },
  { path = "/import/batch/new.json", headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const boundary = "----boundary";
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const add = (name: string, value: string | Uint8Array, file: string): void => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    parts.push(encoder.encode(head), typeof value === "string" ? encoder.encode(value) : value);
    parts.push(encoder.encode("\r\n"));
  };
  if (fields.file !== undefined) add("batchImportFile", fields.file, '; filename="books.jsonl"');
  if (fields.text !== undefined) add("batchImportText", fields.text, "");
  parts.push(encoder.encode(`--${boundary}--\r\n`));
  const body = joined(parts);
  return who.fetch(path, {
    method: "POST",
    body,
    headers: {
      "Content-Type": `multipart/form-data; boundary=${boundary}`,
      "Content-Length": String(body.length),
      ...headers,
    },
  });
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Puts a file of records there, as the operator does. */
export function putFile(
  service: TestService,
  name: string,
  bytes: string | Uint8Array<ArrayBuffer>,
  query: string,
): Promise<Response> {
  const body = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
  return service.fetch(`/system/imports/${name}?${query}`, {
    method: "PUT",
    body,
    headers: { ...OPERATOR, "Content-Length": String(body.length) },
  });
}

export const OPERATOR = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
