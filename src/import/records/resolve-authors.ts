import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { authorNumbersOf } from "../../catalog/identifiers/author-numbers.ts";
import { lastWord, toNormalForm } from "../../catalog/matching/match-keys.ts";
import { type CatalogRecord, type Json, stringsOf, textOf, omitMembers } from "../../catalog/record.ts";
import { ImportFailure } from "../failure.ts";
import { type Snapshot, type RecordLookup, recordOf, findRecords } from "./snapshot.ts";
import {
  type NameLookups,
  type ParsedAuthor,
  identityLookups,
  nameLookups,
  parseAuthors,
  spellingLookups,
} from "./author-lookups.ts";
import { type ImportRecord, isFalsy } from "../record.ts";
import { pickPresent } from "./members.ts";

const DATES = ["birth_date", "death_date", "date"] as const;
type DateMember = (typeof DATES)[number];

const LONE_YEAR = /(?<!\d)\d{4}(?!\d)/;
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const DAYS_MAX = 31;
/** Date formats: `1829-09-14`, `9/14/1829`, `14 September 1829`, `September 14th, 1829`. */
const DAYS = [
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/,
  /^(?<day>\d{1,2})(?:st|nd|rd|th)? (?<month>[a-z]+),? (?<year>\d{4})$/,
  /^(?<month>[a-z]+) (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/,
];

function authorDateOf(author: CatalogRecord, member: DateMember): string | undefined {
  const text = textOf(author[member])?.trim();
  return text === "" ? undefined : text;
}

function hasLifeDates(author: CatalogRecord): boolean {
  return authorDateOf(author, "birth_date") !== undefined || authorDateOf(author, "death_date") !== undefined;
}

/** Returns true unless the dates of an imported author contradict those of a stored one. */
export function areDatesCompatible(author: CatalogRecord, stored: CatalogRecord): boolean {
  return DATES.every((member) => {
    const [imported, other] = [authorDateOf(author, member), authorDateOf(stored, member)];
    return imported === undefined || other === undefined || isSameDate(imported, other);
  });
}

function isSameDate(imported: string, other: string): boolean {
  if (imported.startsWith(other) || other.startsWith(imported)) return true;
  const [day, otherDay] = [dayOf(imported), dayOf(other)];
  if (day !== undefined && otherDay !== undefined) return day === otherDay;
  const year = LONE_YEAR.exec(imported)?.[0];
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
export function findAuthor(parsed: ParsedAuthor, snapshot: Snapshot): StoredForWrite | undefined {
  const named = recordOf(snapshot, parsed.key, "/type/author");
  if (named !== undefined) {
    checkRemoteIds(parsed, named);
    return named;
  }
  return findAuthorByRemoteIds(parsed, snapshot) ?? findAuthorByName(parsed, snapshot);
}

function findAuthorByRemoteIds(parsed: ParsedAuthor, snapshot: Snapshot): StoredForWrite | undefined {
  const lookups = [...identityLookups(parsed), ...spellingLookups(parsed)].filter(
    ({ table }) => table === "property",
  );
  const candidates = findRecords(snapshot, lookups, "/type/author");
  const counted = candidates.map((candidate) => {
    checkRemoteIds(parsed, candidate);
    const ids = new Set(
      authorNumbersOf(candidate.document["remote_ids"]).map(({ scheme, value }) => `${scheme} ${value}`),
    );
    const common = parsed.remoteIds.filter(({ scheme, value }) => ids.has(`${scheme} ${value}`)).length;
    return { candidate, common };
  });
  // Candidates come in order of number, so the lowest number wins a tie.
  return counted.toSorted((a, b) => b.common - a.common)[0]?.candidate;
}

function checkRemoteIds({ remoteIds }: ParsedAuthor, { key, document }: StoredForWrite): void {
  const stored = authorNumbersOf(document["remote_ids"]);
  for (const { scheme, value } of remoteIds) {
    const others = stored.filter((other) => other.scheme === scheme);
    if (others.length === 0 || others.some((other) => other.value === value)) continue;
    const values = { key, scheme, value, stored: others[0]?.value ?? "" };
    throw new ImportFailure("author-id-conflict", { key: "not_imported.author_number", values });
  }
}

function findAuthorByName(parsed: ParsedAuthor, snapshot: Snapshot): StoredForWrite | undefined {
  const named = nameLookups(parsed).flatMap((lookups) => findNamedAuthors(lookups, parsed.author, snapshot));
  const { author } = parsed;
  const fitting = named.filter(
    ({ document }) => hasLifeDates(document) === hasLifeDates(author) && areDatesCompatible(author, document),
  );
  return pickBestDated(
    author,
    fitting.sort((a, b) => a.id - b.id),
  );
}

/** Returns the authors of a name, from the first rule that finds any, regardless of their dates. */
function findNamedAuthors(lookups: NameLookups, author: CatalogRecord, snapshot: Snapshot): StoredForWrite[] {
  const at = (group: readonly RecordLookup[]): StoredForWrite[] =>
    findRecords(snapshot, group, "/type/author");
  const name = foldName(lookups.name);
  const exact = at([lookups.exact]).filter(({ document }) => isNamed(document["name"], name));
  if (exact.length > 0) return exact;
  const alternate = at([lookups.alternate]).filter(({ document }) =>
    stringsOf(document["alternate_names"]).some((other) => isNamed(other, name)),
  );
  return alternate.length > 0 ? alternate : at(lookups.years).filter(hasSameLifeYears(author, name));
}

/** Returns a filter for authors with the last word of the name and the same years of birth and death. */
function hasSameLifeYears(author: CatalogRecord, name: string): (stored: StoredForWrite) => boolean {
  const ending = ` ${lastWord(name)}`;
  const born = YEAR.exec(authorDateOf(author, "birth_date") ?? "")?.[0];
  const died = YEAR.exec(authorDateOf(author, "death_date") ?? "")?.[0];
  return ({ document }) =>
    born !== undefined &&
    died !== undefined &&
    stringsOf(document["name"]).some((other) => foldName(other).endsWith(ending)) &&
    authorDateOf(document, "birth_date")?.includes(born) === true &&
    authorDateOf(document, "death_date")?.includes(died) === true;
}

/** Returns the first author for whom the same kinds of dates are known as in the record, or else the first one. */
function pickBestDated(
  author: CatalogRecord,
  fitting: readonly StoredForWrite[],
): StoredForWrite | undefined {
  const known = KNOWN_DATES.filter((members) => hasDates(author, members));
  const best = known.map((members) => fitting.find(({ document }) => hasDates(document, members)));
  return best.find((candidate) => candidate !== undefined) ?? fitting[0];
}

function hasDates(author: CatalogRecord, members: readonly DateMember[]): boolean {
  return members.every((member) => authorDateOf(author, member) !== undefined);
}

function isNamed(stored: unknown, name: string): boolean {
  return typeof stored === "string" && foldName(stored) === name;
}

/** Normalises a name for comparison. Q339: case is ignored, accents are not. */
function foldName(name: string): string {
  return toNormalForm(name, "NFC").toLowerCase().trim();
}

const AUTHOR_MEMBERS = [
  "name",
  "title",
  "personal_name",
  "birth_date",
  "death_date",
  "date",
  "remote_ids",
  "entity_type",
  "alternate_names",
];

function buildAuthor(author: CatalogRecord, importSource: string): CatalogRecord {
  const members = AUTHOR_MEMBERS.map((name): [string, Json | undefined] => [name, author[name]]);
  const record = pickPresent({
    type: { key: "/type/author" },
    ...Object.fromEntries(members),
    source_records: [importSource],
  });
  return isFalsy(record["remote_ids"]) ? omitMembers(record, "remote_ids") : record;
}

/** Author of a record: an author of the catalog, or a new one. */
export type ResolvedAuthor = { readonly role: string | undefined } & (
  | { readonly stored: StoredForWrite }
  | { readonly created: CatalogRecord }
);

export function resolveAuthors(record: ImportRecord, snapshot: Snapshot): ResolvedAuthor[] {
  const [source = ""] = stringsOf(record["source_records"]);
  const resolved = new Map<string, ResolvedAuthor>();
  for (const parsed of parseAuthors(record)) {
    const { author, role } = parsed;
    const stored = findAuthor(parsed, snapshot);
    const created = stored === undefined ? buildAuthor(author, source) : undefined;
    const name = stored?.key ?? JSON.stringify(created);
    const earlier = resolved.get(name);
    if (earlier?.role !== undefined) continue;
    if (stored !== undefined) resolved.set(name, { stored, role });
    else if (created !== undefined) resolved.set(name, { created, role });
  }
  return [...resolved.values()];
}
