import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { EdgeObject } from "../../../src/durable/edge-object.ts";
import { reachParts } from "./parts.ts";
import { ChangeFeed, EditDesk, ImportDesk, LoanDesk, Patron, Throttle } from "../../../src/worker/index.ts";

/** Objects that have been awake since all were emptied, by id: no other can hold anything. */
const used = new Map<string, DurableObjectNamespace>();
/** Names of all objects that ever were awake, by id. */
const names = new Map<string, string>();

const CLASSES: readonly [object, DurableObjectNamespace][] = [
  [ChangeFeed, env.CHANGE_FEED],
  [EditDesk, env.EDIT_DESK],
  [ImportDesk, env.IMPORT_DESK],
  [LoanDesk, env.LOAN_DESK],
  [Patron, env.PATRON],
  [Throttle, env.THROTTLE],
];
// The only list that the runtime offers is that of all objects that ever were.
for (const [type, namespace] of CLASSES) {
  class Noted extends EdgeObject {
    constructor(state: DurableObjectState, bindings: Cloudflare.Env) {
      super(state, bindings);
      const id = String(state.id);
      used.set(id, namespace);
      if (state.id.name !== undefined) names.set(id, state.id.name);
    }
  }
  Object.setPrototypeOf(type, Noted);
}

reachParts();

/**
 * Deletes what Durable Objects have stored, and the objects with what they have in memory. One that wakes again before all
 * are emptied is noted again, and so emptied the next time.
 */
export async function emptyObjects(): Promise<void> {
  await Promise.all(
    [...used].map(async ([id, namespace]) => {
      const stub = stubOf(namespace, id);
      await runInDurableObject(stub, (_object, { storage }) => storage.deleteAll());
      used.delete(id);
      await evictDurableObject(stub, { webSockets: "close" });
    }),
  );
}

/** Objects of a class that can hold anything: those awake since all were emptied. */
export function usedObjects(namespace: DurableObjectNamespace): DurableObjectStub[] {
  return [...used].flatMap(([id, of]) => (of === namespace ? [stubOf(namespace, id)] : []));
}

/** Maximum of flushes per object. Some tests break an object for good, so that every flush fails. */
const RESENDS = 3;

/**
 * Waits until patrons' objects have handed over what they send: they do so after they have answered. What a queue has not
 * taken goes with the alarm half a minute later; here it goes at once.
 */
export async function patronsHaveSent(): Promise<void> {
  await Promise.all(
    usedObjects(env.PATRON).map(async (patron) => {
      for (let resends = 0; ;) {
        const state = await runInDurableObject(patron, (object) => outboxState(object, resends < RESENDS));
        if (state === "idle") return;
        if (state === "sending") await scheduler.wait(1);
        else resends += 1;
      }
    }),
  );
}

/**
 * The object of an id, called by its name. One that is called by its id does not know its name, and it does not learn it
 * from calls by name that follow, not even when it starts anew in between.
 */
function stubOf(namespace: DurableObjectNamespace, id: string): DurableObjectStub {
  const name = names.get(id);
  return name === undefined ? namespace.get(namespace.idFromString(id)) : namespace.getByName(name);
}

/** Returns the state of a patron's outbox. Flushes an idle one that has entries left, if `canResend`. */
function outboxState(patron: object, canResend: boolean): "sending" | "resending" | "idle" {
  const outbox: object = Reflect.get(patron, "outbox");
  if (Reflect.get(outbox, "isSending") === true) return "sending";
  if (!canResend) return "idle";
  const pending = Reflect.get(outbox, "pending") as (after: number, limit: number) => unknown[];
  if (pending.call(outbox, Reflect.get(outbox, "lastSent"), 1).length === 0) return "idle";
  (Reflect.get(outbox, "flush") as () => void).call(outbox);
  return "resending";
}
