import { type CatalogRecord, textOf } from "../../catalog/record.ts";

/** The members of an author that say when. */
const DATES = ["birth_date", "death_date", "date"] as const;
/** One of them. */
export type DateMember = (typeof DATES)[number];

const YEAR = /(?<!\d)\d{4}(?!\d)/;
const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const ISO_DAY = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const SLASHED_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)? ([a-z]+),? (\d{4})$/;
const MONTH_FIRST = /^([a-z]+) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/;

/** A date of an author; undefined when he has none. */
export function authorDate(author: CatalogRecord, member: DateMember): string | undefined {
  const text = textOf(author[member])?.trim();
  return text === "" ? undefined : text;
}

/** Whether it is known when the author was born or died. */
export function hasLifeDates(author: CatalogRecord): boolean {
  return authorDate(author, "birth_date") !== undefined || authorDate(author, "death_date") !== undefined;
}

/** True unless the dates of an author to be imported and of a stored one contradict each other (import.md 17.2). */
export function areDatesCompatible(author: CatalogRecord, stored: CatalogRecord): boolean {
  return DATES.every((member) => {
    const [own, other] = [authorDate(author, member), authorDate(stored, member)];
    return own === undefined || other === undefined || isSameDate(own, other);
  });
}

function isSameDate(own: string, other: string): boolean {
  if (own.startsWith(other) || other.startsWith(own)) return true;
  const [day, otherDay] = [dayOf(own), dayOf(other)];
  if (day !== undefined && otherDay !== undefined) return day === otherDay;
  const year = YEAR.exec(own)?.[0];
  return year !== undefined && year === YEAR.exec(other)?.[0];
}

/** Year, month and day of a date that has all three, such as `1829 9 14`. */
function dayOf(date: string): string | undefined {
  const text = date.toLowerCase();
  const [, year, month, day] = ISO_DAY.exec(text) ?? [];
  if (year !== undefined) return `${year} ${Number(month)} ${Number(day)}`;
  const [, slashedMonth, slashedDay, slashedYear] = SLASHED_DAY.exec(text) ?? [];
  if (slashedYear !== undefined) return `${slashedYear} ${Number(slashedMonth)} ${Number(slashedDay)}`;
  const [, leadingDay, named, itsYear] = DAY_FIRST.exec(text) ?? [];
  if (named !== undefined) return dayNamed(itsYear, named, leadingDay);
  const [, leadingMonth, itsDay, yearAtEnd] = MONTH_FIRST.exec(text) ?? [];
  return leadingMonth === undefined ? undefined : dayNamed(yearAtEnd, leadingMonth, itsDay);
}

function dayNamed(year = "", month = "", day = ""): string | undefined {
  const index = MONTHS.indexOf(month);
  return index === -1 ? undefined : `${year} ${index + 1} ${Number(day)}`;
}
