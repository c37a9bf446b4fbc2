import * as z from "zod";
import { splitSnippet } from "../../search/inside/snippets.ts";
import type { Reply } from "../http/reply.ts";
import { authorsLine } from "../ui/book-row.ts";
import { field } from "../ui/form.ts";
import type { OpenableScans } from "../lending/service/openable.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { notice } from "../ui/notice.ts";
import { dots } from "../ui/parts.ts";
import { t } from "../ui/words.ts";
import {
  type PageParameters,
  type PagePlace,
  INSIDE_PAGE_BOOKS,
  lendingNote,
  renderJsonLink,
  numberedAddressOf,
  pageAddressOf,
  renderPlaceLinks,
  renderSearchKinds,
} from "./result-parts.ts";

const PATH = "/search/inside";

const hit = z.object({
  fields: z.object({
    identifier: z.array(z.string()),
    meta_title: z.array(z.string()).optional(),
    meta_creator: z.array(z.string()).optional(),
    meta_year: z.array(z.int()).optional(),
    page_num: z.array(z.int()),
  }),
  highlight: z.object({ text: z.array(z.string()) }),
  edition: z
    .object({ url: z.string(), title: z.string(), authors: z.array(z.object({ name: z.string() })) })
    .optional(),
  availability: z.object({ status: z.string(), identifier: z.string().nullish() }).optional(),
});
type Hit = z.output<typeof hit>;

interface InsideHits {
  readonly hits?: { readonly total: number; readonly hits: readonly unknown[] };
}

interface InsideView {
  q: string;
  page: number;
  isReadable: boolean;
  language: string;
  /** Books with the phrase; undefined without a phrase. It has no `hits` if the index failed. */
  response: InsideHits | undefined;
  openable: OpenableScans;
}

/** `placesMax`: books that can be paged through. */
export function insidePage(view: InsideView, placesMax: number): Reply {
  const { q, isReadable, language, response } = view;
  return page({
    title: q === "" ? t("home.inside") : t("list.pair", { name: t("search.kind_inside"), value: q }),
    metadata: { address: pageAddressOf(PATH, [["q", q]]) },
    body: markup`${renderSearchKinds(PATH, q)}
<form method="get" action="${PATH}">
${[
  field({ name: "q", label: t("search.phrase"), value: q, maxlength: 1000 }),
  field({
    name: "language",
    label: t("search.book_language"),
    value: language,
    hint: t("search.book_language_hint"),
  }),
  field({
    name: "readable",
    label: t("subject.readable"),
    type: "checkbox",
    checked: isReadable,
  }),
]}<p><button>${t("layout.search")}</button></p></form>
${response !== undefined && resultsMarkup(response, view, placesMax)}`,
  });
}

function resultsMarkup({ hits }: InsideHits, view: InsideView, placesMax: number): Markup {
  if (hits === undefined) return notice("bad", t("search.query_failed"));
  const { q, page: number, isReadable, language } = view;
  const parameters: PageParameters = [
    ["q", q],
    ["language", language],
    ["readable", isReadable ? "true" : ""],
  ];
  const place: PagePlace = {
    page: number,
    numFound: hits.total,
    size: INSIDE_PAGE_BOOKS,
    window: placesMax,
    addressOf: (to) => numberedAddressOf(PATH, parameters, to),
  };
  const books = hits.hits.map((json) => hit.parse(json));
  return markup`<p role="status">${t("search.books", { count: hits.total })}${isReadable && markup` · ${t("search.left_out")}`}</p>
${books.length > 0 && markup`<ol class="books" start="${(number - 1) * INSIDE_PAGE_BOOKS + 1}">${books.map((found) => book(found, view.openable))}</ol>`}
${hits.total > 0 && renderPlaceLinks(place)}
${renderJsonLink(pageAddressOf(`${PATH}.json`, parameters))}`;
}

function book({ fields, highlight, edition, availability }: Hit, openable: OpenableScans): Markup {
  const [identifier = ""] = fields.identifier;
  const title = edition?.title ?? fields.meta_title?.[0] ?? identifier;
  const authors = edition?.authors.map(({ name }) => name) ?? fields.meta_creator ?? [];
  const year = fields.meta_year?.[0];
  const notes = dots([year !== undefined && String(year), lendingNote(availability, openable)]);
  return markup`<li><p>${edition === undefined ? markup`<cite>${title}</cite>` : markup`<a href="${edition.url}"><cite>${title}</cite></a>`}</p>
${authorsLine({ authors: authors.map((name) => ({ name })) })}
${notes !== undefined && markup`<p class="hint">${notes}</p>`}
${highlight.text.map((text, at) => snippet(text, fields.page_num[at]))}</li>`;
}

function snippet(text: string, leaf: number | undefined): Markup {
  const pieces: Piece[] = splitSnippet(text).map((part) =>
    part.isMatch ? markup`<mark>${part.text}</mark>` : part.text,
  );
  return markup`<blockquote><p>… ${pieces} …${leaf !== undefined && markup` (${t("search.leaf", { page: String(leaf) })})`}</p></blockquote>`;
}
