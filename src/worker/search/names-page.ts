import { WINDOW_PLAIN_MAX } from "../../search/engine.ts";
import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { table } from "../ui/table.ts";
import { type Words, say } from "../ui/words.ts";
import {
  type PagePlace,
  type PageParameters,
  SEARCH_PAGE_NAMES,
  jsonLink,
  numberedAddress,
  pageAddress,
  placeLinks,
  searchKinds,
} from "./result-parts.ts";

interface NamesView {
  readonly path: string;
  readonly kind: Words;
  readonly q: string;
  readonly label: Words;
  readonly more?: Markup;
  readonly summary: Piece;
  readonly results: Parameters<typeof table>[0];
  /** Links below the table; the link to JSON if absent. */
  readonly links?: Piece;
  readonly cacheControl: string;
}

export function namesPage(view: NamesView): Reply {
  const { path, kind, q, label, more, summary, results, cacheControl } = view;
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
${results.rows.length > 0 && table(results)}
${links}`
}`,
    cacheControl,
  });
}

export function namesLinks(
  path: string,
  parameters: PageParameters,
  place: Pick<PagePlace, "page" | "numFound">,
): Markup {
  const whole: PagePlace = {
    ...place,
    size: SEARCH_PAGE_NAMES,
    window: WINDOW_PLAIN_MAX,
    addressOf: (to) => numberedAddress(path, parameters, to),
  };
  return markup`${place.numFound > 0 && placeLinks(whole)}
${jsonLink(pageAddress(`${path}.json`, parameters))}`;
}
