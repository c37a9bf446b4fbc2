import { tooMuchWritten } from "../catalog/editing/failure.ts";
import type { WriteBudget, Spend } from "../db/editing/request.ts";
import type { Throttle } from "./throttle.ts";

/**
 * Bytes of an account that add up in memory before its `Throttle` object is called, so that ordinary edits need no
 * additional round trip.
 */
const ASKED_FROM_BYTES = 64 * 1024;
/** Accounts whose bytes are kept in memory. Beyond that the oldest entry is dropped. */
const ACCOUNTS_MAX = 10_000;

/** The author of a change and their budgets. Changes of the service itself have none. */
interface Payer {
  readonly author: string | null;
  readonly budgets?: readonly WriteBudget[] | undefined;
}

/** Counts the bytes that accounts save through a desk, in one `Throttle` object per account. */
export class WrittenBytes {
  private readonly unspent = new Map<string, number>();

  constructor(private readonly throttles: DurableObjectNamespace<Throttle>) {}

  /** Returns the function that charges one request; repeated attempts are charged once. `now` in milliseconds. */
  spender({ author, budgets }: Payer, now: number): Spend {
    let paid = 0;
    return async (bytes) => {
      if (author === null || budgets === undefined || bytes <= paid) return undefined;
      const wait = await this.spend(author, bytes - paid, { now, budgets });
      if (wait > 0) return tooMuchWritten(wait);
      paid = bytes;
      return undefined;
    };
  }

  private async spend(
    author: string,
    bytes: number,
    { now, budgets }: { readonly now: number; readonly budgets: readonly WriteBudget[] },
  ): Promise<number> {
    const before = this.unspent.get(author) ?? 0;
    this.unspent.delete(author);
    if (before + bytes < ASKED_FROM_BYTES) {
      this.note(author, before + bytes);
      return 0;
    }
    const wait = await this.throttles.getByName(`bytes of ${author}`).spend(now, before + bytes, budgets);
    if (wait > 0) this.note(author, before + (this.unspent.get(author) ?? 0));
    return wait;
  }

  private note(author: string, bytes: number): void {
    this.unspent.set(author, bytes);
    const [first] = this.unspent.keys();
    if (this.unspent.size > ACCOUNTS_MAX && first !== undefined) this.unspent.delete(first);
  }
}
