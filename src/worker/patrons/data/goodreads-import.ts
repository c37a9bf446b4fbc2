import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { parseDocument } from "../../../catalog/document.ts";
import { canonicalIsbn, oppositeIsbn } from "../../../catalog/identifiers/isbn.ts";
import {
  type GoodreadsFile,
  type GoodreadsProblem,
  IMPORT_BOOKS_MAX,
  importRows,
  readGoodreads,
} from "../../../catalog/patrons/goodreads.ts";
import { type CatalogRecord, keyOf } from "../../../catalog/record.ts";
import { endImport, noteImport, touchImport } from "../../../db/patrons/write-jobs.ts";
import { dueImports } from "../../../db/patrons/read-jobs.ts";
import type { ImportJob } from "../../../db/patrons/rows.ts";
import { newCheckInIds } from "../../../db/patrons/numbers.ts";
import { findEditions } from "../../../db/records/identifiers.ts";
import type { RecordRow } from "../../../db/records/rows.ts";
import { wholeRows } from "../../../db/records/whole-documents.ts";
import type { FoundRow, WaitingRow } from "../../../durable/patron/imports.ts";
import { editionIdOfKey, workIdOfKey } from "../../../search/indexing/ids.ts";
import { workKeyOf } from "../../holdings/bundles.ts";
import { badData, conflict } from "../../http/errors.ts";
import type { RequestContext } from "../../http/operation.ts";
import { unlessRemoved } from "../../accounts/unless-removed.ts";
import { jobKind, sweepJobs } from "../../http/patron-job.ts";
import { type Jobs, JOB_BUDGET_MS } from "../../http/queue.ts";
import { patronOf } from "../../http/session.ts";

/** Edition that has a work: numbers of their keys. */
type FoundBook = { readonly edition: number; readonly work: number };

/**
 * Finds editions by ISBN in either length; ISBNs without an edition, or whose edition has no work, are absent. One
 * round trip.
 */
async function findBooks(
  { stores, settings }: Pick<Jobs, "stores" | "settings">,
  isbns: readonly string[],
): Promise<ReadonlyMap<string, FoundBook>> {
  const spellings = isbns.flatMap((isbn) => {
    const both = [canonicalIsbn(isbn), oppositeIsbn(isbn)].filter((one) => one !== undefined);
    return both.map((value) => ({ isbn, value }));
  });
  const wanted = spellings.map(({ value }) => ({ kind: "isbn", value }));
  const found = await wholeRows<RecordRow & { position: number }>(stores.catalog, findEditions(wanted));
  const books = new Map<string, FoundBook>();
  for (const { position, document } of found) {
    const isbn = spellings[position]?.isbn;
    const book = bookOf(parseDocument(document), settings.RECORD_PREFIX);
    if (isbn !== undefined && book !== undefined && !books.has(isbn)) books.set(isbn, book);
  }
  return books;
}

function bookOf(record: CatalogRecord, prefix: string): FoundBook | undefined {
  const edition = editionIdOfKey(keyOf(record) ?? "", prefix);
  const work = workIdOfKey(workKeyOf(record) ?? "", prefix);
  return edition === undefined || work === undefined || work < 1 ? undefined : { edition, work };
}

/** Books that are looked up and put onto shelves together. */
export const IMPORTED_ROWS = 100;
/** Idle time after which the sweep resumes an import, in milliseconds, and imports that one sweep resumes. */
const IMPORT_IDLE_MS = 60_000;
const IMPORTS_SWEPT = 20;

export const importJob = jobKind("import", z.object({ patron: z.string().min(1), id: z.string() }), goOn);

/** Imports books, page by page. The patron's object knows the finished rows, so no row is imported twice. */
async function goOn(job: ImportJob, jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const deadline = sources.now() + JOB_BUDGET_MS;
  // A removed account has no patron any more to import for.
  while (await unlessRemoved(takePage(job, jobs))) {
    if (sources.now() < deadline) continue;
    await touchImport(stores.patrons, job, sources.now() + IMPORT_IDLE_MS);
    return await importJob.send(stores, job);
  }
  await endImport(stores.patrons, job);
}

