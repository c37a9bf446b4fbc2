import { datetimeText } from "../../catalog/datetime.ts";
import type { WriteFailure } from "../../catalog/editing/failure.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { BUSY } from "../../db/editing/check-request.ts";
import type { SaveRequest, SaveResult, Writer } from "../../db/editing/request.ts";
import type { EditDesk } from "../../durable/edit-desk.ts";
import type { Stores } from "../http/bindings.ts";
import { CarrelError, isOverloaded } from "../http/errors.ts";
import { type Jobs, announceChange } from "../http/queue.ts";
import type { AuditEntry } from "../platform/audit.ts";
import { wakeListeners } from "./feed.ts";

/** After how many seconds a busy service may be asked again. */
const RETRY_SECONDS = 2;

/** The error of a refused change: that of the first failure; of several all stand in `errors` (Q96). */
export function writeError(failures: readonly WriteFailure[]): CarrelError {
  const [first] = failures;
  if (first === undefined) throw new Error("a change was refused without a reason");
  const errors = failures.map(bodyOf);
  const body = failures.length === 1 ? bodyOf(first) : { ...bodyOf(first), errors };
  const { seconds = first.status === 503 ? RETRY_SECONDS : undefined } = first;
  const headers: Record<string, string> = seconds === undefined ? {} : { "Retry-After": String(seconds) };
  return new CarrelError(first.status, first.error, { message: first.message, body, headers });
}

function bodyOf({
  status: _status,
  seconds: _seconds,
  error,
  ...more
}: WriteFailure): Readonly<Record<string, unknown>> {
  return { error, ...more };
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
  /** What the audit log says of it, when that is more than what became of the documents. */
  readonly audited?: AuditEntry;
}

/** Name of the one object that saves. */
export const DESK_NAME = "catalog";

/** The one object that saves. */
export function deskOf(stores: Pick<Stores, "editDesk">): Pick<EditDesk, "save" | "create" | "seeds"> {
  // Its own type is too deep for the compiler, because JSON values contain JSON values.
  return stores.editDesk.getByName(DESK_NAME) as unknown as Pick<EditDesk, "save" | "create" | "seeds">;
}

/** A change as the desk is told of it. */
export function saveRequest(change: ChangeRequest, writer: Writer, now: number): SaveRequest {
  const { documents, kind, comment, data = {}, expected = {}, mayNumber = false, touched } = change;
  return {
    writer,
    kind,
    comment,
    data: JSON.stringify(data),
    documents: JSON.stringify(documents),
    expected,
    now: datetimeText(now),
    ...(mayNumber ? { mayNumber } : {}),
    ...(touched === undefined ? {} : { touched }),
  };
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

/** Tells projections and listeners of a change. A failure is logged only. */
export async function tellOfChange(
  { indexQueue, changeFeed }: Pick<Stores, "indexQueue" | "changeFeed">,
  change: number,
): Promise<void> {
  await Promise.all([announceChange(indexQueue, change), wakeListeners(changeFeed, change)]);
}

/** Saves without a request, for somebody whose request is over, or for the service itself. */
export async function saveAs(
  writer: Writer,
  { stores, sources }: Pick<Jobs, "stores" | "sources">,
  change: ChangeRequest,
): Promise<SaveResult> {
  const result = await deskOf(stores).save(saveRequest(change, writer, sources.now()));
  if (result.ok && result.change !== null) await tellOfChange(stores, result.change);
  return result;
}

const SERVICE: Writer = { author: null, bot: false, ip: null, authority: "service" };

/** Saves on the service's own account: nobody is named, no permission is asked. Throws `writeError`. */
export async function saveAsService(
  jobs: Jobs,
  change: Pick<ChangeRequest, "kind" | "documents" | "expected"> & { readonly comment?: string },
): Promise<void> {
  const result = await saveAs(SERVICE, jobs, { comment: null, ...change });
  if (!result.ok) throw writeError(result.failures);
}
