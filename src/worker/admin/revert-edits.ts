import { MIB } from "../../catalog/units.ts";
import { type Text, english } from "../../catalog/texts.ts";
import * as z from "zod";
import type { CatalogRecord } from "../../catalog/record.ts";
import { toReadView } from "../../catalog/document.ts";
import {
  type RevertedRecord,
  type EditsToRevert,
  readEdited,
  readEditedSince,
  readEarlierDocuments,
} from "../../db/history/reverts.ts";
import { type ChangeRequest, writeError } from "../editing/edit-desk.ts";
import { followLists } from "../editing/list-merges.ts";
import { completeSave, trySave } from "../editing/save-change.ts";
import { tombstone } from "../editing/deletion.ts";
import type { RequestContext } from "../http/operation.ts";
import { audit } from "../platform/audit.ts";
import { doneSchema } from "./admin-form.ts";

/** Records and maximum bytes of documents in one change of a revert; a larger document gets a change of its own. */
const REVERT_PAGE_RECORDS = 50;
const REVERT_PAGE_BYTES = 8 * MIB;
/** Records reverted by one request; the next request continues. */
const REVERT_CALL_RECORDS = 1000;
/** Records edited since, of which the response names at most this many. */
const REVERT_KEPT_MAX = 100;

export const revertedSchema = doneSchema.extend({
  reverted: z.int().describe("Number of records restored to their state before the changes"),
  deleted: z.int().describe("Number of records that the changes had created"),
  kept: z.array(z.string()).describe("Keys of records that were edited by others since"),
  failed: z.array(z.object({ key: z.string(), message: z.string() })),
  finished: z.boolean().describe("False if the same request has to be repeated"),
});
type RevertedBody = Omit<z.infer<typeof revertedSchema>, "ok">;
export interface Reverted extends Omit<RevertedBody, "failed"> {
  readonly failed: readonly { readonly key: string; readonly text: Text }[];
}

type ChangeNote = Pick<ChangeRequest, "kind" | "comment" | "data">;

/**
 * Reverts changes of an author, one page of records at a time; each page becomes one change. Repeating the request
 * reverts the rest: the latest revision of a reverted record is none of these changes (Q168).
 */
export async function revertEdits(
  context: RequestContext,
  edits: EditsToRevert,
  note: ChangeNote,
): Promise<Reverted> {
  const { catalog } = context.stores;
  const total = { reverted: 0, deleted: 0 };
  let handled = 0;
  let isMoving = true;
  let failed = new Map<string, Text>();
  let isWhole = false;
  // An author record can be deleted only after the works that refer to it.
  while (isMoving) {
    const before = total.reverted + total.deleted;
    failed = new Map();
    for (let after = 0; ;) {
      const records = await readEdited(catalog, edits, { after, limit: REVERT_PAGE_RECORDS });
      let bytes = 0;
      const end = records.findIndex((record) => (bytes += record.bytes) > REVERT_PAGE_BYTES);
      const page = records.slice(0, end === -1 ? records.length : Math.max(1, end));
      const last = page.at(-1);
      isWhole = last === undefined;
      if (last === undefined || handled >= REVERT_CALL_RECORDS) break;
      const { reverted, deleted } = await revertPage(context, page, { note, failed });
      total.reverted += reverted;
      total.deleted += deleted;
      handled += page.length;
      after = last.id;
    }
    isMoving =
      isWhole && failed.size > 0 && total.reverted + total.deleted > before && handled < REVERT_CALL_RECORDS;
  }
  await audit(context, { event: "reverted", subject: edits.author, details: total });
  const kept = await readEditedSince(catalog, edits, REVERT_KEPT_MAX);
  const problems = [...failed].map(([key, text]) => ({ key, text }));
  return { ...total, kept, failed: problems, finished: isWhole };
}

/** Saves a page; moves records that prevent the others from being saved to `failed`. */
async function revertPage(
  context: RequestContext,
  page: readonly RevertedRecord[],
  { note, failed }: { note: ChangeNote; failed: Map<string, Text> },
): Promise<{ reverted: number; deleted: number }> {
  const targets = await readEarlierDocuments(context.stores.catalog, page);
  const pending = new Map<string, CatalogRecord>();
  for (const { key, target, first } of page) {
    const before = targets.get(key);
    if (before !== undefined) pending.set(key, { ...toReadView(before), key });
    else if (target === null && first === 1) pending.set(key, tombstone(key));
    else failed.set(key, { key: "admin.reverted_unknown" });
  }
  const revisions = new Map(page.map(({ key, revision }) => [key, revision]));
  while (pending.size > 0) {
    const expected = Object.fromEntries([...pending.keys()].map((key) => [key, revisions.get(key) ?? 0]));
    const documents = await followLists(context.stores.catalog, [...pending.values()]);
    const result = await trySave(context, { ...note, documents, expected });
    if (result.ok) {
      const saved = new Set(completeSave(context, result).saved.map(({ key }) => key));
      const deleted = page.filter(({ key, target }) => target === null && saved.has(key)).length;
      return { reverted: saved.size - deleted, deleted };
    }
    const before = pending.size;
    for (const { key, at, text } of result.failures) {
      const record = at?.key ?? key;
      if (record !== undefined && pending.delete(record)) failed.set(record, text);
    }
    // The failure is not about a record, so no other records could be saved either.
    if (pending.size === before) throw writeError(result.failures);
  }
  return { reverted: 0, deleted: 0 };
}

export function revertedBody({ failed, finished, ...more }: Reverted): RevertedBody {
  return { ...more, failed: failed.map(({ key, text }) => ({ key, message: english(text) })), finished };
}

export interface RevertPreview {
  readonly records: readonly {
    readonly key: string;
    readonly outcome: "revert" | "delete" | "keep" | "unknown";
    readonly revision: number | null;
  }[];
  /** False if there are more records. */
  readonly isWhole: boolean;
}

export async function previewRevert({ stores }: RequestContext, author: string): Promise<RevertPreview> {
  const [edited, kept] = await Promise.all([
    readEdited(stores.catalog, { author }, { after: 0, limit: REVERT_CALL_RECORDS }),
    readEditedSince(stores.catalog, { author }, REVERT_KEPT_MAX),
  ]);
  const records = edited.map(({ key, target, first }) => {
    const fallback = first === 1 ? ("delete" as const) : ("unknown" as const);
    return { key, outcome: target === null ? fallback : ("revert" as const), revision: target };
  });
  return {
    records: [...records, ...kept.map((key) => ({ key, outcome: "keep" as const, revision: null }))],
    isWhole: edited.length < REVERT_CALL_RECORDS && kept.length < REVERT_KEPT_MAX,
  };
}
