import * as z from "zod";
import { denied } from "../../catalog/editing/failure.ts";
import { readView } from "../../catalog/document.ts";
import { COMMENT_LENGTH } from "../../db/editing/check-request.ts";
import { type ChangedRecord, type Undoing, readUndoing } from "../../db/history/reverts.ts";
import { readRights } from "../../db/records/permissions.ts";
import { tombstone } from "./deletion.ts";
import { changeAddress, revisionSchema } from "../history/change-entry.ts";
import { type ChangeRequest, writeError } from "../history/edit-desk.ts";
import { type Saved, saveChange } from "../history/save.ts";
import { wantsHtml } from "../http/accept.ts";
import { CarrelError, badData, recordNotFound } from "../http/errors.ts";
import { setFlash } from "../http/pages/flash.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json, redirect } from "../http/reply.ts";
import { notify } from "../ui/notice.ts";

/** `POST /recentchanges/<yyyy>/<mm>/<dd>/<kind>/<id>.json`: undoes a change. */
export const undoChange = undoOperation("undoChange", true);
/** `POST /recentchanges/<yyyy>/<mm>/<dd>/<kind>/<id>`: undoes a change and returns to its page. */
export const undoChangePage = undoOperation("undoChangePage", false);

function undoOperation(id: string, isJson: boolean) {
  return operation({
    id,
    summary: "Undo a change: every record as it was before",
    tag: "editing",
    path: {
      year: z.string(),
      month: z.string(),
      day: z.string(),
      kind: z.string(),
      change: z.string().describe("Number of the change; day and kind are not looked at"),
    },
    responses: {
      200: { description: "The records that were saved", schema: z.array(revisionSchema) },
      303: { description: "Without suffix: back to the change" },
      400: { description: "Why it cannot be undone" },
      404: { description: "No such change" },
    },
    async handle({ path }, context) {
      const undoing = await readChange(path.change, context);
      if (isJson) return json(await undo(undoing, context).catch(asReason), { cacheControl: NO_STORE });
      await undo(undoing, context).then(
        () => notify(context, "notice.undone"),
        (error: unknown) => sayWhyNot(context, error),
      );
      return redirect(303, changeAddress(undoing.change), { cacheControl: NO_STORE });
    },
  });
}

async function readChange(id: string, { stores, url }: RequestContext): Promise<Undoing> {
  const undoing = /^\d{1,15}$/.test(id) ? await readUndoing(stores.catalog, Number(id)) : undefined;
  if (undoing === undefined) throw recordNotFound(url.pathname.replace(/\.json$/, ""));
  return undoing;
}

async function undo(undoing: Undoing, context: RequestContext): Promise<Saved["saved"]> {
  refuseImpossible(undoing);
  const { change, records } = undoing;
  const { comment } = change;
  const request: ChangeRequest = {
    documents: records.map(({ key, before }) =>
      before === undefined ? tombstone(key) : { ...readView(before), key },
    ),
    // Q121: later changes of the records are never lost.
    expected: Object.fromEntries(records.map(({ key, revision }) => [key, revision])),
    kind: "undo",
    comment: comment === null ? "undo" : `undo ${comment}`.slice(0, COMMENT_LENGTH),
    data: { parent_changeset: String(change.id) },
  };
  const isMaking = records.some(({ revision }) => revision === 1);
  if (isMaking) await requireRights(records, context);
  // Q122: only administrators delete (5.1); but undoing a change deletes the records that it created.
  const { saved: done } = await saveChange(
    context,
    isMaking ? { ...request, authority: "service" } : request,
  );
  return done;
}

function refuseImpossible({ change, undoneBy, records, isComplete }: Undoing): void {
  if (change.changes === null) throw badData("a load of a dump cannot be undone");
  if (undoneBy !== undefined)
    throw badData(`already undone by change ${undoneBy}`, { change: String(undoneBy) });
  if (!isComplete) throw badData("the documents are too large to be brought back at once");
  const later = records.filter(({ revision, latest }) => latest !== revision).map(({ key }) => key);
  if (later.length > 0) {
    const message = `edited since: ${later.slice(0, NAMED_KEYS_MAX).join(", ")}`;
    const code = "conflict";
    throw new CarrelError(400, code, { message, body: { error: code, message, keys: later } });
  }
  const unknown = records.find(({ revision, before }) => revision > 1 && before === undefined);
  if (unknown !== undefined) {
    throw badData(`revision ${unknown.revision - 1} of ${unknown.key} is not known`, { key: unknown.key });
  }
}

/** Keys in the text of a refusal, at most. */
const NAMED_KEYS_MAX = 20;

async function requireRights(records: readonly ChangedRecord[], context: RequestContext): Promise<void> {
  const { key: user, status } = await context.actor();
  const keys = records.map(({ key }) => key);
  const isKnown = user !== null && status === "active";
  const rights = isKnown ? await readRights(context.stores.catalog, user, keys) : undefined;
  const refused = keys.filter((key) => rights?.mayWrite(key) !== true);
  if (refused.length === 0) return;
  throw writeError(refused.map((key) => denied(`Permission denied to modify '${key}'`, { key })));
}

/** Shows people on the page of the change why it cannot be undone. Throws other errors, and all errors for programs. */
function sayWhyNot(context: RequestContext, error: unknown): void {
  const isTold = error instanceof CarrelError && error.status < 500 && wantsHtml(context.request);
  if (!isTold) asReason(error);
  setFlash(context, { type: "error", message: error instanceof Error ? error.message : "" });
}

/** Throws errors of the old documents as a 400, the reason why the change cannot be undone. */
function asReason(error: unknown): never {
  if (!(error instanceof CarrelError) || (error.status !== 404 && error.status !== 409)) throw error;
  throw new CarrelError(400, error.code, { message: error.message, body: error.body });
}
