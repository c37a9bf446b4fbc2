import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { pageAddress } from "./page-address.ts";
import { jsonLink, searchKinds } from "./result-parts.ts";
import { table } from "../ui/table.ts";
import { type Words, say } from "../ui/words.ts";

/** A search for names, with what it has found. */
interface NamesView {
  readonly path: string;
  /** What is searched for, such as authors. */
  readonly kind: Words;
  readonly q: string;
  /** Of the input. */
  readonly label: Words;
  /** What else the form has. */
  readonly more?: Markup;
  /** What was found, in words. */
  readonly summary: Piece;
  readonly found: Parameters<typeof table>[0];
  /** Below the table; where absent, the same for programs. */
  readonly links?: Piece;
  readonly cacheControl: string;
}

/** The page of a search for names. */
export function namesPage(view: NamesView): Reply {
  const { path, kind, q, label, more, summary, found, cacheControl } = view;
  const { links = jsonLink(pageAddress(`${path}.json`, [["q", q]])) } = view;
  return page({
    title: q === "" ? say(kind) : markup`${say(kind)}: ${q}`,
    q,
    body: markup`${searchKinds(path, q)}
<form class="line" method="get" action="${path}"><label for="q">${say(label)}</label>
<input id="q" name="q" type="search" maxlength="1000" value="${q}"> ${more} <button>${say("layout.search")}</button></form>
${
  q !== "" &&
  markup`<p role="status">${summary}</p>
${found.rows.length > 0 && table(found)}
${links}`
}`,
    cacheControl,
  });
}
