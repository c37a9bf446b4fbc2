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

/**
 * Makes an attempt within the budgets of all buckets. It counts before it is made, so that concurrent attempts cannot
 * exceed a budget (Q153); one that does not count gives its room back, one that throws counts. Takes turns in the order of
 * the list, so that no two attempts wait for each other. Throws 429 if a budget is used up, after `onRefused`.
 */
export async function attempt<Value>(
  { stores: { throttle }, now }: RequestContext,
  buckets: readonly AttemptBucket[],
  make: () => Promise<{ value: Value; isCounted: boolean }>,
  onRefused?: () => Promise<void>,
): Promise<Value> {
  const turns: (AttemptBucket & { readonly turn: Turn })[] = [];
  let isCounted = false;
  try {
    for (const bucket of buckets) {
      const turn = await throttle.getByName(bucket.name).take(now, bucket.budget);
      if (turn.wait > 0) {
        await onRefused?.();
        throw failure("too_many_requests.attempts", {}, { retryAfter: turn.wait });
      }
      turns.push({ ...bucket, turn });
    }
    isCounted = true;
    const result = await make();
    isCounted = result.isCounted;
    return result.value;
  } finally {
    await Promise.all(turns.map(({ name, turn }) => throttle.getByName(name).settle(turn, isCounted)));
    if (isCounted) for (const { turn, onUsedUp } of turns) if (turn.isLast) onUsedUp?.();
  }
}

export function spend(context: RequestContext, buckets: readonly AttemptBucket[]): Promise<void> {
  return attempt(context, buckets, async () => ({ value: undefined, isCounted: true }));
}
