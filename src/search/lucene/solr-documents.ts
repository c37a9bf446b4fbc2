import { SHELVES } from "../../catalog/patrons/shelves.ts";
import { subjectKeyOf } from "../documents/subject-key.ts";
import type { Trending, WorkCounts } from "../documents/types.ts";
import { FACET_SOURCES } from "../facets.ts";
import {
  AUTHOR_TEXT_COLUMNS,
  EDITION_TEXT_COLUMNS,
  LIST_TEXT_COLUMNS,
  SUBJECT_TEXT_COLUMNS,
  WORK_TEXT_COLUMNS,
  fitJson,
} from "../indexing/columns.ts";
import type { EditionRow } from "../indexing/edition-rows.ts";
import {
  type AuthorRows,
  type ListRows,
  type SubjectRow,
  AUTHOR_COLUMNS,
  LIST_COLUMNS,
  subjectTextsOf,
} from "../indexing/plain-rows.ts";
import { type WorkRows, READER_COLUMNS, WORK_COLUMNS, readerValuesOf } from "../indexing/work-rows.ts";
import { type PlainScheme, PLAIN_FIELDS } from "../plain-fields.ts";
import { BRIEF_MEMBERS } from "../present/expand.ts";
import { type IndexKind, FIRST, randomFieldsOf } from "./lucene-query.ts";

/** Document in the form for Solr (solr/conf/schema.xml). Null and absent members are equivalent. */
export interface SolrDocument {
  readonly id: string;
  readonly [field: string]: SolrValue | readonly SolrValue[] | undefined;
}
type SolrValue = string | number | null | SolrDocument;

const WORK_DOCUMENT_LENGTH_MAX = 8_000_000;
/** Maximum length of a column value, in characters: Lucene accepts 32,766 bytes. */
const COLUMN_LENGTH_MAX = 8000;

/** Converts a work with its editions. `trends` are those in the index: documents have none. */
export function toSolrWork(
  rows: WorkRows,
  trends: Readonly<Record<string, number>>,
): SolrDocument & { readonly editions: readonly SolrDocument[] } {
  const { key, id: no, version, document, editions } = rows;
  const { ratings, random, ...columns } = recordOf(WORK_COLUMNS, rows.columns);
  return {
    id: key,
    kind: "work",
    no,
    version,
    document: fitJson(document, WORK_DOCUMENT_LENGTH_MAX),
    brief: packJson(JSON.stringify(briefOf(document))),
    compared: packJson(rows.ranking),
    ...columnFieldsOf(columns),
    ...starFieldsOf(ratings),
    ...randomFieldsOf(Number(random)),
    ...textFieldsOf("work", WORK_TEXT_COLUMNS, rows.texts),
    ...valueFieldsOf(rows.values),
    ...trends,
    ...facetFieldsOf(document),
    editions: editions.map((edition) => toEditionDocument(edition, rows)),
  };
}

function briefOf({ identifiers, ...members }: WorkRows["document"]) {
  const briefMembers = Object.entries(members).filter(([name]) => BRIEF_MEMBERS.has(name));
  const ids = Object.entries(identifiers).filter(([name]) => BRIEF_MEMBERS.has(`identifiers.${name}`));
  return { ...Object.fromEntries(briefMembers), identifiers: Object.fromEntries(ids) };
}

const BEYOND_ASCII = /[\u0080-\uffff]/g;

