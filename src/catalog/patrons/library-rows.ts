import { toCanonicalIsbn } from "../identifiers/isbn.ts";
import { LIST_NAME_LENGTH } from "../lists/seeds.ts";
import { readTypedDate } from "./event-date.ts";
import { findObservation, isOffered } from "./observations.ts";
import { shelfNamed, shelfOfStatus, slugOf } from "./library-status.ts";
import { type ShelfId, ALREADY_READ, CURRENTLY_READING } from "./shelves.ts";

/** Characters of an imported note, reading dates of a book, and lists of one file, at most. */
export const IMPORT_NOTE_LENGTH = 60_000;
const BOOK_EVENTS_MAX = 50;
export const IMPORT_LISTS_MAX = 100;
/** Maximum length in characters of a displayed title or name. */
const DISPLAY_LENGTH = 300;
/** Name of the list of books that the file marks as owned. */
export const OWNED_LIST = "Owned";

/** Date in the diary of a book. 1: started, 2: continued, 3: finished. */
interface ImportEvent {
  readonly type: 1 | 2 | 3;
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  readonly date: string;
}

/** Book of a reader's file, in what a reading log can hold. */
export interface ImportRow {
  readonly title: string;
  readonly author: string;
  /** Bare ISBN; null if the row has none. */
  readonly isbn: string | null;
  /** `OL1W` and `OL1M`, if the file is from this catalog or one with its numbers. */
  readonly work: string | null;
  readonly edition: string | null;
  /** Null if the file names no shelf that Carrel has. */
  readonly shelf: ShelfId | null;
  /** True if the shelf is not the row's own: a book that is on one already stays there. */
  readonly keepsShelf: boolean;
  /** 1 to 5; null if it is not rated. */
  readonly stars: number | null;
  readonly events: readonly ImportEvent[];
  /** The patron's text about it; "" if there is none. */
  readonly note: string;
  /** Names of lists. */
  readonly lists: readonly string[];
  readonly observations: readonly { readonly type: number; readonly value: number }[];
}

export type ImportProblem = "no-isbn" | "not-found" | "unknown-shelf" | "doubtful";

/** Values of a column. */
export const COLUMN_ROLES = [
  "title",
  "author",
  "isbn",
  "status",
  "shelf",
  "lists",
  "tags",
  "rating",
  "started",
  "finished",
  "readings",
  "review",
  "note",
  "pages",
  "owned",
  "work",
  "edition",
  "mood",
  "pace",
  "observations",
] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** Texts of a row by role: of several columns in their order, without empty ones. */
export type RowTexts = Readonly<Record<ColumnRole, readonly string[]>>;

export interface RowOptions {
  /** Shelf of books that are on none in the file. */
  readonly shelf: ShelfId | null;
  /** True if custom shelves and tags become lists. */
  readonly makesLists: boolean;
}

export function toImportRow(texts: RowTexts, { shelf: otherShelf, makesLists }: RowOptions): ImportRow {
  const isbns = texts.isbn
    .flatMap((text) => text.split(/[,;|]/))
    .map((text) => toCanonicalIsbn(text.replace(/^\s*isbn:/i, "")));
  const events = eventsOf(texts);
  const stars = starsOf(texts.rating[0]);
  const { shelf, lists } = placesOf(texts);
  const isGuessed = unknownStatusIn(texts) === undefined;
  const ownShelf = shelf ?? (isGuessed ? shelfOfReading({ stars, events }) : null);
  return {
    title: (texts.title[0] ?? "").slice(0, DISPLAY_LENGTH),
    author: (texts.author[0] ?? "").slice(0, DISPLAY_LENGTH),
    isbn: isbns.find((isbn) => isbn !== undefined) ?? null,
    work: olidOf(texts.work, /^(?:\/works\/)?([A-Z]{2}\d{1,15}W)$/),
    edition: olidOf(texts.edition, /^(?:\/books\/)?([A-Z]{2}\d{1,15}M)$/),
    shelf: ownShelf ?? otherShelf,
    keepsShelf: ownShelf === null,
    stars,
    events,
    note: [...texts.review.map(stripHtml), ...texts.note, ...texts.pages.map((page) => `p. ${page}`)]
      .join("\n\n")
      .slice(0, IMPORT_NOTE_LENGTH),
    lists: makesLists ? lists : [],
    observations: observationsOf(texts),
  };
}

function olidOf(texts: readonly string[], pattern: RegExp): string | null {
  return pattern.exec(texts[0] ?? "")?.[1] ?? null;
}

function shelfOfReading({ stars, events }: Pick<ImportRow, "stars" | "events">): ShelfId | null {
  if (stars !== null || events.some(({ type }) => type === 3)) return ALREADY_READ;
  return events.length > 0 ? CURRENTLY_READING : null;
}

function statusShelfOf({ status }: RowTexts): ShelfId | undefined {
  return status.map(shelfOfStatus).find((id) => id !== undefined);
}

/** Returns the status of a row that is not understood. A date is the day of its end. */
export function unknownStatusIn(texts: RowTexts): string | undefined {
  const isKnown = statusShelfOf(texts) !== undefined;
  return isKnown ? undefined : texts.status.find((text) => eventOf(3, text) === undefined);
}

