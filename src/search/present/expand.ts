import type { Json } from "../../catalog/record.ts";
import {
  type Getter,
  type Getters,
  authorFacetsOf,
  copyGetters,
  COUNT_GETTERS,
  SUBJECT_GETTERS,
  subjectSeedsOf,
  toJsonList,
} from "../documents/derived.ts";
import type { IdentifierFields } from "../documents/identifiers.ts";
import {
  ACCESS_POINTS,
  DISCOVERY_POINTS,
  EVALUATION_POINTS,
  USEFULNESS_POINTS,
} from "../documents/scorecard.ts";
import type {
  EditionScores,
  StoredAuthor,
  StoredEdition,
  StoredList,
  StoredSubject,
  StoredWork,
} from "../documents/types.ts";
import type { Document } from "../engine.ts";
import { type FieldName, type HiddenField, FIELDS, findFieldsWith } from "../fields.ts";
import { sortDistinct } from "../text/collation.ts";
import { type FieldTest, ALL_FIELDS, DEFAULT_FIELDS, fieldTestOf, HIDDEN_FIELDS } from "./selected-fields.ts";

const HOURS_PER_DAY = 24;
const DAYS_PER_WEEK = 7;
const PERCENT = 100;

type StoredBook = StoredWork | StoredEdition;

const BOOK_GETTERS: Getters<StoredBook> = {
  ...copyGetters<StoredBook>(["type", ...dropHidden(findFieldsWith({ of: "both" }))]),
  author_facet: ({ author_key: keys, author_name: names }) => authorFacetsOf(keys, names),
  publisher_facet: ({ publisher }) => sortDistinct(publisher ?? []),
  title_suggest: ({ title }) => title,
};

const WORK_FIELDS = sortGetters<StoredWork>({
  ...BOOK_GETTERS,
  ...SUBJECT_GETTERS,
  ...COUNT_GETTERS,
  ...copyGetters<StoredWork>(dropHidden(findFieldsWith({ of: "work" }))),
  seed: seedsOf,
  trending_score_hourly_sum: ({ trending }) => trending.hourlySum,
  trending_z_score: ({ trending }) => trending.zScore,
  ...slotGettersOf("trending_score_hourly", HOURS_PER_DAY, (work) => work.trending.slots?.hourly),
  ...slotGettersOf("trending_score_daily", DAYS_PER_WEEK, (work) => work.trending.slots?.daily),
});

const EDITION_FIELDS = sortGetters<StoredEdition>({
  ...BOOK_GETTERS,
  ...copyGetters<StoredEdition>(findFieldsWith({ of: "edition" })),
  ...scoreGettersOf("access", ACCESS_POINTS, ({ access }) => access),
  ...scoreGettersOf("discovery", DISCOVERY_POINTS, ({ discovery }) => discovery),
  ...scoreGettersOf("evaluation", EVALUATION_POINTS, ({ evaluation }) => evaluation),
  ...scoreGettersOf(
    "usefulness",
    USEFULNESS_POINTS,
    (scores) => scores.access + scores.discovery + scores.evaluation,
  ),
});

const AUTHOR_FIELDS = sortGetters<StoredAuthor>({
  ...copyGetters<StoredAuthor>([
    "alternate_names",
    "birth_date",
    "date",
    "death_date",
    "key",
    "name",
    "remote_ids",
    "top_subjects",
    "top_work",
    "type",
    "work_count",
  ]),
  ...COUNT_GETTERS,
});

const SUBJECT_FIELDS = sortGetters<StoredSubject>({
  ...copyGetters<StoredSubject>(["key", "name", "subject_type", "work_count"]),
  type: () => "subject",
});

const LIST_FIELDS = sortGetters<StoredList>({
  ...copyGetters<StoredList>(["key", "last_modified", "list_type", "name", "seed", "seed_count", "type"]),
  ...SUBJECT_GETTERS,
});

/** Names of fields that every work may have, in order; `id_*` come beside them. */
export const RETURNABLE_WORK_FIELDS: readonly string[] = WORK_FIELDS.map(([name]) => name);

/** Returns a work's fields, all or those in `fields` (names and globs), in alphabetical order. */
export function expandWork(work: StoredWork, fields: readonly string[] = ALL_FIELDS): Document {
  return expandDocument(work, WORK_FIELDS, { fields, identifiers: work.identifiers });
}

/** Returns an edition in its returned form, with the points of its scorecard: all fields, or those in `fields`. */
export function expandEdition(edition: StoredEdition, fields: readonly string[] = ALL_FIELDS): Document {
  return expandDocument(edition, EDITION_FIELDS, { fields, identifiers: edition.identifiers });
}

/** Returns an author in its returned form. */
export function expandAuthor(author: StoredAuthor): Document {
  return expandDocument(author, AUTHOR_FIELDS);
}

/** Returns a subject in its returned form. */
export function expandSubject(subject: StoredSubject): Document {
  return expandDocument(subject, SUBJECT_FIELDS);
}

/** Returns a list or series in its returned form. */
export function expandList(list: StoredList): Document {
  return expandDocument(list, LIST_FIELDS);
}

