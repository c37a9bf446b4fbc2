import type { Language } from "../http/pages/language.ts";
import type { Reader } from "../http/pages/reader.ts";
import { type Markup, type Piece, forReader, markup } from "./markup.ts";
import ar from "../../../locales/ar.json" with { type: "json" };
import de from "../../../locales/de.json" with { type: "json" };
import en from "../../../locales/en.json" with { type: "json" };
import es from "../../../locales/es.json" with { type: "json" };
import fr from "../../../locales/fr.json" with { type: "json" };

/** What the pages say, by the part that says it: `book.editions`. */
export type Words = keyof typeof en;
/** A text with `{placeholders}`; where it counts something, one for each plural form of the language. */
type Phrase = string | { readonly [form in Intl.LDMLPluralRule]?: string };

const CATALOGUES: Readonly<Record<Language, Readonly<Record<Words, Phrase>>>> = { en, de, fr, es, ar };

/** How numbers and dates are written: in Arabic too by the digits that records have. */
const LOCALES: Readonly<Record<Language, string>> = {
  en: "en-GB",
  de: "de",
  fr: "fr",
  es: "es",
  ar: "ar-u-nu-latn",
};

/** Makes something once for each language. */
function byLanguage<Made>(make: (locale: string) => Made): (reader: Reader) => Made {
  const made = new Map<Language, Made>();
  return ({ language }) => {
    const known = made.get(language) ?? make(LOCALES[language]);
    made.set(language, known);
    return known;
  };
}

const pluralsOf = byLanguage((locale) => new Intl.PluralRules(locale));
const numbersOf = byLanguage((locale) => new Intl.NumberFormat(locale));
const daysOf = byLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }),
);
const momentsOf = byLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }),
);

const monthsOf = byLanguage((locale) => new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" }));
// Short names of months are no shorter in Arabic.
const shortMonthsOf = byLanguage(
  (locale) =>
    new Intl.DateTimeFormat(locale, { month: locale.startsWith("ar") ? "narrow" : "short", timeZone: "UTC" }),
);

/** Words of the catalogue in the reader's language. `count` decides the plural, and is written as a number. */
export function say(key: Words, values: Readonly<Record<string, Piece>> = {}): Markup {
  return forReader((reader) => {
    const phrase: Phrase = CATALOGUES[reader.language][key];
    // Texts and placeholders take turns.
    return textOf(phrase, values["count"], reader)
      .split(/\{(\w+)\}/)
      .map((part, index) => (index % 2 === 0 ? part : shown(values[part])));
  });
}

function textOf(phrase: Phrase, count: Piece, reader: Reader): string {
  if (typeof phrase === "string") return phrase;
  const form = typeof count === "number" ? pluralsOf(reader).select(count) : "other";
  return phrase[form] ?? phrase.other ?? "";
}

function shown(value: Piece): Piece {
  return typeof value === "number" ? number(value) : value;
}

/** A number as people read it, with its thousands set apart. */
export function number(value: number): Markup {
  return forReader((reader) => numbersOf(reader).format(value));
}

/** The name of a month, from 1; a short one has room below a column. */
export function monthName(month: number, form: "long" | "short"): Markup {
  const namesOf = form === "long" ? monthsOf : shortMonthsOf;
  return forReader((reader) => namesOf(reader).format(Date.UTC(2001, month - 1)));
}

/** A day as people read it; `text` begins with `YYYY-MM-DD`, and is shown as it is where that is no day. */
export function day(text: string): Markup {
  return time(text.slice(0, 10), daysOf);
}

/** The day of a moment, with the time to the second in its title; `text` is naive UTC. */
export function dayOf(text: string): Markup {
  return time(`${text.slice(0, 19)}Z`, daysOf, exactTime(text));
}

/** A moment as people read it, with the seconds in its title; `text` is naive UTC. */
export function moment(text: string): Markup {
  return markup`${time(`${text.slice(0, 19)}Z`, momentsOf, exactTime(text))} UTC`;
}

/** Returns a `title` attribute with the time to the second; undefined if the text has none. */
function exactTime(text: string): Markup | undefined {
  const [, date = "", clock = ""] = /^([\d-]{10})[T ](\d\d:\d\d:\d\d)/.exec(text) ?? [];
  return clock === "" ? undefined : markup` title="${date} ${clock} UTC"`;
}

function time(text: string, formats: (reader: Reader) => Intl.DateTimeFormat, exact?: Piece): Markup {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return markup`${text}`;
  return markup`<time datetime="${text}"${exact}>${forReader((reader) => formats(reader).format(date))}</time>`;
}

/** Whether there are words of the name. */
export function isWords(name: string | undefined): name is Words {
  return name !== undefined && Object.hasOwn(en, name);
}
