import { DurableObject, RpcTarget } from "cloudflare:workers";
import { Patron } from "../../../src/worker/index.ts";

type Method = (...values: unknown[]) => unknown;
interface InFront {
  testedPart(name: string, method: string, values: unknown[]): unknown;
}

/**
 * Lets tests call a part of an object in one step, `patron.shelves.put(...)`, as the runtime does. Under test another class
 * stands in front of every object, and it knows the way to methods of the object itself only.
 */
export function reachParts(): void {
  const own = Object.entries(Object.getOwnPropertyDescriptors(Patron.prototype));
  const parts = own.filter(([, { get }]) => get !== undefined).map(([name]) => name);
  Object.defineProperty(Patron.prototype, "testedPart", {
    configurable: true,
    value: function testedPart(this: Patron, name: string, method: string, values: unknown[]): unknown {
      const part: object = Reflect.get(this, name);
      return (Reflect.get(part, method) as Method).apply(part, values);
    },
  });
  for (const name of parts) {
    // The class in front inherits from the same base, and takes what it finds there. Patron has its own.
    Object.defineProperty(DurableObject.prototype, name, {
      get(this: InFront) {
        return partInFront((method, values) => this.testedPart(name, method, values));
      },
    });
  }
}

/** An object that has every method, as far as the runtime asks for one. */
function partInFront(call: (method: string, values: unknown[]) => unknown): RpcTarget {
  class Front extends RpcTarget {}
  Object.setPrototypeOf(
    Front.prototype,
    new Proxy(RpcTarget.prototype, {
      get: (target, key) =>
        typeof key === "string" && !(key in target)
          ? (...values: unknown[]) => call(key, values)
          : Reflect.get(target, key),
    }),
  );
  return new Front();
}
