import { type CatalogRecord, type Json, textOf } from "./record.ts";

/** Calendars that dates are converted from. */
type Calendar = "Japanese" | "Minguo" | "Buddhist" | "Islamic" | "Hebrew";

/** Date of a publication as it can be compared and cited; the record keeps the text. */
export interface PublicationDate {
  /** First year, numbered as in ISO 8601: 400 B.C. is -399. */
  readonly year: number;
  /** Last year of a span. */
  readonly lastYear?: number;
  /** From 1. Only dates of one year have a month, and only those with a month have a day. */
  readonly month?: number;
  readonly day?: number;
  /** Absent for dates as stated: `ca. 1850` and `[19--]` are approximate, `1850?` and `1850 or 1851` questionable. */
  readonly certainty?: "approximate" | "questionable";
  /** Absent for dates that the record states in the Gregorian calendar. */
  readonly calendar?: Calendar;
}

/** Years after the last change of a record in which announced books are published. Later ones are misprints. */
const YEARS_AHEAD = 2;
/** Latest year if it is unknown when a date was recorded. */
export const YEAR_MAX = 2999;
/** Maximum number of UTF-16 units of a date that are read. */
const TEXT_LENGTH = 200;
const BARE_YEAR = /^[1-9]\d{3}$/;

/** Parses the dates in a member of a record, usually one. */
export function publicationDatesOf(record: CatalogRecord, member = "publish_date"): PublicationDate[] {
  const value = record[member];
  if (value === undefined) return [];
  const latest = latestYearOf(record);
  return (Array.isArray(value) ? value : [value]).flatMap(
    (date: Json) => parseDate(dateTextOf(date), latest) ?? [],
  );
}

/** Returns the year of publication of a record. Returns undefined if it has none. */
export function publicationYearOf(record: CatalogRecord, member?: string): number | undefined {
  return publicationDatesOf(record, member)[0]?.year;
}

/** Returns the latest year that dates of a record may have: the same record always has the same years. */
export function latestYearOf(record: CatalogRecord): number {
  const time = textOf(record["last_modified"]) ?? textOf(record["created"]);
  const year = Number(time?.slice(0, 4));
  return year > 0 ? year + YEARS_AHEAD : YEAR_MAX;
}

/** Returns the text of a date. Some catalogs use numbers for years. */
export function dateTextOf(date: Json | undefined): string {
  return typeof date === "number" ? String(date) : (textOf(date) ?? "");
}

/**
 * Returns the earliest of several dates. Spans of unknown digits only count if there is no other date: `[19--]` does
 * not make a book of 1950 one of 1900.
 */
export function earliestDateOf(dates: readonly PublicationDate[]): PublicationDate | undefined {
  const known = dates.filter((date) => !isYearUnknown(date));
  return (known.length === 0 ? dates : known).toSorted((a, b) => a.year - b.year)[0];
}

/** Returns true for spans of which one unknown year is meant. */
export function isYearUnknown({ certainty, lastYear }: PublicationDate): boolean {
  return certainty !== undefined && lastYear !== undefined;
}

/** Formats a date as `2001-03-01`, or its known parts. */
export function formatIsoDate({ year, month, day }: PublicationDate): string {
  const texts = [`${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`];
  for (const part of [month, day]) if (part !== undefined) texts.push(String(part).padStart(2, "0"));
  return texts.join("-");
}

/**
 * Parses a date as publishers and catalogs write it: `c1999`, `[19--]`, `ca. 1850`, `1999-2001`, `2006年3月`, `Heisei 3`,
 * `MDCCXLV`, `400 B.C.`, `5744 [1983 or 1984]`. Returns undefined if it has no year up to `latest`.
 */
export function parseDate(text: string, latest = YEAR_MAX): PublicationDate | undefined {
  if (BARE_YEAR.test(text)) return Number(text) > latest ? undefined : { year: Number(text) };
  const stated = toPlainText(text);
  const day = parseDay(stated, latest);
  if (day !== undefined) return { ...day, ...certaintyOf(stated) };
  const converted = convertEras(stated);
  const years = suppliedPartOf(stated, latest) ?? converted;
  const date =
    parseDay(converted, latest) ??
    parseBeforeChrist(years) ??
    parseRoundYears(years, latest) ??
    parseUnknownSpan(years, latest) ??
    parseYears(years, latest) ??
    parseUnknownDigits(years, latest) ??
    parseRoman(years, latest);
  if (date === undefined) return undefined;
  const calendar = calendarOf(stated, converted);
  return { ...date, ...certaintyOf(years), ...(calendar !== undefined && { calendar }) };
}

