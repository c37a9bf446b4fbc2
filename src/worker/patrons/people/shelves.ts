import * as z from "zod";
import { type ShelfId, shelfOfKey } from "../../../catalog/patrons/shelves.ts";
import type { ListPage, OwnBook } from "../../../durable/patron/pages.ts";
import { parseWorkSort } from "../../../search/sorts.ts";
import { notFound } from "../../http/errors.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { withSearchErrors } from "../../search/guarded.ts";
import { SHELF_QUERY_LENGTH, shelfJson } from "../reading/reading-log.ts";
import { NO_FILTER, searchShelf, parseShelfFilter } from "../reading/shelf-filter.ts";
import { listBooks } from "./book-list.ts";
import { booksPage } from "./books-page.ts";
import { LOG_PAGE, personPath, requirePatron } from "./patron-page.ts";
import { type ShelfRequest, SORTS, shelfPage } from "./shelf-page.ts";

const OVERVIEW_BOOKS = 12;

export const books = operation({
  id: "booksPage",
  summary: "Show the books of a patron",
  tag: "people",
  path: { username: z.string() },
  responses: LOG_PAGE,
  async handle({ path: { username } }, context) {
    const patron = await requirePatron(context, username);
    if (!patron.isOpen) return seeOther(personPath(patron.username));
    const { pages } = patronOf(context.stores, patron.username);
    const overview = await pages.overview({ limit: OVERVIEW_BOOKS, year: patron.year });
    return booksPage(patron, overview, await listBooks(context, overview.newest));
  },
});

/** `GET /people/<u>/books/<shelf>`: a shelf for people, page by page; programs get the JSON (Q228). */
export const shelf = operation({
  id: "shelfPageForPeople",
  summary: "Show a shelf of a patron",
  tag: "people",
  path: { username: z.string(), key: z.string() },
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
  programs: shelfJson,
  async handle({ path: { username: name, key }, query }, context) {
    const target = shelfOfKey(key);
    if (target === undefined) throw notFound();
    const patron = await requirePatron(context, name);
    const { isOwn, username } = patron;
    if (!patron.isOpen) return seeOther(personPath(username));
    // Ratings of a single patron are private.
    const sort = !isOwn && query.sort === "stars" ? "added" : query.sort;
    const request = { ...query, sort, q: query.q.slice(0, SHELF_QUERY_LENGTH) };
    const [part, sizes] = await Promise.all([
      readPage(context, username, { ...request, shelf: target.id }),
      patronOf(context.stores, username).shelves.sizes(),
    ]);
    const entries = await listBooks(context, part.entries);
    return shelfPage(patron, target, { request, part: { ...part, entries }, sizes });
  },
});

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
