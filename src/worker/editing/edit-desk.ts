import { formatDatetime } from "../../catalog/datetime.ts";
import { type WriteFailure, failureBody } from "../../catalog/editing/failure.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { BUSY } from "../../db/editing/check-request.ts";
import type { SaveRequest, SaveResult, Writer } from "../../db/editing/request.ts";
import type { EditDesk } from "../../durable/edit-desk.ts";
import type { Stores } from "../http/bindings.ts";
import { isOverloaded } from "../http/errors.ts";
import { Failure } from "../http/failure.ts";
import { type Jobs, announceChange } from "../http/queue.ts";
import type { AuditEntry } from "../platform/audit.ts";
import { wakeListeners } from "../history/change-feed.ts";

const RETRY_SECONDS = 2;

/** Error of a refused change: that of its first failure. */
export class WriteError extends Failure {
  readonly failures: readonly WriteFailure[];

  constructor(first: WriteFailure, failures: readonly WriteFailure[], body: Failure["body"]) {
    const { status, error, text, seconds = status === 503 ? RETRY_SECONDS : undefined } = first;
    const headers: Record<string, string> = seconds === undefined ? {} : { "Retry-After": String(seconds) };
    const reasons =
      failures.length === 1 ? [] : failures.map((failure) => ({ field: "", text: failure.text }));
    super(status, error, { text, reasons, body, headers });
    this.failures = failures;
  }
}

/** Returns the error of a refused change. Several failures are all in `errors` (Q96). */
export function writeError(failures: readonly WriteFailure[]): WriteError {
  const [first] = failures;
  if (first === undefined) throw new Error("a change was refused without a reason");
  const more = failures.length === 1 ? {} : { errors: failures.map(failureBody) };
  return new WriteError(first, failures, { ...failureBody(first), ...more });
}

export interface ChangeRequest {
  /** Complete documents, each with `key` and `type`, without control members. */
  readonly documents: readonly CatalogRecord[];
  readonly kind: string;
  readonly comment: string | null;
  readonly data?: CatalogRecord;
  /** Revisions that records must have now, by key; 0 = must not exist. */
  readonly expected?: Readonly<Record<string, number>>;
  /** `service`: saves with the permissions of the service instead of the user's. */
  readonly authority?: "user" | "service";
  /** `/people/<username>`; the session's if absent. */
  readonly author?: string;
  readonly bot?: boolean;
  /** True if new keys may have numbers that were given out before. */
  readonly mayNumber?: boolean;
  /** Keys of documents that get a revision with the others even if they do not change. */
  readonly touched?: readonly string[];
  /** True if the change is only checked, and nothing is stored. */
  readonly isTrial?: boolean;
  /** True if texts of librarians and bots are checked for spam too. */
  readonly suspectsAll?: boolean;
  /** Audit event to log instead of the one derived from the documents. */
  readonly audited?: AuditEntry;
}

/** Name of the single object that saves changes. */
export const EDIT_DESK = "catalog";

export type DeskStub = Pick<EditDesk, "save" | "create" | "seeds">;

function deskOf(stores: Pick<Stores, "editDesk">): DeskStub {
  // Its own type is too deep for the compiler, because JSON values contain JSON values.
  return stores.editDesk.getByName(EDIT_DESK) as unknown as DeskStub;
}

export function toSaveRequest(change: ChangeRequest, writer: Writer, now: number): SaveRequest {
  const { documents, kind, comment, data = {}, expected = {}, mayNumber = false, touched, isTrial } = change;
  return {
    writer,
    kind,
    comment,
    data: JSON.stringify(data),
    documents: JSON.stringify(documents),
    expected,
    now: formatDatetime(now),
    ...(mayNumber ? { mayNumber } : {}),
    ...(touched === undefined ? {} : { touched }),
    ...(isTrial === true ? { isTrial } : {}),
  };
}

/** Calls the desk. Returns `BUSY` if the object is overloaded and therefore has not received the call. */
export async function callDesk<Result extends SaveResult>(
  stores: Pick<Stores, "editDesk">,
  call: (desk: DeskStub) => Promise<Result>,
): Promise<Result | (SaveResult & { ok: false })> {
  try {
    return await call(deskOf(stores));
  } catch (error) {
    if (isOverloaded(error)) return { ok: false, failures: [BUSY satisfies WriteFailure] };
    throw error;
  }
}

/** Announces a change to projections and listeners. Failures are only logged. */
export async function propagateChange(
  { indexQueue, changeFeed }: Pick<Stores, "indexQueue" | "changeFeed">,
  change: number,
): Promise<void> {
  await Promise.all([announceChange(indexQueue, change), wakeListeners(changeFeed, change)]);
}

/** Saves outside a request: for a user whose request is over, or for the service itself. */
export async function saveAs(
  writer: Writer,
  { stores, sources }: Pick<Jobs, "stores" | "sources">,
  change: ChangeRequest,
): Promise<SaveResult> {
  const result = await deskOf(stores).save(toSaveRequest(change, writer, sources.now()));
  if (result.ok && result.change !== null) await propagateChange(stores, result.change);
  return result;
}

const SERVICE: Writer = { author: null, bot: false, ip: null, authority: "service" };

/** Saves with the authority of the service, without an author or a permission check. Throws `writeError`. */
export async function saveAsService(
  jobs: Jobs,
  change: Pick<ChangeRequest, "kind" | "documents" | "expected"> & { comment?: string },
): Promise<void> {
  const result = await saveAs(SERVICE, jobs, { comment: null, ...change });
  if (!result.ok) throw writeError(result.failures);
}
