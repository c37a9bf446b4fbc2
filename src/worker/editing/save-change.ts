import { failure } from "../http/failure.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type CatalogRecord, keyOf, typeKeyOf } from "../../catalog/record.ts";
import { READ_ONLY_GROUP, hasRole } from "../../catalog/roles.ts";
import { isSpamAddress, isSpamText, textOfDocuments } from "../../catalog/spam.ts";
import type { SaveRequest, SaveResult, SavedRecord, SeedsRequest, Writer } from "../../db/editing/request.ts";
import type { RequestContext } from "../http/operation.ts";
import { cookieText } from "../http/session.ts";
import { BOOKMARK_HEADER } from "../http/site.ts";
import { type AuditEntry, audit } from "../platform/audit.ts";
import { spamRulesOf } from "../platform/spam-words.ts";
import {
  type ChangeRequest,
  type DeskStub,
  callDesk,
  toSaveRequest,
  propagateChange,
  writeError,
} from "./edit-desk.ts";
import { writeBudgets } from "./byte-budget.ts";

/** Lifetime of the bookmark cookie in seconds. Replicas catch up much sooner. */
const BOOKMARK_SECONDS = 600;
const BOOKMARK_COOKIE = "carrel_bookmark";

/** New records: documents with a type. Their keys are ignored; `{"key": "/__new__/2"}` refers to the third one. */
export interface CreationRequest extends ChangeRequest {
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
  return completeSave(context, await trySave(context, request));
}

/** Creates records as one change. The result has their keys in order. Throws `writeError`. */
export async function createRecords(context: RequestContext, request: CreationRequest): Promise<Saved> {
  const edits = JSON.stringify(request.edits ?? []);
  const owner = request.owner === undefined ? {} : { owner: request.owner };
  const result = await sendToDesk(context, request, (desk, saveRequest) =>
    desk.create({ ...saveRequest, edits, ...owner }),
  );
  return completeSave(context, result);
}

/** Saves a change and returns failures as data, for callers that continue after one. Throws 403 of `refuseSpam`. */
export function trySave(context: RequestContext, request: ChangeRequest): Promise<SaveResult> {
  return sendToDesk(context, request, (desk, saveRequest) => desk.save(saveRequest));
}

/** Sends a change to the desk for the user of the request, and logs a saved one for the audit. Throws 403 of `refuseSpam`. */
async function sendToDesk(
  context: RequestContext,
  request: CreationRequest,
  call: (desk: DeskStub, saveRequest: SaveRequest) => Promise<SaveResult>,
): Promise<SaveResult> {
  await refuseSpam(context, request);
  const writer = await writerOf(context, request);
  const saveRequest = toSaveRequest(request, writer, context.sources.now());
  const result = await callDesk(context.stores, (desk) => call(desk, saveRequest));
  if (!result.ok || result.change === null) return result;
  const { author = (await context.actor()).key } = request;
  // Patrons' changes to their own lists are private.
  const keys = result.saved.map(({ key }) => key).filter((key) => !key.startsWith(`${author}/`));
  const entry = request.audited ?? auditEntryOf(request, keys);
  if (entry !== undefined) {
    await audit(context, { actor: author, ...entry, details: { change: result.change, ...entry.details } });
  }
  return result;
}

function auditEntryOf(
  { documents, edits = [], kind }: CreationRequest,
  keys: readonly string[],
): AuditEntry | undefined {
  const rights = keys.find((key) => /^\/(?:usergroup|permission)\//.test(key));
  if (rights !== undefined) return { event: "rights-changed", subject: rights, details: { kind } };
  const isDeleted = (key: string) =>
    [...documents, ...edits].some((record) => keyOf(record) === key && typeKeyOf(record) === "/type/delete");
  const deleted = keys.filter(isDeleted);
  const [subject] = deleted;
  if (subject === undefined) return undefined;
  return { event: "deleted", subject, details: { kind, records: deleted.length } };
}

/** Adds and removes seeds of a list, and returns its revision. Throws `writeError`. Call `refuseSpam` before. */
export async function changeListSeeds(
  context: RequestContext,
  request: Omit<SeedsRequest, "writer" | "now">,
): Promise<number> {
  const writer = await writerOf(context, {});
  const now = formatDatetime(context.sources.now());
  const result = await callDesk(context.stores, (desk) => desk.seeds({ ...request, writer, now }));
  if (!result.ok) throw writeError(result.failures);
  afterSave(context, result);
  return result.revision;
}

/** Completes a save: propagates its effects and returns the result. Throws `writeError` for failures. */
export function completeSave(context: RequestContext, result: SaveResult): Saved {
  if (!result.ok) throw writeError(result.failures);
  afterSave(context, result);
  const { change, saved, keys } = result;
  return { change, saved, keys };
}

async function writerOf(
  context: RequestContext,
  request: Pick<ChangeRequest, "authority" | "author" | "bot">,
): Promise<Writer> {
  const { authority = "user", author, bot = false } = request;
  const ip = context.client;
  const actor = await context.actor();
  // The service may name an author without a session. Patrons pay for what it saves for them.
  const isNamed = author !== undefined && authority === "service";
  const isOwn = actor.key !== null && (author ?? actor.key) === actor.key;
  const budgets = isOwn ? writeBudgets(actor, context.settings) : undefined;
  const named = { author: author ?? actor.key, bot: isNamed ? bot : actor.bot };
  const { grant } = actor;
  return { ...named, ip, authority, ...(budgets && { budgets }), ...(grant && { grant }) };
}

/**
 * Evicts cache entries, announces the change to projections and listeners, and sets the bookmark that lets authors read
 * their own writes.
 */
export function afterSave(
  context: RequestContext,
  result: Pick<SaveResult & { ok: true }, "change" | "affected" | "bookmark">,
): void {
  const { change, affected, bookmark } = result;
  if (change !== null) {
    context.cache.forget(affected, context.sources.now());
    context.waitUntil(propagateChange(context.stores, change));
  }
  if (bookmark === null) return;
  context.headers[BOOKMARK_HEADER] = bookmark;
  // After several changes in a request, the bookmark of the last one counts.
  const { cookies } = context;
  const others = cookies.filter((cookie) => !cookie.startsWith(`${BOOKMARK_COOKIE}=`));
  const text = cookieText(BOOKMARK_COOKIE, bookmark, { context, seconds: BOOKMARK_SECONDS });
  cookies.splice(0, cookies.length, ...others, text);
}

type SpamCheck = Pick<CreationRequest, "documents" | "edits" | "comment" | "authority" | "suspectsAll">;

/**
 * Throws 403 for clients without a session, accounts that may not write, and spam. Text of bots and librarians is not
 * checked unless `suspectsAll`, and writes by the service are not checked at all.
 */
export async function refuseSpam(context: RequestContext, request: SpamCheck): Promise<void> {
  if (request.authority === "service") return;
  const actor = await context.actor();
  if (actor.key === null || actor.status !== "active") throw failure("permission_denied.write");
  if (actor.groups.has(READ_ONLY_GROUP)) throw failure("permission_denied.account_read_only");
  const isTrusted = actor.bot || hasRole(actor, "librarian");
  if (isTrusted && request.suspectsAll !== true) return;
  const rules = await spamRulesOf(context);
  const { comment, documents, edits = [] } = request;
  const isSpam =
    (actor.email !== null && isSpamAddress(actor.email, rules)) ||
    (rules.words.length > 0 && isSpamText(textOfDocuments([{ comment }, ...documents, ...edits]), rules));
  // Q165: the message does not name the word or domain that matched.
  if (isSpam) throw failure("permission_denied.spam");
}
