import * as z from "zod";
import { parseOlid } from "../../../catalog/keys.ts";
import { groupObservationsByLabel } from "../../../catalog/patrons/observations.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { type Reply, seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { bookRow } from "../../ui/book-row.ts";
import { factList } from "../../ui/facts.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { mood } from "../../ui/moods.ts";
import { link } from "../../ui/parts.ts";
import { t } from "../../ui/words.ts";
import { editionKey } from "../reading/own-data.ts";
import { type BookView, bookItems, numberedLinks, ownBookPath, readBookViews } from "./book-list.ts";
import { type Note, ownBookPage } from "./own-book-page.ts";
import { type PatronView, OWN_PAGE, patronPage, personPath, requirePatron } from "./patron-page.ts";

export const notesPage = operation({
  id: "notesPage",
  summary: "Show your notes",
  tag: "people",
  path: { username: z.string() },
  query: {
    work: z.string().optional().describe("Work, such as OL1W: only its notes, dates and observations"),
    page: pageNumber(),
  },
  responses: OWN_PAGE,
  async handle({ path: { username }, query: { work, page } }, context) {
    const patron = await requirePatron(context, username);
    if (!patron.isOwn) return seeOther(personPath(patron.username));
    const olid = work === undefined ? undefined : parseOlid(work, context.settings.RECORD_PREFIX);
    if (olid?.kind === "work") return ownBookPage(context, patron, { work: olid.number });
    return sendNotes(context, patron, page);
  },
});

async function sendNotes(context: RequestContext, patron: PatronView, requested: number): Promise<Reply> {
  const { pages, notes } = patronOf(context.stores, patron.username);
  const last = lastPage(await pages.noteCount());
  const page = Math.min(requested, last);
  const rows = await notes.page({ offset: (page - 1) * ENTRIES_PER_PAGE, limit: ENTRIES_PER_PAGE });
  const books = await readBookViews(context, [...new Set(rows.map(({ work }) => work))]);
  const items = rows.flatMap(({ work, edition, text }) => {
    const book = books.get(work);
    if (book === undefined) return [];
    return [noteItem({ edition: editionKey(context, edition), text }, book, patron)];
  });
  const body = markup`${bookItems(items, t("notes.none"))}
${numberedLinks(personPath(patron.username, "/books/notes"), { page, last })}`;
  return patronPage(patron, { tab: "notes", title: t("notes.title"), body });
}

function noteItem({ edition, text }: Note, book: BookView, { username }: PatronView): Markup {
  return bookRow(book, {
    notes: [
      edition !== null && t("notes.edition", { edition: link(edition, edition.replace("/books/", "")) }),
      markup`<span class="lines" dir="auto">${text}</span>`,
    ],
    action: changeLink(ownBookPath(username, book.key), book),
  });
}

export const observations = operation({
  id: "observationsPage",
  summary: "Show your observations",
  tag: "people",
  path: { username: z.string() },
  query: { page: pageNumber() },
  responses: OWN_PAGE,
  async handle({ path: { username }, query: { page } }, context) {
    const patron = await requirePatron(context, username);
    if (!patron.isOwn) return seeOther(personPath(patron.username));
    const { pages } = patronOf(context.stores, patron.username);
    const { entries, total, page: number } = await pages.observations({ page, size: ENTRIES_PER_PAGE });
    const works = entries.map(({ work }) => work);
    const books = await readBookViews(context, works);
    const items = entries.flatMap(({ work, codes }) => {
      const book = books.get(work);
      return book === undefined ? [] : [observationItem(book, codes, patron)];
    });
    const path = personPath(patron.username, "/books/observations");
    const body = markup`${bookItems(items, t("observations.none"))}
${numberedLinks(path, { page: number, last: lastPage(total) })}`;
    return patronPage(patron, { tab: "observations", title: t("observations.title"), body });
  },
});

function observationItem(book: BookView, codes: readonly string[], { username }: PatronView): Markup {
  return bookRow(book, {
    more: factList(observationFacts(codes)),
    action: changeLink(`${ownBookPath(username, book.key)}#observations`, book),
  });
}

function changeLink(href: string, { title }: BookView): Markup {
  return markup`<a class="button" href="${href}">${t("notes.change")}<span class="unseen"> ${title}</span></a>`;
}

function observationFacts(codes: readonly string[]): readonly (readonly [Piece, Piece])[] {
  const numbers = codes.map((text) => {
    const [type = 0, value = 0] = text.split(".").map(Number);
    return { type, value };
  });
  return Object.entries(groupObservationsByLabel(numbers)).map(([label, names]) => [
    mood(label),
    names.map((name, at) => [at > 0 && t("list.comma"), mood(name)]),
  ]);
}
