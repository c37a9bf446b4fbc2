import * as z from "zod";
import { parseOlid } from "../../../catalog/keys.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { type Reply, seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { bookRow } from "../../ui/book-row.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { say } from "../../ui/words.ts";
import { editionKey } from "../reading/parameters.ts";
import { bookItems, numberedLinks, ownBookPath } from "./book-list.ts";
import { type Note, ownBookPage } from "./own-book.ts";
import { patronPage } from "./patron-page.ts";
import { type ShownBook, shownBooks } from "./shown-books.ts";
import { type ShownPatron, OWN_PAGE, personPath, shownPatron } from "./shown-patron.ts";

/**
 * `GET /people/<u>/books/notes`: the notes of a patron, visible to them alone; with `work` all their data of one work,
 * as forms.
 */
export const ownNotes = operation({
  id: "notesPage",
  summary: "Page of one's own notes",
  tag: "people",
  path: { username: z.string() },
  query: {
    work: z.string().optional().describe("A work, such as OL1W: its notes, dates and observations alone"),
    page: pageNumber(),
  },
  responses: OWN_PAGE,
  async handle({ path: { username }, query: { work, page } }, context) {
    const patron = await shownPatron(context, username);
    if (!patron.isOwn) return seeOther(personPath(patron.username));
    const olid = work === undefined ? undefined : parseOlid(work, context.settings.RECORD_PREFIX);
    if (olid?.kind === "work") return ownBookPage(context, patron, { work: olid.number });
    return allNotes(context, patron, page);
  },
});

/** Writes a page of a patron's notes. */
async function allNotes(context: RequestContext, patron: ShownPatron, page: number): Promise<Reply> {
  const object = patronOf(context.stores, patron.username);
  const last = lastPage(await object.pages.noteCount());
  const shownPage = Math.min(page, last);
  const window = { offset: (shownPage - 1) * ENTRIES_PER_PAGE, limit: ENTRIES_PER_PAGE };
  const found = await object.notes.page(window);
  const books = await shownBooks(context, [...new Set(found.map(({ work }) => work))]);
  const items = found.flatMap(({ work, edition, text }) => {
    const book = books.get(work);
    if (book === undefined) return [];
    return [noteItem({ edition: editionKey(context, edition), text }, book, patron)];
  });
  const body = markup`${bookItems(items, say("notes.none"))}
${numberedLinks(personPath(patron.username, "/books/notes"), { page: shownPage, last })}`;
  return patronPage(patron, { tab: "notes", title: say("notes.title"), body });
}

function noteItem({ edition, text }: Note, book: ShownBook, { username }: ShownPatron): Markup {
  const ofBook = markup`<span class="unseen"> ${book.title}</span>`;
  return bookRow(book, {
    notes: [
      edition !== null && say("notes.edition", { edition: link(edition, edition.replace("/books/", "")) }),
      markup`<span class="lines" dir="auto">${text}</span>`,
    ],
    action: markup`<a class="button" href="${ownBookPath(username, book.key)}">${say("notes.change")}${ofBook}</a>`,
  });
}
