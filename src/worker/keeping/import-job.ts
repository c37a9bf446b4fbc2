import * as z from "zod";
import {
  type ImportJob,
  dueImports,
  endImport,
  newCheckInIds,
  touchImport,
} from "../../db/patrons/import-jobs.ts";
import { isRemoved } from "../../durable/patron/removal.ts";
import type { FoundRow, WaitingRow } from "../../durable/patron/imports.ts";
import { type Jobs, JOB_BUDGET_MS, jobKind, sendPatronJob, sweepJobs } from "../http/queue.ts";
import { patronOf } from "../http/session.ts";
import { findBooks } from "./find-books.ts";

/** Kind of the message that has an import gone on with. */
export const IMPORT_KIND = "import";
/** Books that are looked up and put onto shelves together. */
export const IMPORTED_ROWS = 100;
/** After how long an import counts as left alone, in milliseconds, and how many of these one sweep takes up. */
export const IMPORT_IDLE_MS = 60_000;
export const IMPORTS_SWEPT = 20;

/** Messages about one import. */
export const importJob = jobKind(z.object({ patron: z.string().min(1), id: z.string() }), goOn);

/**
 * Takes the books of an import over, page by page (patrons.md 13). The patron's object knows which rows are done, so a step
 * that is repeated, or done by two workers at a time, takes nothing over twice.
 */
async function goOn(job: ImportJob, jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const deadline = sources.now() + JOB_BUDGET_MS;
  try {
    while (await takePage(job, jobs)) {
      if (sources.now() < deadline) continue;
      await touchImport(stores.patrons, job, sources.now() + IMPORT_IDLE_MS);
      return await sendPatronJob(stores.patronJobs, { kind: IMPORT_KIND, ...job });
    }
  } catch (error) {
    // There is nobody any more whose books these were.
    if (!isRemoved(error)) throw error;
  }
  await endImport(stores.patrons, job);
}

async function takePage({ patron, id }: ImportJob, jobs: Jobs): Promise<boolean> {
  const { imports } = patronOf(jobs.stores, patron);
  const waiting = await imports.waiting(id, IMPORTED_ROWS);
  if (waiting.length === 0) return false;
  const found = await findAll(patron, waiting, jobs);
  await imports.take(id, { found, now: jobs.sources.now() });
  return true;
}

async function findAll(patron: string, waiting: readonly WaitingRow[], jobs: Jobs): Promise<FoundRow[]> {
  const books = await findBooks(
    jobs,
    waiting.flatMap(({ isbn }) => isbn ?? []),
  );
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

/** The sweep: goes on with imports whose messages were lost. */
export async function continueImports(jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const found = await dueImports(stores.patrons, sources.now(), IMPORTS_SWEPT);
  await sweepJobs({ kind: IMPORT_KIND, found, sources }, async (job) => {
    await touchImport(stores.patrons, job, sources.now() + IMPORT_IDLE_MS);
    await goOn(job, jobs);
  });
}
