import * as z from "zod";
import { formatDatetime } from "../../../catalog/datetime.ts";
import { NEW_LIST, buildListChangeData } from "../../../catalog/lists/list-change.ts";
import { buildListRecord } from "../../../catalog/lists/list-form.ts";
import { LIST_SEEDS_MAX } from "../../../catalog/lists/seeds.ts";
import { reserveCheckInIds } from "../../../db/patrons/activity.ts";
import { endImport, touchImport, readDueImports } from "../../../db/patrons/patron-jobs.ts";
import type { ReadingLogImport } from "../../../db/patrons/patron-rows.ts";
import type { SaveResult, Writer } from "../../../db/editing/request.ts";
import { findOwnList } from "../../../db/lists/read-lists.ts";
import { findUserKey } from "../../../db/records/users.ts";
import type { LookedUpRow, WaitingImportRow } from "../../../durable/patron/imports.ts";
import { keyOfWorkId } from "../../../search/indexing/ids.ts";
import { unlessRemoved } from "../../accounts/unless-removed.ts";
import { callDesk, propagateChange, toSaveRequest, writeError } from "../../editing/edit-desk.ts";
import { writeBudgets } from "../../editing/byte-budget.ts";
import type { RequestContext } from "../../http/operation.ts";
import { jobKind, sweepJobs } from "../../platform/patron-job.ts";
import type { BudgetedJobs, Jobs } from "../../http/queue.ts";
import { patronOf } from "../../http/session.ts";
import { findByIsbn, findByOlid, searchBooks } from "./find-own-books.ts";

export const IMPORTED_ROWS = 100;
/** Idle time after which the sweep resumes an import, in milliseconds, and imports that one sweep resumes. */
export const IMPORT_IDLE_MS = 60_000;
const IMPORTS_SWEPT = 20;

export const importJob = jobKind(
  "import",
  z.object({ patron: z.string().min(1), id: z.string() }),
  runImport,
);

/** Imports books page by page, then saves lists. The patron's object knows what is done, so nothing is done twice. */
async function runImport(job: ReadingLogImport, jobs: BudgetedJobs): Promise<void> {
  const { stores, sources, budget } = jobs;
  do {
    // The import ends if the account was removed meanwhile.
    const hasMore = await unlessRemoved(importPage(job, jobs));
    if (hasMore !== true) return endImport(stores.patrons, job);
  } while (!budget.isOver());
  await touchImport(stores.patrons, job, sources.now() + IMPORT_IDLE_MS);
  return importJob.send(stores, job);
}

/** Imports the next rows, or saves the next list. Returns false at the end. */
async function importPage(job: ReadingLogImport, jobs: Jobs): Promise<boolean> {
  const { imports } = patronOf(jobs.stores, job.patron);
  const waiting = await imports.waiting(job.id, IMPORTED_ROWS);
  if (waiting.length === 0) return saveNextList(job, jobs);
  const rows = await lookUp(job.patron, waiting, jobs);
  await imports.take(job.id, { rows, now: jobs.sources.now() });
  return true;
}

/** Finds the books of rows: by number and ISBN, else by title and author. Books on no shelf and no list stay out. */
async function lookUp(
  patron: string,
  waiting: readonly WaitingImportRow[],
  jobs: Jobs,
): Promise<LookedUpRow[]> {
  const placed = waiting.filter(isPlaced);
  const books = new Map(await findByOlid(jobs, placed));
  const byIsbn = await findByIsbn(
    jobs,
    placed.flatMap(({ position, isbn }) => (isbn === null || books.has(position) ? [] : isbn)),
  );
  for (const { position, isbn } of placed) {
    const book = byIsbn.get(isbn ?? "");
    if (book !== undefined && !books.has(position)) books.set(position, book);
  }
  const searched = placed.filter(({ position, title }) => !books.has(position) && title !== "");
  const guesses = await searchBooks(jobs, searched);
  const works = [...guesses.values()].flatMap((guess) =>
    "candidates" in guess ? guess.candidates.map(({ work }) => work) : [],
  );
  const entries = works.length === 0 ? [] : await patronOf(jobs.stores, patron).shelves.entries(works);
  const own = new Set(entries.map(({ work }) => work));
  for (const [position, guess] of guesses) {
    if ("book" in guess) books.set(position, guess.book);
    else {
      // The only candidate on a shelf is certain: it may have been chosen during an earlier import of the file.
      const [only, other] = guess.candidates.filter(({ work }) => own.has(work));
      if (only !== undefined && other === undefined) books.set(position, { work: only.work, edition: null });
    }
  }
  const eventsOf = ({ position, details }: WaitingImportRow): number =>
    books.has(position) ? (details.events?.length ?? 0) : 0;
  const eventCount = waiting.reduce((sum, row) => sum + eventsOf(row), 0);
  const ids = await reserveCheckInIds(jobs.stores.patrons, patron, eventCount);
  return waiting.map((row) => {
    const { position, isbn } = row;
    if (!isPlaced(row)) return { position, problem: "unknown-shelf" };
    const book = books.get(position);
    if (book !== undefined) {
      return { position, problem: null, ...book, checkIns: ids.splice(0, eventsOf(row)) };
    }
    const guess = guesses.get(position);
    const candidates = guess !== undefined && "candidates" in guess ? guess.candidates : [];
    if (candidates.length > 0) return { position, problem: "doubtful", candidates };
    return { position, problem: isbn === null ? "no-isbn" : "not-found" };
  });
}

