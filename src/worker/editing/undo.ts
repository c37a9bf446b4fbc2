import { failure, Failure } from "../http/failure.ts";
import { invalid } from "../http/input-failures.ts";
import * as z from "zod";
import { permissionFailure } from "../../catalog/editing/failure.ts";
import { toReadView, parseDocument } from "../../catalog/document.ts";
import { COMMENT_LENGTH } from "../../db/editing/check-request.ts";
import {
  type ChangedRecord,
  type Undoing,
  type DeletedRecord,
  readUndoing,
  readDeleted,
} from "../../db/history/reverts.ts";
import { readRights } from "../../db/records/permissions.ts";
import { tombstone } from "./deletion.ts";
import { followLists } from "./list-merges.ts";
import { changeAddress, revisionSchema } from "../history/change-entry.ts";
import { type ChangeRequest, writeError } from "./edit-desk.ts";
import { type Saved, saveChange } from "./save-change.ts";
import { recordNotFound, methodNotAllowed, validationFailed } from "../http/errors.ts";
import { setFlash } from "../http/pages/flash.ts";
import { type AnyOperation, type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json, redirect, seeOther } from "../http/reply.ts";
import { command } from "../ui/command.ts";
import { notify } from "../ui/notice.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { referencesOf } from "../../catalog/editing/prepare.ts";
import { readRecord, readRevision } from "../../db/records/records.ts";
import type { Database } from "../../db/statement.ts";
import { canWriteLists, ownerOfList, requireAccess } from "../http/access.ts";
import { recordPath, withoutSlug } from "../http/paths.ts";

export const undoChange = undoOperation("undoChange");
export const undoChangePage = undoOperation("undoChangePage");

function undoOperation(id: string): AnyOperation {
  return command({
    id,
    summary: "Undo a change",
    tag: "editing",
    path: {
      year: z.string(),
      month: z.string(),
      day: z.string(),
      kind: z.string(),
      change: z.string().describe("Number of the change; date and kind are ignored"),
    },
    responses: {
      200: { description: "Saved records", schema: z.array(revisionSchema) },
      303: { description: "Redirect to the change, without the suffix `.json`" },
      400: { description: "Change that cannot be undone" },
    },
    async load({ path: { change } }, { stores, url }) {
      const undoing = /^\d{1,15}$/.test(change)
        ? await readUndoing(stores.catalog, Number(change))
        : undefined;
      if (undoing === undefined) throw recordNotFound(url.pathname.replace(/\.json$/, ""));
      return undoing;
    },
    submit: ({ loaded }, context) => undo(loaded, context).catch(throwReason),
    showsPage: ({ url }) => !url.pathname.endsWith(".json"),
    asJson: (saved) => json(saved, { cacheControl: NO_STORE }),
    done: { to: ({ loaded: { change } }) => changeAddress(change), notice: "notice.undone" },
    again({ text, message }, { loaded: { change } }, context) {
      const reason = text === undefined ? { message } : { words: text.key, values: text.values };
      setFlash(context, { type: "error", ...reason });
      return seeOther(changeAddress(change));
    },
  });
}

/** Throws 404 and 409 about the old documents as a 400, the reason why the change cannot be undone. */
function throwReason(error: unknown): never {
  if (!(error instanceof Failure) || (error.status !== 404 && error.status !== 409)) throw error;
  throw new Failure(400, error.code, { ...error, message: error.message });
}

async function undo(undoing: Undoing, context: RequestContext): Promise<Saved["saved"]> {
  refuseImpossible(undoing);
  const { change, records } = undoing;
  const { comment } = change;
  const documents = records.map(({ key, before }) =>
    before === undefined ? tombstone(key) : { ...toReadView(before), key },
  );
  const request: ChangeRequest = {
    documents: await followLists(context.stores.catalog, documents),
    // Q121: later changes of the records are never lost.
    expected: Object.fromEntries(records.map(({ key, revision }) => [key, revision])),
    kind: "undo",
    comment: comment === null ? "undo" : `undo ${comment}`.slice(0, COMMENT_LENGTH),
    data: { parent_changeset: String(change.id) },
  };
  const hasCreated = records.some(({ revision }) => revision === 1);
  if (hasCreated) await requireRights(records, context);
  // Q122: undoing a change deletes the records that it created, although only administrators may delete.
  const { saved } = await saveChange(context, hasCreated ? { ...request, authority: "service" } : request);
  return saved;
}

function refuseImpossible({ change, undoneBy, records, isComplete }: Undoing): void {
  if (change.changes === null) throw failure("bad_data.undo_load");
  if (undoneBy !== undefined) {
    const members = { change: String(undoneBy) };
    throw failure("bad_data.undone", members, { members });
  }
  if (!isComplete) throw failure("bad_data.undo_size");
  const later = records.filter(({ revision, latest }) => latest !== revision).map(({ key }) => key);
  if (later.length > 0) {
    const keys = later.slice(0, NAMED_KEYS_MAX).join(", ");
    throw failure("bad_data.edited_since", { keys }, { code: "conflict", members: { keys: later } });
  }
  const unknown = records.find(({ revision, before }) => revision > 1 && before === undefined);
  if (unknown !== undefined) {
    const { key } = unknown;
    const values = { key, revision: unknown.revision - 1 };
    throw failure("bad_data.undo_revision", values, { members: { key } });
  }
}

