import { datetimeText } from "../../catalog/datetime.ts";
import { type CatalogRecord, keyOf, typeKey } from "../../catalog/record.ts";
import { READ_ONLY_GROUP, hasRole } from "../../catalog/roles.ts";
import { isSpamAddress, isSpamText, textOfDocuments } from "../../catalog/spam.ts";
import type { SaveRequest, SaveResult, SavedRecord, SeedsRequest, Writer } from "../../db/editing/request.ts";
import { CarrelError } from "../http/errors.ts";
import type { Actor, RequestContext } from "../http/operation.ts";
import { cookieText } from "../http/session.ts";
import { BOOKMARK_HEADER } from "../http/site.ts";
import { type AuditEntry, audit } from "../platform/audit.ts";
import { spamRulesOf } from "../platform/spam-words.ts";
import { writeBudgets } from "./write-budgets.ts";
import { type ChangeRequest, answerOf, deskOf, saveRequest, tellOfChange, writeError } from "./edit-desk.ts";

/** How long a browser brings the bookmark of its last write, in seconds: replicas have caught up long before. */
const BOOKMARK_SECONDS = 600;
const BOOKMARK_COOKIE = "carrel_bookmark";

/** New records: documents with a type; keys of theirs are ignored, and `{"key": "/__new__/2"}` refers to the third. */
export interface CreationRequest extends ChangeRequest {
  /** Documents with keys that are saved in the same change. */
  readonly edits?: readonly CatalogRecord[];
  /** `/people/<username>` below which lists go, null for lists of the community; the writer's if absent. */
  readonly owner?: string | null;
}

/** What was saved. */
export interface Saved {
  /** Id of the change; null when everything was stored already as it is. */
  readonly change: number | null;
  readonly saved: readonly SavedRecord[];
  /** Keys of all documents, or those given to new records. */
  readonly keys: readonly string[];
}

/** Saves documents as one change, all or none; throws `writeError`. */
export async function saveChange(context: RequestContext, request: ChangeRequest): Promise<Saved> {
  return finish(context, await trySave(context, request));
}

/** Makes new records as one change; `keys` of the result are theirs, in order. Throws `writeError`. */
export async function createRecords(context: RequestContext, request: CreationRequest): Promise<Saved> {
  await refuseSpam(context, request);
  const edits = JSON.stringify(request.edits ?? []);
  const owner = request.owner === undefined ? {} : { owner: request.owner };
  const creation = { ...(await requestOf(context, request)), edits, ...owner };
  const result = await answerOf(() => deskOf(context.stores).create(creation));
  await auditChange(context, request, result);
  return finish(context, result);
}

/** What came of a change, as data: for those who go on after a failure. */
export async function trySave(context: RequestContext, request: ChangeRequest): Promise<SaveResult> {
  await refuseSpam(context, request);
  const sent = await requestOf(context, request);
  const result = await answerOf(() => deskOf(context.stores).save(sent));
  await auditChange(context, request, result);
  return result;
}

/** Deletions and changed rights are worth an entry of the audit log, by whatever route they come. */
async function auditChange(
  context: RequestContext,
  request: ChangeRequest & Pick<CreationRequest, "edits">,
  result: SaveResult,
): Promise<void> {
  if (!result.ok || result.change === null) return;
  const { author = (await context.actor()).key } = request;
  // What a patron does with lists of his own is his own affair.
  const keys = result.saved.map(({ key }) => key).filter((key) => !key.startsWith(`${author}/`));
  const entry = request.audited ?? entryOf(request, keys);
  if (entry === undefined) return;
  await audit(context, { actor: author, ...entry, details: { change: result.change, ...entry.details } });
}

