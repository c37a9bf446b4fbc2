import { isBlankMember } from "../../catalog/editing/members.ts";
import { normalizeNumber } from "../../catalog/identifiers/edition-identifiers.ts";
import { caseFold, workTitleKeyOf } from "../../catalog/matching/match-keys.ts";
import {
  type CatalogRecord,
  type Json,
  isObject,
  keyOf,
  stringsOf,
  textOf,
  omitMembers,
} from "../../catalog/record.ts";
import { type Snapshot, referencedAuthorKeys, snapshotAuthorsOf, recordOf } from "./snapshot.ts";
import { OWN_MEMBERS } from "../../catalog/types.ts";
import { type ImportRecord, isFalsy } from "../record.ts";
import type { ImportWarning } from "../warning.ts";
import { appendMissing, importedLanguageKeys, pickPresent, toTextObject } from "./members.ts";
import { COVER_TO_COME, firstCoverOf } from "./decision.ts";
import { LANGUAGE_MEMBERS } from "./normalize.ts";
import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { resolveAuthors } from "./resolve-authors.ts";

/** Members that control the import, or that are stored in another form. */
const NOT_STORED = [...OWN_MEMBERS, "authors", "cover", "openlibrary"];
const TEXT_OBJECT_MEMBERS = ["description", "notes", "first_sentence"];

/** Returns the members of an edition from a record, except its authors. Members without a rule are copied unchanged. */
export function toEditionMembers({ record, snapshot, warnings }: Enrichment): CatalogRecord {
  const texts = TEXT_OBJECT_MEMBERS.map((name) => [name, toTextObject(record[name])] as const);
  const named = LANGUAGE_MEMBERS.map((name) => {
    const keys = importedLanguageKeys([name, record[name]], snapshot.languages, warnings);
    return [name, keys.map((key) => ({ key }))] as const;
  });
  const { identifiers } = record;
  const numbers = isObject(identifiers) ? pickPresent(identifiers) : undefined;
  return pickPresent({
    ...omitMembers(record, ...NOT_STORED),
    ...Object.fromEntries([...texts, ...named]),
    publish_date: publishDateOf(record),
    table_of_contents: toTypedElements(record["table_of_contents"], "/type/toc_item"),
    links: toTypedElements(record["links"], "/type/link"),
    identifiers: isFalsy(numbers) ? undefined : numbers,
  });
}

/** Returns the date of publication as text. Some catalogs use numbers for years. */
function publishDateOf({ publish_date: date }: ImportRecord): Json | undefined {
  return typeof date === "number" ? String(date) : date;
}

/** Adds the type to objects and bare titles. The record store rejects values that are not lists. */
function toTypedElements(values: Json | undefined, type: string): Json | undefined {
  if (!Array.isArray(values)) return values;
  return values.map((value) => {
    if (typeof value === "string") return { type: { key: type }, title: value };
    return isObject(value) ? { ...withTexts(value), type: { key: type } } : value;
  });
}

/** Texts of links and of rows of a table of contents that programs write as numbers too. */
const ELEMENT_TEXTS: ReadonlySet<string> = new Set(["label", "title", "pagenum"]);

function withTexts(element: CatalogRecord): CatalogRecord {
  const members = Object.entries(element).map(([name, value = null]): [string, Json] => [
    name,
    typeof value === "number" && ELEMENT_TEXTS.has(name) ? String(value) : value,
  ]);
  return Object.fromEntries(members);
}

const APPENDED = ["local_id", "lccn", "lc_classifications", "oclc_numbers", "source_records"];
const FILLED_IF_BLANK: readonly (readonly [
  name: string,
  valueIn: (record: ImportRecord) => Json | undefined,
])[] = [
  ["ocaid", ({ ocaid }) => ocaid],
  ["description", ({ description }) => toTextObject(description)],
  ["number_of_pages", ({ number_of_pages: pages }) => pages || undefined],
  ["publishers", ({ publishers }) => publishers],
  ["publish_date", publishDateOf],
];

