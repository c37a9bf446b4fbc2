import { DurableObject, RpcTarget } from "cloudflare:workers";
import { type LimitMode, inInvocation, watchBindings, watchStorage } from "../db/edge-limits.ts";

/** Object whose calls, storage and bindings are watched if `EDGE_LIMITS` is not off. */
export abstract class EdgeObject extends DurableObject<Env> {
  constructor(state: DurableObjectState, env: Env) {
    // Checked as a setting; objects do without the schema, which takes time to load.
    const mode = (env.EDGE_LIMITS as LimitMode | undefined) ?? "off";
    super(state, watchBindings(env, mode));
    if (mode === "off") return;
    watchStorage(state.storage, mode);
    watchMethods(new.target.prototype, new.target.name, mode);
  }
}

const watchedPrototypes = new WeakSet<object>();

/** Makes every method an invocation, also those of the parts that getters return. */
function watchMethods(prototype: object, kind: string, mode: LimitMode): void {
  if (watchedPrototypes.has(prototype)) return;
  watchedPrototypes.add(prototype);
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === "constructor") continue;
    const path = `${kind}.${name}`;
    const { get, value: method } = member as { get?: () => object; value?: unknown };
    if (get !== undefined) {
      member.get = function (this: object) {
        const part = get.call(this);
        if (part instanceof RpcTarget) watchMethods(Object.getPrototypeOf(part) as object, path, mode);
        return part;
      };
    } else if (typeof method === "function") {
      member.value = function (this: object, ...values: unknown[]): unknown {
        const run = (): unknown => Reflect.apply(method, this, values);
        return inInvocation(mode, () => `object ${path}`, run);
      };
    }
    Object.defineProperty(prototype, name, member);
  }
}
