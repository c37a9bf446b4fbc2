import { stringsOf, type CatalogRecord } from "../record.ts";

const MAY_CHANGE = /[\u00A0-\uFFFF]/;
/** Maximum number of combining marks kept per character: ordering them takes quadratic time. */
export const MARKS_MAX = 30;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MARKS_MAX}})\\p{M}+`, "gu");

/** Normalises a text to a Unicode form. Drops combining marks beyond `MARKS_MAX` per character. */
export function toNormalForm(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  if (!MAY_CHANGE.test(text)) return text;
  // Q300: no language has such text, and normalising it would block all other requests.
  return (text.length > MARKS_MAX ? text.replace(TOO_MANY_MARKS, "$1") : text).normalize(form);
}

/** Folds a text for case-insensitive comparison by the rules of Unicode: `STRASSE` equals `straße`. */
export function caseFold(text: string): string {
  // Upper case first, because it expands characters without a single lower case. The form of a sigma depends on its
  // position.
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

const MARKS = /\p{M}+/gu;
const BLANKS = /\s+/g;

/** Folds the name of a language for comparison: no accents, lower case, single blanks. */
export function foldLanguageName(name: string): string {
  return toNormalForm(name, "NFKD").replace(MARKS, "").toLowerCase().replace(BLANKS, " ").trim();
}

const SEPARATORS = /[\s\-,;:.]+/g;

/** Normalises a title, name or publisher for comparison: composed, lower case, `and` for `&`, single blanks. */
export function toMatchText(text: string): string {
  return toNormalForm(text, "NFC").replaceAll(" & ", " and ").toLowerCase().replace(SEPARATORS, " ").trim();
}

/** Removes a leading `the ` or `a ` from a normalised text (`toMatchText`). */
export function withoutArticle(text: string): string {
  if (text.startsWith("the ")) return text.slice(4);
  return text.startsWith("a ") ? text.slice(2) : text;
}

/** Maximum length of the complete form of a title or name, and of its source, in UTF-16 units. */
export const WHOLE_TITLE_LENGTH = 400;
const LENGTH = 25;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Normalises a title or name as in the derived property `normalized_title_`: no accents, lower case, without ` and `, a
 * leading article and blanks; at most 25 characters.
 */
export function normalizeTitle(title: string): string {
  return foldTitle(title).slice(0, LENGTH);
}

/** Normalises a title or name like `normalizeTitle`, without the limit of 25 characters. */
function normalizeWholeTitle(title: string): string {
  return foldTitle(title.slice(0, WHOLE_TITLE_LENGTH)).slice(0, WHOLE_TITLE_LENGTH);
}

/** Returns the complete form of a title that `normalizeTitle` cuts. Returns undefined for all others. */
export function longTitleOf(title: string): string | undefined {
  const wholeTitle = normalizeWholeTitle(title);
  return wholeTitle.length > LENGTH ? wholeTitle : undefined;
}

function foldTitle(title: string): string {
  const plain = ASCII.test(title) ? title : toNormalForm(title, "NFKD").replace(MARKS, "");
  const spaced = plain
    .toLowerCase()
    .replaceAll(" and ", " ")
    .replace(/^\s*(the|a) /, "");
  return spaced.replace(/\s+/g, "");
}

/** Maximum length of a title key, in UTF-16 units: titles equal up to this length count as one. */
export const WORK_TITLE_KEY_LENGTH = 1000;
/** Maximum number of UTF-16 units of a title that are used, longer than any real title. */
const TITLE_LENGTH = 4 * WORK_TITLE_KEY_LENGTH;

/**
 * Returns the key that titles of one work share. Ignores case, articles, ` and `, blanks, common punctuation, and a
 * note in square brackets at the end: `The Cat in the Hat [large print]` is `catinthehat`. Empty if nothing else is
 * left.
 */
export function workTitleKeyOf(title: string): string {
  const start = title.slice(0, TITLE_LENGTH);
  const remark = start.endsWith("]") ? start.lastIndexOf("[") : -1;
  const text = toMatchText(remark > 0 ? start.slice(0, remark) : start).replaceAll(" and ", "");
  return withoutArticle(text).replaceAll(" ", "").slice(0, WORK_TITLE_KEY_LENGTH);
}

/**
 * Returns the index key by which an edition is searched: that of its title without the part in parentheses. `The Hobbit
 * (Illustrated)` is `hobbit`.
 */
export function editionTitleKeyOf(title: string): string {
  const start = title.indexOf("(");
  const end = title.lastIndexOf(")");
  if (start === -1 || end < start) return normalizeTitle(title);
  const before = title.slice(0, title.charAt(start - 1) === " " ? start - 1 : start);
  return normalizeTitle(before + title.slice(end + 1));
}

/** Note in brackets, such as `(Series Book 4)`. */
const NOTE = /[([][^()[\]]*[)\]]/g;
const OTHER_THAN_END = /[^\s.,]/;
const SUBTITLE = /[:;]\s|\s[\p{Pd}/=|]\s|\u2014/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Returns shorter forms of a title, the longest first: without notes at its end, and without its subtitle (Q655). */
export function shortTitlesOf(title: string): string[] {
  const whole = title.trim();
  if (whole.length > WHOLE_TITLE_LENGTH) return [];
  const withoutNotes = removeFinalNotes(whole);
  const [main = ""] = withoutNotes.split(SUBTITLE, 1);
  const forms = new Set([withoutNotes, removeFinalNotes(main).trim()]);
  return [...forms].filter((form) => form !== whole && LETTER_OR_DIGIT.test(form));
}

/** Removes notes at the end of a title, and the blanks, dots and commas after them. */
export function removeFinalNotes(title: string): string {
  let end = title.length;
  for (const note of [...title.matchAll(NOTE)].toReversed()) {
    const between = title.slice(note.index + note[0].length, end);
    if (end === title.length ? OTHER_THAN_END.test(between) : between.trim() !== "") break;
    end = note.index;
  }
  return end === title.length ? title : title.slice(0, end).trimEnd();
}

/** Maximum number of years read from a date, which has one or two. */
const YEARS_MAX = 8;
/** Maximum number of UTF-16 units of an author's date that are used. */
const DATE_LENGTH = 200;
const BLANK = /\s/;

/**
 * Returns the key by which authors are found by name, which names that differ in case, accents or blanks share:
 * `Brontë, Charlotte` is `bronte,charlotte`. Empty for names without letters. Unlike `normalizeTitle` it is not cut at
 * 25 characters, because the names of corporate bodies, such as committees of a parliament, differ later.
 */
export function authorNameKeyOf(name: string): string {
  return normalizeWholeTitle(name);
}

/** Returns true for names that the row `name` of the property index holds completely: it cuts longer ones. */
export function isShortName(name: string): boolean {
  return authorNameKeyOf(name) === normalizeTitle(name);
}

/** Returns the rows `alternate_names`: keys of alternate names, and of a name that the row `name` cuts. */
export function authorNameRowsOf(record: CatalogRecord): string[] {
  const long = stringsOf(record["name"]).filter((name) => !isShortName(name));
  const keys = [...long, ...stringsOf(record["alternate_names"])].map(authorNameKeyOf);
  return [...new Set(keys)].filter((key) => key !== "");
}

/** Returns rows of the property index by which authors with one of these names are found. */
export function sameNameRowsOf(record: CatalogRecord): (readonly ["name" | "alternate_names", string])[] {
  const names = [...stringsOf(record["name"]), ...stringsOf(record["alternate_names"])];
  const keys = [...new Set(names.map(authorNameKeyOf))].filter((key) => key !== "");
  return keys.flatMap((key) => {
    const other = ["alternate_names", key] as const;
    return isShortName(key) ? [["name", key] as const, other] : [other];
  });
}

/** Returns keys of an author by last word, birth and death: `brewer 1829 1910`. Empty without a name or both years. */
export function authorYearsKeysOf(record: CatalogRecord): string[] {
  const word = authorNameKeyOf(lastWord(memberTextOf(record, "name")));
  if (word === "") return [];
  const deaths = yearsOf(memberTextOf(record, "death_date"));
  const births = yearsOf(memberTextOf(record, "birth_date"));
  return births.flatMap((birth) => deaths.map((death) => `${word} ${birth} ${death}`));
}

/** Returns the last word of a name; empty for an empty name. */
export function lastWord(name: string): string {
  const trimmed = name.trim();
  // Searches from the end, because a regular expression from the start takes quadratic time.
  let start = trimmed.length;
  while (start > 0 && !BLANK.test(trimmed.charAt(start - 1))) start -= 1;
  return trimmed.slice(start);
}

/** Returns all four-digit sequences of a date: `18290914` contains 1829. Wrong ones do no harm. */
function yearsOf(date: string): string[] {
  const years = [...date.slice(0, DATE_LENGTH).matchAll(/(?=(\d{4}))/g)].map(([, year = ""]) => year);
  return [...new Set(years)].slice(0, YEARS_MAX);
}

function memberTextOf(record: CatalogRecord, member: string): string {
  return stringsOf(record[member])[0] ?? "";
}
