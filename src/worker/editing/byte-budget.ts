import { MIB, HOUR_SECONDS, DAY_SECONDS } from "../../catalog/units.ts";
import { failure } from "../http/failure.ts";
import { hasRole, isWriter } from "../../catalog/roles.ts";
import type { WriteBudget } from "../../db/editing/request.ts";
import { WrittenBytes } from "../../durable/written-bytes.ts";
import type { Actor, RequestContext } from "../http/operation.ts";
import type { Settings } from "../http/settings.ts";

/** Bytes of documents that a patron may save in an hour, and in a day. */
const PATRON_BYTES_HOUR = 20 * MIB;
const PATRON_BYTES_DAY = 100 * MIB;

/** Daily budget of librarians and bots, in hourly budgets. */
const DAY_HOURS = 5;

export function writeBudgets(
  actor: Pick<Actor, "bot" | "groups">,
  { LIBRARIAN_MIB_PER_HOUR: mib }: Pick<Settings, "LIBRARIAN_MIB_PER_HOUR">,
): readonly WriteBudget[] | undefined {
  if (!isWriter(actor) && !hasRole(actor, "librarian")) return budgetsOf(PATRON_BYTES_HOUR, PATRON_BYTES_DAY);
  return mib === 0 ? undefined : budgetsOf(mib * MIB, mib * MIB * DAY_HOURS);
}

function budgetsOf(hour: number, day: number): readonly WriteBudget[] {
  return [
    { limit: hour, seconds: HOUR_SECONDS },
    { limit: day, seconds: DAY_SECONDS },
  ];
}

const written = new WeakMap<object, WrittenBytes>();

/**
 * Charges text that a patron stores outside the catalog to the budgets of the account's documents. Call it before the
 * text is stored. Throws 429.
 */
export async function chargeBytes(
  { stores: { throttle }, settings, now }: Pick<RequestContext, "stores" | "settings" | "now">,
  { key: author, grant, ...actor }: Pick<Actor, "key"> & Partial<Pick<Actor, "bot" | "groups" | "grant">>,
  bytes: number,
): Promise<void> {
  const counter = written.get(throttle) ?? new WrittenBytes(throttle);
  written.set(throttle, counter);
  const budgets = writeBudgets({ bot: false, groups: new Set(), ...actor }, settings);
  const spent = await counter.chargeFor({ author, budgets, ...(grant && { grant }) }, now)(bytes);
  if (spent !== undefined) throw failure("too_many_requests.bytes", {}, { retryAfter: spent.seconds ?? 1 });
}
