import { MIB } from "../../catalog/units.ts";
import type { FailurePlace } from "../../catalog/editing/failure.ts";
import type { Text, TextKey } from "../../catalog/texts.ts";
import { planMerge } from "../../catalog/editing/merge-plan.ts";
import { type MergeKind, type MergeOrder, MERGE_RULES } from "../../catalog/editing/merge-rules.ts";
import { toReadView } from "../../catalog/document.ts";
import { type CatalogRecord, authorKeysIn, isGone, keyOf, keysOf, typeKeyOf } from "../../catalog/record.ts";
import {
  type MergeReading,
  type MergeRecord,
  type NamingRecord,
  type RequestNote,
  isJobOf,
  readMentioning,
  readMerge,
  readNamingRecords,
} from "../../db/editing/merge-jobs.ts";
import { readRecordMap } from "../../db/records/records.ts";
import type { Database } from "../../db/statement.ts";

/** Limits of a merge that is saved as one change, and of a page of a larger one: records, and bytes of documents. */
const MERGE_LIMITS = {
  records: 1000,
  bytes: 8 * MIB,
  pageRecords: 500,
  pageBytes: 4 * MIB,
};
export type MergeLimits = Readonly<typeof MERGE_LIMITS>;

export interface MergeStep {
  /** Documents to save; empty if the merge is done. */
  readonly documents: readonly CatalogRecord[];
  /** Revisions of all records that the change is based on, by key. */
  readonly expected: Readonly<Record<string, number>>;
  /** Existing duplicates, in the order of the task. */
  readonly duplicates: readonly string[];
  /** False if the remaining work does not fit into one change. */
  readonly isLast: boolean;
  readonly job: number | undefined;
}

/** Reads the remaining work of a merge. Returns its next change, or the reason why the records cannot be merged. */
export async function readStep(
  catalog: Database,
  task: MergeTask,
  limits: MergeLimits = MERGE_LIMITS,
): Promise<MergeStep | (Pick<MergeStep, "job"> & { problem: MergeProblem })> {
  const rules = MERGE_RULES[task.kind];
  const reading = await readMerge(catalog, task, { rules, limit: limits.records + 1 });
  const job = reading.jobs.find((open) => isJobOf(open, task.kind, task))?.id;
  const master = reading.records.get(task.master);
  const duplicates = task.duplicates.flatMap((key) => reading.records.get(key) ?? []);
  const problem = problemOf(task, reading, { type: rules.type, duplicates });
  if (problem !== undefined) return { problem, job };
  if (master === undefined) throw new Error("a merge without a master");

  const { ids, isLast } = selectPage(reading.naming, duplicates.length + 1, limits);
  const naming = await readAllNaming(catalog, { ids, task });
  const state = {
    master: master.document,
    duplicates: duplicates.map(({ document }) => document),
    naming: naming.map(({ document }) => document),
    authors: isLast && task.kind === "work" ? await readAuthors(catalog, [master, ...duplicates]) : new Map(),
  };
  const documents = planMerge({ ...state, isLast }, rules);
  // Prevents an endless loop over the same page.
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

/** Maximum number of authors whose names are compared: works with more are collections. */
const COMPARED_AUTHORS_MAX = 200;

async function readAuthors(
  catalog: Database,
  works: readonly MergeRecord[],
): Promise<ReadonlyMap<string, CatalogRecord>> {
  const keys = works.flatMap(({ document }) => authorKeysIn(toReadView(document)["authors"]));
  const authors = await readRecordMap(catalog, [...new Set(keys)].slice(0, COMPARED_AUTHORS_MAX));
  const targets = [...authors.values()].flatMap((record) =>
    typeKeyOf(record) === "/type/redirect" ? (keyOf(record["location"]) ?? []) : [],
  );
  return new Map([...authors, ...(await readRecordMap(catalog, [...new Set(targets)]))]);
}

function problemOf(
  { kind, master, duplicates: named }: MergeTask,
  { records, isComplete, jobs }: MergeReading,
  { type, duplicates }: { type: string; duplicates: readonly MergeRecord[] },
): MergeProblem | undefined {
  if (!isComplete) return { text: { key: "bad_data.merge_size" } };
  const record = records.get(master);
  if (record === undefined)
    return { text: { key: "bad_data.no_record", values: { key: master } }, key: master };
  const mistyped = (key: string, { document }: MergeRecord): MergeProblem => {
    const values = { expected: type, found: typeKeyOf(document) ?? "nothing" };
    return { text: { key: "bad_data.type_expected", values }, at: { key, property: "type" } };
  };
  if (typeKeyOf(record.document) !== type) return mistyped(master, record);
  // A duplicate may be deleted already.
  const other = duplicates.find(({ document }) => {
    const ownType = typeKeyOf(document) ?? "";
    return ownType !== type && !isGone(ownType);
  });
  if (other !== undefined) return mistyped(other.key, other);
  const otherJob = jobs.find((job) => !isJobOf(job, kind, { master, duplicates: named }));
  if (otherJob === undefined) return undefined;
  const { id: job } = otherJob;
  return { text: { key: "bad_data.merge_running", values: { job } }, job };
}

/** Selects all records if they fit into one change with the `count` records of the merge, or else those of one page. */
function selectPage(
  naming: readonly NamingRecord[],
  count: number,
  limits: MergeLimits,
): { ids: readonly number[]; isLast: boolean } {
  const total = naming.reduce((sum, { bytes }) => sum + bytes, 0);
  if (naming.length + count <= limits.records && total <= limits.bytes) {
    return { ids: naming.map(({ id }) => id), isLast: true };
  }
  const ids: number[] = [];
  let length = 0;
  for (const { id, bytes } of naming.slice(0, limits.pageRecords)) {
    length += bytes;
    if (ids.length > 0 && length > limits.pageBytes) break;
    ids.push(id);
  }
  return { ids, isLast: false };
}

/** Reads records that name duplicates, and the works of their editions that mention one as well. */
async function readAllNaming(
  catalog: Database,
  { ids, task }: { ids: readonly number[]; task: MergeTask },
): Promise<MergeRecord[]> {
  const naming = await readNamingRecords(catalog, ids);
  if (task.kind === "work") return naming;
  const known = new Set(naming.map(({ key }) => key));
  const works = new Set(
    naming.flatMap(({ document }) => keysOf(document["works"])).filter((key) => !known.has(key)),
  );
  return [...naming, ...(await readMentioning(catalog, [...works], task.duplicates))];
}

/** Reason why records cannot be merged, with members for the body of the response. */
export interface MergeProblem {
  readonly text: Text<Extract<TextKey, `bad_data.${string}`>>;
  readonly key?: string;
  readonly at?: FailurePlace;
  readonly job?: number;
}

export interface MergeTask extends MergeOrder {
  readonly kind: MergeKind;
  readonly author: string;
  readonly ip: string | null;
  readonly note: RequestNote;
}
