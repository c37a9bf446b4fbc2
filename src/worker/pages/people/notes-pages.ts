import type { CheckIn } from "../../../durable/patron/diary.ts";
import type { ShownBook } from "../../people/shown-books.ts";
import { type ShownPatron, personPath } from "../../people/shown-patron.ts";
import type { Reply } from "../../http/reply.ts";
import { field } from "../../ui/form.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { link, pageLinks } from "../../ui/parts.ts";
import { postForm } from "../reading/own-forms.ts";
import { bookTitle } from "./book-list.ts";
import { numbered } from "./books-pages.ts";
import { patronPage } from "./person-page.ts";

/** A note with the book that it is on. */
export interface ShownNote {
  readonly book: ShownBook;
  /** Key of the edition, where the note is on one. */
  readonly edition: string | undefined;
  readonly text: string;
}

/** All notes of a patron, page by page; for himself alone. */
export function notesPage(what: {
  readonly patron: ShownPatron;
  readonly notes: readonly ShownNote[];
  readonly page: number;
  readonly last: number;
}): Reply {
  const { patron, notes, page, last } = what;
  const path = personPath(patron.username, "/books/notes");
  const items = notes.map(
    ({ book, edition, text }) => markup`<li>${bookTitle(book)}
${edition !== undefined && markup`<p class="hint">On the edition ${link(edition, edition.replace("/books/", ""))}</p>`}
<pre>${text}</pre><p>${link(bookPath(patron, book), markup`Change<span class="unseen"> the note on ${book.title}</span>`)}</p></li>`,
  );
  const body = markup`${
    notes.length === 0 ? markup`<p>You have written no notes.</p>` : markup`<ul class="books">${items}</ul>`
  }
${pageLinks(page > 1 ? numbered(path, page - 1) : undefined, page < last ? numbered(path, page + 1) : undefined)}`;
  return patronPage(patron, { title: "Your notes", body });
}

/** What a patron keeps of one book for himself. */
export interface KeptView {
  readonly patron: ShownPatron;
  readonly book: ShownBook;
  /** Notes on the work (without an edition) and on its editions, as keys. */
  readonly notes: readonly { readonly edition: string | undefined; readonly text: string }[];
  readonly checkIns: readonly CheckIn[];
}

/** The page on which a patron writes notes on one book, and when he read it. */
export function keptPage({ patron, book, notes, checkIns }: KeptView): Reply {
  const here = bookPath(patron, book);
  const onWork = notes.find(({ edition }) => edition === undefined) ?? { edition: undefined, text: "" };
  const forms = [onWork, ...notes.filter(({ edition }) => edition !== undefined)];
  const body = markup`${bookTitle(book)}
<h2>Notes</h2>
<p class="hint">You alone can see them. Without a text a note is deleted.</p>
${forms.map((note) => noteForm(note, book, here))}
<h2>When you read it</h2>
${checkIns.length > 0 && markup`<ul>${checkIns.map((checkIn) => checkInItem(checkIn, here))}</ul>`}
${checkInForm(book, here)}`;
  return patronPage(patron, { title: `Your notes on ${book.title}`, body });
}

function noteForm({ edition, text }: KeptView["notes"][number], book: ShownBook, here: string): Markup {
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

function checkInForm(book: ShownBook, here: string): Markup {
  const choices = Object.entries(EVENTS).map(
    ([value, text]) => markup`<option value="${value}"${value === "3" && markup` selected`}>${text}</option>`,
  );
  return postForm(`${book.key}/check-ins/add`, here, [
    markup`<label for="event_type">What</label><select id="event_type" name="event_type">${choices}</select>`,
    field({
      name: "date",
      label: "When",
      required: true,
      hint: "A day, a month or a year: 2026-05-10, 2026-05, 2026",
    }),
    markup`<p><button type="submit">Add date</button></p>`,
  ]);
}

/** Where a patron keeps what concerns one book. */
export function bookPath({ username }: ShownPatron, { key }: ShownBook): string {
  return personPath(username, `/books/notes?work=${key.slice(key.lastIndexOf("/") + 1)}`);
}