async function takePage({ patron, id }: ImportJob, jobs: Jobs): Promise<boolean> {
  const { imports } = patronOf(jobs.stores, patron);
  const waiting = await imports.waiting(id, IMPORTED_ROWS);
  if (waiting.length === 0) return false;
  await imports.take(id, { found: await findAll(patron, waiting, jobs), now: jobs.sources.now() });
  return true;
}

async function findAll(patron: string, waiting: readonly WaitingRow[], jobs: Jobs): Promise<FoundRow[]> {
  const isbns = waiting.flatMap(({ isbn }) => isbn ?? []);
  const books = await findBooks(jobs, isbns);
  const isRead = (row: WaitingRow): boolean => row.finished !== null && books.has(row.isbn ?? "");
  const numbers = await newCheckInIds(jobs.stores.patrons, patron, waiting.filter(isRead).length);
  return waiting.map((row): FoundRow => {
    const { position, isbn, shelf } = row;
    if (isbn === null) return { position, problem: "no-isbn" };
    if (shelf === null) return { position, problem: "unknown-shelf" };
    const book = books.get(isbn);
    if (book === undefined) return { position, problem: "not-found" };
    return { position, problem: null, ...book, checkIn: isRead(row) ? (numbers.pop() ?? null) : null };
  });
}

/** Resumes imports whose messages were lost. A step of the sweep. */
export async function continueImports(jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const found = await dueImports(stores.patrons, sources.now(), IMPORTS_SWEPT);
  await sweepJobs({ kind: importJob.kind, found, sources }, async (job) => {
    await touchImport(stores.patrons, job, sources.now() + IMPORT_IDLE_MS);
    await goOn(job, jobs);
  });
}

/** Largest request body, in bytes: the file and the form around it. */
export const IMPORT_BODY_BYTES = 16 * 1024 * 1024;
/** Books in one answer that were not imported. */
const MISSING_SHOWN = 1000;

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

/** Progress of an import. Times are naive UTC; `missing`: the first books that were not imported, in file order. */
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

/** Reads the books of a file. Throws 400 if it is invalid. */
export function readFile(text: string): GoodreadsFile {
  const file = readGoodreads(text);
  if (typeof file === "string") throw badData(PROBLEMS[file]);
  return file;
}

/** Starts to import the books of a file. Throws 400 for an invalid file, 409 while another import is running. */
export async function beginImport(
  context: RequestContext,
  username: string,
  text: string,
): Promise<ImportView> {
  const { stores, sources, now } = context;
  const rows = importRows(readFile(text));
  const job = { patron: username.toLowerCase(), id: sources.newSecret() };
  // The sweep's row comes first: without it, an import that breaks off would never be resumed.
  await noteImport(stores.patrons, job, now + IMPORT_IDLE_MS);
  const isBegun = await patronOf(stores, username).imports.begin({ id: job.id, rows, now });
  if (!isBegun) {
    const running = await patronOf(stores, username).imports.state();
    if (running !== undefined)
      await noteImport(stores.patrons, { ...job, id: running.id }, now + IMPORT_IDLE_MS);
    throw conflict("Another import is running.");
  }
  await importJob.send(stores, job);
  const view = await ownImport(context, username);
  if (view === null) throw new Error("an import that was not stored");
  return view;
}

/** Returns the progress of a patron's newest import; null if there was none. */
export async function ownImport({ stores }: RequestContext, username: string): Promise<ImportView | null> {
  const { imports } = patronOf(stores, username);
  const found = await imports.state();
  if (found === undefined) return null;
  // This order of members is the one that clients have always received.
  const { created, updated, ...state } = found;
  const missing = await imports.missing({ after: 0, limit: MISSING_SHOWN });
  return { ...state, created: datetimeText(created), updated: datetimeText(updated), missing };
}
