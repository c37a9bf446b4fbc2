import { VARY_LANGUAGE } from "../http/accept.ts";
import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { link, table } from "../ui/parts.ts";
import { pageAddress } from "./page-address.ts";
import { jsonLink, searchKinds } from "./result-parts.ts";

/** A search whose results are names with how many works there are. */
interface CountsView {
  readonly path: string;
  readonly q: string;
  readonly title: string;
  /** Of the input. */
  readonly label: string;
  /** What was found, in words. */
  readonly summary: string;
  readonly caption: string;
  readonly rows: readonly { readonly name: string; readonly address: string; readonly count: number }[];
  readonly cacheControl: string;
}

/** Names with their numbers of works. */
export function countsPage(view: CountsView): Reply {
  const { path, q, title, label, summary, caption, rows, cacheControl } = view;
  return page({
    title,
    body: markup`${searchKinds(path, q)}
<form method="get" action="${path}"><label for="q">${label}</label>
<input id="q" name="q" type="search" maxlength="1000" value="${q}"><p><button type="submit">Search</button></p></form>
${
  q !== "" &&
  markup`<p role="status">${summary}</p>
${
  rows.length > 0 &&
  table({
    caption,
    columns: ["Name", "Works"],
    rows: rows.map(({ name, address, count }) => [link(address, name), count]),
  })
}
${jsonLink(pageAddress(`${path}.json`, [["q", q]]))}`
}`,
    cacheControl,
    headers: { Vary: `Accept, ${VARY_LANGUAGE}` },
  });
}