const NAMED_KEYS_MAX = 20;

async function requireRights(records: readonly ChangedRecord[], context: RequestContext): Promise<void> {
  const { key: user, status } = await context.actor();
  const keys = records.map(({ key }) => key);
  const isKnown = user !== null && status === "active";
  const rights = isKnown ? await readRights(context.stores.catalog, user, keys) : undefined;
  const refused = keys.filter((key) => rights?.mayWrite(key) !== true);
  if (refused.length === 0) return;
  throw writeError(refused.map((key) => permissionFailure("permission_denied.modify", key)));
}

const RECORD_METHODS = ["GET", "HEAD", "PUT", "OPTIONS"];
const REVIVED_MAX = 100;

/** `POST <key>[.json]?m=revert`: saves an older revision again. Matches every path; 405 without the mode. */
export const revertRecord = operation({
  id: "revertRecord",
  summary: "Restore an older revision of a record",
  tag: "editing",
  path: { key: z.string().describe("Key of the record; with `.json` for a JSON response") },
  query: { m: z.string().optional().describe("Mode; must be `revert`") },
  form: {
    v: z
      .string()
      .regex(/^\d{1,9}$/)
      .optional()
      .describe("Revision to restore"),
    _comment: z.string().max(COMMENT_LENGTH).optional(),
  },
  responses: {
    200: {
      description: "Key and new revision; an empty object if nothing changed",
      schema: z.object({ key: z.string().optional(), revision: z.int().optional() }),
    },
    303: { description: "Redirect to the record, without the suffix `.json`" },
    405: { description: "Mode other than `m=revert`" },
  },
  async handle({ query: { m }, form: { v, _comment: comment } }, context) {
    if (m !== "revert") throw methodNotAllowed(RECORD_METHODS);
    await requireAccess("super-librarian", context);
    if (v === undefined) {
      const missing = { type: "missing", input: {} };
      throw validationFailed([invalid(["body", "v"], { key: "validation.missing" }, missing)]);
    }
    const { key: path, encoding } = recordPath(context.url.pathname, context.request.headers.get("Accept"));
    const key = withoutSlug(path, context.settings.RECORD_PREFIX);
    const { saved } = await revert({ key, revision: Number(v) }, comment, context);
    notify(context, "notice.reverted");
    if (encoding !== "json") return redirect(303, key, { cacheControl: NO_STORE });
    return json(saved.find((record) => record.key === key) ?? {}, { cacheControl: NO_STORE });
  },
});

async function revert(
  { key, revision }: { key: string; revision: number },
  comment: string | undefined,
  context: RequestContext,
) {
  const { catalog } = context.stores;
  const [latest, old] = await Promise.all([readRecord(catalog, key), readRevision(catalog, key, revision)]);
  if (latest === undefined || old === undefined) throw recordNotFound(key);
  const [document = {}] = await followLists(catalog, [{ ...toReadView(parseDocument(old.document)), key }]);
  // Q123: deleted records that the document names are restored in the same change.
  const revived = await readDeletedReferences(document, catalog);
  const hasComment = comment !== undefined && comment !== "";
  const entry = {
    kind: "revert-version",
    comment: hasComment ? comment : `reverted to revision ${revision}`,
  } as const;
  const revival = {
    documents: revived.map(toLiveDocument),
    expected: Object.fromEntries(revived.map((record) => [record.key, record.latest])),
  };
  const actor = await context.actor();
  // Q253: only its owner may write a list, so the service saves it for super-librarians.
  const isServed = ownerOfList(key) !== undefined && actor.key !== null && canWriteLists(actor, undefined);
  if (!isServed) {
    return saveChange(context, { ...entry, ...revival, documents: [...revival.documents, document] });
  }
  // The authority of the service is for the list only: restored records need permissions of the user.
  if (revived.length > 0) await saveChange(context, { ...entry, ...revival });
  return saveChange(context, {
    ...entry,
    authority: "service",
    author: actor.key,
    documents: [document],
  });
}

/** Keys of accounts and permissions, which a revert of another record must not restore. */
const NEVER_REVIVED = /^\/(?:people|usergroup|permission)\//;

/** Reads deleted records that a document refers to, directly or indirectly, in their last live state. Throws 400. */
async function readDeletedReferences(document: CatalogRecord, catalog: Database): Promise<DeletedRecord[]> {
  const revived = new Map<string, DeletedRecord>();
  let documents = [document];
  while (documents.length > 0) {
    const keys = referencesOf(documents).filter(
      (key) => !revived.has(key) && key !== document["key"] && !NEVER_REVIVED.test(key),
    );
    const deleted = await readDeleted(catalog, keys);
    for (const record of deleted) revived.set(record.key, record);
    if (revived.size > REVIVED_MAX) throw failure("bad_data.revivals", { most: REVIVED_MAX });
    documents = deleted.map(toLiveDocument);
  }
  return [...revived.values()];
}

function toLiveDocument({ key, alive }: DeletedRecord): CatalogRecord {
  return { ...toReadView(alive), key };
}
