import { type Markup, type Piece, markup } from "./markup.ts";

/** A form that brings its sender back to where he was. */
export function postForm(action: string, here: string, content: Piece): Markup {
  return markup`<form method="post" action="${action}">
<input type="hidden" name="redir_url" value="${here}">${content}</form>`;
}
