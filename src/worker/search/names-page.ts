import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { pageAddress } from "./page-address.ts";
import { jsonLink, searchKinds } from "./result-parts.ts";
import { table } from "../ui/table.ts";

/** A search for names, with what it has found. */
interface NamesView {
  readonly path: string;
  /** In the title, such as `Authors`. */
  readonly kind: string;
  readonly q: string;
  /** Of the input. */
  readonly label: string;
  /** What else the form has. */
  readonly more?: Markup;
  /** What was found, in words. */
  readonly summary: string;
  readonly found: Parameters<typeof table>[0];
  /** Below the table; where absent, the same for programs. */
  readonly links?: Piece;
  readonly cacheControl: string;
  readonly vary: string;
}

/** The page of a search for names. */
export function namesPage(view: NamesView): Reply {
  const { path, kind, q, label, more, summary, found, cacheControl, vary } = view;
  const { links = jsonLink(pageAddress(`${path}.json`, [["q", q]])) } = view;
  return page({
    title: q === "" ? `Search ${kind.toLowerCase()}` : `${kind}: ${q}`,
    body: markup`${searchKinds(path, q)}
<form method="get" action="${path}"><label for="q">${label}</label>
<input id="q" name="q" type="search" maxlength="1000" value="${q}">${more !== undefined && markup`\n${more}\n`}<p><button type="submit">Search</button></p></form>
${
  q !== "" &&
  markup`<p role="status">${summary}</p>
${found.rows.length > 0 && table(found)}
${links}`
}`,
    cacheControl,
    headers: { Vary: `Accept, ${vary}` },
  });
}
