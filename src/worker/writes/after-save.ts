import type { SaveResult } from "../../db/changes/save/request.ts";
import type { RequestContext } from "../context.ts";
import { wakeListeners } from "../feed/wake-listeners.ts";
import { BOOKMARK_HEADER } from "../request-context.ts";
import { announceChange } from "../queue/announce.ts";
import { cookieText } from "../sessions/session.ts";

/** How long a browser brings the bookmark of its last write, in seconds: replicas have caught up long before. */
export const BOOKMARK_SECONDS = 600;

/** After a change: caches forget, projections and listeners are told, and the writer reads what he has written. */
export function afterSave(
  context: RequestContext,
  result: Pick<SaveResult & { readonly ok: true }, "change" | "affected" | "bookmark">,
): void {
  const { change, affected, bookmark } = result;
  if (change !== null) {
    context.cache.forget(affected, context.sources.now());
    context.waitUntil(announceChange(context.stores.indexQueue, change));
    context.waitUntil(wakeListeners(context.stores.changeFeed, change));
  }
  if (bookmark === null) return;
  context.headers[BOOKMARK_HEADER] = bookmark;
  const seconds = BOOKMARK_SECONDS;
  setCookie(context, "carrel_bookmark", cookieText("carrel_bookmark", bookmark, { context, seconds }));
}

/** Of several changes of a request the last one's bookmark counts. */
function setCookie({ cookies }: RequestContext, name: string, text: string): void {
  const others = cookies.filter((cookie) => !cookie.startsWith(`${name}=`));
  cookies.splice(0, cookies.length, ...others, text);
}
