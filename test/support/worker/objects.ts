import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { DurableObject, env } from "cloudflare:workers";
import { ChangeFeed, EditDesk, Patron, Throttle } from "../../../src/worker/index.ts";

/** Objects that have been awake since all were emptied: no other can hold anything. */
const used = new Map<string, DurableObjectNamespace>();

const CLASSES: readonly [object, DurableObjectNamespace][] = [
  [ChangeFeed, env.CHANGE_FEED],
  [EditDesk, env.EDIT_DESK],
  [Patron, env.PATRON],
  [Throttle, env.THROTTLE],
];
// The only list that the runtime offers is that of all objects that ever were.
for (const [type, namespace] of CLASSES) {
  class Noted extends DurableObject {
    constructor(state: DurableObjectState, bindings: Cloudflare.Env) {
      super(state, bindings);
      used.set(String(state.id), namespace);
    }
  }
  Object.setPrototypeOf(type, Noted);
}

/** Deletes what Durable Objects have stored, and the objects with what they have in memory. */
export async function emptyObjects(): Promise<void> {
  await Promise.all(
    [...used].map(async ([id, namespace]) => {
      const stub = namespace.get(namespace.idFromString(id));
      await runInDurableObject(stub, (_object, { storage }) => storage.deleteAll());
      await evictDurableObject(stub, { webSockets: "close" });
    }),
  );
  used.clear();
}
