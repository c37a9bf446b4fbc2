import * as z from "zod";
import { lastSegment, parseOlid } from "../../../catalog/keys.ts";
import type { CheckIn } from "../../../durable/patron/diary.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { type Reply, seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { authorsLine, bookTitle } from "../../ui/book-row.ts";
import { field } from "../../ui/form.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { postForm } from "../../ui/shelf-forms.ts";
import { editionKey } from "../reading/parameters.ts";
import { bookItems, numberedLinks } from "./book-list.ts";
import { patronPage } from "./person-page.ts";
import { type ShownBook, shownBooks } from "./shown-books.ts";
import { type ShownPatron, OWN_PAGE, personPath, shownPatron } from "./shown-patron.ts";

/** `GET /people/<u>/books/notes`: the notes of a patron, for himself alone; with `work` those on one work, as forms. */
export const ownNotes = operation({
  id: "notesPage",
  summary: "Page of one's own notes",
  tag: "people",
  path: { username: z.string() },
  query: {
    work: z.string().optional().describe("A work, such as OL1W: its notes and dates alone"),
    page: pageNumber(),
  },
  responses: OWN_PAGE,
  async handle({ path: { username }, query: { work, page } }, context) {
    const patron = await shownPatron(context, username);
    if (!patron.isOwn) return seeOther(personPath(patron.username));
    const olid = work === undefined ? undefined : parseOlid(work, context.settings.RECORD_PREFIX);
    if (olid?.kind === "work") return notesOnWork(context, patron, olid.number);
    return allNotes(context, patron, page);
  },
});

/** The page on which a patron writes notes on one book, and when he read it. */
async function notesOnWork(context: RequestContext, patron: ShownPatron, work: number): Promise<Reply> {
  const object = patronOf(context.stores, patron.username);
  const [found, checkIns, shown] = await Promise.all([
    object.notes.of(work),
    object.diary.checkIns(work),
    shownBooks(context, [work]),
  ]);
  const book = shown.get(work);
  if (book === undefined) throw new Error("every work that is asked for is shown");
  const here = bookPath(patron, book);
  const notes = found.map(({ edition, text }) => ({ edition: editionKey(context, edition), text }));
  const onWork = notes.find(({ edition }) => edition === null) ?? { edition: null, text: "" };
  const forms = [onWork, ...notes.filter(({ edition }) => edition !== null)];
  const body = markup`${bookTitle(book)}${authorsLine(book)}
<h2>Notes</h2>
<p class="hint">You alone can see them. Without a text a note is deleted.</p>
${forms.map((note) => noteForm(note, book, here))}
<h2>When you read it</h2>
${checkIns.length > 0 && markup`<ul>${checkIns.map((checkIn) => checkInItem(checkIn, here))}</ul>`}
${checkInForm(book, here)}`;
  return patronPage(patron, { title: `Your notes on ${book.title}`, body });
}

/** Where a patron keeps what concerns one book. */
function bookPath({ username }: ShownPatron, { key }: ShownBook): string {
  return personPath(username, `/books/notes?work=${lastSegment(key)}`);
}

/** A note on a work, or on its edition of this key. */
type Note = { readonly edition: string | null; readonly text: string };

function noteForm({ edition, text }: Note, book: ShownBook, here: string): Markup {
  const olid = edition?.replace("/books/", "");
  const id = olid === undefined ? "notes" : `notes-${olid}`;
  const label = olid === undefined ? "Note" : `Note on the edition ${olid}`;
  // A form of its own for each note, so the names are the same while the labels differ.
  return postForm(`${book.key}/notes.json`, here, [
    olid !== undefined && markup`<input type="hidden" name="edition_id" value="${olid}">`,
    markup`<label for="${id}">${label}</label><textarea id="${id}" name="notes" rows="6">
${text}</textarea><p><button type="submit">Save<span class="unseen"> ${label}</span></button></p>`,
  ]);
}

const EVENTS: Readonly<Record<CheckIn["type"], string>> = { 1: "Started", 2: "Read on", 3: "Finished" };

function checkInItem({ id, type, date }: CheckIn, here: string): Markup {
  const action = `/check-ins/${id}/delete?${new URLSearchParams({ redir_url: here })}`;
  return markup`<li><div class="actions">${EVENTS[type]} ${date}
<form method="post" action="${action}"><button type="submit">Delete<span class="unseen">: ${EVENTS[type]} ${date}</span></button></form></div></li>`;
}

const DATE_HINT = "A day, a month or a year: 2026-05-10, 2026-05, 2026";

function checkInForm(book: ShownBook, here: string): Markup {
  const choices = Object.entries(EVENTS).map(
    ([value, text]) => markup`<option value="${value}"${value === "3" && markup` selected`}>${text}</option>`,
  );
  return postForm(`${book.key}/check-ins/add`, here, [
    markup`<label for="event_type">What</label><select id="event_type" name="event_type">${choices}</select>`,
    field({ name: "date", label: "When", required: true, hint: DATE_HINT }),
    markup`<p><button type="submit">Add date</button></p>`,
  ]);
}

/** All notes of a patron, page by page. */
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
    return [noteItem({ edition: editionKey(context, edition), text }, book, bookPath(patron, book))];
  });
  const body = markup`${bookItems(items, "You have written no notes.")}
${numberedLinks(personPath(patron.username, "/books/notes"), { page: shownPage, last })}`;
  return patronPage(patron, { title: "Your notes", body });
}

function noteItem({ edition, text }: Note, book: ShownBook, path: string): Markup {
  return markup`<li>${bookTitle(book)}${authorsLine(book)}
${edition !== null && markup`<p class="hint">On the edition ${link(edition, edition.replace("/books/", ""))}</p>`}
<pre>${text}</pre><p>${link(path, markup`Change<span class="unseen"> the note on ${book.title}</span>`)}</p></li>`;
}
