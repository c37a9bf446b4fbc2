import { datetimeText } from "../../catalog/datetime.ts";
import type { WriteFailure } from "../../catalog/editing/failure.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { isSpamAddress, isSpamText, textOfDocuments } from "../../catalog/spam.ts";
import { BUSY } from "../../db/editing/check-request.ts";
import type { SaveRequest, SaveResult, SavedRecord, Writer } from "../../db/editing/request.ts";
import type { EditDesk } from "../../durable/edit-desk.ts";
import { READ_ONLY_GROUP, hasRole } from "../../catalog/roles.ts";
import type { Stores } from "../http/bindings.ts";
import { CarrelError, isOverloaded } from "../http/errors.ts";
import type { Actor, RequestContext } from "../http/operation.ts";
import { announceChange } from "../http/queue.ts";
import { cookieText } from "../http/session.ts";
import { BOOKMARK_HEADER } from "../http/site.ts";
import { spamRulesOf } from "../platform/spam-words.ts";
import { wakeListeners } from "./feed.ts";

/** After how many seconds a busy service may be asked again. */
const RETRY_SECONDS = 2;

/**
 * The error of a change that was refused: status and body are those of the first failure; with several of them, all
 * stand in `errors` (Q96).
 */
export function writeError(failures: readonly WriteFailure[]): CarrelError {
  const [first] = failures;
  if (first === undefined) throw new Error("a change was refused without a reason");
  const errors = failures.map(bodyOf);
  const body = failures.length === 1 ? bodyOf(first) : { ...bodyOf(first), errors };
  const headers: Record<string, string> =
    first.status === 503 ? { "Retry-After": String(RETRY_SECONDS) } : {};
  return new CarrelError(first.status, first.error, { message: first.message, body, headers });
}

function bodyOf({ status: _status, error, ...more }: WriteFailure): Readonly<Record<string, unknown>> {
  return { error, ...more };
}

/** How long a browser brings the bookmark of its last write, in seconds: replicas have caught up long before. */
const BOOKMARK_SECONDS = 600;

/** After a change: caches forget, projections and listeners are told, and the writer reads what he has written. */
export function afterSave(
  context: RequestContext,
  result: Pick<SaveResult & { readonly ok: true }, "change" | "affected" | "bookmark">,
): void {
  const { change, affected, bookmark } = result;
  if (change !== null) {
    context.cache.forget(affected, context.sources.now());
    context.waitUntil(announceChange(context.stores.indexQueue, change));
    context.waitUntil(wakeListeners(context.stores.changeFeed, change));
  }
  if (bookmark === null) return;
  context.headers[BOOKMARK_HEADER] = bookmark;
  const seconds = BOOKMARK_SECONDS;
  setCookie(context, "carrel_bookmark", cookieText("carrel_bookmark", bookmark, { context, seconds }));
}

/** Of several changes of a request the last one's bookmark counts. */
function setCookie({ cookies }: RequestContext, name: string, text: string): void {
  const others = cookies.filter((cookie) => !cookie.startsWith(`${name}=`));
  cookies.splice(0, cookies.length, ...others, text);
}

/** What a write is looked at for. */
type Wanted = Pick<CreationRequest, "documents" | "edits" | "comment" | "authority" | "suspectsAll">;

/**
 * Refuses what nobody, a patron who may not write, or a spammer wants to save.
 * Bots and librarians may write any words. What the service saves on its own account is not looked at.
 */
