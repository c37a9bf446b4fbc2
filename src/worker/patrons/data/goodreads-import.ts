import * as z from "zod";
import { formatDatetime } from "../../../catalog/datetime.ts";
import { parseDocument } from "../../../catalog/document.ts";
import { toCanonicalIsbn, toOppositeIsbn } from "../../../catalog/identifiers/isbn.ts";
import {
  type GoodreadsFile,
  type GoodreadsProblem,
  IMPORT_BOOKS_MAX,
  toImportRows,
  readGoodreads,
} from "../../../catalog/patrons/goodreads.ts";
import { type CatalogRecord, keyOf } from "../../../catalog/record.ts";
import { endImport, noteImport, touchImport, readDueImports } from "../../../db/patrons/patron-jobs.ts";
import type { ImportJob } from "../../../db/patrons/patron-rows.ts";
import { reserveCheckInIds } from "../../../db/patrons/activity.ts";
import { findEditions } from "../../../db/records/identifiers.ts";
import { type RecordRow, wholeRows } from "../../../db/records/record-rows.ts";
import type { LookedUpRow, WaitingRow } from "../../../durable/patron/imports.ts";
import { editionIdOfKey, workIdOfKey } from "../../../search/indexing/ids.ts";
import { workKeyOf } from "../../holdings/bundles.ts";
import { badData, conflict } from "../../http/errors.ts";
import type { RequestContext } from "../../http/operation.ts";
import { unlessRemoved } from "../../accounts/unless-removed.ts";
import { jobKind, sweepJobs } from "../../http/patron-job.ts";
import { type Jobs, JOB_BUDGET_MS } from "../../http/queue.ts";
import { patronOf } from "../../http/session.ts";

type ImportedBook = { edition: number; work: number };

/** Finds editions by ISBN in either length. ISBNs without an edition, or whose edition has no work, are absent. */
async function findBooks({ stores, settings }: Pick<Jobs, "stores" | "settings">, isbns: readonly string[]) {
  const spellings = isbns.flatMap((isbn) => {
    const values = [toCanonicalIsbn(isbn), toOppositeIsbn(isbn)].filter((value) => value !== undefined);
    return values.map((value) => ({ isbn, value }));
  });
  const identifiers = spellings.map(({ value }) => ({ kind: "isbn", value }));
  const rows = await wholeRows<RecordRow & { position: number }>(stores.catalog, findEditions(identifiers));
  const books = new Map<string, ImportedBook>();
  for (const { position, document } of rows) {
    const isbn = spellings[position]?.isbn;
    const book = bookOf(parseDocument(document), settings.RECORD_PREFIX);
    if (isbn !== undefined && book !== undefined && !books.has(isbn)) books.set(isbn, book);
  }
  return books;
}

function bookOf(record: CatalogRecord, prefix: string): ImportedBook | undefined {
  const edition = editionIdOfKey(keyOf(record) ?? "", prefix);
  const work = workIdOfKey(workKeyOf(record) ?? "", prefix);
  return edition === undefined || work === undefined || work < 1 ? undefined : { edition, work };
}

export const IMPORTED_ROWS = 100;
/** Idle time after which the sweep resumes an import, in milliseconds, and imports that one sweep resumes. */
const IMPORT_IDLE_MS = 60_000;
const IMPORTS_SWEPT = 20;

export const importJob = jobKind(
  "import",
  z.object({ patron: z.string().min(1), id: z.string() }),
  runImport,
);

/** Imports books page by page. The patron's object knows the finished rows, so no row is imported twice. */
async function runImport(job: ImportJob, jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const deadline = sources.now() + JOB_BUDGET_MS;
  // The import ends if the account was removed meanwhile.
  while (await unlessRemoved(importPage(job, jobs))) {
    if (sources.now() < deadline) continue;
    await touchImport(stores.patrons, job, sources.now() + IMPORT_IDLE_MS);
    return await importJob.send(stores, job);
  }
  await endImport(stores.patrons, job);
}

async function importPage({ patron, id }: ImportJob, jobs: Jobs): Promise<boolean> {
  const { imports } = patronOf(jobs.stores, patron);
  const waiting = await imports.waiting(id, IMPORTED_ROWS);
  if (waiting.length === 0) return false;
  await imports.take(id, { rows: await lookUp(patron, waiting, jobs), now: jobs.sources.now() });
  return true;
}

