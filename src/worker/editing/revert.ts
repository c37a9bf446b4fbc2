import * as z from "zod";
import { parseDocument, readView } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { referencesOf } from "../../catalog/editing/prepare.ts";
import { COMMENT_LENGTH } from "../../db/editing/check-request.ts";
import { type DeletedRecord, readDeleted } from "../../db/history/reverts.ts";
import { readRecord, readRevision } from "../../db/records/records.ts";
import type { Database } from "../../db/statement.ts";
import type { ChangeRequest } from "../history/edit-desk.ts";
import { saveChange } from "../history/save.ts";
import { mayWriteLists, ownerOfList, requireAccess } from "../http/access.ts";
import { badData, methodNotAllowed, recordNotFound, validationFailed } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json, redirect } from "../http/reply.ts";
import { notify } from "../ui/notice.ts";
import { recordPath, withoutSlug } from "../records/record-path.ts";

/** Methods of a record's address, except for reverting. */
const RECORD_METHODS = ["GET", "HEAD", "PUT", "OPTIONS"];
/** Deleted records that one revert restores, at most. */
const REVIVED_MAX = 100;

/** `POST <key>[.json]?m=revert`: saves an older revision again. Matches every path; without the mode it is a 405. */
export const revertRecord = operation({
  id: "revertRecord",
  summary: "Save an older revision of a record again",
  tag: "editing",
  path: { key: z.string().describe("Key of the record, and `.json` for an answer in JSON") },
  query: { m: z.string().optional().describe("`revert`") },
  form: {
    v: z
      .string()
      .regex(/^\d{1,9}$/)
      .optional()
      .describe("The revision"),
    _comment: z.string().max(COMMENT_LENGTH).optional(),
  },
  responses: {
    200: {
      description: "What was saved; nothing when it is stored already",
      schema: z.object({ key: z.string().optional(), revision: z.int().optional() }),
    },
    303: { description: "Without suffix: back to the record" },
    404: { description: "No such record or revision" },
    405: { description: "Without `m=revert`" },
  },
  async handle({ query: { m }, form: { v, _comment: comment } }, context) {
    if (m !== "revert") throw methodNotAllowed(RECORD_METHODS);
    await requireAccess("super-librarian", context);
    if (v === undefined) {
      throw validationFailed([{ type: "missing", loc: ["body", "v"], msg: "Field required", input: {} }]);
    }
    const { key: path, encoding } = recordPath(context.url.pathname, context.request.headers.get("Accept"));
    const key = withoutSlug(path, context.settings.RECORD_PREFIX);
    const { saved } = await revert({ key, revision: Number(v) }, comment, context);
    notify(context, "notice.reverted");
    if (encoding !== "json") return redirect(303, key, { cacheControl: NO_STORE });
    return json(saved.find((one) => one.key === key) ?? {}, { cacheControl: NO_STORE });
  },
});

async function revert(
  { key, revision }: { readonly key: string; readonly revision: number },
  comment: string | undefined,
  context: RequestContext,
) {
  const { catalog } = context.stores;
  const [latest, old] = await Promise.all([readRecord(catalog, key), readRevision(catalog, key, revision)]);
  if (latest === undefined || old === undefined) throw recordNotFound(key);
  const document = { ...readView(parseDocument(old.document)), key };
  // Q123: deleted records that the document names are restored in the same change.
  const revived = await reviveReferences(document, catalog);
  const isSaid = comment !== undefined && comment !== "";
  const entry = {
    kind: "revert-version",
    comment: isSaid ? comment : `reverted to revision ${revision}`,
  } as const;
  const revival = {
    documents: revived.map(documentAlive),
    expected: Object.fromEntries(revived.map((record) => [record.key, record.latest])),
  };
  const lent = await authorityOver(key, context);
  if (lent === undefined) {
    return saveChange(context, { ...entry, ...revival, documents: [...revival.documents, document] });
  }
  // The service's authority is for the list alone: restored records need the actor's own rights.
  if (revived.length > 0) await saveChange(context, { ...entry, ...revival });
  return saveChange(context, { ...entry, ...lent, documents: [document] });
}

/**
 * Returns the authority for reverting a list (Q253): super-librarians restore lists that only their owners may write,
 * so the service saves it for them.
 */
async function authorityOver(
  key: string,
  context: RequestContext,
): Promise<Pick<ChangeRequest, "authority" | "author"> | undefined> {
  const actor = await context.actor();
  if (ownerOfList(key) === undefined || actor.key === null || !mayWriteLists(actor, undefined))
    return undefined;
  return { authority: "service", author: actor.key };
}

/** Records of accounts and of rights, which a revert of another record must not restore. */
const NEVER_REVIVED = /^\/(?:people|usergroup|permission)\//;

/** Reads deleted records that a document refers to, and those that they refer to, in their last live state. */
async function reviveReferences(document: CatalogRecord, catalog: Database): Promise<DeletedRecord[]> {
  const revived = new Map<string, DeletedRecord>();
  let documents = [document];
  while (documents.length > 0) {
    const keys = referencesOf(documents).filter(
      (key) => !revived.has(key) && key !== document["key"] && !NEVER_REVIVED.test(key),
    );
    const deleted = await readDeleted(catalog, keys);
    for (const record of deleted) revived.set(record.key, record);
    if (revived.size > REVIVED_MAX) throw badData(`more than ${REVIVED_MAX} deleted records would come back`);
    documents = deleted.map(documentAlive);
  }
  return [...revived.values()];
}

function documentAlive({ key, alive }: DeletedRecord): CatalogRecord {
  return { ...readView(alive), key };
}
