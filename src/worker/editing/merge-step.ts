import { planMerge } from "../../catalog/editing/merge-plan.ts";
import { type MergeKind, type MergeOrder, MERGE_RULES } from "../../catalog/editing/merge-rules.ts";
import { latestRecord } from "../../catalog/document.ts";
import { type CatalogRecord, authorKeys, isGone, keyOf, keysOf, typeKey } from "../../catalog/record.ts";
import { readView } from "../../catalog/view.ts";
import { type RequestNote, isJobOf } from "../../db/editing/merge-jobs.ts";
import {
  type MergeReading,
  type MergeRecord,
  type NamingRecord,
  readMentioning,
  readMerge,
  readNaming,
} from "../../db/editing/read-merge.ts";
import { readRecords } from "../../db/records/read.ts";
import type { Database } from "../../db/statement.ts";

/** Most records, and bytes of their documents, that a merge saves as one change; the same of a page of a larger one. */
const MERGE_LIMITS = {
  records: 1000,
  bytes: 8 * 1024 * 1024,
  pageRecords: 500,
  pageBytes: 4 * 1024 * 1024,
};
export type MergeLimits = Readonly<typeof MERGE_LIMITS>;

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

/** Reads what is left of a merge and makes the next change of it; or tells why the records cannot be merged. */
export async function readStep(
  catalog: Database,
  task: MergeTask,
  limits: MergeLimits = MERGE_LIMITS,
): Promise<MergeStep | (Pick<MergeStep, "job"> & { readonly problem: CatalogRecord })> {
  const rules = MERGE_RULES[task.kind];
  const reading = await readMerge(catalog, task, { rules, limit: limits.records + 1 });
  const job = reading.jobs.find((one) => isJobOf(one, task.kind, task))?.id;
  const master = reading.records.get(task.master);
  const duplicates = task.duplicates.flatMap((key) => reading.records.get(key) ?? []);
  const problem = problemOf(task, reading, { type: rules.type, duplicates });
  if (problem !== undefined) return { problem, job };
  if (master === undefined) throw new Error("a merge without a master");

  const { ids, isLast } = take(reading.naming, duplicates.length + 1, limits);
  const naming = await readAllNaming(catalog, { ids, task });
  const state = {
    master: master.document,
    duplicates: duplicates.map(documentOf),
    naming: naming.map(documentOf),
    authors: isLast && task.kind === "work" ? await readAuthors(catalog, [master, ...duplicates]) : new Map(),
  };
  const documents = planMerge({ ...state, isLast }, rules);
  // A page that cannot get smaller would be read for ever.
  if (documents.length === 0 && !isLast) throw new Error("references that are found and not replaced");
  return {
    documents,
    isLast,
    job,
    duplicates: duplicates.map(({ key }) => key),
    expected: Object.fromEntries(
      [master, ...duplicates, ...naming].map((record) => [record.key, record.revision]),
    ),
  };
}

/** Most authors whose names are compared: what names more is a collection. */
const COMPARED_AUTHORS_MAX = 200;

/** The authors that works name, and the targets of redirects among them. */
async function readAuthors(
  catalog: Database,
  works: readonly MergeRecord[],
): Promise<ReadonlyMap<string, CatalogRecord>> {
  const keys = works.flatMap(({ document }) => authorKeys(readView(document)["authors"]));
  const rows = await readRecords(catalog, [...new Set(keys)].slice(0, COMPARED_AUTHORS_MAX));
  const authors = rows.map((row) => [row.key, latestRecord(row)] as const);
  const targets = authors.flatMap(([, record]) =>
    typeKey(record) === "/type/redirect" ? (keyOf(record["location"]) ?? []) : [],
  );
  const others = targets.length === 0 ? [] : await readRecords(catalog, [...new Set(targets)]);
  return new Map([...authors, ...others.map((row) => [row.key, latestRecord(row)] as const)]);
}

function documentOf({ document }: MergeRecord): CatalogRecord {
  return document;
}

function problemOf(
  { kind, master, duplicates: named }: MergeTask,
  { records, isComplete, jobs }: MergeReading,
  { type, duplicates }: { readonly type: string; readonly duplicates: readonly MergeRecord[] },
): CatalogRecord | undefined {
  if (!isComplete) return { message: "too many records: the documents to be merged are too large" };
  const record = records.get(master);
  if (record === undefined) return { message: `no record '${master}'`, key: master };
  const found = typeKey(record.document) ?? "nothing";
  if (found !== type) {
    return { message: `expected ${type}, found ${found}`, at: { key: master, property: "type" } };
  }
  // A duplicate may be nothing any more.
  const wrong = duplicates.find(({ document }) => {
    const own = typeKey(document) ?? "";
    return own !== type && !isGone(own);
  });
  if (wrong !== undefined) {
    const foundThere = typeKey(wrong.document) ?? "nothing";
    return { message: `expected ${type}, found ${foundThere}`, at: { key: wrong.key, property: "type" } };
  }
  const other = jobs.find((job) => !isJobOf(job, kind, { master, duplicates: named }));
  if (other === undefined) return undefined;
  return { message: `another merge of these records goes on, job ${other.id}`, job: other.id };
}

/** Everything, if it fits into one change with the `own` records of the merge; else the records of one page. */
function take(
  naming: readonly NamingRecord[],
  own: number,
  limits: MergeLimits,
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
  catalog: Database,
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
