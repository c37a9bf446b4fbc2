import { parseDocument } from "../../../catalog/document.ts";
import { recordKeyOfOlid } from "../../../catalog/keys.ts";
import { lastWord, removeFinalNotes, shortTitlesOf } from "../../../catalog/matching/match-keys.ts";
import { type CatalogRecord, keyOf, stringsOf, textOf, typeKeyOf } from "../../../catalog/record.ts";
import { readRecords } from "../../../db/records/records.ts";
import { readTargets } from "../../../db/redirects.ts";
import { gatherCalls } from "../../../db/statement.ts";
import type { ImportCandidate, WaitingImportRow } from "../../../durable/patron/imports.ts";
import type { SearchEngine } from "../../../search/engine.ts";
import { editionIdOfKey, workIdOfKey } from "../../../search/indexing/ids.ts";
import { TooBroadError } from "../../../search/plan/too-broad.ts";
import { entityOf } from "../../../search/reconcile/entities.ts";
import { PROPERTIES, partialSimilarityOf, toWordsQuery } from "../../../search/reconcile/properties.ts";
import { type Candidate, isMatch, scoreCandidates } from "../../../search/reconcile/score.ts";
import { workKeyOf } from "../../../catalog/lookup/bundle.ts";
import { findByBibKeys } from "../../lookup/editions/find-editions.ts";
import type { Jobs } from "../../http/queue.ts";
import { newestEngine } from "../../search/engine.ts";

type Catalog = Pick<Jobs, "stores" | "settings">;

export interface FoundBook {
  readonly work: number;
  readonly edition: number | null;
}

/** Finds editions by ISBN. ISBNs without an edition, or whose edition has no work, are absent. */
export async function findByIsbn(
  { stores, settings }: Catalog,
  isbns: readonly string[],
): Promise<ReadonlyMap<string, FoundBook>> {
  const keys = isbns.map((isbn) => ({ requested: isbn, kind: "isbn" as const, value: isbn }));
  const books = new Map<string, FoundBook>();
  for (const { key, edition } of (await findByBibKeys(stores.catalog, keys)).matches) {
    const book = bookOf(edition, settings.RECORD_PREFIX);
    if (book !== undefined) books.set(key.value, book);
  }
  return books;
}

function bookOf(record: CatalogRecord, prefix: string): FoundBook | undefined {
  const key = keyOf(record) ?? "";
  const isWork = typeKeyOf(record) === "/type/work";
  const edition = isWork ? null : editionIdOfKey(key, prefix);
  const work = workIdOfKey(isWork ? key : (workKeyOf(record) ?? ""), prefix);
  return edition === undefined || work === undefined || work < 1 ? undefined : { edition, work };
}

/** Minimum similarity of titles: a file may be from another catalog, whose numbers mean other books. */
const SAME_TITLE = 60;

/**
 * Finds books by the numbers of their works and editions, by position. Follows redirects; numbers of books with another
 * title are left out. Two round trips; none without numbers.
 */
export async function findByOlid(
  { stores, settings: { RECORD_PREFIX: prefix } }: Catalog,
  rows: readonly WaitingImportRow[],
): Promise<ReadonlyMap<number, FoundBook>> {
  const keyOfOlid = (olid: string | null | undefined): string => recordKeyOfOlid(olid ?? "", prefix) ?? "";
  const keyed = rows.map(({ position, title, details }) => {
    return { position, title, work: keyOfOlid(details.work), edition: keyOfOlid(details.edition) };
  });
  const keys = keyed.flatMap(({ work, edition }) => [work, edition]).filter((key) => key !== "");
  const targets = await readTargets(stores.catalog, keys);
  const liveKeyOf = (key: string): string => targets.get(key) ?? key;
  const stored = await readRecords(stores.catalog, [...new Set(keys.map(liveKeyOf))]);
  const records = new Map(stored.map(({ key, document }) => [key, parseDocument(document)]));
  const books = new Map<number, FoundBook>();
  for (const { position, title, ...found } of keyed) {
    const [work, edition] = [found.work, found.edition].map((key) => records.get(liveKeyOf(key)));
    // An edition may have another title than its work, such as that of a translation.
    const titled = [work, edition].find(
      (record) =>
        record !== undefined &&
        (title === "" || partialSimilarityOf(title, textOf(record["title"]) ?? "") >= SAME_TITLE),
    );
    const book = titled === undefined ? undefined : bookOf(titled, prefix);
    const exact = edition === undefined ? undefined : bookOf(edition, prefix);
    if (book !== undefined) books.set(position, exact?.work === book.work ? exact : book);
  }
  return books;
}

