import { readListForm } from "../../catalog/lists/form.ts";
import { seedsOfRecord } from "../../catalog/lists/seed.ts";
import { type CatalogRecord, type Json, isObject, typeKey } from "../../catalog/record.ts";
import { takeControl } from "../../catalog/editing/write-request.ts";
import { latestRecords } from "../editing/save-form.ts";
import { isWriter, mayWriteLists, ownerOfList } from "../http/access.ts";
import { badData } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { requestJson } from "../editing/json-request.ts";
import { expectedRevision, putDocument } from "../editing/put-record.ts";
import { saveChange } from "../history/save.ts";
import { writeError } from "../history/write-error.ts";
import { listKey, listNotFound } from "./operation.ts";
import { listDenied, withListErrors } from "./rights.ts";
import { LIST_BODY_BYTES, listId, seedsSaved, username } from "./write-request.ts";

/**
 * `PUT /people/<username>/lists/OL1L.json`: owners save their list as a whole (Q260). For those who
 * write by the record API it is that.
 */
export const putList = operation({
  id: "putList",
  summary: "Save a list of one's own as a whole",
  tag: "lists",
  path: { username, list_id: listId },
  body: {
    contentType: "application/json",
    description: "The record as `?_raw=true` gives it, changed, with the `revision` that was changed",
  },
  responses: {
    200: { description: "The revision after it", schema: seedsSaved },
    400: { description: "What is wrong with the record; no revision was named" },
    401: { description: "Not logged in" },
    403: { description: "Somebody else's list" },
    404: { description: "No such list" },
    409: { description: "The list has another revision" },
  },
  async handle({ path }, context) {
    const actor = await context.actor();
    if (isWriter(actor)) return putDocument(context);
    const key = listKey("people", path, context);
    if (!mayWriteLists(actor, ownerOfList(key))) throw listDenied();
    return withListErrors(key, () => put(context, key));
  },
});

async function put(context: RequestContext, key: string): Promise<Reply> {
  const body = await requestJson(context, LIST_BODY_BYTES);
  if (!isObject(body)) throw badData("Bad JSON: expected an object");
  const { document, comment } = takeControl(body);
  const stored = (await latestRecords(context, [key])).get(key);
  if (stored === undefined || typeKey(stored.document) !== "/type/list") throw listNotFound();
  const seeds = seedsOfRecord(stored.document);
  const { revision = stored.revision } = await saved(context, key, { document, comment, seeds });
  return json({ key, revision }, { cacheControl: NO_STORE });
}

interface Sent {
  readonly document: CatalogRecord;
  readonly comment?: string | undefined;
  /** Seeds that the list has. */
  readonly seeds: readonly Json[];
}

async function saved(
  context: RequestContext,
  key: string,
  { document, comment, seeds }: Sent,
): Promise<{ readonly revision?: number }> {
  const expected = await expectedBy(context, key, document);
  const { type = { key: "/type/list" } } = document;
  if (typeKey({ type }) !== "/type/list") throw badData("A list stays a list; delete.json deletes it");
  const checked = listMembers(context, { key, seeds }, document);
  const result = await saveChange(context, {
    documents: [{ ...document, ...checked, key, type: { key: "/type/list" } }],
    expected,
    kind: "edit-list",
    comment: comment ?? null,
    suspectsAll: true,
  });
  return result.saved[0] ?? {};
}

/** The revision that was changed: of `If-Match`, or that of the record sent. */
async function expectedBy(
  context: RequestContext,
  key: string,
  { revision }: CatalogRecord,
): Promise<Readonly<Record<string, number>>> {
  const named = await expectedRevision(context, key);
  if (Object.keys(named).length > 0) return named;
  if (typeof revision !== "number")
    throw badData("Name the revision that you have changed: `revision` or If-Match");
  return { [key]: revision };
}

/** Seeds as they are stored; a list may lose its name here, and keeps to all other limits. */
function listMembers(
  context: RequestContext,
  { key, seeds }: { readonly key: string; readonly seeds: readonly Json[] },
  document: CatalogRecord,
): CatalogRecord {
  const { form, failures } = readListForm(document, {
    key,
    type: "/type/list",
    prefix: context.settings.RECORD_PREFIX,
    stored: seeds,
    mayBeNameless: true,
  });
  if (failures.length > 0) throw writeError(failures);
  return { seeds: [...form.seeds], ...(form.tags === undefined ? {} : { tags: [...form.tags] }) };
}
