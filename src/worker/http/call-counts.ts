import type { Stores } from "./bindings.ts";

/** Header of a request in development that asks for `CALLS_HEADER`. */
export const COUNT_HEADER = "X-Carrel-Count";
/** Header with the calls of a request to its stores until the answer, such as `sequence=2 catalog=2 patron=1`. */
export const CALLS_HEADER = "X-Carrel-Calls";

/**
 * Counts the calls of one request to databases, objects, queues, KV and R2. `sequence` is the length of the longest
 * chain of calls of which each began after the previous one had ended.
 */
export class CallCounter {
  private readonly calls = new Map<string, number>();
  private readonly originals = new WeakMap<object, object>();
  private ended = 0;
  private longest = 0;

  watch(stores: Stores): Stores {
    const watched = Object.entries(stores).map(([name, store]) => [
      name,
      typeof store === "object" && store !== null && name !== "metrics"
        ? this.watchCalls(store, name)
        : store,
    ]);
    // The members are those of `stores`.
    return Object.fromEntries(watched) as Stores;
  }

  format(): string {
    return [["sequence", this.longest], ...this.calls].map((entry) => entry.join("=")).join(" ");
  }

  /** Counts every method that returns a promise, also of objects that methods return, such as statements and stubs. */
  private watchCalls<Target extends object>(target: Target, name: string, owner?: object): Target {
    const watched = new Proxy(target, {
      get: (_target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === "function" ? this.watchCalls(value, name, target) : value;
      },
      apply: (method, _this, values: unknown[]) => {
        const parameters = values.map((value) => this.originalOf(value));
        const depth = this.ended + 1;
        // The target of an `apply` trap is a function.
        const result: unknown = Reflect.apply(method as () => unknown, owner, parameters);
        if (typeof result !== "object" && typeof result !== "function") return result;
        if (result === null) return null;
        return "then" in result ? this.count(result, { name, depth }) : this.watchCalls(result, name);
      },
    });
    this.originals.set(watched, target);
    return watched;
  }

  private async count(result: object, { name, depth }: { name: string; depth: number }): Promise<unknown> {
    this.calls.set(name, (this.calls.get(name) ?? 0) + 1);
    this.longest = Math.max(this.longest, depth);
    try {
      return await result;
    } finally {
      this.ended = Math.max(this.ended, depth);
    }
  }

  /** Undoes `watchCalls` for a parameter: a batch needs the statements of the database itself. */
  private originalOf(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((element) => this.originalOf(element));
    return typeof value === "object" && value !== null ? (this.originals.get(value) ?? value) : value;
  }
}
