import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { DurableObject, env } from "cloudflare:workers";
import { reachParts } from "./parts.ts";
import { ChangeFeed, EditDesk, ImportDesk, LoanDesk, Patron, Throttle } from "../../../src/worker/index.ts";

interface Used {
  readonly namespace: DurableObjectNamespace;
  /** What it is called by. An object that is called by its id instead does not know its name. */
  readonly name: string | undefined;
}

/** Objects that have been awake since all were emptied, by id: no other can hold anything. */
const used = new Map<string, Used>();

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
  class Noted extends DurableObject {
    constructor(state: DurableObjectState, bindings: Cloudflare.Env) {
      super(state, bindings);
      used.set(String(state.id), { namespace, name: state.id.name });
    }
  }
  Object.setPrototypeOf(type, Noted);
}

reachParts();

/** Deletes what Durable Objects have stored, and the objects with what they have in memory. */
export async function emptyObjects(): Promise<void> {
  await Promise.all(
    [...used].map(async ([id, one]) => {
      const stub = stubOf(id, one);
      await runInDurableObject(stub, (_object, { storage }) => storage.deleteAll());
      await evictDurableObject(stub, { webSockets: "close" });
    }),
  );
  used.clear();
}

/** How often an object is asked to send again what it could not. Some tests break it, so that it never can. */
const SENDINGS = 3;

/**
 * Waits until patrons' objects have handed over what they send: they do so after they have answered. What a queue has not
 * taken goes with the alarm half a minute later; here it goes at once.
 */
export async function patronsHaveSent(): Promise<void> {
  const patrons = [...used].filter(([, { namespace }]) => namespace === env.PATRON);
  await Promise.all(
    patrons.map(async ([id, one]) => {
      const stub = stubOf(id, one);
      for (let sending = 0; sending <= SENDINGS; sending += 1) {
        while (await runInDurableObject(stub, isSending)) await scheduler.wait(1);
        if (sending === SENDINGS || !(await runInDurableObject(stub, sendsAgain))) return;
      }
    }),
  );
}

function stubOf(id: string, { namespace, name }: Used): DurableObjectStub {
  return name === undefined ? namespace.get(namespace.idFromString(id)) : namespace.getByName(name);
}

function isSending(patron: object): boolean {
  const outbox: object = Reflect.get(patron, "outbox");
  return Reflect.get(outbox, "isSending") === true;
}

/** Has a patron's object send what it has not; false when there is nothing. */
function sendsAgain(patron: object): boolean {
  const outbox: object = Reflect.get(patron, "outbox");
  const pending = Reflect.get(outbox, "pending") as (after: number, limit: number) => unknown[];
  if (pending.call(outbox, Reflect.get(outbox, "sent"), 1).length === 0) return false;
  (Reflect.get(outbox, "flush") as () => void).call(outbox);
  return true;
}
