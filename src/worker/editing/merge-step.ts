import { planMerge } from "../../catalog/editing/merge-plan.ts";
import {
  type MergeKind,
  type MergeOrder,
  type MergeRules,
  MERGE_RULES,
} from "../../catalog/editing/merge-rules.ts";
import { type CatalogRecord, keysOf, typeKey } from "../../catalog/record.ts";
import { type RequestNote, isJobOf } from "../../db/editing/merge-jobs.ts";
import {
  type MergeReading,
  type MergeRecord,
  type NamingRecord,
  readMentioning,
  readMerge,
  readNaming,
} from "../../db/editing/read-merge.ts";

/** Most records, and bytes of their documents, that a merge saves as one change. */
const MERGE_RECORDS = 1000;
const MERGE_BYTES = 8 * 1024 * 1024;
/** The same of one page of a larger merge. */
const MERGE_PAGE_RECORDS = 500;
const MERGE_PAGE_BYTES = 4 * 1024 * 1024;

/** What fits into one change, and into a page of what does not. */
export interface MergeLimits {
  readonly records: number;
  readonly bytes: number;
  readonly pageRecords: number;
  readonly pageBytes: number;
}

/** The limits of the service. */
const MERGE_LIMITS: MergeLimits = {
  records: MERGE_RECORDS,
  bytes: MERGE_BYTES,
  pageRecords: MERGE_PAGE_RECORDS,
  pageBytes: MERGE_PAGE_BYTES,
};

/** The next change of a merge. */
export interface MergeStep {
  /** What it saves; empty when the merge is done. */
  readonly documents: readonly CatalogRecord[];
  /** Revisions of everything that it was decided on, by key. */
  readonly expected: Readonly<Record<string, number>>;
  /** The duplicates that exist, in the order of the task. */
  readonly duplicates: readonly string[];
  /** False when there is more to be done than fits into one change. */
  readonly isLast: boolean;
  /** The open job of this very merge. */
  readonly job: number | undefined;
}

/** Why there is no next change: the records cannot be merged. */
interface MergeStop {
  readonly problem: CatalogRecord;
  readonly job: number | undefined;
}

/** Reads what is left of a merge and makes the next change of it. */
export async function readStep(
  catalog: D1Database,
  task: MergeTask,
  limits: MergeLimits = MERGE_LIMITS,
): Promise<MergeStep | MergeStop> {
  const rules = MERGE_RULES[task.kind];
  const reading = await readMerge(catalog, task, { rules, limit: limits.records + 1 });
  const job = reading.jobs.find((one) => isJobOf(one, task.kind, task))?.id;
  const master = reading.records.get(task.master);
  const duplicates = task.duplicates.flatMap((key) => reading.records.get(key) ?? []);
  const problem = problemOf(task, reading, { rules, duplicates });
  if (problem !== undefined) return { problem, job };
  if (master === undefined) throw new Error("a merge without a master");

  const { ids, isLast } = take(reading.naming, { own: duplicates.length + 1, limits });
  const naming = await readAllNaming(catalog, { ids, task });
  const state = {
    master: master.document,
    duplicates: duplicates.map(documentOf),
    naming: naming.map(documentOf),
  };
  const documents = planMerge({ ...state, isLast }, rules);
  // A page that cannot get smaller would be read for ever.
  if (documents.length === 0 && !isLast) throw new Error("references that are found and not replaced");
  return {
    documents,
    isLast,
    job,
    duplicates: duplicates.map(({ key }) => key),
    expected: revisionsOf([master, ...duplicates, ...naming]),
  };
}

function documentOf({ document }: MergeRecord): CatalogRecord {
  return document;
}

function revisionsOf(records: readonly MergeRecord[]): Record<string, number> {
  return Object.fromEntries(records.map(({ key, revision }) => [key, revision]));
}

interface Found {
  readonly rules: MergeRules;
  readonly duplicates: readonly MergeRecord[];
}

/** Types that a duplicate may have besides that of the master: it is nothing any more. */
const STATES = new Set(["/type/delete", "/type/redirect"]);

function problemOf(
  { kind, master, duplicates: named }: MergeTask,
  { records, isComplete, jobs }: MergeReading,
  { rules: { type }, duplicates }: Found,
): CatalogRecord | undefined {
  if (!isComplete) return { message: "too many records: the documents to be merged are too large" };
  const record = records.get(master);
  if (record === undefined) return { message: `no record '${master}'`, key: master };
  const found = typeKey(record.document) ?? "nothing";
  if (found !== type) {
    return { message: `expected ${type}, found ${found}`, at: { key: master, property: "type" } };
  }
  const wrong = duplicates.find(({ document }) => !canBeDuplicate(document, type));
  if (wrong !== undefined) {
    const foundThere = typeKey(wrong.document) ?? "nothing";
    return { message: `expected ${type}, found ${foundThere}`, at: { key: wrong.key, property: "type" } };
  }
  const other = jobs.find((job) => !isJobOf(job, kind, { master, duplicates: named }));
  if (other === undefined) return undefined;
  return { message: `another merge of these records goes on, job ${other.id}`, job: other.id };
}

function canBeDuplicate(document: CatalogRecord, type: string): boolean {
  const found = typeKey(document);
  return found === type || (found !== undefined && STATES.has(found));
}

/** Everything, if it fits into one change with the `own` records of the merge; else the records of one page. */
function take(
  naming: readonly NamingRecord[],
  { own, limits }: { readonly own: number; readonly limits: MergeLimits },
): { readonly ids: readonly number[]; readonly isLast: boolean } {
  const bytes = naming.reduce((sum, one) => sum + one.bytes, 0);
  if (naming.length + own <= limits.records && bytes <= limits.bytes) {
    return { ids: naming.map(({ id }) => id), isLast: true };
  }
  const ids: number[] = [];
  let length = 0;
  for (const one of naming.slice(0, limits.pageRecords)) {
    length += one.bytes;
    if (ids.length > 0 && length > limits.pageBytes) break;
    ids.push(one.id);
  }
  return { ids, isLast: false };
}

/** Records that name duplicates, and the works of the editions among them when those mention one as well. */
async function readAllNaming(
  catalog: D1Database,
  { ids, task }: { readonly ids: readonly number[]; readonly task: MergeTask },
): Promise<MergeRecord[]> {
  const naming = await readNaming(catalog, ids);
  if (task.kind === "work") return naming;
  const known = new Set(naming.map(({ key }) => key));
  const works = new Set(
    naming.flatMap(({ document }) => keysOf(document["works"])).filter((key) => !known.has(key)),
  );
  return [...naming, ...(await readMentioning(catalog, [...works], task.duplicates))];
}

/** A merge that somebody wants. */
export interface MergeTask extends MergeOrder {
  readonly kind: MergeKind;
  /** `/people/<username>` */
  readonly author: string;
  readonly ip: string | null;
  readonly note: RequestNote;
}
