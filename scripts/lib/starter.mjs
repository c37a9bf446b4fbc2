/**
 * The starter catalog: public-domain works that an empty service loads on its first start, and the
 * MARC languages. The data files in `starter/` hold what a cataloguer writes; this module turns
 * them into dump lines.
 */
import { readFile } from "node:fs/promises";

/**
 * @typedef {{ [member: string]: unknown }} Members
 * @typedef {Members & { code: string, name: string, iso_639_1?: string, deprecated?: boolean,
 *   current?: string, name_translated?: Record<string, string[]> }} LanguageRow
 * @typedef {Members & { id: number, name: string, links?: object[] }} NamedRow an author or a series
 * @typedef {Members & { id: number, title: string, publishers: string[], publish_date: string,
 *   languages: string[], translated_from?: string[], isbn_10?: string[], isbn_13?: string[],
 *   ocaid?: string, table_of_contents?: object[] }} EditionRow
 * @typedef {Members & { id: number, title: string, authors?: number[], links?: object[],
 *   original_languages?: string[], translated_titles?: { language: string, text: string }[],
 *   series?: { id: number, position?: string }[], editions: EditionRow[] }} WorkRow
 * @typedef {Members & { ocaid: string }} ItemRow a scan, as holdings files have it
 * @typedef {{ languages: LanguageRow[], authors: NamedRow[], series: NamedRow[], works: WorkRow[],
 *   items: ItemRow[] }} Starter
 * @typedef {Members & { key: string, type: { key: string } }} DumpRecord
 */

const FOLDER = new URL("../../starter/", import.meta.url);
const STAMP = "2026-11-01T00:00:00.000000";

/**
 * Reads one data file. It belongs to this repository and a test checks what is in it, so that its rows are taken to have
 * the shape asked for.
 * @template T
 * @param {string} name @returns {Promise<T[]>}
 */
async function readRows(name) {
  const text = await readFile(new URL(`${name}.jsonl`, FOLDER), "utf8");
  const lines = text.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** @returns {Promise<Starter>} */
export async function readStarter() {
  return {
    languages: await readRows("languages"),
    authors: await readRows("authors"),
    series: await readRows("series"),
    works: await readRows("works"),
    items: await readRows("items"),
  };
}

/** @param {string} code */
const languageKey = (code) => ({ key: `/languages/${code}` });

// The record store adds this type to embedded objects when it saves them.
/** @param {object[]} objects @param {string} type */
const typed = (objects, type) => objects.map((one) => ({ ...one, type: { key: type } }));

/**
 * A complete first revision.
 * @param {string} key @param {string} type @param {Members} members @returns {DumpRecord}
 */
function recordOf(key, type, members) {
  const time = { type: "/type/datetime", value: STAMP };
  const envelope = { revision: 1, latest_revision: 1, created: time, last_modified: time };
  return { key, type: { key: type }, ...members, ...envelope };
}

/** @param {LanguageRow} row */
function languageRecord({ iso_639_1, current, name_translated, ...rest }) {
  return recordOf(languageKey(rest.code).key, "/type/language", {
    ...rest,
    // Clients look for the English name here, too.
    name_translated: { en: [rest.name], ...name_translated },
    ...(current && { current: languageKey(current) }),
    ...(iso_639_1 && { identifiers: { iso_639_1: [iso_639_1] } }),
  });
}

/** @param {NamedRow} row @param {string} prefix */
function authorRecord({ id, links, ...rest }, prefix) {
  return recordOf(`/authors/${prefix}${id}A`, "/type/author", {
    ...rest,
    ...(links && { links: typed(links, "/type/link") }),
  });
}

/** @param {number[]} ids @param {string} prefix */
const authorRoles = (ids, prefix) =>
  ids.map((id) => ({ type: { key: "/type/author_role" }, author: { key: `/authors/${prefix}${id}A` } }));

/** @param {NonNullable<WorkRow["series"]>} edges @param {string} prefix */
const seriesEdges = (edges, prefix) =>
  edges.map(({ id, ...rest }) => ({ series: { key: `/series/${prefix}${id}L` }, ...rest }));

/** @param {WorkRow} row @param {string} prefix */
function workRecord(row, prefix) {
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

/** @param {EditionRow} row @param {string} work @param {string} prefix */
function editionRecord({ id, languages, translated_from, table_of_contents, ...rest }, work, prefix) {
  return recordOf(`/books/${prefix}${id}M`, "/type/edition", {
    ...rest,
    works: [{ key: work }],
    languages: languages.map(languageKey),
    ...(translated_from && { translated_from: translated_from.map(languageKey) }),
    ...(table_of_contents && { table_of_contents: typed(table_of_contents, "/type/toc_item") }),
  });
}

/** @param {LanguageRow[]} rows @returns {Generator<DumpRecord>} */
function* languageRecords(rows) {
  // A discontinued language names its successor, which therefore goes before it.
  const current = rows.filter((row) => !row.deprecated);
  const deprecated = rows.filter((row) => row.deprecated);
  for (const row of [...current, ...deprecated]) yield languageRecord(row);
}

/**
 * All records, each after those that it refers to.
 * @param {Starter} starter @param {string} prefix @returns {Generator<DumpRecord>}
 */
function* starterRecords({ languages, authors, series, works }, prefix) {
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
 * The starter catalog as lines of a dump: type, key, revision, last modified, JSON; tab between
 * them and no newline at the end.
 * @param {string} [prefix] of the record keys, as in `/works/OL101W`
 * @returns {AsyncGenerator<string, void>}
 */
export async function* starterLines(prefix = "OL") {
  for (const record of starterRecords(await readStarter(), prefix)) {
    yield dumpLine(record);
  }
}

/**
 * The MARC languages alone, as lines of a dump: records in a language that is not there cannot be imported.
 * @returns {AsyncGenerator<string, void>}
 */
export async function* languageLines() {
  for (const record of languageRecords(await readRows("languages"))) yield dumpLine(record);
}

/** @param {DumpRecord} record */
function dumpLine(record) {
  return [record.type.key, record.key, 1, STAMP, JSON.stringify(record)].join("\t");
}

/**
 * The scans of the starter catalog, as lines of a holdings file: some are lent, so that borrowing can be tried.
 * @returns {AsyncGenerator<string, void>}
 */
export async function* starterHoldings() {
  for (const item of (await readStarter()).items) yield JSON.stringify(item);
}
