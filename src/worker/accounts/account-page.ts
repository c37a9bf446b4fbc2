import { type Reply, PRIVATE } from "../http/reply.ts";
import { type Page, page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";

/** A page about an account: kept by nobody, and nothing of its address goes anywhere. */
export function accountPage(what: Page): Reply {
  const headers = { "Referrer-Policy": "same-origin", ...what.headers };
  return page({ ...what, cacheControl: PRIVATE, headers });
}

/** A page that says one thing, and where to go on. */
export function messagePage(what: {
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly text: string };
  readonly status?: number;
}): Reply {
  const { title, text, link, status = 200 } = what;
  return accountPage({
    title,
    status,
    body: markup`<p>${text}</p>${link !== undefined && markup`<p><a href="${link.href}">${link.text}</a></p>`}`,
  });
}
