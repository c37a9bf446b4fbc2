import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { readView } from "../../catalog/view.ts";
import { referencesOf } from "../../catalog/editing/prepare.ts";
import { COMMENT_LENGTH } from "../../db/editing/check-request.ts";
import { type DeletedRecord, readDeleted } from "../../db/history/undo.ts";
import { readRecord, readRevision } from "../../db/records/read.ts";
import type { Database } from "../../db/statement.ts";
import type { ChangeRequest } from "./edit-desk.ts";
import { saveChange } from "./save-change.ts";
import { mayWriteLists, ownerOfList, requireAccess } from "../http/access.ts";
import { badData, methodNotAllowed, recordNotFound, validationFailed } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json, redirect } from "../http/reply.ts";
import { notify } from "../ui/notice.ts";
import { recordPath, withoutSlug } from "../http/paths.ts";

/** Allowed methods of a record without `m=revert`. */
const RECORD_METHODS = ["GET", "HEAD", "PUT", "OPTIONS"];
/** Maximum number of deleted records that a revert restores. */
const REVIVED_MAX = 100;

/** `POST <key>[.json]?m=revert`: saves an older revision again. Matches every path; 405 without the mode. */
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
  const document = { ...readView(parseDocument(old.document)), key };
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
  const serviceAuthority = await authorityOver(key, context);
  if (serviceAuthority === undefined) {
    return saveChange(context, { ...entry, ...revival, documents: [...revival.documents, document] });
  }
  // The authority of the service is for the list only: restored records need permissions of the user.
  if (revived.length > 0) await saveChange(context, { ...entry, ...revival });
  return saveChange(context, { ...entry, ...serviceAuthority, documents: [document] });
}

/**
 * Returns the authority for reverting a list; undefined for other records. The service saves it for super-librarians,
 * because only its owner may write a list (Q253).
 */
async function authorityOver(
  key: string,
  context: RequestContext,
): Promise<Pick<ChangeRequest, "authority" | "author"> | undefined> {
  const actor = await context.actor();
  const isListOfPatron = ownerOfList(key) !== undefined;
  if (!isListOfPatron || actor.key === null || !mayWriteLists(actor, undefined)) return undefined;
  return { authority: "service", author: actor.key };
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
    if (revived.size > REVIVED_MAX) throw badData(`more than ${REVIVED_MAX} deleted records would come back`);
    documents = deleted.map(toLiveDocument);
  }
  return [...revived.values()];
}

function toLiveDocument({ key, alive }: DeletedRecord): CatalogRecord {
  return { ...readView(alive), key };
}