const OWNED_NAMES = new Set("owned own i-own owned-books your-library".split(" "));
const NOT_OWNED = new Set(["", "0", "no", "false"]);
const PLACE_IN_LIST = / \(#\d+\)(?:, *|$)/;

/** Returns the shelf and the lists of a row: tags, and the name of a shelf that Carrel does not have. */
function placesOf(texts: RowTexts): Pick<ImportRow, "shelf" | "lists"> {
  const { shelf: shelves, lists: own, tags, owned } = texts;
  const names = [
    // Hardcover lists a place behind each name: `Favourites (#3), By the Sea (#1)`.
    ...own.flatMap((text) => text.split(PLACE_IN_LIST.test(text) ? PLACE_IN_LIST : " | ")),
    ...tags.flatMap((text) => text.split(/,| \| |\|{2,}/)),
  ].map((name) => name.trim());
  const ownShelf = statusShelfOf(texts) ?? shelves.map(shelfNamed).find((id) => id !== undefined);
  const custom = ownShelf === undefined ? [...shelves.slice(0, 1), ...names] : names;
  const lists = custom
    .filter((name) => name !== "" && shelfNamed(name) === undefined)
    .map((name) => {
      if (OWNED_NAMES.has(slugOf(name))) return OWNED_LIST;
      // Without a half surrogate or blanks at the end.
      const cut = name.slice(0, LIST_NAME_LENGTH).replace(/[\uD800-\uDBFF]$/, "");
      return cut.trimEnd();
    });
  const isOwned = owned.some((text) => !NOT_OWNED.has(text.toLowerCase()));
  return {
    shelf: ownShelf ?? names.map(shelfNamed).find((id) => id !== undefined) ?? null,
    lists: [...new Set(isOwned ? [...lists, OWNED_LIST] : lists)],
  };
}

/** Returns whole stars: halves and quarters are rounded, halves up. */
function starsOf(text = ""): number | null {
  const stars = Number(text.replace(",", "."));
  return stars > 0 && stars <= 5 ? Math.max(1, Math.round(stars)) : null;
}

/** Returns true if the rating of a row is not of whole stars. */
export function hasPartStars({ rating: [text = ""] }: RowTexts): boolean {
  return starsOf(text) !== null && !Number.isInteger(Number(text.replace(",", ".")));
}

/** Types of events by their names in exports. */
const EVENT_TYPES = { start: 1, update: 2, finish: 3 } as const;
const NAMED_EVENT = /^(start|update|finish) (.*)$/;
/** Dates of a reading of Openreads: start, end, milliseconds; each may be empty. */
const READING = /^([^|]*)\|([^|]*)(?:\|[^|]*)*$/;
/** Dates of a reading: of its start and its end, or of its end alone. */
const SPAN = /^(\d{4}(?:[/.-]\d{1,2}){0,2})\s*[-–—]\s*(\d{4}(?:[/.-]\d{1,2}){0,2})?$/;

function eventsOf({ started, finished, readings }: RowTexts): ImportEvent[] {
  const events = [
    ...partsOf(started).map((text) => eventOf(1, text)),
    ...partsOf(finished).map((text) => eventOf(3, text)),
    ...readings.flatMap((text) => text.split(/[,;]| \| /)).flatMap((text) => eventsOfReading(text.trim())),
  ].filter((event) => event !== undefined);
  const distinct = new Map(events.map((event) => [`${event.type} ${event.date}`, event]));
  return [...distinct.values()].slice(0, BOOK_EVENTS_MAX);
}

export function eventNameOf(type: number): string {
  return Object.keys(EVENT_TYPES)[type - 1] ?? "";
}

function partsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/[,;|]/)).map((part) => part.trim());
}

function eventsOfReading(text: string): (ImportEvent | undefined)[] {
  const [, name, date = ""] = NAMED_EVENT.exec(text) ?? [];
  // The pattern allows these names only.
  if (name !== undefined) return [eventOf(EVENT_TYPES[name as keyof typeof EVENT_TYPES], date)];
  const [, start, end] = READING.exec(text) ?? SPAN.exec(text) ?? [];
  return start === undefined ? [eventOf(3, text)] : [eventOf(1, start), eventOf(3, end)];
}

/** Returns an event at a date with or without its time. Of `05/10/2026`, which may be two days, the year is certain. */
function eventOf(type: ImportEvent["type"], text = ""): ImportEvent | undefined {
  const [date, other] = readTypedDate(text.replace(/[T ]\d{1,2}:.*$/, ""));
  if (date === undefined) return undefined;
  return { type, date: other === undefined ? date : date.slice(0, "YYYY".length) };
}

/** Removes the HTML of reviews, which use a few elements. */
function stripHtml(text: string): string {
  return text
    .replaceAll(/<br\s*\/?>/gi, "\n")
    .replaceAll(/<\/?[a-z][^<>]*>/gi, "")
    .trim();
}

const MOODS: Readonly<Record<string, string>> = { funny: "Humorous", relaxing: "Calm" };

function observationsOf({ mood, pace, observations }: RowTexts): ImportRow["observations"] {
  const named = [
    ...mood
      .flatMap((text) => text.split(","))
      .map((text) => ["Mood", MOODS[text.trim().toLowerCase()] ?? capitalize(text.trim())] as const),
    ...pace.map((text) => ["Pace", `${capitalize(text)} paced`] as const),
    ...observations
      .flatMap((text) => text.split(" | "))
      .map((text) => [text.split(": ")[0] ?? "", text.slice(text.indexOf(": ") + 2)] as const),
  ];
  return named.flatMap(([label, name]) => {
    const observation = findObservation(label, name);
    if (observation === undefined || !isOffered(observation)) return [];
    return [{ type: observation.type.id, value: observation.value.id }];
  });
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}
