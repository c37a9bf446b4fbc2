/**
 * The starter catalog: public-domain works that an empty service loads on its first start, and the
 * MARC languages. The data files in `starter/` hold what a cataloguer writes; this module turns
 * them into dump lines.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./paths.ts";

interface Members {
  [member: string]: unknown;
}

type LanguageRow = Members & {
  code: string;
  name: string;
  iso_639_1?: string;
  deprecated?: boolean;
  current?: string;
  name_translated?: Record<string, string[]>;
};

/** an author or a series. */
type NamedRow = Members & { id: number; name: string; links?: object[] };

export type EditionRow = Members & {
  id: number;
  title: string;
  publishers: string[];
  publish_date: string;
  languages: string[];
  translated_from?: string[];
  isbn_10?: string[];
  isbn_13?: string[];
  ocaid?: string;
  table_of_contents?: object[];
};

export type WorkRow = Members & {
  id: number;
  title: string;
  authors?: number[];
  links?: object[];
  original_languages?: string[];
  translated_titles?: { language: string; text: string }[];
  series?: { id: number; position?: string }[];
  editions: EditionRow[];
};

/** a scan, as holdings files have it. */
type ItemRow = Members & { ocaid: string };

export interface Starter {
  languages: LanguageRow[];
  authors: NamedRow[];
  series: NamedRow[];
  works: WorkRow[];
  items: ItemRow[];
}

type DumpRecord = Members & { key: string; type: { key: string } };

const STAMP = "2026-11-01T00:00:00.000000";

/** Reads a data file of this repository. Its shape is not validated here, but by a test. */
async function readRows<T>(name: string): Promise<T[]> {
  const text = await readFile(path.join(ROOT, `starter/${name}.jsonl`), "utf8");
  const lines = text.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

export async function readStarter(): Promise<Starter> {
  return {
    languages: await readRows("languages"),
    authors: await readRows("authors"),
    series: await readRows("series"),
    works: await readRows("works"),
    items: await readRows("items"),
  };
}

const languageKey = (code: string) => ({ key: `/languages/${code}` });

// The record store adds this type to embedded objects when it saves them.
const typed = (objects: object[], type: string) => objects.map((one) => ({ ...one, type: { key: type } }));

/** Returns the complete first revision of a record. */
function recordOf(key: string, type: string, members: Members): DumpRecord {
  const time = { type: "/type/datetime", value: STAMP };
  const envelope = { revision: 1, latest_revision: 1, created: time, last_modified: time };
  return { key, type: { key: type }, ...members, ...envelope };
}

function languageRecord({ iso_639_1, current, name_translated, ...rest }: LanguageRow) {
  return recordOf(languageKey(rest.code).key, "/type/language", {
    ...rest,
    // Clients look for the English name here, too.
    name_translated: { en: [rest.name], ...name_translated },
    ...(current && { current: languageKey(current) }),
    ...(iso_639_1 && { identifiers: { iso_639_1: [iso_639_1] } }),
  });
}

function authorRecord({ id, links, ...rest }: NamedRow, prefix: string) {
  return recordOf(`/authors/${prefix}${id}A`, "/type/author", {
    ...rest,
    ...(links && { links: typed(links, "/type/link") }),
  });
}

const authorRoles = (ids: number[], prefix: string) =>
  ids.map((id) => ({ type: { key: "/type/author_role" }, author: { key: `/authors/${prefix}${id}A` } }));

const seriesEdges = (edges: NonNullable<WorkRow["series"]>, prefix: string) =>
  edges.map(({ id, ...rest }) => ({ series: { key: `/series/${prefix}${id}L` }, ...rest }));

function workRecord(row: WorkRow, prefix: string) {
  const { id, editions: _, authors, links, original_languages, translated_titles, series, ...plain } = row;
  const titles = translated_titles?.map(({ language, text }) => ({ language: languageKey(language), text }));
  return recordOf(`/works/${prefix}${id}W`, "/type/work", {
    ...plain,
    ...(authors && { authors: authorRoles(authors, prefix) }),
    ...(links && { links: typed(links, "/type/link") }),
    ...(original_languages && { original_languages: original_languages.map(languageKey) }),
    ...(titles && { translated_titles: typed(titles, "/type/translated_string") }),
    ...(series && { series: seriesEdges(series, prefix) }),
  });
}

function editionRecord(
  { id, languages, translated_from, table_of_contents, ...rest }: EditionRow,
  work: string,
  prefix: string,
) {
  return recordOf(`/books/${prefix}${id}M`, "/type/edition", {
    ...rest,
    works: [{ key: work }],
    languages: languages.map(languageKey),
    ...(translated_from && { translated_from: translated_from.map(languageKey) }),
    ...(table_of_contents && { table_of_contents: typed(table_of_contents, "/type/toc_item") }),
  });
}

function* languageRecords(rows: LanguageRow[]): Generator<DumpRecord> {
  // A discontinued language names its successor, which therefore goes before it.
  const current = rows.filter((row) => !row.deprecated);
  const deprecated = rows.filter((row) => row.deprecated);
  for (const row of [...current, ...deprecated]) yield languageRecord(row);
}

/** Yields all records, each after the records it refers to. */
function* starterRecords(
  { languages, authors, series, works }: Starter,
  prefix: string,
): Generator<DumpRecord> {
  yield* languageRecords(languages);
  for (const row of authors) yield authorRecord(row, prefix);
  for (const { id, ...rest } of series) yield recordOf(`/series/${prefix}${id}L`, "/type/series", rest);
  for (const row of works) {
    const work = workRecord(row, prefix);
    yield work;
    for (const edition of row.editions) yield editionRecord(edition, work.key, prefix);
  }
}

/**
 * Yields the starter catalog as dump lines without newline. `prefix` is that of record keys, such as `OL` in
 * `/works/OL101W`.
 */
export async function* starterLines(prefix = "OL"): AsyncGenerator<string, void> {
  for (const record of starterRecords(await readStarter(), prefix)) {
    yield dumpLine(record);
  }
}

/** Yields the MARC languages as dump lines. Importing a record requires its language. */
export async function* languageLines(): AsyncGenerator<string, void> {
  for (const record of languageRecords(await readRows("languages"))) yield dumpLine(record);
}

function dumpLine(record: DumpRecord) {
  return [record.type.key, record.key, 1, STAMP, JSON.stringify(record)].join("\t");
}

/** Yields the scans of the starter catalog as lines of a holdings file. Some can be borrowed. */
export async function* starterHoldings(): AsyncGenerator<string, void> {
  for (const item of (await readStarter()).items) yield JSON.stringify(item);
}
