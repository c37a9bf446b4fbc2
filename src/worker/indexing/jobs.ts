import { readIndexState } from "../../db/search/generation.ts";
import { type IndexJob, dropJobs, dueJobs, moveJob } from "../../db/search/jobs.ts";
import { logLine } from "../log.ts";
import { RETRY_MS, type Writing } from "./apply.ts";
import { SHOWING_KINDS, showingPage } from "./fan-out.ts";
import { type Indexing, targetOf, timeFromNow } from "./indexing.ts";
import { MAINTENANCE_KINDS, maintain } from "./maintenance.ts";
import { indexKeys } from "./update.ts";

/** Documents that one run builds anew, and pages of other jobs that it does. */
export const JOB_DOCUMENTS_MAX = 500;
export const JOB_PAGES_MAX = 10;

/** Jobs whose key is that of a document to be built anew. */
const DOCUMENT_KINDS: ReadonlySet<string> = new Set(["document", "counts"]);

/**
 * Does what is due: documents that were put off, then pages of works that show something of others, then the
 * maintenance of the night. Answers how many jobs it worked at. A job that fails is put off, and stops no other.
 */
export async function runJobs(indexing: Indexing): Promise<number> {
  const { search } = indexing;
  const jobs = await dueJobs(search, timeFromNow(indexing), JOB_DOCUMENTS_MAX);
  if (jobs.length === 0) return 0;
  const { generations } = targetOf(await readIndexState(search));
  const writing: Writing = { generations, aggregates: true };
  const documents = jobs.filter(({ kind }) => DOCUMENT_KINDS.has(kind));
  const others = jobs.filter(({ kind }) => !DOCUMENT_KINDS.has(kind)).slice(0, JOB_PAGES_MAX);
  if (documents.length > 0) await runDocuments(indexing, documents, writing);
  for (const job of others) await runOne(indexing, job, writing);
  return documents.length + others.length;
}

async function runDocuments(indexing: Indexing, jobs: readonly IndexJob[], writing: Writing): Promise<void> {
  // What fails again is stored as a job for later by then, which is another than the one that is removed.
  await indexKeys(
    indexing,
    jobs.map(({ key }) => key),
    writing,
  );
  await dropJobs(indexing.search, jobs);
}

async function runOne(indexing: Indexing, job: IndexJob, writing: Writing): Promise<void> {
  try {
    if (SHOWING_KINDS.has(job.kind)) await showingPage(indexing, job, writing);
    else if (MAINTENANCE_KINDS.has(job.kind)) await maintain(indexing, job, writing);
    else await dropJobs(indexing.search, [job]);
  } catch (error) {
    logLine("error", "index job", { kind: job.kind, key: job.key, error: String(error) });
    const due = timeFromNow(indexing, RETRY_MS);
    await moveJob(indexing.search, job, { position: job.position, due });
  }
}
