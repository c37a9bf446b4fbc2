import * as z from "zod";
import { type ShelfId, ALREADY_READ, shelfOfKey } from "../../../catalog/patrons/shelves.ts";
import type { OwnBook, Part } from "../../../durable/patron/pages.ts";
import { wantsHtml } from "../../http/accept.ts";
import { notFound } from "../../http/errors.ts";
import { checkInput, inputSchemas } from "../../http/input.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { type Reply, seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { guarded } from "../../search/guarded.ts";
import { markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { filteredShelf, shelfFilter } from "../reading/shelf-filter.ts";
import { SHELF_QUERY_LENGTH, shelfPage } from "../reading/shelf.ts";
import { bookPage } from "./book-list.ts";
import { personPath, shownPatron } from "./shown-patron.ts";

/** `GET /people/<u>/books/<shelf>`: a shelf for people, page by page; programs get the JSON (Q228). */
export const shelf = operation({
  id: "shelfPageForPeople",
  summary: "Page of one shelf of a patron",
  tag: "people",
  path: { username: z.string(), shelf: z.string() },
  query: {
    q: z.string().default("").describe("Search text of three or more characters"),
    page: pageNumber(),
  },
  responses: {
    200: { description: "The page, or JSON", contentType: "text/html", also: ["application/json"] },
    303: { description: "A private log: to the page of the patron" },
    403: { description: "For programs: a private log" },
    404: { description: "There is no such patron or shelf" },
  },
  async handle({ path, query: { q, page } }, context) {
    if (!wantsHtml(context.request)) return asJson(path, context);
    const wanted = shelfOfKey(path.shelf);
    if (wanted === undefined) throw notFound();
    const patron = await shownPatron(context, path.username);
    if (!patron.isOpen) return seeOther(personPath(patron.username));
    const { isOwn } = patron;
    const text = q.slice(0, SHELF_QUERY_LENGTH);
    const here = personPath(patron.username, `/books/${wanted.key}`);
    const year = new Date(context.now).getUTCFullYear();
    return bookPage(context, {
      patron,
      title: isOwn ? wanted.name : `${wanted.name}: ${patron.username}`,
      part: await partOf(context, patron.username, { shelf: wanted.id, q: text, page }),
      path: here,
      q: text,
      more: markup`${wanted.id === ALREADY_READ && markup`<p>${link(`${here}/year/${year}`, `Finished in ${year}`)}</p>`}
${isOwn && markup`<p>${link(`${here}/stats`, "Statistics of this shelf")}</p>`}`,
    });
  },
});

/** The parameters of the JSON of a shelf, which has this address too. */
const jsonSchemas = inputSchemas(shelfPage);

async function asJson(
  { username, shelf: key }: { readonly username: string; readonly shelf: string },
  context: RequestContext,
): Promise<Reply> {
  const { searchParams: query } = context.url;
  const input = checkInput(jsonSchemas, { path: { username, key }, query, body: { kind: "none" } });
  const reply = await shelfPage.handle(input, context);
  return { ...reply, headers: { ...reply.headers, Vary: "Accept, Cookie" } };
}

async function partOf(
  context: RequestContext,
  username: string,
  wanted: { readonly shelf: ShelfId; readonly q: string; readonly page: number },
): Promise<Part<OwnBook>> {
  const { shelf: id, q, page } = wanted;
  const patron = patronOf(context.stores, username);
  const filter = shelfFilter({ q, mode: "everything" });
  if (filter === undefined) return patron.pages.shelf(id, { page, size: ENTRIES_PER_PAGE });
  const filtered = { shelf: id, filter, start: (page - 1) * ENTRIES_PER_PAGE, rows: ENTRIES_PER_PAGE };
  const { total, entries } = await guarded(() => filteredShelf(context, patron, filtered), q);
  const last = lastPage(total);
  if (page > last) return partOf(context, username, { ...wanted, page: last });
  return { page, total, entries: await patron.pages.shelved(entries.map(({ work }) => work)) };
}
