import {
  type GoodreadsFile,
  type GoodreadsProblem,
  IMPORT_BOOKS_MAX,
  importRows,
  readGoodreads,
} from "../../catalog/patrons/goodreads.ts";
import { noteImport } from "../../db/patrons/import-jobs.ts";
import type { ImportState, MissingRow } from "../../durable/patron/imports.ts";
import { datetimeText } from "../../catalog/datetime.ts";
import type { RequestContext } from "../http/operation.ts";
import { CarrelError, badData } from "../http/errors.ts";
import { sendPatronJob } from "../http/queue.ts";
import { patronOf } from "../http/session.ts";
import { IMPORT_IDLE_MS, IMPORT_KIND } from "./import-job.ts";

/** Largest file, in bytes, with what a form puts around it. */
export const IMPORT_BODY_BYTES = 16 * 1024 * 1024;
/** Books in one answer that were not taken over. */
export const MISSING_SHOWN = 1000;

const PROBLEMS: Readonly<Record<GoodreadsProblem, string>> = {
  empty: "The file is empty.",
  "no-columns": "This is not the export of Goodreads: there is no column “Book Id” or “ISBN”.",
  "too-many": `There are more than ${IMPORT_BOOKS_MAX} books in the file. Please divide it.`,
};

/** How an import is getting on, as the wire has it. Times are naive UTC. */
export interface ImportView {
  readonly id: string;
  readonly status: "running" | "done";
  readonly total: number;
  readonly done: number;
  readonly imported: number;
  readonly created: string;
  readonly updated: string;
  /** Books that were not taken over: the first ones, in the order of the file. */
  readonly missing: readonly MissingRow[];
}

/** The books of a file; throws 400 when it is none. */
export function readFile(text: string): GoodreadsFile {
  const file = readGoodreads(text);
  if (typeof file === "string") throw badData(PROBLEMS[file]);
  return file;
}

/** Begins to take the books of a file over; throws 400 for what is no such file, 409 while another import is running. */
export async function beginImport(
  context: RequestContext,
  username: string,
  text: string,
): Promise<ImportView> {
  const { stores, sources, now } = context;
  const rows = importRows(readFile(text));
  const job = { patron: username.toLowerCase(), id: sources.newSecret() };
  // The sweep's row comes first: an import that nobody knows of would never go on.
  await noteImport(stores.patrons, job, now + IMPORT_IDLE_MS);
  const isBegun = await patronOf(stores, username).imports.begin({ id: job.id, rows, now });
  if (!isBegun) {
    const running = await patronOf(stores, username).imports.state();
    if (running !== undefined)
      await noteImport(stores.patrons, { ...job, id: running.id }, now + IMPORT_IDLE_MS);
    throw new CarrelError(409, "conflict", { message: "Another import is still running." });
  }
  await sendPatronJob(stores.patronJobs, { kind: IMPORT_KIND, ...job });
  const view = await ownImport(context, username);
  if (view === null) throw new Error("an import that was not stored");
  return view;
}

/** How the newest import of a patron is getting on; null when there was none. */
export async function ownImport({ stores }: RequestContext, username: string): Promise<ImportView | null> {
  const { imports } = patronOf(stores, username);
  const state = await imports.state();
  if (state === undefined) return null;
  return viewOf(state, await imports.missing({ after: 0, limit: MISSING_SHOWN }));
}

function viewOf({ created, updated, ...state }: ImportState, missing: readonly MissingRow[]): ImportView {
  return { ...state, created: datetimeText(created), updated: datetimeText(updated), missing };
}
