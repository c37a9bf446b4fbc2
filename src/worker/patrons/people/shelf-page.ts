import * as z from "zod";
import { type ShelfId, shelfOfKey } from "../../../catalog/patrons/shelves.ts";
import type { ListPage, OwnBook } from "../../../durable/patron/pages.ts";
import { parseWorkSort } from "../../../search/sorts.ts";
import { wantsHtml } from "../../http/accept.ts";
import { notFound } from "../../http/errors.ts";
import { checkInput, inputSchemas } from "../../http/input.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { type Reply, seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { withSearchErrors } from "../../search/guarded.ts";
import { SHELF_WORDS } from "../../ui/dropper.ts";
import { feedLinks } from "../../ui/collection-head.ts";
import { select } from "../../ui/form.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { t } from "../../ui/words.ts";
import { SHELF_QUERY_LENGTH, shelfPage } from "../reading/reading-log.ts";
import { NO_FILTER, searchShelf, parseShelfFilter } from "../reading/shelf-filter.ts";
import { bookGrid, countLine, listBooks, numberedLinks } from "./book-list.ts";
import { patronPage, personPath, shelfChips, requirePatron } from "./patron-page.ts";

const SORTS = [
  ["added", "sort.added"],
  ["oldest", "sort.added_first"],
  ["stars", "sort.own_rating"],
  ["finished", "sort.finished"],
  ["title", "sort.title"],
  ["old", "sort.old"],
] as const;
type ShelfSort = (typeof SORTS)[number][0];

/** `GET /people/<u>/books/<shelf>`: a shelf for people, page by page; programs get the JSON (Q228). */
export const shelf = operation({
  id: "shelfPageForPeople",
  summary: "Show a shelf of a patron",
  tag: "people",
  path: { username: z.string(), shelf: z.string() },
  query: {
    q: z.string().default("").describe("Search text, at least three characters"),
    mode: z.string().default("").describe("`ebooks`: only works to read or borrow"),
    sort: z
      .enum(SORTS.map(([name]) => name))
      .catch("added")
      .describe("Sort order"),
    page: pageNumber(),
  },
  responses: {
    200: { description: "Page, or JSON", contentType: "text/html", also: ["application/json"] },
    303: { description: "Private log: redirect to the patron's page" },
    403: { description: "Private reading log, for API clients" },
  },
  async handle({ path, query }, context) {
    if (!wantsHtml(context.request)) return sendJson(path, context);
    const target = shelfOfKey(path.shelf);
    if (target === undefined) throw notFound();
    const patron = await requirePatron(context, path.username);
    const { isOwn, username } = patron;
    if (!patron.isOpen) return seeOther(personPath(username));
    const sort = !isOwn && query.sort === "stars" ? "added" : query.sort;
    const request = { ...query, sort, q: query.q.slice(0, SHELF_QUERY_LENGTH) };
    const here = personPath(username, `/books/${target.key}`);
    const [part, sizes] = await Promise.all([
      readPage(context, username, { ...request, shelf: target.id }),
      patronOf(context.stores, username).shelves.sizes(),
    ]);
    const listed = await listBooks(context, part.entries);
    const { q, mode } = request;
    const parameters = { q, mode, sort: sort === "added" ? "" : sort };
    const shelfName = t(SHELF_WORDS[target.id]);
    return patronPage(patron, {
      tab: "books",
      ...(!isOwn && { head: feedLinks(here) }),
      title: isOwn ? shelfName : t("my.shelf_of", { shelf: shelfName, name: username }),
      body: markup`${shelfChips(username, sizes, target.id)}
${searchForm(here, request, isOwn)}
${countLine(part)}
${bookGrid(listed, patron)}
${numberedLinks(here, { page: part.page, last: lastPage(part.total) }, parameters)}
${isOwn && markup`<p>${link(`${here}/stats`, t("my.statistics"))}</p>`}`,
    });
  },
});

const jsonSchemas = inputSchemas(shelfPage);

async function sendJson(
  { username, shelf: key }: { username: string; shelf: string },
  context: RequestContext,
): Promise<Reply> {
  const { searchParams: query } = context.url;
  const input = checkInput(jsonSchemas, { path: { username, key }, query, body: { kind: "none" } });
  const reply = await shelfPage.handle(input, context);
  return { ...reply, headers: { ...reply.headers, Vary: "Accept, Cookie" } };
}

interface ShelfRequest {
  q: string;
  mode: string;
  sort: ShelfSort;
  page: number;
}

function searchForm(here: string, { q, mode, sort }: ShelfRequest, isOwn: boolean): Markup {
  // Ratings of a single patron are private.
  const sorts = SORTS.filter(([name]) => isOwn || name !== "stars");
  const ebooks = mode === "ebooks" && markup` checked`;
  return markup`<form class="line" action="${here}" role="search" aria-label="${t("my.narrow")}">
<label class="unseen" for="q">${t("my.search")}</label><input id="q" name="q" type="search" value="${q}" maxlength="${SHELF_QUERY_LENGTH}" placeholder="${t("my.search")}">
${select({ name: "sort", label: t("search.order"), options: sorts.map(([name, words]) => [name, t(words)]), chosen: sort })}
<span class="line"><input type="checkbox" id="mode" name="mode" value="ebooks"${ebooks}><label for="mode">${t("search.readable")}</label></span>
<button>${t("layout.apply")}</button>${(q !== "" || mode !== "") && link(here, t("my.whole"))}</form>`;
}

/** Reads a page of a shelf. Filters, and sorts by data of the index, need a search. */
async function readPage(
  context: RequestContext,
  username: string,
  request: ShelfRequest & { shelf: ShelfId },
): Promise<ListPage<OwnBook>> {
  const { shelf: id, q, mode, sort, page } = request;
  const patron = patronOf(context.stores, username);
  const filter = parseShelfFilter({ q, mode });
  const indexSort = parseWorkSort(sort === "title" || sort === "old" ? sort : "", context.now).sorts;
  if (filter === undefined && indexSort.length === 0) {
    const order = sort === "title" || sort === "old" ? "added" : sort;
    return patron.pages.shelf(id, { order, page, size: ENTRIES_PER_PAGE });
  }
  const window = { start: (page - 1) * ENTRIES_PER_PAGE, rows: ENTRIES_PER_PAGE };
  const search = { shelf: id, filter: filter ?? NO_FILTER, sort: indexSort, ...window };
  const { total, entries } = await withSearchErrors(() => searchShelf(context, patron, search), q);
  const last = lastPage(total);
  if (page > last) return readPage(context, username, { ...request, page: last });
  return { page, total, entries: await patron.pages.booksOf(entries.map(({ work }) => work)) };
}
