import { tooMuchWritten } from "../catalog/editing/failure.ts";
import type { ByteBudget, Spend } from "../db/editing/request.ts";
import type { Throttle } from "./throttle.ts";

/**
 * Bytes of an account that are added up in memory before its budgets are asked: ordinary edits wait for no other object.
 * Large changes ask at once.
 */
const ASKED_FROM_BYTES = 64 * 1024;
/** Accounts whose bytes are in memory; those of the one that began first are forgotten beyond that. */
const ACCOUNTS_MAX = 10_000;

/** Who writes, and the budgets of the account; absent: what the service writes is not counted. */
interface Payer {
  readonly author: string | null;
  readonly budgets?: readonly ByteBudget[] | undefined;
}

/** What accounts write through a desk, counted by their `Throttle` objects. */
export class WrittenBytes {
  private readonly unspent = new Map<string, number>();

  constructor(private readonly throttles: DurableObjectNamespace<Throttle>) {}

  /** For one request, whose attempts are paid once. `now` in milliseconds. */
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
    { now, budgets }: { readonly now: number; readonly budgets: readonly ByteBudget[] },
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
