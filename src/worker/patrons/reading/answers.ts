import { wantsHtml } from "../../http/accept.ts";
import type { RequestContext } from "../../http/operation.ts";
import { setFlash } from "../../http/pages/flash.ts";
import type { BookMove } from "../../http/pages/reader.ts";
import { backOr } from "../../http/redirect-target.ts";
import { type Reply, PRIVATE, json, privateJson } from "../../http/reply.ts";
import { notify } from "../../ui/notice.ts";
import type { Words } from "../../ui/words.ts";

/** Page and message after a form was sent. */
interface After {
  readonly target?: string | undefined;
  readonly words?: Words;
  readonly move?: BookMove | undefined;
}

/** Answers a change of the patron's own data: programs get `value`, people go back to the page with the form. */
export function written(context: RequestContext, value: unknown, { target, words, move }: After = {}): Reply {
  if (words !== undefined) notify(context, words);
  if (move !== undefined && wantsHtml(context.request)) setFlash(context, { type: "success", move });
  return backOr(context, privateJson(value), target);
}

/** Time that clients and shared caches may keep counts over all patrons, in seconds. */
const COUNTS_SECONDS = 60;

/** Creates an answer that is equal for all clients, unless it contains the patron's own recent change. */
export function countsJson(value: unknown, { isOwn }: { readonly isOwn: boolean }): Reply {
  const cacheControl = isOwn ? PRIVATE : `public, max-age=${COUNTS_SECONDS}`;
  return json(value, { cacheControl, headers: { Vary: "Cookie" } });
}
