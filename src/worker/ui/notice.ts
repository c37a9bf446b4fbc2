import { wantsHtml } from "../http/accept.ts";
import { setFlash } from "../http/pages/flash.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Markup, type Piece, markup } from "./markup.ts";
import type { Words } from "./words.ts";

/**
 * Notice that screen readers read out at once, a `bad` one before everything else. `action` is a form that
 * stands beside it.
 */
export function notice(kind: "good" | "bad" | "plain", content: Piece, action?: Piece): Markup {
  return markup`<div class="notice ${kind}" role="${kind === "bad" ? "alert" : "status"}"><p>${content}</p>${action}</div>`;
}

/** Has the page that somebody is led to say what became of the form that he sent. Programs are told by the answer. */
export function notify(context: RequestContext, words: Words, type: "success" | "error" = "success"): void {
  if (wantsHtml(context.request)) setFlash(context, { type, words });
}
