import * as z from "zod";
import { type Reply, seeOther } from "../../http/reply.ts";
import { parseOlid } from "../../../catalog/keys.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { keptPage, notesPage } from "../../pages/people/notes-pages.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { shownBooks } from "../../people/shown-books.ts";
import { type ShownPatron, personPath, shownPatron } from "../../people/shown-patron.ts";
import { editionKey } from "../../reading/parameters.ts";
import { patronOf } from "../../http/session.ts";

/** `GET /people/<u>/books/notes`: the notes of a patron, for himself alone; with `work` those on one work, as forms. */
export const notes = operation({
  id: "notesPage",
  summary: "Page of one's own notes",
  tag: "people",
  path: { username: z.string() },
  query: {
    work: z.string().optional().describe("A work, such as OL1W: its notes and dates alone"),
    page: pageNumber(),
  },
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "Somebody else: to the page of the patron" },
    404: { description: "There is no such patron" },
  },
  async handle({ path: { username }, query: { work, page } }, context) {
    const patron = await shownPatron(context, username);
    if (!patron.isOwn) return seeOther(personPath(patron.username));
    const olid = work === undefined ? undefined : parseOlid(work, context.settings.RECORD_PREFIX);
    return olid?.kind === "work"
      ? notesOnWork(context, patron, olid.number)
      : allNotes(context, patron, page);
  },
});

async function notesOnWork(context: RequestContext, patron: ShownPatron, work: number): Promise<Reply> {
  const object = patronOf(context.stores, patron.username);
  const [found, checkIns, shown] = await Promise.all([
    object.notes.of(work),
    object.diary.checkIns(work),
    shownBooks(context, [work]),
  ]);
  const book = shown.get(work);
  if (book === undefined) throw new Error("every work that is asked for is shown");
  const kept = found.map(({ edition, text }) => ({
    edition: editionKey(context, edition) ?? undefined,
    text,
  }));
  return keptPage({ patron, book, checkIns, notes: kept });
}

async function allNotes(context: RequestContext, patron: ShownPatron, page: number): Promise<Reply> {
  const object = patronOf(context.stores, patron.username);
  const last = lastPage(await object.pages.noteCount());
  const shownPage = Math.min(page, last);
  const found = await object.notes.page({
    offset: (shownPage - 1) * ENTRIES_PER_PAGE,
    limit: ENTRIES_PER_PAGE,
  });
  const books = await shownBooks(context, [...new Set(found.map(({ work }) => work))]);
  return notesPage({
    patron,
    page: shownPage,
    last,
    notes: found.flatMap(({ work, edition, text }) => {
      const book = books.get(work);
      return book === undefined ? [] : [{ book, edition: editionKey(context, edition) ?? undefined, text }];
    }),
  });
}
