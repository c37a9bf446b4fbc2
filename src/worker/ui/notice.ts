import { wantsHtml } from "../http/accept.ts";
import { setFlash } from "../http/pages/flash.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Markup, type Piece, markup } from "./markup.ts";
import type { Words } from "./words.ts";
import { type Text, english } from "../../catalog/texts.ts";

/** Makes a notice that screen readers read out at once, a `bad` one before all else. `action` is a form beside it. */
export function notice(kind: "good" | "bad" | "plain", content: Piece, action?: Piece): Markup {
  return markup`<div class="notice ${kind}" role="${kind === "bad" ? "alert" : "status"}"><p>${content}</p>${action}</div>`;
}

/** Stores a notice on the result of a form for the next page. Does nothing for programs, which read the response. */
export function notify(context: RequestContext, words: Words, type: "success" | "error" = "success"): void {
  if (wantsHtml(context.request)) setFlash(context, { type, words });
}

/** Stores a notice for the next page, in English too: programs read the cookie. */
export function notifyOf(context: RequestContext, type: "success" | "error", text: Text): void {
  setFlash(context, { type, message: english(text), words: text.key, values: text.values });
}
