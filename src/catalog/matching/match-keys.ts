import { stringsOf, type CatalogRecord } from "../record.ts";

/** Text below these has one form only, whatever the form. */
const MAY_CHANGE = /[\u00A0-\uFFFF]/;
/** Marks on one character that are kept: bringing more into order takes time that grows with their square. */
export const MARKS_MAX = 30;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MARKS_MAX}})\\p{M}+`, "gu");

/** The text in a Unicode normalization form. Of more than 30 marks on one character the others are dropped. */
export function normalForm(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  if (!MAY_CHANGE.test(text)) return text;
  // Q300: no language has such text, and it would hold up everything after.
  return (text.length > MARKS_MAX ? text.replace(TOO_MANY_MARKS, "$1") : text).normalize(form);
}

/** A text for comparisons in which case does not count, as far as Unicode knows of it: `STRASSE` is `straße`. */
export function caseFold(text: string): string {
  // Upper case first: it spells out what has no single lower case. Of a sigma only the place in the word decides.
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

const MARKS = /\p{M}+/gu;
const BLANKS = /\s+/g;

/** A name without accents and case, single blanks between its words: how names of languages are compared. */
export function foldedName(name: string): string {
  return normalForm(name, "NFKD").replace(MARKS, "").toLowerCase().replace(BLANKS, " ").trim();
}

/** What separates words for a comparison: blanks and the marks that catalogers set in different ways. */
const SEPARATORS = /[\s\-,;:.]+/g;

/** How titles, names and publishers are compared: composed, lower case, `and` for `&`, single blanks for separators. */
export function matchText(text: string): string {
  return normalForm(text, "NFC").replaceAll(" & ", " and ").toLowerCase().replace(SEPARATORS, " ").trim();
}

/** Without a leading `the ` or `a `, of a text that `matchText` made. */
export function withoutArticle(text: string): string {
  if (text.startsWith("the ")) return text.slice(4);
  return text.startsWith("a ") ? text.slice(2) : text;
}

/** Longest form of a whole title or name, and what is looked at of one, in UTF-16 units. */
export const WHOLE_TITLE_LENGTH = 400;
const LENGTH = 25;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Folds a title or name to the form of the derived property `normalized_title_`: accents
 * stripped, lower case, ` and ` and a leading article dropped, no blanks, 25 characters at most.
 */
export function normalizedTitle(title: string): string {
  return foldTitle(title).slice(0, LENGTH);
}

/** The same without the cut at 25 characters. */
function normalizeWholeTitle(title: string): string {
  return foldTitle(title.slice(0, WHOLE_TITLE_LENGTH)).slice(0, WHOLE_TITLE_LENGTH);
}

/** The whole form of a title that `normalizedTitle` cuts; undefined for all others. */
export function longTitle(title: string): string | undefined {
  const wholeTitle = normalizeWholeTitle(title);
  return wholeTitle.length > LENGTH ? wholeTitle : undefined;
}

function foldTitle(title: string): string {
  const plain = ASCII.test(title) ? title : normalForm(title, "NFKD").replace(MARKS, "");
  const spaced = plain
    .toLowerCase()
    .replaceAll(" and ", " ")
    .replace(/^\s*(the|a) /, "");
  return spaced.replace(/\s+/g, "");
}

/** Longest title key, in UTF-16 units: titles that agree so far are one title. */
export const WORK_TITLE_KEY_LENGTH = 1000;
/** What is looked at of a title; longer ones than any book's. */
const TITLE_LENGTH = 4 * WORK_TITLE_KEY_LENGTH;

/**
 * What the titles of one work have in common: neither case, article, ` and `, blanks and common marks
 * count, nor a remark in square brackets at the end. Empty when the title has nothing else.
 */
export function workTitleKey(title: string): string {
  const start = title.slice(0, TITLE_LENGTH);
  const remark = start.endsWith("]") ? start.lastIndexOf("[") : -1;
  const text = matchText(remark > 0 ? start.slice(0, remark) : start).replaceAll(" and ", "");
  return withoutArticle(text).replaceAll(" ", "").slice(0, WORK_TITLE_KEY_LENGTH);
}

/** The key in the index by which an edition is looked for: that of its title without what is in parentheses. */
export function editionTitleKey(title: string): string {
  const start = title.indexOf("(");
  const end = title.lastIndexOf(")");
  if (start === -1 || end < start) return normalizedTitle(title);
  const before = title.slice(0, title.charAt(start - 1) === " " ? start - 1 : start);
  return normalizedTitle(before + title.slice(end + 1));
}

/** Years of a date that are looked at: a date has one or two. */
const YEARS_MAX = 8;
/** What is looked at of a date of an author, in UTF-16 units. */
const DATE_LENGTH = 200;
const BLANK = /\s/;

/**
 * The key by which authors are found by a name: what names that differ in case, accents or blanks have
 * in common. Empty for names without a letter. It is `normalizedTitle` without its cut at 25 characters, since the names
 * of bodies, such as committees of a parliament, differ after them.
 */
export function authorNameKey(name: string): string {
  return normalizeWholeTitle(name);
}

/** True for names that the row `name` of the property index holds whole: it cuts longer ones. */
export function isShortName(name: string): boolean {
  return authorNameKey(name) === normalizedTitle(name);
}

/** Rows `alternate_names` of an author: keys of alternate names, and of a name that the row `name` cuts. */
export function authorNameRowsOf(record: CatalogRecord): string[] {
  const long = stringsOf(record["name"]).filter((name) => !isShortName(name));
  const keys = [...long, ...stringsOf(record["alternate_names"])].map(authorNameKey);
  return [...new Set(keys)].filter((key) => key !== "");
}

/** Rows of the property index by which authors are found who share a name with this one. */
export function sameNameRows(record: CatalogRecord): (readonly ["name" | "alternate_names", string])[] {
  const names = [...stringsOf(record["name"]), ...stringsOf(record["alternate_names"])];
  const keys = [...new Set(names.map(authorNameKey))].filter((key) => key !== "");
  return keys.flatMap((key) => {
    const other = ["alternate_names", key] as const;
    return isShortName(key) ? [["name", key] as const, other] : [other];
  });
}

/** Keys of an author by last word, birth and death: `brewer 1829 1910`. None without a name or both years. */
export function authorYearsKeys(record: CatalogRecord): string[] {
  const word = authorNameKey(lastWord(memberTextOf(record, "name")));
  if (word === "") return [];
  const deaths = yearsOf(memberTextOf(record, "death_date"));
  const births = yearsOf(memberTextOf(record, "birth_date"));
  return births.flatMap((birth) => deaths.map((death) => `${word} ${birth} ${death}`));
}

/** The last word of a name; empty for an empty name. */
export function lastWord(name: string): string {
  const trimmed = name.trim();
  // From the end: a search for the last word from the start takes time with the square of the length of others.
  let start = trimmed.length;
  while (start > 0 && !BLANK.test(trimmed.charAt(start - 1))) start -= 1;
  return trimmed.slice(start);
}

/** All that reads as a year of four digits in a date: `18290914` has 1829, and others that harm nobody. */
function yearsOf(date: string): string[] {
  const years = [...date.slice(0, DATE_LENGTH).matchAll(/(?=(\d{4}))/g)].map(([, year = ""]) => year);
  return [...new Set(years)].slice(0, YEARS_MAX);
}

function memberTextOf(record: CatalogRecord, member: string): string {
  return stringsOf(record[member])[0] ?? "";
}