export async function refuseSpam(context: RequestContext, request: Wanted): Promise<void> {
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

async function isSpam(context: RequestContext, { email }: Actor, request: Wanted): Promise<boolean> {
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

/** A change that somebody wants to be made. */
export interface ChangeRequest {
  /** Complete documents, each with `key` and `type`, without control members. */
  readonly documents: readonly CatalogRecord[];
  readonly kind: string;
  readonly comment: string | null;
  readonly data?: CatalogRecord;
  /** Revisions that records must have now, by key; 0 = must not exist. */
  readonly expected?: Readonly<Record<string, number>>;
  /** `service`: on the service's own account, whatever the user may do. */
  readonly authority?: "user" | "service";
  /** `/people/<username>`; that of the session if absent. */
  readonly author?: string;
  /** True when the `author` whom the service names is a program. */
  readonly bot?: boolean;
  /** True when numbers of new keys were given out before. */
  readonly mayNumber?: boolean;
  /** Keys of documents that get a revision with the others even when nothing in them changes. */
  readonly touched?: readonly string[];
  /** True where the words of librarians and bots are looked at too. */
  readonly suspectsAll?: boolean;
}

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

/** Name of the one object that saves. */
export const DESK_NAME = "catalog";

/** Saves documents as one change, all or none; throws `writeError`. */
export async function saveChange(context: RequestContext, request: ChangeRequest): Promise<Saved> {
  return finish(context, await trySave(context, request));
}

/** Makes new records as one change; `keys` of the result are theirs, in order. Throws `writeError`. */
export async function createRecords(context: RequestContext, request: CreationRequest): Promise<Saved> {
  await refuseSpam(context, request);
  const edits = JSON.stringify(request.edits ?? []);
  const owner = request.owner === undefined ? {} : { owner: request.owner };
  const wanted = { ...(await requestOf(context, request)), edits, ...owner };
  return finish(context, await answerOf(() => deskOf(context.stores).create(wanted)));
}

/** What came of a change, as data: for those who go on after a failure. */
export async function trySave(context: RequestContext, request: ChangeRequest): Promise<SaveResult> {
  await refuseSpam(context, request);
  const wanted = await requestOf(context, request);
  return answerOf(() => deskOf(context.stores).save(wanted));
}

/** Tells everybody concerned of a result; throws when it is none. */
export function finish(context: RequestContext, result: SaveResult): Saved {
  if (!result.ok) throw writeError(result.failures);
  afterSave(context, result);
  const { change, saved, keys } = result;
  return { change, saved, keys };
}

/** The one object that saves. */
export function deskOf(stores: Pick<Stores, "editDesk">): Pick<EditDesk, "save" | "create" | "seeds"> {
  // Its own type is too deep for the compiler, because JSON values contain JSON values.
  return stores.editDesk.getByName(DESK_NAME) as unknown as Pick<EditDesk, "save" | "create" | "seeds">;
}

async function requestOf(context: RequestContext, request: ChangeRequest): Promise<SaveRequest> {
  const { documents, kind, comment, data = {}, expected = {}, mayNumber = false, touched } = request;
  return {
    writer: await writerOf(context, request),
    kind,
    comment,
    data: JSON.stringify(data),
    documents: JSON.stringify(documents),
    expected,
    now: datetimeText(context.sources.now()),
    ...(mayNumber ? { mayNumber } : {}),
    ...(touched === undefined ? {} : { touched }),
  };
}

/** Who writes, as the desk hears of it. */
export async function writerOf(
  context: RequestContext,
  request: Pick<ChangeRequest, "authority" | "author" | "bot">,
): Promise<Writer> {
  const { authority = "user", author, bot = false } = request;
  const ip = context.client;
  // The service may name somebody who has no session yet, or none any more.
  if (author !== undefined && authority === "service") return { author, bot, ip, authority };
  const actor = await context.actor();
  return { author: author ?? actor.key, bot: actor.bot, ip, authority };
}

/** An object that has too much to do refuses calls before it sees them. */
export async function answerOf<Result extends SaveResult>(
  call: () => Promise<Result>,
): Promise<Result | (SaveResult & { readonly ok: false })> {
  try {
    return await call();
  } catch (error) {
    if (isOverloaded(error)) return { ok: false, failures: [BUSY satisfies WriteFailure] };
    throw error;
  }
}