function packJson(json: string): string {
  const ascii = json.replaceAll(
    BEYOND_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return btoa(ascii);
}

function toEditionDocument(
  { rank, position, document, text }: EditionRow,
  { id, key }: WorkRows,
): SolrDocument {
  const texts = text && textFieldsOf("edition", EDITION_TEXT_COLUMNS, text.columns);
  return {
    id: `${key}/${rank}`,
    kind: "edition",
    work: id,
    n_rank: rank,
    n_position: position,
    n_row: text?.rowId ?? null,
    shown: packJson(document),
    ...texts,
  };
}

/** Returns the fields that change in place with ratings and shelves. */
export function readerFieldsOf(boost: number, counts: WorkCounts) {
  const { ratings, ...columns } = recordOf(READER_COLUMNS, readerValuesOf(counts));
  return { ...columnFieldsOf({ boost, ...columns }), ...starFieldsOf(ratings) };
}

/** Returns the fields that change in place with trends. */
export function trendingFieldsOf({ hourlySum, zScore, slots }: Trending): Readonly<Record<string, number>> {
  const numbers = [
    hourlySum,
    zScore,
    ...slotNumbersOf(HOURS, slots?.hourly),
    ...slotNumbersOf(DAYS, slots?.daily),
  ];
  return Object.fromEntries(TRENDING_FIELDS.map((name, at) => [name, numbers[at] ?? 0]));
}

function slotNumbersOf(length: number, values: readonly number[] = []): number[] {
  return Array.from({ length }, (_slot, at) => values[at] ?? 0);
}

const HOURS = 24;
const DAYS = 7;
export const HOUR_FIELDS = Array.from({ length: HOURS }, (_slot, at) => `n_hour_${at}`);
export const DAY_FIELDS = Array.from({ length: DAYS }, (_slot, at) => `n_day_${at}`);
/** Names of the trending fields. Every work has all of them: only fields that a document has can be set in place. */
export const TRENDING_FIELDS = [
  "n_trending_score_hourly_sum",
  "n_trending_z_score",
  ...HOUR_FIELDS,
  ...DAY_FIELDS,
];
export const STARS = [1, 2, 3, 4, 5] as const;
export const READ_FIELDS = [
  "no",
  "document",
  ...TRENDING_FIELDS,
  ...STARS.map((stars) => `n_stars_${stars}`),
  ...SHELVES.map(({ count }) => `n_${count}_count`),
];

/** Returns the document of an author. */
export function toSolrAuthor(rows: AuthorRows): SolrDocument {
  const { document, random, ...columns } = recordOf(AUTHOR_COLUMNS, rows.columns);
  return {
    ...toPlainDocument("author", { id: rows.key, version: rows.version, document: String(document) }),
    no: rows.id,
    ...columnFieldsOf(columns),
    ...randomFieldsOf(Number(random)),
    ...textFieldsOf("author", AUTHOR_TEXT_COLUMNS, rows.texts),
  };
}

/** Returns the document of a list or series. */
export function toSolrList(rows: ListRows): SolrDocument {
  const { document, random, ...columns } = recordOf(LIST_COLUMNS, rows.columns);
  return {
    ...toPlainDocument("list", { id: rows.key, version: rows.version, document: String(document) }),
    ...columnFieldsOf({ key: rows.key, ...columns }),
    ...randomFieldsOf(Number(random)),
    ...textFieldsOf("list", LIST_TEXT_COLUMNS, rows.texts),
  };
}

/** Returns the document of a subject with the numbers of works that have it, and that have this spelling. */
export function toSolrSubject(
  subject: SubjectRow,
  { works, named: nameCount }: { works: number; named: number },
): SolrDocument {
  const { key, name, type } = subject;
  const texts = subjectTextsOf(subject);
  const stored = { key, name, subject_type: type, work_count: works };
  return {
    ...toPlainDocument("subject", { id: key, version: 0, document: JSON.stringify(stored) }),
    ...columnFieldsOf({ key, work_count: works, name_count: nameCount }),
    ...textFieldsOf("subject", SUBJECT_TEXT_COLUMNS, texts),
  };
}

/** Returns the document of a word of titles and names, for the spelling of queries. */
export function toSolrSpelling({ term, skeleton }: { term: string; skeleton: string }) {
  return { id: spellingId(term), kind: "spelling", term, skeleton, n_length: [...term].length };
}

/** Returns the id of a word. */
export function spellingId(term: string): string {
  return `=${term}`;
}

/** Returns the replacement of a deleted document: an older message must not restore it. */
export function toSolrTombstone(id: string, version: number, seen: string): SolrDocument {
  return { id, kind: "tombstone", version, s_seen: seen };
}

function toPlainDocument(
  kind: PlainScheme,
  { id, version, document }: { id: string; version: number; document: string },
) {
  // Documents have the form from `authorRows` or `listRows`, or that of `toSolrSubject`.
  const members = JSON.parse(document) as Readonly<Record<string, unknown>>;
  const has = [...PLAIN_FIELDS[kind].keys()].filter((name) => members[name] !== undefined);
  return { id, kind, version, document, has };
}

function recordOf<Name extends string, Value>(names: readonly Name[], values: readonly Value[]) {
  const entries = names.map((name, at) => [name, values[at] ?? null]);
  // The names are those of the list.
  return Object.fromEntries(entries) as Readonly<Record<Name, Value | null>>;
}

function columnFieldsOf(columns: Readonly<Record<string, string | number | null>>) {
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) =>
      typeof value === "string" ? [`s_${name}`, value.slice(0, COLUMN_LENGTH_MAX)] : [`n_${name}`, value],
    ),
  );
}

function starFieldsOf(ratings: string | number | null) {
  const counts = ratings === null ? [] : (JSON.parse(String(ratings)) as number[]);
  return Object.fromEntries(STARS.map((stars, at) => [`n_stars_${stars}`, counts[at] ?? 0]));
}

/** Returns fields of the texts and tokens; the last text has the tokens. */
function textFieldsOf(kind: IndexKind, columns: readonly { name: string }[], texts: readonly string[]) {
  const fields = columns.flatMap(({ name }, at) =>
    texts[at] ? [[`${kind}_text_${name}`, `${FIRST} ${texts[at]}`]] : [],
  );
  const tokens = (texts[columns.length] ?? "").split(" ");
  return Object.fromEntries([...fields, [`${kind}_token`, tokens]]);
}

function valueFieldsOf(values: WorkRows["values"]) {
  const byField = Map.groupBy(values, ([field]) => field);
  return Object.fromEntries(
    [...byField].map(([field, entries]) => [`v_${field}`, entries.map(([, value]) => value)]),
  );
}

function facetFieldsOf(document: Readonly<Record<string, unknown>>) {
  const fields = [...FACET_SOURCES].flatMap(([field, { member, keyed }]) => {
    const texts = [document[member] ?? []].flat().map((value) => String(value).slice(0, COLUMN_LENGTH_MAX));
    if (texts.length === 0) return [];
    return keyed
      ? [[`f_${field}`, texts.map(subjectKeyOf).filter((slug) => slug !== "")]]
      : [[`f_${member}`, texts]];
  });
  return Object.fromEntries(fields);
}
