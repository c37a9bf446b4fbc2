import type { Budget, Turn } from "../../durable/throttle.ts";
import type { RequestContext } from "../http/operation.ts";
import { tooManyRequests } from "../http/errors.ts";
import { clientGroup } from "../http/client-address.ts";

/** Failed logins in a quarter of an hour: to one account, from one of its devices, and from one address. */
export const LOGIN_FAILURES = { limit: 10, seconds: 900 };
/** Mails a day that tell somebody that his budget of failed logins is used up. */
export const LOCKOUT_MAILS = { limit: 1, seconds: 86_400 };
/** Attempts to register from one address in an hour. */
export const REGISTRATIONS = { limit: 100, seconds: 3600 };
/** Mails to one address in an hour. */
export const MAILS_TO_ONE = { limit: 5, seconds: 3600 };
/** Mails that one address causes in an hour. */
export const MAILS_FROM_ONE = { limit: 100, seconds: 3600 };
/** Questions whether a name is taken, from one address in ten minutes. */
export const VALIDATIONS = { limit: 100, seconds: 600 };
/** Codes out of mails that do not work, from one address in a quarter of an hour. */
export const CODE_FAILURES = { limit: 30, seconds: 900 };

/** What a context says where Cloudflare has not named the client's address. */
const NO_ADDRESS = "local";

/** Somebody or something that has a budget. */
export interface Spender {
  readonly name: string;
  readonly budget: Budget;
  /** Is told when the budget is used up. */
  readonly whenUsedUp?: () => void;
}

/** The client's address as a spender; nobody where addresses are not known, as on one's own computer. */
export function byAddress({ client }: RequestContext, what: string, budget: Budget): Spender[] {
  return client === NO_ADDRESS ? [] : [{ name: `${what} from ${clientGroup(client)}`, budget }];
}

/**
 * Makes an attempt if all of these have room for it (Q153). It is counted before it is made, so that many at a time
 * cannot exceed a budget, and given back if it does not count. One that throws counts. Throws a 429.
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

/** Counts something that is going to happen; throws a 429 when there has been too much of it. */
export function spend(context: RequestContext, spenders: readonly Spender[]): Promise<void> {
  return attempt(context, spenders, async () => ({ value: undefined, isCounted: true }));
}

type Taken = Spender & { readonly turn: Turn };

/** In the order given, so that no two attempts wait for each other. */
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
  throw tooManyRequests(turn.wait, "Too many attempts. Please wait before you try again.");
}

async function settleAll({ stores }: RequestContext, taken: readonly Taken[], isCounted: boolean) {
  await Promise.all(taken.map(({ name, turn }) => stores.throttle.getByName(name).settle(turn, isCounted)));
}