export interface Enrichment {
  readonly record: ImportRecord;
  readonly snapshot: Snapshot;
  readonly cover: string | undefined;
  /** List to which the decision adds. */
  readonly warnings: ImportWarning[];
}

/** Returns the changed members of an edition when a record of the same book is imported; `work` is the edition's. */
export function enrichEdition(
  edition: CatalogRecord,
  { record, snapshot, cover, warnings }: Enrichment,
  work: CatalogRecord = {},
): CatalogRecord {
  const languages = importedLanguageKeys(["languages", record["languages"]], snapshot.languages, warnings);
  // Q779: an export has the description of the work.
  const isOfWork = isSameText(record["description"], work["description"]);
  const changes: [string, Json | undefined][] = [
    ["authors", resolveRedirects(edition["authors"], snapshot)],
    [
      "covers",
      cover !== undefined && firstCoverOf(edition["covers"]) === undefined ? [COVER_TO_COME] : undefined,
    ],
    ...APPENDED.map((name): [string, Json | undefined] => [
      name,
      appendMissing(edition[name], record[name], (text) => caseFold(normalizeNumber(name, text))),
    ]),
    ["languages", withLanguages(edition["languages"], languages)],
    ...FILLED_IF_BLANK.map(([name, valueIn]): [string, Json | undefined] => [
      name,
      isBlankMember(edition[name]) && !(isOfWork && name === "description") ? valueIn(record) : undefined,
    ]),
    ["identifiers", withIdentifiers(edition["identifiers"], record["identifiers"])],
  ];
  return Object.fromEntries(changes.filter(([, value]) => !isBlankMember(value)));
}

/** Compares texts without blanks, because MARC has no lines and splits long texts. */
function isSameText(value: Json | undefined, other: Json | undefined): boolean {
  const [text, otherText] = [value, other].map((each) =>
    (textOf(toTextObject(each)) ?? "").normalize("NFC").replaceAll(/\s+/g, ""),
  );
  return text !== "" && text === otherText;
}

/**
 * Returns the author references with redirects resolved. Deleted authors are removed too, because a changed record must
 * not refer to them. Returns undefined if there are no redirects.
 */
function resolveRedirects(authors: Json | undefined, snapshot: Snapshot): Json[] | undefined {
  if (!Array.isArray(authors)) return undefined;
  const isReplaced = authors.some((author) => {
    const target = recordOf(snapshot, keyOf(author), "/type/author");
    return target !== undefined && target.key !== keyOf(author);
  });
  return isReplaced ? snapshotAuthorsOf(snapshot, authors).map(({ key }) => ({ key })) : undefined;
}

function withLanguages(languages: Json | undefined, keys: readonly string[]): Json[] | undefined {
  const stored = Array.isArray(languages) ? languages : [];
  const known = new Set(stored.map((language) => keyOf(language)));
  const newKeys = keys.filter((key) => !known.has(key)).map((key) => ({ key }));
  return newKeys.length === 0 ? undefined : [...stored, ...newKeys];
}

/** Merges the external identifiers, those of the edition first. Returns undefined if there are no new ones. */
function withIdentifiers(stored: Json | undefined, values: Json | undefined): Json | undefined {
  if (!isObject(values)) return undefined;
  const all = isObject(stored) ? stored : {};
  const added = Object.entries(values).flatMap(([name, value]): [string, Json][] => {
    const before = Object.hasOwn(all, name) ? all[name] : undefined;
    const list = appendMissing(before, stringsOf(value), (text) => normalizeNumber(name, text));
    return list === undefined ? [] : [[name, list]];
  });
  return added.length === 0 ? undefined : { ...all, ...Object.fromEntries(added) };
}

export const SUBJECTS = ["subjects", "subject_places", "subject_times", "subject_people"] as const;

export interface WorkAuthor {
  readonly key: string;
  readonly role: string | undefined;
}

