import * as z from "zod";
import { parseOlid } from "../../../catalog/keys.ts";
import { DAY_MS } from "../../../catalog/units.ts";
import { groupObservationsByLabel } from "../../../catalog/patrons/observations.ts";
import { readTypedDate } from "../../../catalog/patrons/event-date.ts";
import type { CheckIn } from "../../../durable/patron/diary.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, integer, lastPage, pageNumber } from "../../http/parameters.ts";
import { seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { checkInResponses, saveCheckIn } from "../reading/check-ins.ts";
import {
  backField,
  editionField,
  editionKey,
  optionalField,
  ownChange,
  parseEdition,
  valueError,
  workPath,
} from "../reading/own-data.ts";
import { listBooks, readBookViews } from "./book-list.ts";
import { notesPage, observationsPage } from "./notes-page.ts";
import { ownBookPage } from "./own-book-page.ts";
import { OWN_PAGE, personPath, requirePatron } from "./patron-page.ts";

export const showNotes = operation({
  id: "notesPage",
  summary: "Show your notes",
  tag: "people",
  path: { username: z.string() },
  query: {
    work: z.string().optional().describe("Work, such as OL1W: only its notes, dates and observations"),
    page: pageNumber(),
  },
  responses: OWN_PAGE,
  async handle({ path: { username }, query }, context) {
    const patron = await requirePatron(context, username);
    if (!patron.isOwn) return seeOther(personPath(patron.username));
    const olid = query.work === undefined ? undefined : parseOlid(query.work, context.settings.RECORD_PREFIX);
    if (olid?.kind === "work")
      return ownBookPage(patron, await readOwnBook(context, patron.username, olid.number));
    const { pages, notes } = patronOf(context.stores, patron.username);
    const last = lastPage(await pages.noteCount());
    const page = Math.min(query.page, last);
    const rows = await notes.page({ offset: (page - 1) * ENTRIES_PER_PAGE, limit: ENTRIES_PER_PAGE });
    const noted = (await listBooks(context, rows)).map(({ book, edition, text }) => {
      return { book, edition: editionKey(context, edition), text };
    });
    return notesPage(patron, noted, { page, last });
  },
});

export const showObservations = operation({
  id: "observationsPage",
  summary: "Show your observations",
  tag: "people",
  path: { username: z.string() },
  query: { page: pageNumber() },
  responses: OWN_PAGE,
  async handle({ path: { username }, query }, context) {
    const patron = await requirePatron(context, username);
    if (!patron.isOwn) return seeOther(personPath(patron.username));
    const { pages } = patronOf(context.stores, patron.username);
    const { entries, total, page } = await pages.observations({ page: query.page, size: ENTRIES_PER_PAGE });
    const observations = (await listBooks(context, entries)).map(({ book, observed }) => {
      return { book, names: groupObservationsByLabel(observed) };
    });
    return observationsPage(patron, observations, { page, last: lastPage(total) });
  },
});

/** `POST /works/OL1W/check-ins/add`: `check-ins.json` for the form of a page (Q215). */
export const checkInForm = ownChange({
  id: "checkInForm",
  summary: "Add or update a check-in from a form",
  path: workPath,
  form: {
    event_type: z.enum(["1", "2", "3"]).default("3").describe("1: started, 2: continued, 3: finished"),
    date: z.string().describe("Day, month or year up to today, in any unambiguous spelling"),
    edition_key: optionalField(editionField()),
    event_id: integer(z.int().gte(0)).optional().describe("Check-in to update"),
    redir_url: backField,
  },
  responses: { ...checkInResponses, 422: { description: "Not a date; browsers get the form again" } },
  async submit({ path: { work_id: work }, form }, writer, context) {
    const [date, otherDate] = readTypedDate(form.date, context.now);
    if (date === undefined || otherDate !== undefined)
      throw valueError(["body", "date"], { key: "own.bad_date" }, form.date);
    // Somewhere on Earth it is tomorrow already.
    const latest = new Date(context.now + DAY_MS).toISOString().slice(0, date.length);
    if (date > latest) throw valueError(["body", "date"], { key: "own.future_date" }, form.date);
    // The schema rejects all other numbers.
    const type = Number(form.event_type) as CheckIn["type"];
    const edition = parseEdition(context, "edition_key", form.edition_key);
    // A form that is sent twice adds one date.
    const checkIn = { work, type, date, edition, id: form.event_id ?? 0, isOnce: true };
    const saved = await saveCheckIn(context, writer, checkIn);
    return { json: { status: "ok", id: saved }, words: "notice.date_kept" };
  },
  async again(refusal, { path: { work_id: work }, form }, context) {
    const { username } = await ownSession(context);
    const patron = await requirePatron(context, username);
    const { event_type: type, date } = form;
    const book = await readOwnBook(context, patron.username, work);
    return ownBookPage(patron, book, { type, date, choices: readTypedDate(date, context.now), refusal });
  },
});

/** Reads the notes, dates and observations of a patron on a work. */
async function readOwnBook(context: RequestContext, username: string, work: number) {
  const { notes, diary, shelves } = patronOf(context.stores, username);
  const [stored, checkIns, observed, books, entry, rating] = await Promise.all([
    notes.of(work),
    diary.checkIns(work),
    notes.observations(work),
    readBookViews(context, [work]),
    shelves.entry(work),
    shelves.rating(work),
  ]);
  const book = books.get(work);
  if (book === undefined) throw new Error("no data of a requested work");
  return {
    book,
    notes: stored.map(({ edition, text }) => ({ edition: editionKey(context, edition), text })),
    checkIns,
    observed,
    shelf: entry?.shelf ?? null,
    stars: rating?.stars ?? null,
    now: context.now,
  };
}
