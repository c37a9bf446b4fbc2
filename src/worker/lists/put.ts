import { readListForm } from "../../catalog/lists/list-form.ts";
import { seedsOfRecord } from "../../catalog/lists/seeds.ts";
import { type CatalogRecord, isObject, typeKey } from "../../catalog/record.ts";
import { takeControl } from "../../catalog/editing/write-request.ts";
import { latestRecords } from "../editing/save-form.ts";
import { mayWriteLists, ownerOfList } from "../http/access.ts";
import { isWriter } from "../../catalog/roles.ts";
import { badData } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { requestJson } from "../http/request-body.ts";
import { expectedRevision, putDocument } from "../editing/put-record.ts";
import { revisionSchema } from "../history/change-entry.ts";
import { writeError } from "../history/edit-desk.ts";
import { saveChange } from "../history/save.ts";
import { listKey, listNotFound } from "./operation.ts";
import { listDenied, withListErrors } from "./rights.ts";
import { LIST_BODY_BYTES, listId, username } from "./write-request.ts";

const LIST = "/type/list";

/** `PUT /people/<username>/lists/OL1L.json` (Q260). For those who write by the record API it is that. */
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
    200: { description: "The revision after it", schema: revisionSchema },
    400: { description: "What is wrong with the record; no revision was named" },
    401: { description: "Not logged in" },
    403: { description: "Somebody else's list" },
    404: { description: "No such list" },
    409: { description: "The list has another revision" },
  },
  async handle({ path }, context) {
    const actor = await context.actor();
    const key = listKey("people", path, context);
    if (isWriter(actor)) return putDocument(context, key);
    if (!mayWriteLists(actor, ownerOfList(key))) throw listDenied();
    return withListErrors(key, () => put(context, key));
  },
});

async function put(context: RequestContext, key: string): Promise<Reply> {
  const body = await requestJson(context, LIST_BODY_BYTES);
  if (!isObject(body)) throw badData("Bad JSON: expected an object");
  const { document, comment } = takeControl(body);
  const stored = (await latestRecords(context, [key])).get(key);
  if (stored === undefined || typeKey(stored.document) !== LIST) throw listNotFound();
  const named = await expectedRevision(context, key);
  const expected = Object.keys(named).length > 0 ? named : { [key]: sentRevision(document) };
  const { type = { key: LIST } } = document;
  if (typeKey({ type }) !== LIST) throw badData("A list stays a list; delete.json deletes it");
  const { form, failures } = readListForm(document, {
    key,
    type: LIST,
    prefix: context.settings.RECORD_PREFIX,
    stored: seedsOfRecord(stored.document),
    // A list may lose its name here, and keeps to all other limits.
    mayBeNameless: true,
  });
  if (failures.length > 0) throw writeError(failures);
  const tags = form.tags === undefined ? {} : { tags: [...form.tags] };
  const { saved } = await saveChange(context, {
    documents: [{ ...document, seeds: [...form.seeds], ...tags, key, type: { key: LIST } }],
    expected,
    kind: "edit-list",
    comment: comment ?? null,
    suspectsAll: true,
  });
  const [{ revision = stored.revision } = {}] = saved;
  return json({ key, revision }, { cacheControl: NO_STORE });
}

/** The revision that was changed, where `If-Match` does not name it. */
function sentRevision({ revision }: CatalogRecord): number {
  if (typeof revision === "number") return revision;
  throw badData("Name the revision that you have changed: `revision` or If-Match");
}
