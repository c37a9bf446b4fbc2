import type { LoadedNow } from "../../db/imports/import-request.ts";
import type { WriteBudget } from "../../db/editing/request.ts";
import { afterSave } from "../history/save.ts";
import { writeBudgets } from "../history/write-budgets.ts";
import { tellOfChange } from "../history/edit-desk.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Jobs } from "../http/queue.ts";
import type { Settings } from "../http/settings.ts";

/** Dependencies of loading a record, from a request or from a job. */
export type LoadContext = Pick<RequestContext, "settings" | "sources" | "stores"> & {
  /** Called for every change made, to invalidate caches and notify projections. */
  readonly saved: (change: LoadedNow) => void;
  /** Takes work to run after the response. */
  readonly later: (work: Promise<unknown>) => void;
};

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

/** Returns the load context of a job. `settled` resolves when the changes made so far have been announced. */
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
      // One message covers all changes: it only announces that the log has grown.
      const told = last === undefined ? undefined : tellOfChange(stores, last);
      last = undefined;
      await Promise.all([told, ...works.splice(0)]);
    },
  };
}

/** Author of the changes of an import. */
export interface ImportWriter {
  /** Author of the change, as `/people/<username>`. */
  readonly author: string;
  readonly bot: boolean;
  readonly ip: string | null;
  /** Byte budgets of the author. Nothing is counted if undefined. */
  readonly budgets?: readonly WriteBudget[];
}

/** Returns the client that sends the request as the writer. */
export async function requestWriter(context: RequestContext): Promise<ImportWriter> {
  const actor = await context.actor();
  const { key, bot } = actor;
  // Every import route requires an access level with an account.
  if (key === null) throw new Error("an import by nobody");
  return { author: key, bot, ip: context.client, budgets: writeBudgets(actor, context.settings) };
}

/** Returns the account that the service itself uses for imports. */
export function botWriter({ IMPORT_BOT }: Settings): ImportWriter {
  return { author: `/people/${IMPORT_BOT}`, bot: true, ip: null };
}
