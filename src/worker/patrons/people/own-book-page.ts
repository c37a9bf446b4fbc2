import * as z from "zod";
import { readTypedDate } from "../../../catalog/patrons/event-date.ts";
import { OBSERVATION_TYPES } from "../../../catalog/patrons/vocabulary.ts";
import type { CheckIn } from "../../../durable/patron/diary.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { wantsHtml } from "../../http/accept.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { integer } from "../../http/parameters.ts";
import type { Reply } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { bookRow, bookRows } from "../../ui/book-row.ts";
import { dropper } from "../../ui/dropper.ts";
import { errorSummary, field, select, postForm } from "../../ui/form.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { mood } from "../../ui/moods.ts";
import { section } from "../../ui/values.ts";
import { starForm } from "../../ui/stars.ts";
import { day, t } from "../../ui/words.ts";
import { checkInResponses, saveCheckIn } from "../reading/check-ins.ts";
import { NOTE_LENGTH } from "../reading/notes.ts";
import {
  READING_BODY_BYTES,
  backField,
  editionField,
  editionKey,
  editionOf,
  optionalField,
  requireOwnWriter,
  sendWritten,
  valueError,
  workPath,
} from "../reading/own-data.ts";
import { type BookView, ownBookPath, readBookViews } from "./book-list.ts";
import { type PatronView, patronPage, requirePatron } from "./patron-page.ts";

interface RejectedCheckIn {
  type: string;
  date: string;
  error: Piece;
  /** Possible meanings of the date, as `YYYY-MM-DD`. */
  choices: readonly string[];
}

export async function ownBookPage(
  context: RequestContext,
  patron: PatronView,
  { work, rejected }: { work: number; rejected?: RejectedCheckIn },
): Promise<Reply> {
  const { notes, diary, shelves } = patronOf(context.stores, patron.username);
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
  const here = ownBookPath(patron.username, book.key);
  const { key, title } = book;
  const ownNotes = stored.map(({ edition, text }) => ({ edition: editionKey(context, edition), text }));
  const noteOnWork = ownNotes.find(({ edition }) => edition === null) ?? { edition: null, text: "" };
  const editable = [noteOnWork, ...ownNotes.filter(({ edition }) => edition !== null)];
  // A page in response to a form has no address to return to.
  const actions = rejected === undefined && {
    more: starForm({ key, title, stars: rating?.stars ?? null }),
    action: dropper({ key, title, shelf: entry?.shelf ?? null }),
  };
  const body = markup`${rejected !== undefined && errorSummary([{ name: "date", message: rejected.error }])}
${bookRows([bookRow(book, { isFirst: true, ...actions })])}
${section(t("own.dates"), renderDates(checkIns, { book, here, now: context.now, rejected }), "dates")}
${section(t("own.notes"), [markup`<p class="hint">${t("own.notes_hint")}</p>`, ...editable.map((note) => noteForm(note, book, here))], "notes")}
${section(t("own.observations"), observationForm(observed, book, here), "observations")}`;
  return patronPage(patron, {
    tab: "notes",
    title: t("own.title", { title }),
    heading: t("own.title", { title: markup`<bdi>${title}</bdi>` }),
    body,
    ...(rejected !== undefined && { status: 422 }),
  });
}

/** Note on a work, or on the edition with this key. */
export type Note = { readonly edition: string | null; readonly text: string };

function noteForm({ edition, text }: Note, book: BookView, here: string): Markup {
  const olid = edition?.replace("/books/", "");
  const id = olid === undefined ? "notes" : `notes-${olid}`;
  const label = olid === undefined ? t("own.note") : t("own.note_on", { edition: olid });
  // Each note has its own form, so the names are equal while the labels differ.
  return postForm(`${book.key}/notes.json`, here, [
    olid !== undefined && markup`<input type="hidden" name="edition_id" value="${olid}">`,
    markup`<div><label for="${id}">${label}</label><textarea id="${id}" name="notes" rows="6" maxlength="${NOTE_LENGTH}" dir="auto">
${text}</textarea></div><p><button>${t("own.keep")}<span class="unseen"> ${label}</span></button></p>`,
  ]);
}

const EVENTS = { 1: "own.started", 2: "own.went_on", 3: "own.read" } as const satisfies Record<
  CheckIn["type"],
  string
>;

/** Renders a button that sends a day instead of the text in the field. */
function dateButton(date: string, label: Piece = day(date)): Markup {
  return markup`<button name="date" value="${date}" formnovalidate>${label}</button>`;
}