const DASHES = /[\u2010-\u2015\u2212]/g;
/** Digits zero of Arabic, Persian, Indic, Thai, Lao, Tibetan, Burmese and Khmer. */
const ZEROS =
  "\u0660\u06F0\u0966\u09E6\u0A66\u0AE6\u0B66\u0BE6\u0C66\u0CE6\u0D66\u0E50\u0ED0\u0F20\u1040\u17E0";
/** Year of which a catalog supplies some digits: `19[85]`, `[19]85`, `198[-]`. */
const SUPPLIED_DIGITS = /(?<!\d)(?:(\d\d)[[\]]([\dux?-]{2})|(\d{3})[[\]]([\dux?-]))(?!\d)/g;
const CHINESE_DIGITS = "〇一二三四五六七八九";

/** Returns a date in lower case with ASCII digits, hyphens and single blanks. */
function toPlainText(text: string): string {
  return text
    .slice(0, TEXT_LENGTH)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{Nd}零〇一二三四五六七八九]/gu, toAsciiDigit)
    .replaceAll(/(\d?)十(\d?)/g, (_ten, tens: string, units: string) =>
      String(Number(tens || 1) * 10 + Number(units)),
    )
    .replaceAll(DASHES, "-")
    .replaceAll(SUPPLIED_DIGITS, "$1$2$3$4")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function toAsciiDigit(digit: string): string {
  const chinese = CHINESE_DIGITS.indexOf(digit === "零" ? "〇" : digit);
  if (chinese !== -1) return String(chinese);
  const code = digit.charCodeAt(0);
  const zero = Array.from(ZEROS, (each) => each.charCodeAt(0)).find(
    (first) => code >= first && code < first + 10,
  );
  return zero === undefined ? digit : String(code - zero);
}

/** Names of eras, as a pattern, with their first years. */
const ERAS: readonly (readonly [calendar: Calendar, names: string, first: number])[] = [
  ["Japanese", "meiji|明治", 1868],
  ["Japanese", "tais?h[oō]|大正", 1912],
  ["Japanese", "s[hy]?[oō]wa|昭和", 1926],
  ["Japanese", "heisei|平成", 1989],
  ["Japanese", "reiwa|令和", 2019],
  ["Minguo", "min ?guo|民[國国]", 1912],
  ["Buddhist", String.raw`พ\.ศ\.|(?<!\p{L})b\.e\.`, -542],
];
const ERA_YEARS = ERAS.map(([calendar, names, first]) => ({
  calendar,
  first,
  pattern: new RegExp(`(?:${names}) ?(?:gannen|元|(\\d{1,4}))`, "gu"),
}));
const ISLAMIC = /(?<!\p{L})a\.?h\.? ?(\d{3,4})(?!\d)|(?<!\d)(\d{3,4}) ?(?:a\.?h|h|هـ?)(?!\p{L})\.?/gu;
const ISLAMIC_YEAR_MAX = 1500;
const ISLAMIC_YEAR_DAYS = 354.367;
const GREGORIAN_YEAR_DAYS = 365.2425;
/** Beginning of the Islamic calendar, as a year with its fraction. */
const ISLAMIC_START = 622.54;
const ANNO_DOMINI = /(?<!\p{L})a\.?d\.? ?(\d{3})(?!\d)|(?<!\d)(\d{3}) ?(?:a\.?d|c\.?e)(?!\p{L})\.?/gu;

/** Replaces years of other calendars by Gregorian ones, and gives years that are marked as such four digits. */
function convertEras(text: string): string {
  let converted = text;
  for (const { first, pattern } of ERA_YEARS) {
    converted = converted.replace(pattern, (_match, year = "1") => String(first + Number(year) - 1));
  }
  return converted
    .replace(ISLAMIC, (match, before, after) => toGregorianYears(Number(before ?? after)) ?? match)
    .replace(ANNO_DOMINI, (_match, before, after) => `0${before ?? after}`);
}