async function lookUp(patron: string, waiting: readonly WaitingRow[], jobs: Jobs): Promise<LookedUpRow[]> {
  const isbns = waiting.flatMap(({ isbn }) => isbn ?? []);
  const books = await findBooks(jobs, isbns);
  const needsCheckIn = (row: WaitingRow): boolean => row.finished !== null && books.has(row.isbn ?? "");
  const ids = await reserveCheckInIds(jobs.stores.patrons, patron, waiting.filter(needsCheckIn).length);
  return waiting.map((row): LookedUpRow => {
    const { position, isbn, shelf } = row;
    if (isbn === null) return { position, problem: "no-isbn" };
    if (shelf === null) return { position, problem: "unknown-shelf" };
    const book = books.get(isbn);
    if (book === undefined) return { position, problem: "not-found" };
    return { position, problem: null, ...book, checkIn: needsCheckIn(row) ? (ids.pop() ?? null) : null };
  });
}

/** Resumes imports whose messages were lost. A step of the sweep. */
export async function continueImports(jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const due = await readDueImports(stores.patrons, sources.now(), IMPORTS_SWEPT);
  await sweepJobs({ kind: importJob.kind, found: due, sources }, async (job) => {
    await touchImport(stores.patrons, job, sources.now() + IMPORT_IDLE_MS);
    await runImport(job, jobs);
  });
}

export const IMPORT_BODY_BYTES = 16 * 1024 * 1024;
const MISSING_MAX = 1000;

const PROBLEMS: Readonly<Record<GoodreadsProblem, string>> = {
  empty: "The file is empty.",
  "no-columns": "This isn't a Goodreads export: the “Book Id” or “ISBN” column is missing.",
  "too-many": `The file has more than ${IMPORT_BOOKS_MAX} books. Split it and try again.`,
};

const missingRow = z.object({
  position: z.int(),
  title: z.string(),
  author: z.string(),
  isbn: z.string().nullable(),
  problem: z.enum(["no-isbn", "not-found", "unknown-shelf"]),
});

/** Progress of an import. Times are naive UTC; `missing` are the first books that were not imported, in file order. */
export const importSchema = z.object({
  id: z.string(),
  status: z.enum(["running", "done"]),
  total: z.int(),
  done: z.int().describe("Rows that were looked at"),
  imported: z.int(),
  created: z.string(),
  updated: z.string(),
  missing: z.array(missingRow),
});
export type ImportView = z.output<typeof importSchema>;

/** Parses the books of a file. Throws 400 if it is invalid. */
export function parseFile(text: string): GoodreadsFile {
  const file = readGoodreads(text);
  if (typeof file === "string") throw badData(PROBLEMS[file]);
  return file;
}

/** Starts to import the books of a file. Throws 400 for an invalid file, 409 while another import is running. */
export async function beginImport(context: RequestContext, username: string, text: string) {
  const { stores, sources, now } = context;
  const rows = toImportRows(parseFile(text));
  const job = { patron: username.toLowerCase(), id: sources.newSecret() };
  // First the row, with which the sweep resumes an interrupted import.
  await noteImport(stores.patrons, job, now + IMPORT_IDLE_MS);
  const hasBegun = await patronOf(stores, username).imports.begin({ id: job.id, rows, now });
  if (!hasBegun) {
    const running = await patronOf(stores, username).imports.state();
    if (running !== undefined) {
      await noteImport(stores.patrons, { ...job, id: running.id }, now + IMPORT_IDLE_MS);
    }
    throw conflict("Another import is running.");
  }
  await importJob.send(stores, job);
  const view = await readImport(context, username);
  if (view === null) throw new Error("an import that was not stored");
  return view;
}

export async function readImport({ stores }: RequestContext, username: string): Promise<ImportView | null> {
  const { imports } = patronOf(stores, username);
  const current = await imports.state();
  if (current === undefined) return null;
  // The order of members is part of the wire format.
  const { created, updated, ...state } = current;
  const missing = await imports.missing({ after: 0, limit: MISSING_MAX });
  return { ...state, created: formatDatetime(created), updated: formatDatetime(updated), missing };
}