function renderDates(
  checkIns: readonly CheckIn[],
  page: { book: BookView; here: string; now: number; rejected: RejectedCheckIn | undefined },
): Markup {
  const { book, here, now, rejected } = page;
  const today = new Date(now).toISOString().slice(0, 10);
  const items = checkIns.map(({ id, type, date }) => {
    const action = `/check-ins/${id}/delete?${new URLSearchParams({ redir_url: here })}`;
    const event = markup`${t(EVENTS[type])} <bdi>${date}</bdi>`;
    return markup`<li><form class="line" method="post" action="${action}"><span>${event}</span><button>${t("own.delete")}<span class="unseen"> ${event}</span></button></form></li>`;
  });
  return markup`${items.length > 0 && markup`<ul class="plain">${items}</ul>`}
${postForm(`${book.key}/check-ins/add`, here, [
  markup`<div>${select({ name: "event_type", label: t("own.what"), options: Object.entries(EVENTS).map(([type, words]) => [type, t(words)]), chosen: rejected?.type ?? "3" })}</div>`,
  field({
    name: "date",
    label: t("own.when"),
    value: rejected?.date,
    required: true,
    hint: t("own.when_hint"),
    error: rejected?.error,
  }),
  markup`<p class="line">${rejected?.choices.map(dateButton)}<button>${t("own.add_date")}</button>${dateButton(today, t("own.today"))}</p>`,
])}`;
}

/** Renders all observations that a patron can choose. Types without a chosen value are collapsed. */
function observationForm(
  observed: readonly Readonly<Record<"type" | "value", number>>[],
  book: BookView,
  here: string,
): Markup {
  const chosen = new Set(observed.map(({ type, value }) => `${type}.${value}`));
  const types = OBSERVATION_TYPES.filter(({ isRetired }) => !isRetired).map(
    ({ id, label, question, values }) => {
      const boxes = values
        .filter(({ isRetired }) => !isRetired)
        .map(({ id: value, name }) => {
          const code = `${id}.${value}`;
          return markup`<li class="check"><input type="checkbox" id="o${code}" name="observed" value="${code}"${chosen.has(code) && markup` checked`}><label for="o${code}">${mood(name)}</label></li>`;
        });
      const isOpen = observed.some(({ type }) => type === id);
      return markup`<details class="facet"${isOpen && markup` open`}><summary>${mood(label)}</summary>
<fieldset class="moods"><legend>${mood(question)}</legend><ul>${boxes}</ul></fieldset></details>`;
    },
  );
  return postForm(`${book.key}/observations/own`, here, [
    markup`<p class="hint">${t("own.observations_hint")}</p>`,
    types,
    markup`<p><button>${t("own.keep_observations")}</button></p>`,
  ]);
}

/** `POST /works/OL1W/check-ins/add`: `check-ins.json` for the form of a page (Q215). */
export const checkInForm = operation({
  id: "checkInForm",
  summary: "Add or update a check-in from a form",
  tag: "reading",
  path: workPath,
  form: {
    event_type: z.enum(["1", "2", "3"]).default("3").describe("1: started, 2: continued, 3: finished"),
    date: z.string().describe("YYYY, YYYY-MM or YYYY-MM-DD, or another unambiguous form"),
    edition_key: optionalField(editionField()),
    event_id: integer(z.int().gte(0)).optional().describe("Check-in to update"),
    redir_url: backField,
  },
  bodyBytes: READING_BODY_BYTES,
  responses: { ...checkInResponses, 422: { description: "Not a date; browsers get the form again" } },
  async handle({ path: { work_id: work }, form }, context) {
    const writer = await requireOwnWriter(context);
    const choices = readTypedDate(form.date);
    const [date] = choices;
    if (date === undefined || choices.length > 1) {
      if (!wantsHtml(context.request)) throw valueError(["body", "date"], { key: "own.bad_date" }, form.date);
      const error = date === undefined ? t("own.bad_date") : t("own.which_date", { date: form.date.trim() });
      await ownSession(context);
      const rejected = { type: form.event_type, date: form.date, error, choices };
      const patron = await requirePatron(context, writer.session.username);
      return ownBookPage(context, patron, { work, rejected });
    }
    const id = await saveCheckIn(context, writer, {
      work,
      // The schema rejects all other numbers.
      type: Number(form.event_type) as CheckIn["type"],
      date,
      edition: editionOf(context, { field: "edition_key", text: form.edition_key }),
      id: form.event_id ?? 0,
    });
    return sendWritten(context, { status: "ok", id }, { target: form.redir_url, words: "notice.date_kept" });
  },
});
