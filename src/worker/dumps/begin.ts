import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { type DumpRow, dumpsAround, readChangeAt, readDump } from "../../db/dumps/read-dumps.ts";
import { readLastChange } from "../../db/history/changes.ts";
import { beginDump } from "../../db/dumps/write-dumps.ts";
import { type Jobs, sendOrLog } from "../http/queue.ts";
import { FIRST_STAGE } from "./stages.ts";

/** Message of the queue `carrel-dumps`: the next step of a dump is to be done. */
export const dumpMessage = z.object({ dump: z.int().positive(), step: z.int().gte(0) });
export type DumpMessage = z.infer<typeof dumpMessage>;

/** Has a dump gone on with. A failure is logged only: the sweep finds the dump all the same. */
export function queueDump(queue: Queue, message: DumpMessage): Promise<void> {
  return sendOrLog("dump", message, () => queue.send(message));
}

export const DAY_MS = 86_400_000;

/** The day of a moment, `YYYY-MM-DD` in UTC. */
export function dayOf(milliseconds: number): string {
  return datetimeText(milliseconds).slice(0, 10);
}

/** The beginning of a day, in milliseconds since the epoch. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

type Begun = { readonly dump: DumpRow | undefined; readonly isNew: boolean };

/** Begins a dump of everything as it is now, and queues it; or answers today's one. */
export async function beginFull({ stores, sources }: Pick<Jobs, "stores" | "sources">): Promise<Begun> {
  const now = sources.now();
  const changeId = await readLastChange(stores.catalog);
  return begin(stores, { kind: "full", date: dayOf(now), now, afterChange: 0, changeId });
}

/**
 * Begins a dump of the revisions of a day that is over, and queues it; or answers that day's one. It begins where the
 * dump of the day before ends, so that nothing falls between two of them (Q425).
 */
export async function beginDelta(
  date: string,
  { stores, sources }: Pick<Jobs, "stores" | "sources">,
): Promise<Begun> {
  const { catalog } = stores;
  const start = startOf(date);
  const { before, after } = await dumpsAround(catalog, "delta", date);
  const afterChange = before?.change_id ?? (await readChangeAt(catalog, datetimeText(start)));
  const cut = await readChangeAt(catalog, datetimeText(start + DAY_MS));
  const changeId = Math.max(afterChange, Math.min(cut, after?.after_change ?? cut));
  return begin(stores, { kind: "delta", date, now: sources.now(), afterChange, changeId });
}

type DumpWish = Omit<Parameters<typeof beginDump>[1], "stage" | "now"> & { readonly now: number };

async function begin({ catalog, dumpJobs }: Jobs["stores"], { now, ...wish }: DumpWish): Promise<Begun> {
  const { kind, date } = wish;
  const begun = await beginDump(catalog, { ...wish, stage: FIRST_STAGE[kind], now: datetimeText(now) });
  if (begun === undefined) return { dump: await readDump(catalog, kind, date), isNew: false };
  await queueDump(dumpJobs, { dump: begun.id, step: begun.step });
  return { dump: begun, isNew: true };
}
