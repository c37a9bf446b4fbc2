import { wantsHtml } from "../../http/accept.ts";
import type { RequestContext } from "../../http/operation.ts";
import { setFlash } from "../../http/pages/flash.ts";
import type { BookMove } from "../../http/pages/reader.ts";
import { backOr } from "../../http/redirect-target.ts";
import { type Reply, PRIVATE, json, privateJson } from "../../http/reply.ts";
import { notify } from "../../ui/notice.ts";
import type { Words } from "../../ui/words.ts";

/** Where people go on after a form of their own, and what they read there. */
interface After {
  readonly target?: string | undefined;
  readonly words?: Words;
  /** The book that the form has moved. */
  readonly move?: BookMove | undefined;
}

/** The answer to a change of one's own: programs get `value`, people go back to the page with the form. */
export function written(context: RequestContext, value: unknown, { target, words, move }: After = {}): Reply {
  if (words !== undefined) notify(context, words);
  if (move !== undefined && wantsHtml(context.request)) setFlash(context, { type: "success", move });
  return backOr(context, privateJson(value), target);
}

/** How long clients may keep counts over all patrons, in seconds. */
const COUNTS_SECONDS = 60;

/** An answer that is the same for everybody, unless it shows what the patron who asks has just done. */
export function countsJson(value: unknown, { isOwn }: { readonly isOwn: boolean }): Reply {
  const cacheControl = isOwn ? PRIVATE : `public, max-age=${COUNTS_SECONDS}`;
  return json(value, { cacheControl, headers: { Vary: "Cookie" } });
}