function dropHidden<Name extends FieldName>(names: readonly Name[]): Exclude<Name, HiddenField>[] {
  // The filter matches the type.
  return names.filter((name) => !FIELDS.get(name)?.hidden) as Exclude<Name, HiddenField>[];
}

type OrderedGetters<Source> = readonly (readonly [name: string, get: Getter<Source>])[];

function sortGetters<Source>(getters: Getters<Source>): OrderedGetters<Source> {
  return Object.entries(getters).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Prefix of identifiers, which are inserted at its alphabetical position: no other name lies between two of theirs. */
const FIRST_IDENTIFIER = "id_";

// Q59: members come in alphabetical order.
function expandDocument<Source>(
  source: Source,
  getters: OrderedGetters<Source>,
  { fields = ALL_FIELDS, identifiers }: { fields?: readonly string[]; identifiers?: IdentifierFields } = {},
): Document {
  const test = fieldTestOf(fields);
  const document: Record<string, Json> = {};
  let awaitsIdentifiers = identifiers !== undefined;
  for (const [name, get] of selectGetters(getters, fields)) {
    if (awaitsIdentifiers && name > FIRST_IDENTIFIER) {
      addIdentifiers(document, identifiers ?? {}, test);
      awaitsIdentifiers = false;
    }
    const value = get(source);
    if (value !== undefined) document[name] = value;
  }
  if (awaitsIdentifiers) addIdentifiers(document, identifiers ?? {}, test);
  return document;
}

/** Cache of getters: the documents of a page have the same list of fields. */
const getterCache = new WeakMap<readonly string[], Map<unknown, unknown>>();

function selectGetters<Source>(
  getters: OrderedGetters<Source>,
  fields: readonly string[],
): OrderedGetters<Source> {
  const known = getterCache.get(fields) ?? new Map<unknown, unknown>();
  getterCache.set(fields, known);
  // The value was stored below, with the same getters.
  const cached = known.get(getters) as OrderedGetters<Source> | undefined;
  if (cached !== undefined) return cached;
  const test = fieldTestOf(fields);
  const selected = getters.filter(([name]) => test(name));
  known.set(getters, selected);
  return selected;
}

function addIdentifiers(document: Record<string, Json>, all: IdentifierFields, test: FieldTest): void {
  for (const [name, values] of Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const value = test(name) ? toJsonList(values) : undefined;
    if (value !== undefined) document[name] = value;
  }
}

function seedsOf(work: StoredWork): Json {
  const editions = (work.edition_key ?? []).map((olid) => `/books/${olid}`);
  const authors = (work.author_key ?? []).map((olid) => `/authors/${olid}`);
  return [...new Set([...editions, work.key, ...authors, ...subjectSeedsOf(work)])];
}

function slotGettersOf(
  name: string,
  count: number,
  valuesOf: (work: StoredWork) => readonly number[] | undefined,
): Getters<StoredWork> {
  const numbers = Array.from({ length: count }, (_, slot) => slot);
  return Object.fromEntries(
    numbers.map((slot) => [`${name}_${slot}`, (work: StoredWork) => valuesOf(work)?.[slot] ?? 0]),
  );
}

function scoreGettersOf(
  name: string,
  max: number,
  pointsOf: (scores: EditionScores) => number,
): Getters<StoredEdition> {
  return {
    [`${name}_score`]: ({ scores }) => pointsOf(scores),
    [`${name}_score_normalized`]: ({ scores }) => Math.floor((PERCENT * pointsOf(scores)) / max),
  };
}

/** Fields that are derived from the access of a work, or equal in all works: no members are read for them. */
const WITHOUT_MEMBER = ["has_fulltext", "public_scan_b", "type"];
const COPIED = new Set<string>(
  [...findFieldsWith({ of: "both" }), ...findFieldsWith({ of: "work" })].filter(
    (name) => !HIDDEN_FIELDS.has(name),
  ),
);
const DERIVED = new Set(RETURNABLE_WORK_FIELDS.filter((name) => !COPIED.has(name)));
for (const name of WITHOUT_MEMBER) {
  COPIED.delete(name);
  DERIVED.delete(name);
}

/** Pattern of identifiers whose names can be in a path of SQL unescaped. */
const IDENTIFIER = /^id_[a-z0-9_]+$/;

/** Returns the stored members that fields are copies of; undefined for derived fields and globs. */
export function copiedMembersOf(fields: readonly string[]): string[] | undefined {
  const identifiers = fields.filter((name) => name.startsWith("id_"));
  const isPlain = identifiers.every((name) => IDENTIFIER.test(name));
  if (!isPlain || fields.some((name) => DERIVED.has(name) || name.includes("*"))) return undefined;
  return [...fields.filter((name) => COPIED.has(name)), ...identifiers.map((name) => `identifiers.${name}`)];
}

/** Members of works in answers without a list of fields: stored apart, since documents are long. */
export const BRIEF_MEMBERS: ReadonlySet<string> = new Set([
  "key",
  "ebook_access",
  ...(copiedMembersOf(DEFAULT_FIELDS) ?? []),
]);

/** Returns true if all of some members are brief ones. */
export function areBrief(members: readonly string[]): boolean {
  return members.every((name) => BRIEF_MEMBERS.has(name));
}