/** Returns the two years that an Islamic year is part of. Returns undefined for years that have not come yet. */
function toGregorianYears(year: number): string | undefined {
  if (year > ISLAMIC_YEAR_MAX) return undefined;
  const first = Math.floor(ISLAMIC_START + ((year - 1) * ISLAMIC_YEAR_DAYS) / GREGORIAN_YEAR_DAYS);
  return `${first} or ${first + 1}`;
}

const HEBREW = /^(?:5[3-9]\d\d|[3-7]\d\d)\D*\[/;

function calendarOf(text: string, converted: string): Calendar | undefined {
  const era = ERA_YEARS.find(({ pattern }) => text.search(pattern) !== -1);
  if (era !== undefined) return era.calendar;
  if (HEBREW.test(text)) return "Hebrew";
  return text.search(ISLAMIC) === -1 || converted === text ? undefined : "Islamic";
}

const QUESTIONABLE = /\?|(?<!\p{L})(?:or|ou|oder|between|entre|zwischen|probably)(?!\p{L})/u;
const APPROXIMATE =
  /~|約|约|(?<!\p{L})(?:ca|circa|c(?=\. ?\d)|approx\p{L}*|about|around|um|vers|etwa|before|after)(?!\p{L})/u;

function certaintyOf(text: string): Pick<PublicationDate, "certainty"> {
  if (QUESTIONABLE.test(text)) return { certainty: "questionable" };
  return APPROXIMATE.test(text) ? { certainty: "approximate" } : {};
}

const CORRECTION = /(?<!\p{L})i\. ?e\.,? ?(.+)$/u;
const SUPPLIED = /^([^[\]]+)\[((?:[\d ?\-/.,]|or|and|between|ca)+)\]?\.?$/;
/** Date in the book before a supplied one: with digits, in Roman ones, or of the French Revolution (`An VII`). */
const PRINTED = /\d|^[mdclxvi. ]+$|^an ./;
/** Difference in years above which a date in the book and a supplied one are taken for the same in two calendars. */
const SUPPLIED_DIFFERENCE = 20;

/** Returns the date that a catalog supplies for the one in the book: `5744 [1983 or 1984]`, `1697 [i.e. 1967]`. */
function suppliedPartOf(text: string, latest: number): string | undefined {
  const [, correction] = CORRECTION.exec(text) ?? [];
  if (correction !== undefined && parseYears(correction, latest) !== undefined) return correction;
  const [, printed = "", supplied = ""] = SUPPLIED.exec(text) ?? [];
  if (!PRINTED.test(printed)) return undefined;
  const date = parseYears(supplied, latest) ?? parseUnknownDigits(supplied, latest);
  if (date === undefined) return undefined;
  const { year } = parseYears(printed, latest) ?? {};
  return year === undefined || Math.abs(year - date.year) > SUPPLIED_DIFFERENCE ? supplied : undefined;
}

const YEAR_FIRST = /^(\d{4}) ?[-/.年년] ?(\d{1,2})(?: ?[-/.月월] ?(\d{1,2}))?(?:[日일月월]|t[\d:.+-]+z?)?$/;
const YEAR_LAST = /^(?:(\d{1,2})([-/.]))?(\d{1,2})[-/.](\d{4})$/;
const DAY = /^(\d{1,2})\p{L}{0,2}$/u;
/** Names of the months in English, French, German, Spanish, Italian, Dutch, Portuguese and Arabic. */
const MONTHS = [
  "january janvier januar enero gennaio januari janeiro يناير",
  "february février fevrier februar febrero febbraio februari fevereiro فبراير",
  "march mars märz marz marzo maart março مارس",
  "april avril abril aprile أبريل",
  "may mai mayo maggio mei maio مايو",
  "june juin juni junio giugno junho يونيو",
  "july juillet juli julio luglio julho يوليو",
  "august août aout agosto augustus أغسطس",
  "september septembre septiembre setiembre settembre setembro سبتمبر",
  "october octobre oktober octubre ottobre outubro أكتوبر",
  "november novembre noviembre novembro نوفمبر",
  "december décembre decembre dezember diciembre dicembre dezembro ديسمبر",
].map((names) => names.split(" "));

/** Parses a date with a month, in numbers or words. Returns undefined for others, and for `3/2/1999`, which is two days. */
function parseDay(text: string, latest: number): PublicationDate | undefined {
  const plain = text.replaceAll(/[[\]()?~]|[.,]$/g, "").trim();
  const [, first, ...rest] = YEAR_FIRST.exec(plain) ?? [];
  if (first !== undefined) return dateOfParts([first, ...rest], latest);
  const [, one, separator, other, last] = YEAR_LAST.exec(plain) ?? [];
  if (last === undefined) return parseNamedMonth(plain, latest);
  if (one === undefined) return dateOfParts([last, other], latest);
  const isDayFirst = separator === "." || Number(one) > MONTHS.length;
  if (isDayFirst) return dateOfParts([last, other, one], latest);
  const isClear = Number(other) > MONTHS.length || Number(one) === Number(other);
  return isClear ? dateOfParts([last, one, other], latest) : undefined;
}

/** Parses `May 5th, 1999`, `5 mai 1999` and `1999 May`: the parts may have any order. */
function parseNamedMonth(text: string, latest: number): PublicationDate | undefined {
  const words = text.split(/[\s,.]+/).filter((word) => word !== "" && word !== "de" && word !== "of");
  const year = words.find((word) => BARE_YEAR.test(word));
  const name = words.find((word) => monthOf(word) > 0);
  const [day, ...others] = words.filter((word) => word !== year && word !== name);
  if (name === undefined || others.length > 0 || (day !== undefined && !DAY.test(day))) return undefined;
  return dateOfParts([year, String(monthOf(name)), day === undefined ? day : DAY.exec(day)?.[1]], latest);
}

/** Returns the number of a month from 1; 0 for other words. Names may be cut to three letters or more. */
function monthOf(word: string): number {
  return word.length < 3 ? 0 : MONTHS.findIndex((names) => names.some((name) => name.startsWith(word))) + 1;
}

function dateOfParts(
  [yearText, monthText, dayText]: readonly (string | undefined)[],
  latest: number,
): PublicationDate | undefined {
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  if (!(year >= 1 && year <= latest && month >= 1 && month <= MONTHS.length)) return undefined;
  return day >= 1 && day <= 31 ? { year, month, day } : { year, month };
}

const BEFORE_CHRIST =
  /(?<!\d)(\d{1,4})(?: ?- ?(\d{1,4}))? ?(?:b\.? ?c\.?(?: ?e\.?)?|av(?:ant)?\.? j\.?-? ?c|v(?:or)?\.? ?chr|a\. ?c\.|до н)(?!\p{L}{2})/u;
const CHINESE_BEFORE = /前(\d{1,4})/;
/** Year before the year 1 in ISO 8601. `-1999` is a span with an open beginning. */
const NEGATIVE = /^-0(\d{3})(?!\d)/;

function parseBeforeChrist(text: string): PublicationDate | undefined {
  const [, negative] = NEGATIVE.exec(text) ?? [];
  if (negative !== undefined) return { year: 0 - Number(negative) };
  const [, first, last] = BEFORE_CHRIST.exec(text) ?? CHINESE_BEFORE.exec(text) ?? [];
  if (first === undefined) return undefined;
  return { year: 1 - Number(first), ...(last !== undefined && { lastYear: 1 - Number(last) }) };
}

const DECADE = /(?<!\d)(\d{3}0)(?:'?s|er)(?!\p{L})/u;
const CENTURY = /(?<!\d)(\d{1,2})(?:st|nd|rd|th) cent(?!.*b\.? ?c)/;

/** Parses decades and centuries in words: `1990s`, `19th century`. */
function parseRoundYears(text: string, latest: number): PublicationDate | undefined {
  const [, decade] = DECADE.exec(text) ?? [];
  if (decade !== undefined) return spanOf(Number(decade), decade.endsWith("00") ? 100 : 10, latest);
  const [, century] = CENTURY.exec(text) ?? [];
  return century === undefined ? undefined : spanOf((Number(century) - 1) * 100, 100, latest);
}

function spanOf(year: number, years: number, latest: number): PublicationDate | undefined {
  if (year > latest) return undefined;
  return { year, lastYear: year + years - 1, certainty: "approximate" };
}

const ANY_YEAR = String.raw`\d{4}|[12]\d\d[-ux?_·]|[12]\d[-ux?_·]{2}|[12][ux?_·]{3}`;
const ANY_SPAN = new RegExp(String.raw`(?<!\d)(${ANY_YEAR})[\]? ]*(?:-|and|or|to)[ [c©]*(${ANY_YEAR})(?!\d)`);
const UNKNOWN_DIGIT = /\D/g;

/** Parses a span with unknown digits: `[18--]-1901`, `1950-199u`. Without any it is a span of years as stated. */
function parseUnknownSpan(text: string, latest: number): PublicationDate | undefined {
  const [, first = "", last = ""] = ANY_SPAN.exec(text) ?? [];
  const year = Number(first.replaceAll(UNKNOWN_DIGIT, "0"));
  const lastYear = Number(last.replaceAll(UNKNOWN_DIGIT, "9"));
  const isUnknown = (first + last).search(UNKNOWN_DIGIT) !== -1;
  return isUnknown && year < lastYear && year <= latest
    ? { year, lastYear, certainty: "approximate" }
    : undefined;
}

const UNKNOWN_DIGITS = /(?<!\d)([12](?:\d\d(?=.)|\d(?=..)|(?=...)))[-ux?_·]{1,3}/g;

/** Parses a year whose last digits are unknown: `19--`, `199?`, `19uu`. */
function parseUnknownDigits(text: string, latest: number): PublicationDate | undefined {
  for (const [match, digits = ""] of text.matchAll(UNKNOWN_DIGITS)) {
    if (match.length < 4) continue;
    const years = 10 ** (4 - digits.length);
    return spanOf(Number(digits) * years, years, latest);
  }
  return undefined;
}

const YEARS = /((?:[©℗]|\([cp]\)|(?<!\p{L})(?:[cp](?=\d)|cop\.?|copyright)) ?)?(?<!\d)(\d{4})(?!\d)/gu;
const TO = /^[\]?年) ]*(?:[-/~〜]|(?:or|and|to|ou|et|a|oder|und|bis)(?= ))[ [c©]*$/;
const LAST_DIGITS = /^[\]?]*([-/]| or )(\d{2})(?![\d/.-])/;