/** Builds the work of an edition that has none; `covers` are the edition's. */
export function buildImportedWork(
  record: ImportRecord,
  { authors, covers }: { authors: readonly WorkAuthor[]; covers: Json | undefined },
): CatalogRecord {
  const about = SUBJECTS.map((name): [string, Json | undefined] => [name, record[name]]);
  return pickPresent({
    type: { key: "/type/work" },
    title: record["title"],
    title_article: record["title_article"],
    authors: toAuthorRoles(authors),
    ...Object.fromEntries(about),
    // Deduplicated, as a repeated import would do.
    subjects: appendMissing([], record["subjects"]),
    description: toTextObject(record["description"]),
    covers,
  });
}

function toAuthorRoles(authors: readonly WorkAuthor[]): Json[] {
  return authors.map(({ key, role }) =>
    pickPresent({ type: { key: "/type/author_role" }, author: { key }, role }),
  );
}

/** Returns the changed members of a work; `edition` is in its new state. */
export function enrichWork(
  work: CatalogRecord,
  { record, edition, snapshot }: { record: ImportRecord; edition: CatalogRecord; snapshot: Snapshot },
): CatalogRecord {
  const { covers } = edition;
  // The edition may be about to get its first cover.
  const isToCome = Array.isArray(covers) && covers[0] === COVER_TO_COME;
  const cover = isToCome ? COVER_TO_COME : firstCoverOf(covers);
  const changes: [string, Json | undefined][] = [
    ["subjects", mergeSubjects(work["subjects"], record["subjects"])],
    ["covers", cover !== undefined && firstCoverOf(work["covers"]) === undefined ? [cover] : undefined],
    ["description", isBlankMember(work["description"]) ? toTextObject(edition["description"]) : undefined],
    ["authors", isBlankMember(work["authors"]) ? knownAuthorRoles(record, snapshot) : undefined],
  ];
  return Object.fromEntries(changes.filter(([, value]) => !isBlankMember(value)));
}

/** Merges subjects in their first spelling. Returns undefined if nothing changes. */
function mergeSubjects(stored: Json | undefined, values: Json | undefined): Json[] | undefined {
  const added = stringsOf(values).filter((subject) => subject.trim() !== "");
  if (added.length === 0) return undefined;
  const before = stringsOf(stored);
  const bySpelling = new Map<string, string>();
  for (const subject of [...before, ...added]) {
    const key = caseFold(subject);
    if (!bySpelling.has(key)) bySpelling.set(key, subject);
  }
  const isSame =
    bySpelling.size === before.length && [...bySpelling.values()].every((s, i) => s === before[i]);
  return isSame ? undefined : [...bySpelling.values()];
}

/** Returns the roles of authors that the catalog has: an existing book does not create new authors. */
function knownAuthorRoles(record: ImportRecord, snapshot: Snapshot): Json[] {
  const known = resolveAuthors(record, snapshot).flatMap((author) =>
    "stored" in author ? [{ key: author.stored.key, role: author.role }] : [],
  );
  return toAuthorRoles(known);
}

/** Finds the work with the record's title by one of these authors: the first author's, with the lowest number. */
export function findWork(
  { title }: ImportRecord,
  authors: readonly string[],
  snapshot: Snapshot,
): StoredForWrite | undefined {
  const key = workTitleKeyOf(stringsOf(title)[0] ?? "");
  if (key === "") return undefined;
  for (const author of authors) {
    for (const workKey of snapshot.worksOf.get(author) ?? []) {
      const work = recordOf(snapshot, workKey, "/type/work");
      if (work === undefined || !isBy(work, author, snapshot)) continue;
      const { title: stored } = work.document;
      if (typeof stored === "string" && workTitleKeyOf(stored) === key) return work;
    }
  }
  return undefined;
}

function isBy({ document }: StoredForWrite, author: string, snapshot: Snapshot): boolean {
  return referencedAuthorKeys(document["authors"]).some(
    (key) => key === author || recordOf(snapshot, key, "/type/author")?.key === author,
  );
}
