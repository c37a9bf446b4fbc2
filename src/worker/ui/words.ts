import type { Reader, Language } from "../http/pages/reader.ts";
import { textsIn } from "../http/pages/texts.ts";
import { type Markup, type Piece, forReader, markup } from "./markup.ts";
import { type Phrase, type Text, type TextKey, pluralForm } from "../../catalog/texts.ts";
import en from "../../../locales/en.json" with { type: "json" };

export { type TextKey as Words, isTextKey as isWords } from "../../catalog/texts.ts";

/** Locales of numbers and dates. Arabic uses Latin digits, as records do. */
const LOCALES: Readonly<Record<Language, string>> = {
  en: "en-GB",
  de: "de",
  fr: "fr",
  es: "es",
  ar: "ar-u-nu-latn",
};

function byLanguage<Value>(make: (locale: string) => Value): (reader: Pick<Reader, "language">) => Value {
  const values = new Map<Language, Value>();
  return ({ language }) => {
    const value = values.get(language) ?? make(LOCALES[language]);
    values.set(language, value);
    return value;
  };
}

const pluralsOf = byLanguage((locale) => new Intl.PluralRules(locale));
const numbersOf = byLanguage((locale) => new Intl.NumberFormat(locale));
const tenthsOf = byLanguage(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
const percentsOf = byLanguage((locale) => new Intl.NumberFormat(locale, { style: "percent" }));
const sizesOf = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"].map((unit) =>
  byLanguage((locale) => new Intl.NumberFormat(locale, { style: "unit", unit, maximumSignificantDigits: 3 })),
);
const daysOf = byLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }),
);
const momentsOf = byLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }),
);

const monthsOf = byLanguage((locale) => new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" }));
// The short names of months in Arabic are as long as the long ones.
const shortMonthsOf = byLanguage(
  (locale) =>
    new Intl.DateTimeFormat(locale, { month: locale.startsWith("ar") ? "narrow" : "short", timeZone: "UTC" }),
);

/** Returns a text in the user's language. `count` selects the plural form. */
export function t(key: TextKey, values: Readonly<Record<string, Piece>> = {}): Markup {
  return forReader((reader) => {
    const phrase: Phrase = textsIn(reader.language)?.[key] ?? en[key];
    // Texts and placeholders alternate.
    return pluralForm(phrase, values["count"], pluralsOf(reader))
      .split(/\{(\w+)\}/)
      .map((part, index) => {
        const value = index % 2 === 0 ? part : values[part];
        return typeof value === "number" ? number(value) : value;
      });
  });
}

/** Renders the text of a failure. Its values are isolated from the direction of the language. */
export function reason({ key, values = {} }: Text): Markup {
  const pieces = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "number" ? value : markup`<bdi>${value}</bdi>`,
  ]);
  return t(key, Object.fromEntries(pieces));
}

/** Formats a number with separators of thousands. */
export function number(value: number): Markup {
  return formatNumber(value, numbersOf);
}

/** Formats a number with one decimal. */
export function tenths(value: number): Markup {
  return formatNumber(value, tenthsOf);
}

/** Formats a share, from 0 to 1, as a percentage without decimals. */
export function percentage(share: number): Markup {
  return formatNumber(share, percentsOf);
}

/** Formats a number of bytes with three digits and a decimal unit. */
export function byteSize(bytes: number): Markup {
  const power = Math.min(sizesOf.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return formatNumber(bytes / 1000 ** power, sizesOf[power] ?? numbersOf);
}

function formatNumber(value: number, formats: (reader: Reader) => Intl.NumberFormat): Markup {
  return forReader((reader) => formats(reader).format(value));
}

/** Returns the name of a month, from 1; short names fit below the columns of a chart. */
export function monthName(month: number, form: "long" | "short"): Markup {
  const namesOf = form === "long" ? monthsOf : shortMonthsOf;
  return forReader((reader) => namesOf(reader).format(Date.UTC(2001, month - 1)));
}

/** Formats the day at the beginning of a text, `YYYY-MM-DD`; returns the first 10 characters if they are no date. */
export function day(text: string): Markup {
  return time(text.slice(0, 10), daysOf);
}

/** Formats a day, `YYYY-MM-DD`, for titles and captions, whose text is also in attributes. */
export function plainDay(text: string): Markup {
  return forReader(({ language }) => dayIn(language, Date.parse(text)));
}

/** Formats the day of a time in milliseconds for texts outside of pages. */
export function dayIn(language: Language, milliseconds: number): string {
  return daysOf({ language }).format(milliseconds);
}

/** Formats the day of a time, given as naive UTC, with the exact time in its title. */
export function dayOf(text: string): Markup {
  return time(`${text.slice(0, 19)}Z`, daysOf, exactTime(text));
}

/** Formats a time, given as naive UTC, with the seconds in its title. */
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
