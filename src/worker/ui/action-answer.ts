import { type Reply, PRIVATE } from "../http/reply.ts";
import { type Page, page } from "./layout.ts";
import { type Piece, markup } from "./markup.ts";

/** Renders a page about an account, which caches must not store. */
export function accountPage(content: Page): Reply {
  return page({ ...content, cacheControl: PRIVATE });
}

export interface Message {
  readonly title: Piece;
  readonly text: Piece;
  readonly link?: { readonly href: string; readonly text: Piece };
  readonly status?: number;
}

export function messagePage({ title, text, link, status = 200 }: Message): Reply {
  const body = markup`<p>${text}</p>${link !== undefined && markup`<p><a href="${link.href}">${link.text}</a></p>`}`;
  return accountPage({ title, status, body });
}