/** Returns true if a row can be imported: onto a shelf, into lists, or as observations and dates. */
function isPlaced({
  shelf,
  details: { lists = [], events = [], observations = [] },
}: WaitingImportRow): boolean {
  return shelf !== null || [lists, events, observations].some((values) => values.length > 0);
}

/**
 * Saves the next list of an import: adds the works to the patron's list of this name, or creates it. Returns false at the
 * end. Throws an error that a retry can resolve.
 */
async function saveNextList({ patron, id }: ReadingLogImport, jobs: Jobs): Promise<boolean> {
  const { stores, settings, sources } = jobs;
  const { imports } = patronOf(stores, patron);
  const list = await imports.nextList(id, LIST_SEEDS_MAX);
  if (list === undefined) return false;
  const { name, works } = list;
  const prefix = settings.RECORD_PREFIX;
  const owner = await findUserKey(stores.catalog, patron);
  if (owner === undefined || works.length === 0) {
    await imports.endList(id, { name, key: null, problem: null });
    return true;
  }
  const budgets = writeBudgets({ bot: false, groups: new Set() }, settings);
  const writer: Writer = {
    author: owner,
    bot: false,
    ip: null,
    authority: "user",
    ...(budgets && { budgets }),
  };
  const seeds = works.map((work) => ({ key: keyOfWorkId(work, prefix) }));
  const key = await findOwnList(stores.catalog, { userKey: owner, prefix, name });
  const now = sources.now();
  const result: SaveResult = await callDesk(stores, (desk) => {
    if (key === undefined) {
      const record = buildListRecord("/type/list", { name, description: "", tags: undefined, seeds });
      const data = buildListChangeData(NEW_LIST, { seeds });
      const change = { documents: [record], kind: "create-list", comment: "Created new list.", data };
      return desk.create(toSaveRequest(change, writer, now));
    }
    const sent = JSON.stringify({ add: seeds, remove: [] });
    const add = JSON.stringify(seeds);
    return desk.seeds({ writer, now: formatDatetime(now), list: key, add, remove: [], sent });
  });
  if (!result.ok) {
    const error = writeError(result.failures);
    if (error.status >= 500) throw error;
    await imports.endList(id, { name, key: null, problem: error.message });
    return true;
  }
  if (result.change !== null) await propagateChange(stores, result.change);
  await imports.endList(id, { name, key: key ?? result.keys[0] ?? null, problem: null });
  return true;
}

/** Resumes imports whose messages were lost. A step of the sweep. */
export async function continueImports(jobs: BudgetedJobs): Promise<void> {
  const { stores, sources, budget } = jobs;
  const due = await readDueImports(stores.patrons, sources.now(), IMPORTS_SWEPT);
  await sweepJobs({ kind: importJob.kind, found: due, budget }, async (job) => {
    await touchImport(stores.patrons, job, sources.now() + IMPORT_IDLE_MS);
    await runImport(job, jobs);
  });
}

const MISSING_MAX = 1000;

const missingRow = z.object({
  position: z.int(),
  title: z.string(),
  author: z.string(),
  isbn: z.string().nullable(),
  problem: z.enum(["no-isbn", "not-found", "unknown-shelf", "doubtful"]),
  candidates: z
    .array(z.object({ work: z.int(), title: z.string(), author: z.string(), year: z.int().nullable() }))
    .describe("Candidates for an uncertain row, best match first"),
});

/**
 * Progress of an import. Times are naive UTC; `missing` are the first books that were not imported, doubtful ones first,
 * in file order.
 */
export const importSchema = z.object({
  id: z.string(),
  status: z.enum(["running", "done"]),
  total: z.int(),
  done: z.int().describe("Processed rows"),
  imported: z.int(),
  created: z.string(),
  updated: z.string(),
  missing: z.array(missingRow),
  lists: z.array(z.object({ name: z.string(), key: z.string().nullable(), problem: z.string().nullable() })),
});
export type ImportView = z.output<typeof importSchema>;

export async function readImport({ stores }: RequestContext, username: string): Promise<ImportView | null> {
  const { imports } = patronOf(stores, username);
  const current = await imports.state();
  if (current === undefined) return null;
  // The order of members is part of the wire format.
  const { created, updated, ...state } = current;
  const [missing, lists] = await Promise.all([imports.missing(MISSING_MAX), imports.lists()]);
  return {
    ...state,
    created: formatDatetime(created),
    updated: formatDatetime(updated),
    missing,
    lists,
  };
}