/** Result of a search by title and author: a book, or books that it may be. */
export type Guess = { readonly book: FoundBook } | { readonly candidates: readonly ImportCandidate[] };

const COMPARED_MAX = 20;
const CANDIDATES_MAX = 5;
/** Searches that run at once: their statements share calls of the database. */
const SEARCHES_AT_ONCE = 10;
const FIELDS = "key title subtitle author_name first_publish_year edition_count".split(" ");

/** Searches books by title and author, row by row; equal rows once. At most three searches a row (Q712). */
export async function searchBooks(
  catalog: Catalog,
  rows: readonly WaitingImportRow[],
): Promise<ReadonlyMap<number, Guess>> {
  const guesses = new Map<number, Guess>();
  if (rows.length === 0) return guesses;
  const engine = await newestEngine(catalog, gatherCalls(catalog.stores.search));
  const { RECORD_PREFIX: prefix } = catalog.settings;
  const started = new Map<string, Promise<Guess>>();
  const waiting = rows.values();
  const workers = Array.from({ length: SEARCHES_AT_ONCE }, async () => {
    for (const row of waiting) {
      const name = JSON.stringify([row.title, row.author]);
      const guess = started.get(name) ?? guessBook(engine, row, prefix);
      started.set(name, guess);
      guesses.set(row.position, await guess);
    }
  });
  await Promise.all(workers);
  return guesses;
}

/** Minimum similarity of authors: a title alone never decides. */
const SAME_AUTHOR = 90;
const AUTHOR = PROPERTIES.filter(({ id }) => id === "author");

async function guessBook(engine: SearchEngine, row: WaitingImportRow, prefix: string): Promise<Guess> {
  const bare = removeFinalNotes(row.title);
  const [title, author] = [bare === "" ? row.title : bare, row.author.trim()];
  const [short = title] = shortTitlesOf(title);
  const surname = lastWord(author.split(",")[0] ?? "");
  const attempts = new Map([
    [`${title} ${surname}`, title],
    [`${short} ${surname}`, short],
    [short, short],
  ]);
  for (const [text, name] of attempts) {
    const candidates = await compareWorks(engine, text, { title: name, author });
    if (candidates.length === 0) continue;
    const works = candidates.flatMap(({ entity: { name: found, document } }) => {
      const work = workIdOfKey(textOf(document["key"]) ?? "", prefix);
      const year = document["first_publish_year"];
      const authors = stringsOf(document["author_name"]).join(", ");
      return work === undefined
        ? []
        : [{ work, title: found, author: authors, year: typeof year === "number" ? year : null }];
    });
    const [first] = works;
    const isSameAuthor = candidates[0]?.features.some(
      ({ id, value }) => id === "property:author" && Number(value) >= SAME_AUTHOR,
    );
    return first !== undefined && isSameAuthor === true && isMatch(candidates)
      ? { book: { work: first.work, edition: null } }
      : { candidates: works.slice(0, CANDIDATES_MAX) };
  }
  return { candidates: [] };
}

async function compareWorks(
  engine: SearchEngine,
  text: string,
  { title, author }: Pick<WaitingImportRow, "title" | "author">,
): Promise<Candidate[]> {
  const query = toWordsQuery(text);
  if (query === undefined) return [];
  const properties =
    author === "" ? [] : AUTHOR.map((property) => ({ property, values: [{ text: author }] }));
  try {
    const search = { filters: [], editionClauses: [], sort: [], start: 0, rows: COMPARED_MAX };
    const hits = await engine.works({ ...search, query, withEditions: false, fields: FIELDS });
    const entities = hits.documents.flatMap((document) => entityOf(document) ?? []);
    return scoreCandidates(
      entities.filter(({ type }) => type === "work"),
      { query: title, properties },
    );
  } catch (error) {
    if (error instanceof TooBroadError) return [];
    throw error;
  }
}
