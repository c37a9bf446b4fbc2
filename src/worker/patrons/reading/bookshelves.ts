import * as z from "zod";
import { english } from "../../../catalog/texts.ts";
import { latestRecordOf } from "../../../catalog/document.ts";
import { mapShelves, shelfIdOf } from "../../../catalog/patrons/shelves.ts";
import { type HoldingList, readOwnMembers } from "../../../db/lists/read-lists.ts";
import { readRecord } from "../../../db/records/records.ts";
import { summarizeRatings } from "../../../search/documents/popularity.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { wantsHtml } from "../../http/accept.ts";
import { type RequestContext, catalogReader, operation } from "../../http/operation.ts";
import { readerPreferring } from "../../http/pages/write-page.ts";
import { boolean, integer } from "../../http/parameters.ts";
import { privateJson } from "../../http/reply.ts";
import { readOwnCounts } from "../../records/work-counts.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { nameOf } from "../../ui/names.ts";
import { notify } from "../../ui/notice.ts";
import { type Words, t } from "../../ui/words.ts";
import {
  OWN_WRITE_RESPONSES,
  READING_BODY_BYTES,
  backField,
  countsJson,
  editionField,
  editionOf,
  optionalField,
  requireOwnWriter,
  sendWritten,
  workKey,
  workPath,
} from "./own-data.ts";

const counts = z.object(mapShelves("count", () => z.int()));

export const bookshelves = operation({
  id: "bookshelves",
  summary: "Count the patrons who have a work on each shelf",
  tag: "reading",
  path: workPath,
  responses: { 200: { description: "Counts by shelf", schema: z.object({ counts }) } },
  async handle({ path: { work_id: work } }, context) {
    const view = await readOwnCounts(context, work);
    return countsJson({ counts: mapShelves("count", ({ member }) => view.counts[member]) }, view);
  },
});

/** Value of `bookshelf_id` that takes a work off all shelves. */
const NO_SHELF = "-1";

export const putOnShelf = operation({
  id: "putOnShelf",
  summary: "Put a work on a shelf, or take it off",
  tag: "reading",
  path: workPath,
  form: {
    bookshelf_id: z.string().optional().describe("1 to 4; -1 takes the work off all shelves"),
    edition_id: optionalField(editionField()),
    dont_remove: optionalField(boolean()).describe("Keep a work that is already on the shelf"),
    undo: optionalField(boolean()).describe("Undo the last shelf change, if it was of this work"),
    redir_url: backField,
  },
  bodyBytes: READING_BODY_BYTES,
  responses: {
    200: { description: "Number of changed entries", schema: z.object({ bookshelves_affected: z.int() }) },
    422: { description: "Unknown shelf", schema: z.object({ error: z.string() }) },
    ...OWN_WRITE_RESPONSES,
  },
  async handle({ path: { work_id: work }, form }, context) {
    const { patron, use } = await requireOwnWriter(context);
    const { bookshelf_id: shelfId = "", dont_remove: keep = false, redir_url: target } = form;
    // Read before the write, so that a stored move does not end in an error.
    const book = await readMovedBook(context, work);
    // Q640
    if (form.undo === true) {
      const undone = await patron.shelves.undo(work, use);
      if (undone === undefined) notify(context, "notice.undo_too_late", "error");
      const move = undone && { ...book, ...undone, isUndo: true };
      return sendWritten(context, { bookshelves_affected: Number(undone !== undefined) }, { target, move });
    }
    const shelf = shelfId === NO_SHELF ? -1 : shelfIdOf(shelfId);
    if (shelf === undefined) {
      await ownSession(context);
      // Q212: the body is the reference's, which sends it with 200.
      return { ...privateJson({ error: english({ key: "unprocessable.shelf" }) }), status: 422 };
    }
    const edition = editionOf(context, { field: "edition_id", text: form.edition_id });
    const { now } = context;
    const { affected, ...change } = await patron.shelves.put({ work, edition, shelf, keep, now }, use);
    const move = { ...book, ...change, isUndo: false };
    return sendWritten(context, { bookshelves_affected: affected }, { target, move });
  },
});

