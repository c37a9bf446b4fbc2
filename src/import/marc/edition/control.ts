import { values } from "./access.ts";
import type { MarcFields } from "./fields.ts";
import { languages, translatedFrom } from "./languages.ts";
import { type Members, put } from "./members.ts";
import { trimmer, withoutNumberDot } from "./text.ts";

const YEAR = /^\d+u*$/;
const YEAR_DIGITS = 4;
const NO_YEARS = new Set(["0000", "9999"]);
const NO_COUNTRIES = new Set(["|||", "   ", "\u0001\u0001\u0001", "???"]);
const BRACKETS = trimmer("[]");
const NO_DATE = new Set(["n.d.", "s.d."]);

/** Dates, country and languages: what the coded field 008 says, or other fields in its place (import.md 13.1). */
export function putControlMembers(members: Members, fields: MarcFields): void {
  // A byte that is no text takes one place, as it did in the record.
  const coded = fields.control("008")?.replaceAll("\uFFFD", " ");
  if (coded === undefined) put(members, "publish_date", printedDate(fields));
  else putCoded(members, fields, coded);
  put(members, "languages", languages(fields, coded?.slice(35, 38)));
  put(members, "translated_from", translatedFrom(fields));
}

function putCoded(members: Members, fields: MarcFields, coded: string): void {
  const kind = coded.charAt(6);
  const [first, second] = [coded.slice(7, 11), coded.slice(11, 15)];
  const codedYear = isYear(first) ? first : undefined;
  // A reprint has its own year first. Where it stands second, the printed date is taken, if there is one.
  const isSwapped = kind === "r" && second > first;
  const year = isSwapped || codedYear === undefined ? (printedDate(fields) ?? codedYear) : codedYear;
  put(members, "publish_date", year);
  // Q311: whatever stands there, blanks too.
  if (kind === "t") put(members, "copyright_date", second);
  const country = coded.slice(15, 18);
  if (!NO_COUNTRIES.has(country)) put(members, "publish_country", country.trim());
}

/** Q310: `19uu` is a year; so is 9998, but neither 0000 nor 9999. */
function isYear(text: string): boolean {
  return text.length === YEAR_DIGITS && YEAR.test(text) && !NO_YEARS.has(text);
}

/** Date as printed in the book: the first of all fields 260. 264 is not asked (Q312). */
function printedDate(fields: MarcFields): string | undefined {
  for (const field of fields.of("260")) {
    const [date] = values(field, "c");
    if (date !== undefined) return tidyDate(date) || undefined;
  }
  return undefined;
}

function tidyDate(text: string): string {
  const date = BRACKETS(text);
  return NO_DATE.has(date.toLowerCase()) ? "[n.d.]" : withoutNumberDot(date);
}
