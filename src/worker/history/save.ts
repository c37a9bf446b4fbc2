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

/** Lifetime of the bookmark cookie in seconds. Replicas catch up much sooner. */
const BOOKMARK_SECONDS = 600;
const BOOKMARK_COOKIE = "carrel_bookmark";

/** New records: documents with a type; their keys are ignored, and `{"key": "/__new__/2"}` refers to the third. */
export interface CreationRequest extends ChangeRequest {
  /** Documents with keys that are saved in the same change. */
  readonly edits?: readonly CatalogRecord[];
  /** `/people/<username>` that owns new lists, null for lists of the community; the author's if absent. */
  readonly owner?: string | null;
}

export interface Saved {
  /** Id of the change; null if everything was already stored in this state. */
  readonly change: number | null;
  readonly saved: readonly SavedRecord[];
  /** Keys of all documents, or the keys of new records. */
  readonly keys: readonly string[];
}

/** Saves documents as one change, all or none. Throws `writeError`. */
export async function saveChange(context: RequestContext, request: ChangeRequest): Promise<Saved> {
  return finish(context, await trySave(context, request));
}

/** Creates records as one change; `keys` of the result are theirs, in order. Throws `writeError`. */
export async function createRecords(context: RequestContext, request: CreationRequest): Promise<Saved> {
  await refuseSpam(context, request);
  const edits = JSON.stringify(request.edits ?? []);
  const owner = request.owner === undefined ? {} : { owner: request.owner };
  const creation = { ...(await requestOf(context, request)), edits, ...owner };
  const result = await answerOf(() => deskOf(context.stores).create(creation));
  await auditChange(context, request, result);
  return finish(context, result);
}

/** Saves a change and returns the result as data, for callers that continue after a failure. */
export async function trySave(context: RequestContext, request: ChangeRequest): Promise<SaveResult> {
  await refuseSpam(context, request);
  const sent = await requestOf(context, request);
  const result = await answerOf(() => deskOf(context.stores).save(sent));
  await auditChange(context, request, result);
  return result;
}

/** Records deletions and changed rights in the audit log, for every route. */
async function auditChange(
  context: RequestContext,
  request: ChangeRequest & Pick<CreationRequest, "edits">,
  result: SaveResult,
): Promise<void> {
  if (!result.ok || result.change === null) return;
  const { author = (await context.actor()).key } = request;
  // Patrons' changes to their own lists are private.
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

/** Adds and removes seeds of a list. Returns its revision. Throws `writeError`. Callers check for spam before. */
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

/** Announces a result and returns it. Throws `writeError` for a failure. */
export function finish(context: RequestContext, result: SaveResult): Saved {
  if (!result.ok) throw writeError(result.failures);
  afterSave(context, result);
  const { change, saved, keys } = result;
  return { change, saved, keys };
}

/** Returns the author of a change for the desk. */
async function writerOf(
  context: RequestContext,
  request: Pick<ChangeRequest, "authority" | "author" | "bot">,
): Promise<Writer> {
  const { authority = "user", author, bot = false } = request;
  const ip = context.client;
  // The service may name an author who has no session yet, or none any more.
  if (author !== undefined && authority === "service") return { author, bot, ip, authority };
  const actor = await context.actor();
  const budgets = authority === "service" ? undefined : writeBudgets(actor, context.settings);
  return { author: author ?? actor.key, bot: actor.bot, ip, authority, ...(budgets && { budgets }) };
}

/**
 * Evicts caches, announces the change to projections and listeners, and sets the bookmark with which authors read their
 * own writes.
 */
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
  // If a request makes several changes, the bookmark of the last one counts.
  const { cookies } = context;
  const others = cookies.filter((cookie) => !cookie.startsWith(`${BOOKMARK_COOKIE}=`));
  const text = cookieText(BOOKMARK_COOKIE, bookmark, { context, seconds: BOOKMARK_SECONDS });
  cookies.splice(0, cookies.length, ...others, text);
}

/** Parts of a write that are checked for spam. */
type Suspected = Pick<CreationRequest, "documents" | "edits" | "comment" | "authority" | "suspectsAll">;

/**
 * Throws 403 for clients without a session, accounts that may not write, and spam. Bots and librarians may write any
 * words. Writes by the service itself are not checked.
 */
export async function refuseSpam(context: RequestContext, request: Suspected): Promise<void> {
  if (request.authority === "service") return;
  const actor = await context.actor();
  if (actor.key === null || actor.status !== "active") throw refusedWriter("Permission Denied.");
  if (actor.groups.has(READ_ONLY_GROUP)) throw refusedWriter("This account may read only.");
  const isTrusted = actor.bot || hasRole(actor, "librarian");
  if (isTrusted && request.suspectsAll !== true) return;
  // Q165: the message does not tell the word or domain that matched.
  if (await isSpam(context, actor, request)) {
    throw refusedWriter("This looks like spam. Contact us if it isn't.");
  }
}

async function isSpam(context: RequestContext, { email }: Actor, request: Suspected): Promise<boolean> {
  const rules = await spamRulesOf(context);
  if (email !== null && isSpamAddress(email, rules)) return true;
  if (rules.words.length === 0) return false;
  const { comment, documents, edits = [] } = request;
  return isSpamText(textOfDocuments([{ comment }, ...documents, ...edits]), rules);
}

/** Code of a refusal that concerns the author: a 403 on every route, regardless of the documents. */
export const WRITER_REFUSED = "writer_refused";

function refusedWriter(message: string): CarrelError {
  return new CarrelError(403, WRITER_REFUSED, { message, body: { error: "permission_denied", message } });
}
