import { DAY_SECONDS } from "../../catalog/units.ts";
import type { Budget, Turn } from "../../durable/throttle.ts";
import type { RequestContext } from "../http/operation.ts";
import { failure } from "../http/failure.ts";
import { clientGroup } from "../http/client-address.ts";

/** Failed logins in a quarter of an hour: to one account, from one of its devices, and from one address. */
export const LOGIN_FAILURES = { limit: 10, seconds: 900 };
export const LOCKOUT_MAILS = { limit: 1, seconds: DAY_SECONDS };
export const REGISTRATIONS = { limit: 100, seconds: 3600 };
/** Emails to one address in an hour. */
export const MAILS_TO_ONE = { limit: 5, seconds: 3600 };
/** Emails caused from one client address in an hour. */
export const MAILS_FROM_ONE = { limit: 100, seconds: 3600 };
/** Checks for a taken username or email address, from one client address in ten minutes. */
export const VALIDATIONS = { limit: 100, seconds: 600 };
/** Invalid codes of emailed links, from one client address in a quarter of an hour. */
export const CODE_FAILURES = { limit: 30, seconds: 900 };

/** Client address of a context if Cloudflare has not named one. */
const NO_ADDRESS = "local";

export interface AttemptBucket {
  readonly name: string;
  readonly budget: Budget;
  readonly onUsedUp?: () => void;
}

/** Returns the bucket of the client's address; none if addresses are unknown, as on a developer's machine. */
export function byAddress({ client }: RequestContext, subject: string, budget: Budget): AttemptBucket[] {
  return client === NO_ADDRESS ? [] : [{ name: `${subject} from ${clientGroup(client)}`, budget }];
}

/** Makes an attempt within the budgets of all buckets. Attempts that throw count. Throws 429. */
export async function attempt<Value>(
  context: RequestContext,
  buckets: readonly AttemptBucket[],
  make: () => Promise<{ value: Value; isCounted: boolean }>,
): Promise<Value> {
  const turns = await takeTurns(context, buckets);
  let isCounted = true;
  try {
    const result = await make();
    isCounted = result.isCounted;
    return result.value;
  } finally {
    await settleTurns(context, turns, isCounted);
  }
}

export async function spend(context: RequestContext, buckets: readonly AttemptBucket[]): Promise<void> {
  await settleTurns(context, await takeTurns(context, buckets), true);
}

export type TakenTurn = AttemptBucket & { readonly turn: Turn };

/**
 * Counts an attempt against all buckets before it is made, so that concurrent attempts cannot exceed a budget (Q153).
 * `settleTurns` must follow. Takes turns in the order of the list, so that no two attempts wait for each other. Throws
 * 429 if a budget is used up.
 */
export async function takeTurns(
  context: RequestContext,
  buckets: readonly AttemptBucket[],
): Promise<TakenTurn[]> {
  const turns: TakenTurn[] = [];
  try {
    for (const bucket of buckets) {
      const turn = await context.stores.throttle.getByName(bucket.name).take(context.now, bucket.budget);
      if (turn.wait > 0) {
        throw failure("too_many_requests.attempts", {}, { retryAfter: turn.wait });
      }
      turns.push({ ...bucket, turn });
    }
    return turns;
  } catch (error) {
    await settleTurns(context, turns, false);
    throw error;
  }
}

/** Settles the turns of an attempt; an attempt that does not count gives back its room. */
export async function settleTurns(
  { stores }: RequestContext,
  turns: readonly TakenTurn[],
  isCounted: boolean,
): Promise<void> {
  await Promise.all(turns.map(({ name, turn }) => stores.throttle.getByName(name).settle(turn, isCounted)));
  if (isCounted) for (const { turn, onUsedUp } of turns) if (turn.isLast) onUsedUp?.();
}
