import { setTimeout } from "node:timers/promises";
import { guardCell } from "../../src/catalog/patrons/csv.ts";
import { CommandError } from "./command.ts";
import { partsOf } from "./import-files.ts";
import { Journal } from "./journal.ts";
import { type Target, RefusedError, call } from "./service.ts";

/** Range of the poll interval in milliseconds, a multiple of the duration of a request. */
const PAUSE_MS = { min: 500, max: 5000 };
const PAUSE_LOOKS = 10;
/** Interval in milliseconds of requests to resume abandoned items. */
const RESUME_EVERY_MS = 15_000;
const ITEM_PAGE = 100;

/** Codes of failures caused by the service, not by a record. */
const UNEXPECTED = new Set(["internal-error", "unhandled-exception"]);

export interface Batch {
  id: number;
  name: string;
  format: string | null;
  state: "splitting" | "ready" | "failed";
  size: number | null;
  position: number;
  records: number;
  skipped: number;
  problem: string | null;
}
export interface Item {
  id: number;
  ia_id: string;
  status: string;
  error: string | null;
  comments: string | null;
  place: number | null;
  warnings?: { field: string; value: string; code: string; message: string }[];
}
export interface BatchView {
  batch: Batch;
  counts: Record<string, number>;
  warned: number;
  items: Item[];
}

interface Upload {
  file: string;
  name: string;
  format: string;
  size: number;
  digest: string;
}
/** State of a multipart upload. */
interface State {
  upload: string;
  bytes: number;
  parts: { part: number; etag: string }[];
}

/**
 * Uploads a file and creates a batch of it, unless it is uploaded already. Resumes an interrupted upload with its next
 * part.
 */
export async function upload(
  wanted: Upload,
  target: Target,
  onProgress: (bytes: number) => void,
): Promise<{ batch: Batch; isNew: boolean }> {
  const { name, size, digest } = wanted;
  const journal: Journal<State> = new Journal(`${target.url}\n${name}\n${digest}`, "import-");
  const begun = await call(target, filePath(name), {
    method: "POST",
    json: { action: "begin", size, digest },
  });
  if (begun.batch !== null) {
    journal.remove();
    return { batch: begun.batch, isNew: false };
  }
  if (begun.upload === null) return { batch: await putWhole(wanted, target), isNew: true };
  const state = { upload: begun.upload, bytes: begun.part_bytes, parts: [] };
  const known = journal.read();
  try {
    const batch = await putParts(wanted, target, { state: known ?? state, journal, onProgress });
    return { batch, isNew: true };
  } catch (error) {
    // The earlier upload may have expired: the service keeps unfinished ones for some days.
    if (known === undefined || !(error instanceof RefusedError)) throw error;
    journal.remove();
    return { batch: await putParts(wanted, target, { state, journal, onProgress }), isNew: true };
  }
}

/** Retries a file that could not be read. */
export async function reopen(name: string, target: Target) {
  await call(target, filePath(name), { method: "POST", json: { action: "reopen" } });
}

async function putWhole({ file, name, format, size, digest }: Upload, target: Target): Promise<Batch> {
  const { value: bytes } = await partsOf(file, size + 1).next();
  if (bytes === undefined || bytes.length !== size) throw new CommandError(`${file} has changed meanwhile.`);
  const query = new URLSearchParams({ format, digest });
  const { batch } = await call(target, `${filePath(name)}?${query}`, { method: "PUT", body: bytes });
  return batch;
}

async function putParts(
  { file, name, format, digest }: Upload,
  target: Target,
  {
    state,
    journal,
    onProgress,
  }: { state: State; journal: Journal<State>; onProgress: (bytes: number) => void },
): Promise<Batch> {
  let number = 0;
  let sent = 0;
  for await (const bytes of partsOf(file, state.bytes)) {
    number += 1;
    sent += bytes.length;
    if (number > state.parts.length) {
      const query = new URLSearchParams({ upload: state.upload, part: String(number) });
      const { part, etag } = await call(target, `${filePath(name)}?${query}`, { method: "PUT", body: bytes });
      state.parts.push({ part, etag });
      journal.write(state);
    }
    onProgress(sent);
  }
  const complete = { action: "complete", upload: state.upload, parts: state.parts, format, digest };
  const { batch } = await call(target, filePath(name), { method: "POST", json: complete });
  journal.remove();
  return batch;
}

/** Returns the operator's route of the file of a batch. */
export function filePath(name: string) {
  return `/system/imports/${name.split("/").map(encodeURIComponent).join("/")}`;
}

/** Waits until every record of a batch is processed. */
export async function follow(
  id: number,
  target: Target,
  { onProgress, staleSeconds }: { onProgress: (share: number, done: number) => void; staleSeconds: number },
): Promise<BatchView> {
  const { sleep = setTimeout } = target;
  await takeUp(target, staleSeconds);
  let resumed = Date.now();
  for (;;) {
    if (Date.now() - resumed > RESUME_EVERY_MS) {
      await call(target, "/system/imports", { method: "POST", json: {} });
      resumed = Date.now();
    }
    const began = Date.now();
    const view = (await call(target, `/import/batch/${id}.json?limit=1`)) as BatchView;
    const { batch, counts } = view;
    const { pending = 0, processing = 0 } = counts;
    const items = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const done = items - pending - processing;
    const split = batch.size === null || batch.size === 0 ? 1 : batch.position / batch.size;
    onProgress(split * (items === 0 ? Number(batch.state !== "splitting") : done / items), done);
    if (batch.state !== "splitting" && pending + processing === 0) return view;
    await sleep(Math.min(Math.max(PAUSE_MS.min, PAUSE_LOOKS * (Date.now() - began)), PAUSE_MS.max));
  }
}

/** Resumes all abandoned items. A call resumes a bounded number, so it repeats until none is left. */
export async function takeUp(target: Target, staleSeconds: number) {
  const json = { stale_seconds: staleSeconds };
  for (let all = 0; ;) {
    const { sent, pending } = await call(target, "/system/imports", { method: "POST", json });
    all += sent;
    if (!(sent > 0 && all < pending)) return;
  }
}

/** Yields the items of a batch that failed, or that have warnings, in file order. */
export async function* itemsOf(
  id: number,
  target: Target,
  filter: "status=failed" | "warnings=true",
): AsyncGenerator<Item> {
  for (let after = 0; ;) {
    const query = `${filter}&limit=${ITEM_PAGE}&after=${after}`;
    const { items } = (await call(target, `/import/batch/${id}.json?${query}`)) as BatchView;
    yield* items;
    const last = items.at(-1);
    if (last === undefined || items.length < ITEM_PAGE) return;
    after = last.id;
  }
}

/** Formats a line of the rejects file: place, source, code and reason. */
export function rejectLine({ place, ia_id: source, error, comments }: Item) {
  return tabLine([place, source, error, comments]);
}

/** Formats the lines of the warnings file about an item: place, source, field, value, code and reason. */
export function warningLines({ place, ia_id: source, warnings = [] }: Item) {
  const lines = warnings.map(({ field, value, code, message }) => [
    place,
    source,
    field,
    value,
    code,
    message,
  ]);
  return lines.map(tabLine).join("");
}

export function tabLine(cells: readonly (string | number | null)[]) {
  return `${cells.map((cell) => guardCell(String(cell ?? "").replaceAll(/[\t\r\n]+/g, " "))).join("\t")}\n`;
}

/** Returns true for failures caused by the service. */
export function isUnexpected({ error }: Item) {
  return error === null || UNEXPECTED.has(error);
}