/** Longest title in the message about a move, in UTF-16 units: it is stored in a cookie. */
const TITLE_MAX = 100;

/** Reads key and title of a work for the message about its move. Programs get no message, so they need no read. */
async function readMovedBook(context: RequestContext, work: number): Promise<{ key: string; title: string }> {
  const key = workKey(context, work);
  const row = wantsHtml(context.request) ? await readRecord(catalogReader(context), key) : undefined;
  const title = row === undefined ? key : nameOf(latestRecordOf(row));
  return { key, title: title.slice(0, TITLE_MAX).toWellFormed() };
}

export const ratings = operation({
  id: "ratings",
  summary: "Get the ratings of a work",
  tag: "reading",
  path: { work_id: integer().describe("Digits of the work ID") },
  responses: {
    200: {
      description: "Number of ratings by stars, and their averages",
      schema: z.object({
        summary: z.object({ average: z.number(), count: z.int(), sortable: z.number() }),
        counts: z.object({ 1: z.int(), 2: z.int(), 3: z.int(), 4: z.int(), 5: z.int() }),
      }),
    },
  },
  async handle({ path: { work_id: work } }, context) {
    const view = await readOwnCounts(context, work);
    return countsJson(summarizeRatings(view.counts.ratings), view);
  },
});

export const rate = operation({
  id: "rate",
  summary: "Rate a work and put it on the already-read shelf",
  tag: "reading",
  path: workPath,
  form: {
    rating: integer(z.int().gte(1).lte(5)).optional().describe("1 to 5; absent to remove the rating"),
    edition_id: optionalField(editionField({ isLoose: true })),
    redir_url: backField,
  },
  bodyBytes: READING_BODY_BYTES,
  responses: {
    200: { description: "Rating added or removed", schema: z.object({ success: z.string() }) },
    ...OWN_WRITE_RESPONSES,
  },
  async handle({ path: { work_id: work }, form }, context) {
    const { patron, use } = await requireOwnWriter(context);
    const { rating: stars = null, edition_id: text, redir_url: target } = form;
    const editionId = editionOf(context, { field: "edition_id", text, isLoose: true });
    const book = await readMovedBook(context, work);
    const rating = { work, stars, edition: editionId, now: context.now };
    const { from, to } = await patron.shelves.rate(rating, use);
    const words: Words = stars === null ? "notice.unrated" : "notice.rated";
    const notice = from === to ? { words } : { move: { ...book, from, to, isUndo: false } };
    const success = stars === null ? "removed rating" : "rating added";
    return sendWritten(context, { success }, { target, ...notice });
  },
});

const list = z.object({ members: z.array(z.string()), listName: z.string() });

export const listDropperPartial = operation({
  id: "listDropper",
  summary: "Get your lists and their members",
  tag: "reading",
  responses: {
    200: {
      description: "Lists by key, last changed first, and an HTML fragment with their names",
      schema: z.object({ dropper: z.string(), listData: z.record(z.string(), list) }),
    },
  },
  async handle(_input, context) {
    const { key } = await ownSession(context);
    const { stores, settings } = context;
    const lists = await readOwnMembers(stores.catalog, key, settings.RECORD_PREFIX);
    const listData = Object.fromEntries(
      lists.map(({ key: listKey, members, name }) => [listKey, { members, listName: name }]),
    );
    const reader = await readerPreferring(context.request);
    return privateJson({ dropper: renderLists(lists).textFor(reader), listData });
  },
});

function renderLists(lists: readonly HoldingList[]): Markup {
  if (lists.length === 0) return markup`<p class="list-dropper">${t("dropper.no_lists")}</p>`;
  return markup`<ul class="list-dropper">
${lists.map(({ key, name }) => markup`  <li><a href="${key}">${name === "" ? key : name}</a></li>\n`)}</ul>`;
}