/** Parses a year or span of four-digit years. A year of publication comes before one of copyright. */
function parseYears(text: string, latest: number): PublicationDate | undefined {
  const years = Array.from(text.matchAll(YEARS), ({ 0: match, 1: mark, 2: digits, index }) => ({
    year: Number(digits),
    isCopyright: mark !== undefined,
    start: index,
    end: index + match.length,
  })).filter(({ year }) => year >= 1 && year <= latest);
  const first = years.find(({ isCopyright }) => !isCopyright) ?? years[0];
  if (first === undefined) return undefined;
  const { year, end } = first;
  const next = years[years.indexOf(first) + 1];
  const isSpan = next !== undefined && TO.test(text.slice(end, next.start));
  const lastYear = isSpan ? next.year : completeYear(year, text.slice(end));
  return lastYear > year && lastYear <= latest ? { year, lastYear } : { year };
}

/** Returns the last year of a span such as `1998-99`, of which `rest` is the end; 0 if there is none. */
function completeYear(year: number, rest: string): number {
  const [, separator, digits] = LAST_DIGITS.exec(rest) ?? [];
  const last = year - (year % 100) + Number(digits ?? Number.NaN);
  const isNextCentury = separator === "/" && last + 100 === year + 1;
  return isNextCentury ? last + 100 : last;
}

const ROMAN_TEXT = /(?<!\p{L})m(?:[. ]{0,2}[mdclxvij])+(?!\p{L})/gu;
const ROMAN = /^m{1,2}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})$/;
const ROMAN_VALUES: Readonly<Record<string, number>> = { m: 1000, d: 500, c: 100, l: 50, x: 10, v: 5, i: 1 };
/** First year of printing: smaller numbers are words such as `mix`. */
const ROMAN_YEAR_MIN = 1400;

function parseRoman(text: string, latest: number): PublicationDate | undefined {
  for (const [match] of text.matchAll(ROMAN_TEXT)) {
    const digits = match.replaceAll(/[. ]/g, "").replaceAll("j", "i");
    if (digits.length < 3 || !ROMAN.test(digits)) continue;
    const values = Array.from(digits, (digit) => ROMAN_VALUES[digit] ?? 0);
    const year = values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
    if (year >= ROMAN_YEAR_MIN && year <= latest) return { year };
  }
  return undefined;
}
