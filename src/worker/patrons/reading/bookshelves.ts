import * as z from "zod";
import { byShelf, shelfIdOf } from "../../../catalog/patrons/shelves.ts";
import { type HoldingList, readOwnMembers } from "../../../db/lists/read.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { operation } from "../../http/operation.ts";
import { boolean } from "../../http/parameters.ts";
import { pageLanguage } from "../../http/pages/language.ts";
import { ANYBODY } from "../../http/pages/reader.ts";
import { privateJson } from "../../http/reply.ts";
import { ownView } from "../../records/work-counts.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { say } from "../../ui/words.ts";
import { notify } from "../../ui/notice.ts";
import { countsJson, written } from "./answers.ts";
import { movedBook } from "./moved-book.ts";
import { OWN_WRITE_RESPONSES, ownWriter } from "./own-writer.ts";
import { READING_BODY_BYTES, backField, edition, editionOf, field, workPath } from "./parameters.ts";

const counts = z.object(byShelf("count", () => z.int()));

/** `GET /works/OL1W/bookshelves.json`: the number of patrons who have a work on each shelf. */
export const bookshelves = operation({
  id: "bookshelves",
  summary: "How many patrons have a work on each of their shelves",
  tag: "reading",
  path: workPath,
  responses: { 200: { description: "Zeros for works that are on no shelf", schema: z.object({ counts }) } },
  async handle({ path: { work_id: work } }, context) {
    const view = await ownView(context, work);
    return countsJson({ counts: byShelf("count", ({ member }) => view.counts[member]) }, view);
  },
});

/** Q212: the body is the reference's, which sends it with 200. */
const NO_SUCH_SHELF = "Invalid bookshelf";
/** Value of `bookshelf_id` that takes a work off all shelves. */
const NO_SHELF = "-1";

/** `POST /works/OL1W/bookshelves.json`: puts a work onto a shelf, moves it, or takes it off. */
export const putOnShelf = operation({
  id: "putOnShelf",
  summary: "Put a work onto a shelf of one's own, or take it off",
  tag: "reading",
  path: workPath,
  form: {
    bookshelf_id: z.string().optional().describe("1 to 4; -1 takes the work off"),
    edition_id: field(edition()),
    dont_remove: field(boolean()).describe("A work that is on the shelf already stays there"),
    undo: field(boolean()).describe("Undoes the last change of shelves, if it was of this work"),
    redir_url: backField,
  },
  bodyBytes: READING_BODY_BYTES,
  responses: {
    200: {
      description: "How many entries have changed",
      schema: z.object({ bookshelves_affected: z.int() }),
    },
    422: { description: "No such shelf: `error` says so", schema: z.object({ error: z.string() }) },
    ...OWN_WRITE_RESPONSES,
  },
  async handle({ path: { work_id: work }, form }, context) {
    const { patron } = await ownWriter(context);
    const { redir_url: target } = form;
    // Read before the write, so that a stored move does not end in an error.
    const book = await movedBook(context, work);
    // Q640
    if (form.undo === true) {
      const undone = await patron.shelves.undo(work);
      if (undone === undefined) notify(context, "notice.undo_too_late", "error");
      const move = undone && { ...book, ...undone, isUndo: true };
      return written(context, { bookshelves_affected: Number(undone !== undefined) }, { target, move });
    }
    const wanted = form.bookshelf_id ?? "";
    const shelf = wanted === NO_SHELF ? -1 : shelfIdOf(wanted);
    if (shelf === undefined) return { ...privateJson({ error: NO_SUCH_SHELF }), status: 422 };
    const named = editionOf(context, { field: "edition_id", text: form.edition_id });
    const keep = form.dont_remove ?? false;
    const put = await patron.shelves.put({ work, edition: named, shelf, keep, now: context.now });
    const move = { ...book, from: put.from, to: put.to, isUndo: false };
    return written(context, { bookshelves_affected: put.affected }, { target, move });
  },
});

const list = z.object({ members: z.array(z.string()), listName: z.string() });

/** `GET /partials/MyBooksDropperLists.json`: the patron's lists and their seeds. */
export const listDropperPartial = operation({
  id: "listDropper",
  summary: "One's own lists and what they hold, and a piece of a page that names them",
  tag: "reading",
  responses: {
    200: {
      description: "By key of the list, the last changed first",
      schema: z.object({ dropper: z.string(), listData: z.record(z.string(), list) }),
    },
    401: { description: "Not logged in" },
  },
  async handle(_input, context) {
    const { key } = await ownSession(context);
    const { stores, settings } = context;
    const lists = await readOwnMembers(stores.catalog, key, settings.RECORD_PREFIX);
    const listData = Object.fromEntries(
      lists.map((one) => [one.key, { members: one.members, listName: one.name }]),
    );
    const reader = { ...ANYBODY, language: pageLanguage(context.request) };
    return privateJson({ dropper: listDropper(lists).textFor(reader), listData });
  },
});

/** Renders the patron's lists, by name, as a fragment of a page. */
function listDropper(lists: readonly HoldingList[]): Markup {
  if (lists.length === 0) return markup`<p class="list-dropper">${say("dropper.no_lists")}</p>`;
  return markup`<ul class="list-dropper">
${lists.map(({ key, name }) => markup`  <li><a href="${key}">${name === "" ? key : name}</a></li>\n`)}</ul>`;
}
