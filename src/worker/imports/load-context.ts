import type { LoadedNow } from "../../db/imports/load-request.ts";
import type { WriteBudget } from "../../db/editing/request.ts";
import { afterSave } from "../history/save.ts";
import { writeBudgets } from "../history/write-budgets.ts";
import { tellOfChange } from "../history/edit-desk.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Jobs } from "../http/queue.ts";
import type { Settings } from "../http/settings.ts";

/** What a record is loaded with: a request, or the same parts of a job. */
export type LoadContext = Pick<RequestContext, "settings" | "sources" | "stores"> & {
  /** Called with every change that was made: caches forget, projections are told. */
  readonly saved: (change: LoadedNow) => void;
  /** Takes what may be done after the answer. */
  readonly later: (work: Promise<unknown>) => void;
};

/** What records of a request are loaded with. */
export function requestLoadContext(context: RequestContext): LoadContext {
  const { settings, sources, stores } = context;
  return {
    settings,
    sources,
    stores,
    saved: (result) => afterSave(context, result),
    later: (work) => context.waitUntil(work),
  };
}

/** What records of a job are loaded with. `settled` ends when everybody has been told of what was made since. */
export function jobLoadContext({
  settings,
  sources,
  stores,
}: Jobs): LoadContext & { settled(): Promise<void> } {
  const works: Promise<unknown>[] = [];
  let last: number | undefined;
  return {
    settings,
    sources,
    stores,
    saved({ change }) {
      last = Math.max(change, last ?? 0);
    },
    later: (work) => void works.push(work),
    async settled() {
      // One message for all: it says no more than that there is something in the log.
      const told = last === undefined ? undefined : tellOfChange(stores, last);
      last = undefined;
      await Promise.all([told, ...works.splice(0)]);
    },
  };
}

/** Who makes the changes of an import. */
export interface ImportWriter {
  /** `/people/<username>` that the change is by. */
  readonly author: string;
  readonly bot: boolean;
  readonly ip: string | null;
  /** Byte budgets of the author. Nothing is counted if undefined. */
  readonly budgets?: readonly WriteBudget[];
}

/** Whoever sends the request. */
export async function requestWriter(context: RequestContext): Promise<ImportWriter> {
  const actor = await context.actor();
  const { key, bot } = actor;
  // The access level of every route that imports has seen to it that there is somebody.
  if (key === null) throw new Error("an import by nobody");
  return { author: key, bot, ip: context.client, budgets: writeBudgets(actor, context.settings) };
}

/** The account that the service itself imports with. */
export function botWriter({ IMPORT_BOT }: Settings): ImportWriter {
  return { author: `/people/${IMPORT_BOT}`, bot: true, ip: null };
}
