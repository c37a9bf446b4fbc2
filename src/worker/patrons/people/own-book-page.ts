import { OBSERVATION_TYPES } from "../../../catalog/patrons/vocabulary.ts";
import type { ShelfId } from "../../../catalog/patrons/shelves.ts";
import type { CheckIn } from "../../../durable/patron/diary.ts";
import type { Failure } from "../../http/failure.ts";
import type { Reply } from "../../http/reply.ts";
import { bookRow, bookRows } from "../../ui/book-row.ts";
import { dropper } from "../../ui/dropper.ts";
import { refusalText } from "../../ui/failure-text.ts";
import { errorSummary, field, select, postForm } from "../../ui/form.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { mood } from "../../ui/moods.ts";
import { section } from "../../ui/values.ts";
import { starForm } from "../../ui/stars.ts";
import { day, monthName, t } from "../../ui/words.ts";
import { NOTE_LENGTH } from "../reading/notes.ts";
import { type BookView, ownBookPath } from "./book-list.ts";
import { type PatronView, patronPage } from "./patron-page.ts";

/** Notes, dates and observations of a patron on a work. */
interface OwnBookView {
  readonly book: BookView;
  readonly notes: readonly Note[];
  readonly checkIns: readonly CheckIn[];
  readonly observed: readonly Readonly<Record<"type" | "value", number>>[];
  readonly shelf: ShelfId | null;
  readonly stars: number | null;
  readonly now: number;
}

interface RejectedCheckIn {
  type: string;
  date: string;
  /** Possible meanings of the date, as `YYYY-MM-DD`. */
  choices: readonly string[];
  refusal: Failure;
}

export function ownBookPage(patron: PatronView, view: OwnBookView, rejected?: RejectedCheckIn): Reply {
  const { book, notes, checkIns, observed, shelf, stars, now } = view;
  const { key, title } = book;
  const here = ownBookPath(patron.username, key);
  const noteOnWork = notes.find(({ edition }) => edition === null) ?? { edition: null, text: "" };
  const editable = [noteOnWork, ...notes.filter(({ edition }) => edition !== null)];
  // A page in response to a form has no address to return to.
  const actions = rejected === undefined && {
    more: starForm({ key, title, stars }),
    action: dropper({ key, title, shelf }),
  };
  const error =
    rejected &&
    (rejected.choices.length > 1
      ? t("own.which_date", { date: rejected.date.trim() })
      : refusalText(rejected.refusal));
  const today = new Date(now).toISOString().slice(0, 10);
  const items = checkIns.map(({ id, type, date }) => {
    const action = `/check-ins/${id}/delete?${new URLSearchParams({ redir_url: here })}`;
    const event = markup`${t(EVENTS[type])} <bdi>${eventDay(date)}</bdi>`;
    return markup`<li><form class="line" method="post" action="${action}"><span>${event}</span><button>${t("own.delete")}<span class="unseen"> ${event}</span></button></form></li>`;
  });
  const options = Object.entries(EVENTS).map(([type, words]) => [type, t(words)] as const);
  const dates = markup`${items.length > 0 && markup`<ul class="plain">${items}</ul>`}
${postForm(`${key}/check-ins/add`, here, [
  markup`<div>${select({ name: "event_type", label: t("own.what"), options, chosen: rejected?.type ?? "3" })}</div>`,
  field({
    name: "date",
    label: t("own.when"),
    value: rejected?.date,
    required: true,
    hint: t("own.when_hint"),
    error,
  }),
  markup`<p class="line">${rejected?.choices.map((date) => dateButton(date, day(date)))}<button>${t("own.add_date")}</button>${dateButton(today, t("own.today"))}</p>`,
])}`;
  const body = markup`${error !== undefined && errorSummary([{ name: "date", message: error }])}
${bookRows([bookRow(book, { isFirst: true, ...actions })])}
${section(t("own.dates"), dates, "dates")}
${section(t("own.notes"), [markup`<p class="hint">${t("own.notes_hint")}</p>`, ...editable.map((note) => noteForm(note, book, here))], "notes")}
${section(t("own.observations"), observationForm(observed, book, here), "observations")}`;
  return patronPage(patron, {
    tab: "notes",
    title: t("own.title", { title }),
    heading: t("own.title", { title: markup`<bdi>${title}</bdi>` }),
    body,
  });
}

/** Note on a work, or on the edition with this key. */
export type Note = { readonly edition: string | null; readonly text: string };

function noteForm({ edition, text }: Note, book: BookView, here: string): Markup {
  const olid = edition?.replace("/books/", "");
  const id = `note-${olid ?? "of-work"}`;
  const label = olid === undefined ? t("own.note") : t("own.note_on", { edition: olid });
  // Each note has its own form, so the names are equal while the labels differ.
  return postForm(`${book.key}/notes.json`, here, [
    olid !== undefined && markup`<input type="hidden" name="edition_id" value="${olid}">`,
    markup`<div><label for="${id}">${label}</label><textarea id="${id}" name="notes" rows="6" maxlength="${NOTE_LENGTH}" dir="auto">
${text}</textarea></div><p><button>${t("own.keep")}<span class="unseen"> ${label}</span></button></p>`,
  ]);
}

/** Formats a day, month or year in the reader's language. */
function eventDay(date: string): Piece {
  const [year = "", month, dayOfMonth] = date.split("-");
  if (month === undefined) return year;
  return dayOfMonth === undefined ? [monthName(Number(month), "long"), " ", year] : day(date);
}

const EVENTS = { 1: "own.started", 2: "own.went_on", 3: "own.read" } as const satisfies Record<
  CheckIn["type"],
  string
>;

/** Renders a button that sends a day instead of the text in the field. */
function dateButton(date: string, label: Piece): Markup {
  return markup`<button name="date" value="${date}" formnovalidate>${label}</button>`;
}

/** Renders all observations that a patron can choose. Types without a chosen value are collapsed. */
function observationForm(observed: OwnBookView["observed"], book: BookView, here: string): Markup {
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
