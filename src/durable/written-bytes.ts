import { KIB } from "../catalog/units.ts";
import { byteBudgetFailure } from "../catalog/editing/failure.ts";
import type { Spend, WriteBudget, Writer } from "../db/editing/request.ts";
import type { Throttle } from "./throttle.ts";

/**
 * Bytes of an account that add up in memory before its `Throttle` object is called, so that ordinary changes need no
 * additional round trip. Of a large budget, this part.
 */
const CHARGED_FROM_BYTES = 64 * KIB;
const CHARGED_PART = 1 / 320;
const ACCOUNTS_MAX = 10_000;
/** Part of the account's budgets that one program may use up. */
const PROGRAM_PART = 1 / 2;

/** Counter of the bytes that accounts save through a desk, in one `Throttle` object per account. */
export class WrittenBytes {
  private readonly unspent = new Map<string, number>();

  constructor(private readonly throttles: DurableObjectNamespace<Throttle>) {}

  /**
   * Returns the function that charges one request to its author; repeated attempts are charged once. Changes of the
   * service itself have no author or no budgets, and are free. `now` in milliseconds.
   */
  chargeFor(
    {
      author,
      budgets,
      grant,
    }: Pick<Writer, "author" | "grant"> & { budgets?: Writer["budgets"] | undefined },
    now: number,
  ): Spend {
    let charged = 0;
    return async (bytes) => {
      if (author === null || budgets === undefined || bytes <= charged) return undefined;
      const ofProgram = budgets.map(({ limit, seconds }) => ({ limit: limit * PROGRAM_PART, seconds }));
      const wait =
        (grant === undefined
          ? 0
          : await this.charge(`${author} by ${grant}`, bytes - charged, { now, budgets: ofProgram })) ||
        (await this.charge(author, bytes - charged, { now, budgets }));
      if (wait > 0) return byteBudgetFailure(wait);
      charged = bytes;
      return undefined;
    };
  }

  private async charge(
    author: string,
    bytes: number,
    { now, budgets }: { now: number; budgets: readonly WriteBudget[] },
  ): Promise<number> {
    const before = this.unspent.get(author) ?? 0;
    this.unspent.delete(author);
    const part = CHARGED_PART * Math.min(...budgets.map(({ limit }) => limit));
    if (before + bytes < Math.max(CHARGED_FROM_BYTES, part)) {
      this.setUnspent(author, before + bytes);
      return 0;
    }
    const wait = await this.throttles.getByName(`bytes of ${author}`).spend(now, before + bytes, budgets);
    if (wait > 0) this.setUnspent(author, before + (this.unspent.get(author) ?? 0));
    return wait;
  }

  private setUnspent(author: string, bytes: number): void {
    this.unspent.set(author, bytes);
    const [first] = this.unspent.keys();
    if (this.unspent.size > ACCOUNTS_MAX && first !== undefined) this.unspent.delete(first);
  }
}
