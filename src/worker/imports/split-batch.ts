import { formatDatetime } from "../../catalog/datetime.ts";
import { readBatch, failBatch, touchBatch } from "../../db/imports/batches.ts";
import type { ImportBatch } from "../../db/imports/import-rows.ts";
import { type NewItem, areManyPending, storePart } from "../../db/imports/items.ts";
import { type FileEntry, BROKEN_READER, FileProblem } from "../../import/files/readers.ts";
import { decodeHead, findForeignFormat } from "../../import/head.ts";
import { IMPORT_FORMATS } from "../../import/formats.ts";
import { latestYear } from "./import-record.ts";
import { XmlError } from "../../import/xml/decode.ts";
import { logLine } from "../http/log.ts";
import { type BudgetedJobs, yieldToTasks } from "../http/queue.ts";
import { queueItems, queueSplit } from "./import-queue.ts";

/** Maximum number of records stored per transaction. A transaction also ends once its records exceed `PART_BYTES`. */
export const PART_RECORDS = 250;
const PART_BYTES = 2_000_000;
export const SPLIT_PENDING_MAX = 20_000;
export const SPLIT_PAUSE_SECONDS = 10;

type FileBatch = ImportBatch &
  Required<{ object: string; format: NonNullable<ImportBatch["format"]>; size: number }>;

/**
 * Splits the next part of a batch's file into items and queues them. The position is stored in the batch's row and
 * advances in the transaction that adds the items, so interruptions and concurrent runs are harmless. Splitting never
 * runs far ahead of the imports: a file may have more records than fit into the database, and other batches need their
 * turn.
 */
export async function splitBatch(id: number, jobs: BudgetedJobs): Promise<void> {
  const { stores, sources } = jobs;
  const batch = await readBatch(stores.catalog, id);
  if (batch === undefined || batch.state !== "splitting" || !hasFile(batch)) return;
  if (await areManyPending(stores.catalog, SPLIT_PENDING_MAX)) {
    await touchBatch(stores.catalog, { id, now: formatDatetime(sources.now()) });
    return queueSplit(stores.importQueue, id, SPLIT_PAUSE_SECONDS);
  }
  try {
    if (!(await splitWithin(batch, jobs))) await queueSplit(stores.importQueue, id);
  } catch (error) {
    if (!(error instanceof FileProblem) && !(error instanceof XmlError)) throw error;
    await failBatch(stores.catalog, { id, problem: error.message, now: formatDatetime(sources.now()) });
  }
}

function hasFile(batch: ImportBatch): batch is FileBatch {
  return batch.object !== null && batch.format !== null && batch.size !== null;
}

/** Splits until the budget is over. Returns true if nothing is left, or another worker splits the batch. */
async function splitWithin(batch: FileBatch, jobs: BudgetedJobs): Promise<boolean> {
  const { stores, sources, budget } = jobs;
  const { id, name, size, position, records } = batch;
  const format = IMPORT_FORMATS[batch.format];
  const source = openFile(stores.archive, batch, format.isWhole ? 0 : position);
  const part = new Part(position);
  const store = async (isLast: boolean): Promise<boolean> => {
    const { isMoved: hasAdvanced, pending } = await storePart(
      stores.catalog,
      { batch: id, ...part.take(isLast ? size : undefined), isLast },
      formatDatetime(sources.now()),
    );
    await queueItems(stores.importQueue, pending);
    await yieldToTasks();
    return hasAdvanced;
  };
  let isEmpty = records === 0;
  const file = { name, source, start: position, records, latest: latestYear(jobs) };
  for await (const entry of format.entries(file)) {
    isEmpty = false;
    part.add(entry);
    if (!part.isFull) continue;
    if (!(await store(false))) return true;
    if (budget.isOver()) return false;
  }
  if (isEmpty) throw new FileProblem("not_imported.no_format_records");
  await store(true);
  return true;
}

class Part {
  private to: number;
  private records = 0;
  private bytes = 0;
  private items: NewItem[] = [];

  constructor(private from: number) {
    this.to = from;
  }

  add({ end, item }: FileEntry): void {
    this.to = end;
    this.records += 1;
    if (item === undefined) return;
    if (item.error === BROKEN_READER) {
      logLine("error", "imports", { problem: "a record that broke its reader", error: item.comments });
    }
    this.items.push(item);
    this.bytes += item.data?.length ?? 0;
  }

  get isFull(): boolean {
    return this.records >= PART_RECORDS || this.bytes >= PART_BYTES;
  }

  take(end = this.to) {
    const { from, records, items } = this;
    [this.from, this.to, this.records, this.bytes, this.items] = [end, end, 0, 0, []];
    return { from, to: end, records, items };
  }
}

async function* openFile(
  archive: R2Bucket,
  { object: key, size }: FileBatch,
  offset: number,
): AsyncGenerator<Uint8Array> {
  // R2 rejects a range that starts at the end.
  if (offset >= size) return;
  const object = await archive.get(key, { range: { offset } });
  if (object === null) throw new FileProblem("not_imported.file_missing");
  if (object.size !== size)
    throw new FileProblem("not_imported.file_changed", { actual: object.size, stated: size });
  let isStart = offset === 0;
  for await (const chunk of object.body) {
    const problem = isStart ? findForeignFormat(decodeHead(chunk)) : undefined;
    if (problem !== undefined) throw new FileProblem(problem);
    isStart = false;
    yield chunk;
  }
}
