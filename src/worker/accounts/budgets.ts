import type { Budget, Turn } from "../../durable/throttle.ts";
import type { RequestContext } from "../http/operation.ts";
import { tooManyRequests } from "../http/errors.ts";
import { clientGroup } from "../http/client-address.ts";

/** Failed logins in a quarter of an hour: to one account, from one of its devices, and from one address. */
export const LOGIN_FAILURES = { limit: 10, seconds: 900 };
/** Emails a day that tell a patron that the failed logins of their account are used up. */
export const LOCKOUT_MAILS = { limit: 1, seconds: 86_400 };
/** Registration attempts from one address in an hour. */
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

/** Rate-limit bucket, with its name and its budget. */
export interface Spender {
  readonly name: string;
  readonly budget: Budget;
  /** Called when the budget is used up. */
  readonly whenUsedUp?: () => void;
}

/** Returns the bucket of the client's address; none if addresses are unknown, as on a developer's machine. */
export function byAddress({ client }: RequestContext, what: string, budget: Budget): Spender[] {
  return client === NO_ADDRESS ? [] : [{ name: `${what} from ${clientGroup(client)}`, budget }];
}

/**
 * Makes an attempt if all buckets have room for it (Q153). The attempt is counted before it is made, so that concurrent
 * ones cannot exceed a budget, and given back if it does not count. Attempts that throw count. Throws 429.
 */
export async function attempt<Value>(
  context: RequestContext,
  spenders: readonly Spender[],
  make: () => Promise<{ readonly value: Value; readonly isCounted: boolean }>,
): Promise<Value> {
  const taken = await takeAll(context, spenders);
  let isCounted = true;
  try {
    const made = await make();
    isCounted = made.isCounted;
    return made.value;
  } finally {
    await settleAll(context, taken, isCounted);
    if (isCounted) for (const { turn, whenUsedUp } of taken) if (turn.isLast) whenUsedUp?.();
  }
}

/** Counts an action against the buckets; throws 429 if a budget is used up. */
export function spend(context: RequestContext, spenders: readonly Spender[]): Promise<void> {
  return attempt(context, spenders, async () => ({ value: undefined, isCounted: true }));
}

type Taken = Spender & { readonly turn: Turn };

/** Takes turns in the order of the list, so that no two attempts wait for each other. */
async function takeAll(context: RequestContext, spenders: readonly Spender[]): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const spender of spenders) {
    const turn = await takeTurn(context, spender).catch(async (error: unknown) => {
      await settleAll(context, taken, false);
      throw error;
    });
    taken.push({ ...spender, turn });
  }
  return taken;
}

async function takeTurn({ stores, now }: RequestContext, { name, budget }: Spender): Promise<Turn> {
  const turn = await stores.throttle.getByName(name).take(now, budget);
  if (turn.wait === 0) return turn;
  throw tooManyRequests(turn.wait, "Too many attempts. Wait before you try again.");
}

async function settleAll({ stores }: RequestContext, taken: readonly Taken[], isCounted: boolean) {
  await Promise.all(taken.map(({ name, turn }) => stores.throttle.getByName(name).settle(turn, isCounted)));
}
