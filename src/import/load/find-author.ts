import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { lastWord, normalForm } from "../../catalog/matching/match-keys.ts";
import { type CatalogRecord, stringsOf, textOf } from "../../catalog/record.ts";
import { ImportFailure } from "../failure.ts";
import { type Found, type Lookup, recordOf, recordsAt } from "./found.ts";
import {
  type NameWays,
  type SearchedAuthor,
  identityWays,
  nameWays,
  remoteIdsOf,
} from "./searched-author.ts";

/** Date members of an author. */
const DATES = ["birth_date", "death_date", "date"] as const;
type DateMember = (typeof DATES)[number];

const LONE_YEAR = /(?<!\d)\d{4}(?!\d)/;
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
/** Maximum number of days in a month. */
const DAYS_MAX = 31;
/** Date formats: `1829-09-14`, `9/14/1829`, `14 September 1829`, `September 14th, 1829`. */
const DAYS = [
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/,
  /^(?<day>\d{1,2})(?:st|nd|rd|th)? (?<month>[a-z]+),? (?<year>\d{4})$/,
  /^(?<month>[a-z]+) (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/,
];

function authorDate(author: CatalogRecord, member: DateMember): string | undefined {
  const text = textOf(author[member])?.trim();
  return text === "" ? undefined : text;
}

function hasLifeDates(author: CatalogRecord): boolean {
  return authorDate(author, "birth_date") !== undefined || authorDate(author, "death_date") !== undefined;
}

/** Returns true unless the dates of an imported author contradict those of a stored one. */
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
  const year = LONE_YEAR.exec(own)?.[0];
  return year !== undefined && year === LONE_YEAR.exec(other)?.[0];
}

/** Returns year, month and day of a complete date, such as `1829 9 14`. Returns undefined for other dates. */
function dayOf(date: string): string | undefined {
  const text = date.toLowerCase();
  const parts = DAYS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const { year, month = "", day } = parts;
  const number = /^\d/.test(month) ? Number(month) : MONTHS.indexOf(month) + 1;
  // If the day does not exist in any calendar, only the year is used.
  const isDay = number >= 1 && number <= MONTHS.length && Number(day) >= 1 && Number(day) <= DAYS_MAX;
  return isDay ? `${year} ${number} ${Number(day)}` : undefined;
}

const YEAR = /\d{4}/;

const KNOWN_DATES: readonly (readonly DateMember[])[] = [["birth_date", "death_date"], ["date"]];

/**
 * Finds the author of the catalog that the record refers to. Returns undefined if there is none. Throws ImportFailure
 * `author-id-conflict` if the record has other external identifiers for the author than the catalog.
 */
export function findAuthor(searched: SearchedAuthor, found: Found): StoredForWrite | undefined {
  const named = recordOf(found, searched.key, "/type/author");
  if (named !== undefined) {
    checkRemoteIds(searched, named);
    return named;
  }
  return authorByRemoteIds(searched, found) ?? authorByName(searched, found);
}

function authorByRemoteIds(searched: SearchedAuthor, found: Found): StoredForWrite | undefined {
  const ways = identityWays(searched).filter(({ table }) => table === "property");
  const candidates = recordsAt(found, ways, "/type/author");
  const counted = candidates.map((candidate) => {
    checkRemoteIds(searched, candidate);
    const ids = new Set(remoteIdsOf(candidate.document).map(({ source, value }) => `${source} ${value}`));
    const common = searched.remoteIds.filter(({ source, value }) => ids.has(`${source} ${value}`)).length;
    return { candidate, common };
  });
  // Candidates come in order of number, so the lowest number wins a tie.
  return counted.toSorted((a, b) => b.common - a.common)[0]?.candidate;
}

function checkRemoteIds({ remoteIds }: SearchedAuthor, { key, document }: StoredForWrite): void {
  const stored = remoteIdsOf(document);
  for (const { source, value } of remoteIds) {
    const others = stored.filter((other) => other.source === source);
    if (others.length === 0 || others.some((other) => other.value === value)) continue;
    throw new ImportFailure(
      "author-id-conflict",
      `the author ${key} has another ${source} than '${value}': '${others[0]?.value ?? ""}'`,
    );
  }
}

function authorByName(searched: SearchedAuthor, found: Found): StoredForWrite | undefined {
  const named = nameWays(searched).flatMap((ways) => authorsNamed(ways, searched.author, found));
  const { author } = searched;
  const fitting = named.filter(
    ({ document }) => hasLifeDates(document) === hasLifeDates(author) && areDatesCompatible(author, document),
  );
  return bestDated(
    author,
    fitting.sort((a, b) => a.id - b.id),
  );
}

/** Returns the authors of a name, from the first rule that finds any, regardless of their dates. */
function authorsNamed(ways: NameWays, author: CatalogRecord, found: Found): StoredForWrite[] {
  const at = (lookups: readonly Lookup[]): StoredForWrite[] => recordsAt(found, lookups, "/type/author");
  const name = folded(ways.name);
  const own = at([ways.own]).filter(({ document }) => isNamed(document["name"], name));
  if (own.length > 0) return own;
  const alternate = at([ways.alternate]).filter(({ document }) =>
    stringsOf(document["alternate_names"]).some((other) => isNamed(other, name)),
  );
  return alternate.length > 0 ? alternate : at(ways.years).filter(livedAlike(author, name));
}

/**
 * Returns a filter for authors whose name ends with the last word of the name, with the author's years of birth and
 * death.
 */
function livedAlike(author: CatalogRecord, name: string): (stored: StoredForWrite) => boolean {
  const ending = ` ${lastWord(name)}`;
  const born = YEAR.exec(authorDate(author, "birth_date") ?? "")?.[0];
  const died = YEAR.exec(authorDate(author, "death_date") ?? "")?.[0];
  return ({ document }) =>
    born !== undefined &&
    died !== undefined &&
    stringsOf(document["name"]).some((other) => folded(other).endsWith(ending)) &&
    authorDate(document, "birth_date")?.includes(born) === true &&
    authorDate(document, "death_date")?.includes(died) === true;
}

/** Returns the first author for whom the same kinds of dates are known as in the record, or else the first one. */
function bestDated(author: CatalogRecord, fitting: readonly StoredForWrite[]): StoredForWrite | undefined {
  const known = KNOWN_DATES.filter((members) => has(author, members));
  const best = known.map((members) => fitting.find(({ document }) => has(document, members)));
  return best.find((one) => one !== undefined) ?? fitting[0];
}

function has(author: CatalogRecord, members: readonly DateMember[]): boolean {
  return members.every((member) => authorDate(author, member) !== undefined);
}

function isNamed(stored: unknown, name: string): boolean {
  return typeof stored === "string" && folded(stored) === name;
}

/** Normalises a name for comparison. Q339: case is ignored, accents are not. */
function folded(name: string): string {
  return normalForm(name, "NFC").toLowerCase().trim();
}
