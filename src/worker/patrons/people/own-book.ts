import { OBSERVATION_TYPES } from "../../../catalog/patrons/vocabulary.ts";
import type { CheckIn } from "../../../durable/patron/diary.ts";
import type { RequestContext } from "../../http/operation.ts";
import type { Reply } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { bookRow, bookRows } from "../../ui/book-row.ts";
import { dropper } from "../../ui/dropper.ts";
import { errorSummary, field, select, postForm } from "../../ui/form.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { mood } from "../../ui/moods.ts";
import { section } from "../../ui/values.ts";
import { starForm } from "../../ui/stars.ts";
import { day, say } from "../../ui/words.ts";
import { NOTE_LENGTH } from "../reading/notes.ts";
import { editionKey } from "../reading/parameters.ts";
import { ownBookPath } from "./book-list.ts";
import { patronPage } from "./patron-page.ts";
import { type ShownBook, shownBooks } from "./shown-books.ts";
import type { ShownPatron } from "./shown-patron.ts";

/** Rejected check-in as it was sent, with the error. */
interface SentCheckIn {
  readonly type: string;
  readonly date: string;
  readonly error: Piece;
  /** Possible meanings of the date, as `YYYY-MM-DD`. */
  readonly choices: readonly string[];
}

/** Writes the page with a patron's data of one book: shelf, rating, dates, notes and observations. */
export async function ownBookPage(
  context: RequestContext,
  patron: ShownPatron,
  { work, sent }: { readonly work: number; readonly sent?: SentCheckIn },
): Promise<Reply> {
  const { notes, diary, shelves } = patronOf(context.stores, patron.username);
  const [found, checkIns, observed, shown, entry, rating] = await Promise.all([
    notes.of(work),
    diary.checkIns(work),
    notes.observations(work),
    shownBooks(context, [work]),
    shelves.entry(work),
    shelves.rating(work),
  ]);
  const book = shown.get(work);
  if (book === undefined) throw new Error("every work that is asked for is shown");
  const here = ownBookPath(patron.username, book.key);
  const { key, title } = book;
  const written = found.map(({ edition, text }) => ({ edition: editionKey(context, edition), text }));
  const onWork = written.find(({ edition }) => edition === null) ?? { edition: null, text: "" };
  const forms = [onWork, ...written.filter(({ edition }) => edition !== null)];
  // A page that answers a form has no address to come back to.
  const actions = sent === undefined && {
    more: starForm({ key, title, stars: rating?.stars ?? null }),
    action: dropper({ key, title, shelf: entry?.shelf ?? null }),
  };
  const body = markup`${sent !== undefined && errorSummary([{ name: "date", message: sent.error }])}
${bookRows([bookRow(book, { isFirst: true, ...actions })])}
${section(say("own.dates"), dates(checkIns, { book, here, now: context.now, sent }), "dates")}
${section(say("own.notes"), [markup`<p class="hint">${say("own.notes_hint")}</p>`, ...forms.map((note) => noteForm(note, book, here))], "notes")}
${section(say("own.observations"), observationForm(observed, book, here), "observations")}`;
  return patronPage(patron, {
    tab: "notes",
    title: say("own.title", { title }),
    heading: say("own.title", { title: markup`<bdi>${title}</bdi>` }),
    body,
    ...(sent !== undefined && { status: 422 }),
  });
}

/** Note on a work, or on its edition of this key. */
export type Note = { readonly edition: string | null; readonly text: string };

function noteForm({ edition, text }: Note, book: ShownBook, here: string): Markup {
  const olid = edition?.replace("/books/", "");
  const id = olid === undefined ? "notes" : `notes-${olid}`;
  const label = olid === undefined ? say("own.note") : say("own.note_on", { edition: olid });
  // Each note has its own form, so the names are equal while the labels differ.
  return postForm(`${book.key}/notes.json`, here, [
    olid !== undefined && markup`<input type="hidden" name="edition_id" value="${olid}">`,
    markup`<div><label for="${id}">${label}</label><textarea id="${id}" name="notes" rows="6" maxlength="${NOTE_LENGTH}" dir="auto">
${text}</textarea></div><p><button>${say("own.keep")}<span class="unseen"> ${label}</span></button></p>`,
  ]);
}

const EVENTS = { 1: "own.started", 2: "own.went_on", 3: "own.read" } as const satisfies Record<
  CheckIn["type"],
  string
>;

interface DatesOf {
  readonly book: ShownBook;
  readonly here: string;
  readonly now: number;
  readonly sent: SentCheckIn | undefined;
}

/** Renders a button that sends a day instead of the text in the field. */
function dateButton(date: string, label: Piece = day(date)): Markup {
  return markup`<button name="date" value="${date}" formnovalidate>${label}</button>`;
}

function dates(checkIns: readonly CheckIn[], { book, here, now, sent }: DatesOf): Markup {
  const today = new Date(now).toISOString().slice(0, 10);
  const kept = checkIns.map(({ id, type, date }) => {
    const action = `/check-ins/${id}/delete?${new URLSearchParams({ redir_url: here })}`;
    const what = markup`${say(EVENTS[type])} <bdi>${date}</bdi>`;
    return markup`<li><form class="line" method="post" action="${action}"><span>${what}</span><button>${say("own.delete")}<span class="unseen"> ${what}</span></button></form></li>`;
  });
  return markup`${kept.length > 0 && markup`<ul class="plain">${kept}</ul>`}
${postForm(`${book.key}/check-ins/add`, here, [
  markup`<div>${select({ name: "event_type", label: say("own.what"), options: Object.entries(EVENTS).map(([type, words]) => [type, say(words)]), chosen: sent?.type ?? "3" })}</div>`,
  field({
    name: "date",
    label: say("own.when"),
    value: sent?.date,
    required: true,
    hint: say("own.when_hint"),
    error: sent?.error,
  }),
  markup`<p class="line">${sent?.choices.map(dateButton)}<button>${say("own.add_date")}</button>${dateButton(today, say("own.today"))}</p>`,
])}`;
}

/** Renders all observations that a patron can choose, each type collapsed unless one of its values is chosen. */
function observationForm(
  observed: readonly Readonly<Record<"type" | "value", number>>[],
  book: ShownBook,
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
    markup`<p class="hint">${say("own.observations_hint")}</p>`,
    types,
    markup`<p><button>${say("own.keep_observations")}</button></p>`,
  ]);
}
