import { isDigit, withoutNumberDot } from "./text.ts";

/** When an author lived: two dates, or one text that cannot be told apart. */
export interface AuthorDates {
  birth_date?: string;
  death_date?: string;
  date?: string;
}

const CENTURY_START = /^[\dl]/;
const CENTURY_END = " cent.";
const FLOURISHED = /^fl[., ]/;
const CIRCA = /ca\.(?=[^ ])/g;
const ERA = /\b(?:B\.C\.?|A\.D\.)/;
const SMALL_L = 0x6c;

/** Dates of an author out of all `$d` of a field (import.md 13.6). */
export function authorDates(texts: readonly string[]): AuthorDates {
  if (texts.length === 0) return {};
  const [only = ""] = texts;
  if (texts.length === 1 && isCentury(only)) return { date: withOnes(only) };
  for (const text of texts) {
    const dates = lifetime(text);
    if (dates) return dates;
  }
  // Q316: without a hyphen the text stays as it is: `b. 1940` is no date of birth.
  const date = withOnes(texts.map(withoutNumberDot).join(" "));
  return date === "" ? {} : { date };
}

/** `4th/5th cent.`; not `4th-5th cent.`, which a hyphen divides. */
function isCentury(text: string): boolean {
  const start = text.length - CENTURY_END.length;
  if (start < 2 || !text.endsWith(CENTURY_END) || !CENTURY_START.test(text)) return false;
  return !text.slice(1, start).includes("-");
}

/** Dates on both sides of a hyphen; undefined where there is none, or where only activity is dated. */
function lifetime(text: string): AuthorDates | undefined {
  if (FLOURISHED.test(text)) return undefined;
  const [before = "", after, ...more] = withoutNumberDot(text).replace(CIRCA, "ca. ").split("-");
  if (after === undefined) return undefined;
  const birth = before.trim();
  const death = more.length === 0 ? after.trim() : "";
  const era = ERA.test(birth) ? undefined : ERA.exec(death)?.[0];
  const dates: AuthorDates = {};
  if (birth !== "") dates.birth_date = withOnes(era === undefined ? birth : `${birth} ${era}`);
  if (death !== "") dates.death_date = withOnes(death);
  return dates;
}

/** Typewriters had no figure one: a small L beside a digit is meant as one. */
function withOnes(text: string): string {
  if (!text.includes("l")) return text;
  let fixed = "";
  for (let index = 0; index < text.length; index += 1) {
    const isOne =
      text.charCodeAt(index) === SMALL_L &&
      (isDigit(text.charCodeAt(index - 1)) || isDigit(text.charCodeAt(index + 1)));
    fixed += isOne ? "1" : text.charAt(index);
  }
  return fixed;
}
