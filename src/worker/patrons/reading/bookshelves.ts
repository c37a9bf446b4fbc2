import * as z from "zod";
import { english } from "../../../catalog/texts.ts";
import { latestRecordOf } from "../../../catalog/document.ts";
import { mapShelves, shelfIdOf } from "../../../catalog/patrons/shelves.ts";
import { readOwnMembers } from "../../../db/lists/read-lists.ts";
import { readRecord } from "../../../db/records/records.ts";
import { summarizeRatings } from "../../../search/documents/popularity.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { failure } from "../../http/failure.ts";
import { type RequestContext, catalogReader, operation } from "../../http/operation.ts";
import { writePart } from "../../http/pages/write-page.ts";
import { boolean, integer } from "../../http/parameters.ts";
import { privateJson } from "../../http/reply.ts";
import { readOwnCounts } from "../../records/work-counts.ts";
import { nameOf } from "../../ui/names.ts";
import {
  backField,
  countsJson,
  editionField,
  optionalField,
  ownChange,
  parseEdition,
  workKey,
  workPath,
} from "./own-data.ts";
import { listDropper } from "./partials-page.ts";

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

export const putOnShelf = ownChange({
  id: "putOnShelf",
  summary: "Put a work on a shelf, or take it off",
  path: workPath,
  form: {
    bookshelf_id: z.string().optional().describe("1 to 4; -1 takes the work off all shelves"),
    edition_id: optionalField(editionField()),
    dont_remove: optionalField(boolean()).describe("Keep a work that is already on the shelf"),
    undo: optionalField(boolean()).describe("Undo the last shelf change, if it was of this work"),
    redir_url: backField,
  },
  responses: {
    200: { description: "Number of changed entries", schema: z.object({ bookshelves_affected: z.int() }) },
    422: { description: "Unknown shelf", schema: z.object({ error: z.string() }) },
  },
  findBook: readMovedBook,
  async submit({ path: { work_id: work }, form }, { patron, use }, context) {
    const { bookshelf_id: shelfId = "", dont_remove: keep = false } = form;
    // Q640
    if (form.undo === true) {
      const undone = await patron.shelves.undo(work, use);
      return undone === undefined
        ? { json: { bookshelves_affected: 0 }, words: "notice.undo_too_late", type: "error" }
        : { json: { bookshelves_affected: 1 }, move: { ...undone, isUndo: true } };
    }
    const shelf = shelfId === NO_SHELF ? -1 : shelfIdOf(shelfId);
    if (shelf === undefined) {
      // Q212: the body is the reference's, which sends it with 200.
      throw failure("unprocessable.shelf", {}, { body: { error: english({ key: "unprocessable.shelf" }) } });
    }
    const edition = parseEdition(context, "edition_id", form.edition_id);
    const { now } = context;
    const { affected, ...change } = await patron.shelves.put({ work, edition, shelf, keep, now }, use);
    return { json: { bookshelves_affected: affected }, move: { ...change, isUndo: false } };
  },
});

/** Longest title in the message about a move, in UTF-16 units: it is stored in a cookie. */
const TITLE_MAX = 100;

async function readMovedBook({ path }: { path: { work_id: number } }, context: RequestContext) {
  const key = workKey(context, path.work_id);
  const row = await readRecord(catalogReader(context), key);
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

export const rate = ownChange({
  id: "rate",
  summary: "Rate a work and put it on the already-read shelf",
  path: workPath,
  form: {
    rating: integer(z.int().gte(1).lte(5)).optional().describe("1 to 5; absent to remove the rating"),
    edition_id: optionalField(editionField({ isLoose: true })),
    redir_url: backField,
  },
  responses: { 200: { description: "Rating added or removed", schema: z.object({ success: z.string() }) } },
  findBook: readMovedBook,
  async submit({ path: { work_id: work }, form }, { patron, use }, context) {
    const { rating: stars = null, edition_id: text } = form;
    const edition = parseEdition(context, "edition_id", text, { isLoose: true });
    const { from, to } = await patron.shelves.rate({ work, stars, edition, now: context.now }, use);
    const json = { success: stars === null ? "removed rating" : "rating added" };
    if (from !== to) return { json, move: { from, to, isUndo: false } };
    return { json, words: stars === null ? "notice.unrated" : "notice.rated" };
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
    return privateJson({ dropper: await writePart(listDropper(lists), context), listData });
  },
});