function entryOf(
  { documents, edits = [], kind }: ChangeRequest & Pick<CreationRequest, "edits">,
  keys: readonly string[],
): AuditEntry | undefined {
  const rights = keys.find((key) => /^\/(?:usergroup|permission)\//.test(key));
  if (rights !== undefined) return { event: "rights-changed", subject: rights, details: { kind } };
  const isGone = (key: string) =>
    [...documents, ...edits].some((one) => keyOf(one) === key && typeKey(one) === "/type/delete");
  const deleted = keys.filter(isGone);
  const [subject] = deleted;
  if (subject === undefined) return undefined;
  return { event: "deleted", subject, details: { kind, records: deleted.length } };
}

/** Adds seeds to a list and takes others away; its revision. Throws `writeError`. Spam is looked for before. */
export async function changeListSeeds(
  context: RequestContext,
  request: Omit<SeedsRequest, "writer" | "now">,
): Promise<number> {
  const writer = await writerOf(context, {});
  const now = datetimeText(context.sources.now());
  const result = await answerOf(() => deskOf(context.stores).seeds({ ...request, writer, now }));
  if (!result.ok) throw writeError(result.failures);
  afterSave(context, result);
  return result.revision;
}

async function requestOf(context: RequestContext, request: ChangeRequest): Promise<SaveRequest> {
  return saveRequest(request, await writerOf(context, request), context.sources.now());
}

/** Tells everybody concerned of a result; throws when it is none. */
export function finish(context: RequestContext, result: SaveResult): Saved {
  if (!result.ok) throw writeError(result.failures);
  afterSave(context, result);
  const { change, saved, keys } = result;
  return { change, saved, keys };
}

/** Who writes, as the desk hears of it. */
async function writerOf(
  context: RequestContext,
  request: Pick<ChangeRequest, "authority" | "author" | "bot">,
): Promise<Writer> {
  const { authority = "user", author, bot = false } = request;
  const ip = context.client;
  // The service may name somebody who has no session yet, or none any more.
  if (author !== undefined && authority === "service") return { author, bot, ip, authority };
  const actor = await context.actor();
  const budgets = authority === "service" ? undefined : writeBudgets(actor, context.settings);
  return { author: author ?? actor.key, bot: actor.bot, ip, authority, ...(budgets && { budgets }) };
}

/** After a change: caches forget, projections and listeners are told, and the writer reads what he has written. */
export function afterSave(
  context: RequestContext,
  result: Pick<SaveResult & { readonly ok: true }, "change" | "affected" | "bookmark">,
): void {
  const { change, affected, bookmark } = result;
  if (change !== null) {
    context.cache.forget(affected, context.sources.now());
    context.waitUntil(tellOfChange(context.stores, change));
  }
  if (bookmark === null) return;
  context.headers[BOOKMARK_HEADER] = bookmark;
  // Of several changes of a request the last one's bookmark counts.
  const { cookies } = context;
  const others = cookies.filter((cookie) => !cookie.startsWith(`${BOOKMARK_COOKIE}=`));
  const text = cookieText(BOOKMARK_COOKIE, bookmark, { context, seconds: BOOKMARK_SECONDS });
  cookies.splice(0, cookies.length, ...others, text);
}

/** What a write is looked at for. */
type Suspected = Pick<CreationRequest, "documents" | "edits" | "comment" | "authority" | "suspectsAll">;

/**
 * Refuses what nobody, a patron who may not write, or a spammer wants to save. Bots and librarians may write any words.
 * What the service saves on its own account is not looked at.
 */
export async function refuseSpam(context: RequestContext, request: Suspected): Promise<void> {
  if (request.authority === "service") return;
  const actor = await context.actor();
  if (actor.key === null || actor.status !== "active") throw refusedWriter("Permission Denied.");
  if (actor.groups.has(READ_ONLY_GROUP)) throw refusedWriter("This account may read only.");
  const isTrusted = actor.bot || hasRole(actor, "librarian");
  if (isTrusted && request.suspectsAll !== true) return;
  // Q165: which word or domain it was is nobody's business.
  if (await isSpam(context, actor, request)) {
    throw refusedWriter("This looks like spam. Please write to us if it is none.");
  }
}

async function isSpam(context: RequestContext, { email }: Actor, request: Suspected): Promise<boolean> {
  const rules = await spamRulesOf(context);
  if (email !== null && isSpamAddress(email, rules)) return true;
  if (rules.words.length === 0) return false;
  const { comment, documents, edits = [] } = request;
  return isSpamText(textOfDocuments([{ comment }, ...documents, ...edits]), rules);
}

/** Code of a refusal that is about the one who writes: a 403 on every route, whatever it says of documents. */
export const WRITER_REFUSED = "writer_refused";

function refusedWriter(message: string): CarrelError {
  return new CarrelError(403, WRITER_REFUSED, { message, body: { error: "permission_denied", message } });
}
