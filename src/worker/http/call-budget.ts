import type { Sources, Stores } from "./bindings.ts";

/**
 * Calls, and statements of databases, that an invocation makes before it leaves the rest to another one. The platform
 * allows 1,000 statements; half are reserved for steps that are larger than expected.
 */
export const BUDGET_CALLS = 500;

/** Budget of an invocation, such as a batch of messages, all steps of the sweep, or a stream. */
export interface Budget {
  /** Number of calls so far, or of statements if there are more: those of a batch count one by one. */
  readonly used: number;
  /** Returns true if there is no time left, or another step as large as the largest so far would exceed the budget. */
  isOver(): boolean;
}

/** Returns stores whose calls use up a budget, and the budget, which also ends after some milliseconds. */
export function withBudget(
  { stores, sources }: { stores: Stores; sources: Pick<Sources, "now"> },
  milliseconds: number,
): { stores: Stores; budget: Budget } {
  const deadline = sources.now() + milliseconds;
  let [calls, statements, before, largest] = [0, 0, 0, 0];
  const count = (name: string, [first]: readonly unknown[]): void => {
    calls += 1;
    if (DATABASES.has(name)) statements += Array.isArray(first) ? first.length : 1;
  };
  const budget: Budget = {
    get used() {
      return Math.max(calls, statements);
    },
    isOver() {
      largest = Math.max(largest, budget.used - before);
      before = budget.used;
      return before + largest > BUDGET_CALLS || sources.now() >= deadline;
    },
  };
  const counted = Object.entries(stores).map(([name, store]: [string, unknown]) => [
    name,
    isObject(store) && name !== "metrics" ? countCalls(store, (values) => count(name, values)) : store,
  ]);
  // The members are those of `stores`.
  return { stores: Object.fromEntries(counted) as Stores, budget };
}

const DATABASES: ReadonlySet<string> = new Set<keyof Stores>(["catalog", "search", "patrons"]);

const originals = new WeakMap<object, object>();

/** Counts calls of methods that return promises, also of objects that methods return, such as statements and stubs. */
function countCalls<Target extends object>(
  target: Target,
  count: (values: readonly unknown[]) => void,
  owner?: object,
): Target {
  const counted = new Proxy(target, {
    get(_target, property) {
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? countCalls(value, count, target) : value;
    },
    apply(_target, _this, values: unknown[]) {
      // The target of an `apply` trap is a function.
      const result: unknown = Reflect.apply(target as () => unknown, owner, values.map(originalOf));
      if (!isObject(result)) return result;
      if (!("then" in result)) return countCalls(result, count);
      count(values);
      return result;
    },
  });
  originals.set(counted, target);
  return counted;
}

/** Undoes `countCalls` for a parameter: a batch needs the statements of the database itself. */
function originalOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(originalOf);
  return isObject(value) ? (originals.get(value) ?? value) : value;
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
