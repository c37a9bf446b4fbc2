import { ResponseTooLarge } from "../../catalog/bytes.ts";
import { latestRecordOf } from "../../catalog/document.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { RDF_EDITIONS_MAX } from "../../catalog/rdf.ts";
import { type PublicationDate, earliestDateOf, parseDate } from "../../catalog/publication-date.ts";
import { type CatalogRecord, keysOf, keysWithin, stringsOf } from "../../catalog/record.ts";
import { readMembers } from "../../db/records/members.ts";
import { readRecords } from "../../db/records/records.ts";
import { readNames } from "../../db/records/titles.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { type Related, readRelated } from "../../db/records/related.ts";
import { type Book, toBook } from "../../export/book.ts";
import { FORMAT_WRITERS } from "../../export/format-writers.ts";
import { type FormatName, FORMATS, formatSchema } from "../../export/formats.ts";
import { toSchemaAuthor } from "../../export/schema-org.ts";
import type { Document } from "../../search/engine.ts";
import { type RequestContext, lookupConfig, catalogReader } from "./operation.ts";
import { workKeyOf } from "../../catalog/lookup/bundle.ts";
import { recordNotFound } from "./errors.ts";
import { type Reply, REVALIDATE, jsonText } from "./reply.ts";

interface BookWithRevisions {
  book: Book;
  revisions: readonly { key: string; revision: number }[];
}

export function isBook({ type }: Pick<RecordRow, "type">): boolean {
  return type === "/type/edition" || type === "/type/work";
}

/** Reads the book of a work or an edition, with its related records. One round trip after that of `row`. */
export async function readBook(row: RecordRow, context: RequestContext): Promise<BookWithRevisions> {
  const reader = catalogReader(context);
  const record = latestRecordOf(row);
  const [related, members] = await Promise.all([
    readRelatedOf([record], context),
    row.type === "/type/work"
      ? readMembers(reader, { kind: "editions", owner: row.key }, { limit: RDF_EDITIONS_MAX, offset: 0 })
      : { members: [] },
  ]);
  const editions = members.members.filter(({ type }) => type === "/type/edition");
  const book = toBook(
    {
      record,
      work: workOf(record, related),
      related: related.records,
      editions: editions.map(latestRecordOf),
    },
    lookupConfig(context),
  );
  return { book, revisions: [row, ...related.revisions, ...editions] };
}

export interface BookSource {
  record: CatalogRecord;
  firstDate?: PublicationDate | undefined;
}

/** Yields books in their order, works without editions. One round trip, or more if the records are large. */
export async function* readBooks(
  sources: readonly BookSource[],
  context: RequestContext,
): AsyncGenerator<Book> {
  const parts = inParts(sources, async (part) => {
    const records = part.map(({ record }) => record);
    return { part, related: await readRelatedOf(records, context) };
  });
  for await (const { part, related } of parts) {
    for (const source of part) yield relatedBook(source, related, context);
  }
}

function relatedBook({ record, firstDate }: BookSource, related: Related, context: RequestContext): Book {
  const work = workOf(record, related);
  return toBook({ record, work, related: related.records, firstDate }, lookupConfig(context));
}

interface FoundBook {
  readonly key: string;
  /** Keys of the authors and series in the index. */
  readonly named: readonly string[];
  readonly firstDate?: PublicationDate | undefined;
}

/**
 * Yields the books of search hits, in their order; undefined if a book has been deleted since. One round trip, and one
 * more for records that the index does not name, such as authors of an edition without a work; more if the records are
 * large.
 */
export async function* readFoundBooks(
  hits: readonly FoundBook[],
  context: RequestContext,
): AsyncGenerator<Book | undefined> {
  const parts = inParts(hits, async (part) => {
    const whole = await unlessTooLarge(() => readNamedBooks(part, context), part.length === 1);
    if (whole !== undefined) return whole.value;
    const [row] = await readRecords(catalogReader(context), [part[0]?.key ?? ""]);
    return row === undefined
      ? [undefined]
      : Array.fromAsync(readBooks([{ record: latestRecordOf(row) }], context));
  });
  for await (const books of parts) yield* books;
}

async function readNamedBooks(hits: readonly FoundBook[], context: RequestContext) {
  const reader = catalogReader(context);
  const { records } = await readRelated(reader, {
    works: hits.map(({ key }) => key),
    authors: [...new Set(hits.flatMap(({ named }) => named))],
  });
  const books = hits.map(({ key }) => records.get(key)).filter((record) => record !== undefined);
  const { works, authors } = relatedKeys(books);
  const more = await readRelated(reader, {
    works: works.filter((key) => !records.has(key)),
    authors: authors.filter((key) => !records.has(key)),
  });
  const related = { records: new Map([...more.records, ...records]), revisions: [] };
  return hits.map(({ key, firstDate }) => {
    const record = related.records.get(key);
    return record && relatedBook({ record, firstDate }, related, context);
  });
}

/** Index fields of `firstDateOf`. */
export const FIRST_DATE_FIELDS = ["first_publish_year", "publish_date"];

/** Returns the year of first publication in the index, or the span that it begins if digits are unknown (Q691). */
export function firstDateOf(document: Document): PublicationDate | undefined {
  const { first_publish_year: year } = document;
  if (typeof year !== "number") return undefined;
  const dates = stringsOf(document["publish_date"]).flatMap((text) => parseDate(text) ?? []);
  return earliestDateOf(dates.filter((date) => date.year === year)) ?? { year };
}

/** Authors of a book whose related records are too large; only their names are read. */
const NAMED_AUTHORS_MAX = 1000;

/** Reads the related records of books. Throws `DocumentsTooLarge`, but not for a single book. */
async function readRelatedOf(records: readonly CatalogRecord[], context: RequestContext): Promise<Related> {
  const reader = catalogReader(context);
  const keys = relatedKeys(records);
  const whole = await unlessTooLarge(() => readRelated(reader, keys), records.length === 1);
  if (whole !== undefined) return whole.value;
  const works = await readRecords(reader, keys.works);
  const named = new Map(works.map((row) => [row.key, latestRecordOf(row)]));
  const authors = relatedKeys([...records, ...named.values()]).authors.slice(0, NAMED_AUTHORS_MAX);
  for (const [key, name] of await readNames(reader, authors)) {
    named.set(key, { key, type: key.startsWith("/authors/") ? "/type/author" : "/type/series", name });
  }
  return { records: named, revisions: works };
}

/** Reads all items at once, or each half separately if their documents are too large. */
export async function* inParts<Item, Value>(
  items: readonly Item[],
  read: (part: readonly Item[]) => Promise<Value>,
): AsyncGenerator<Value> {
  const result = await unlessTooLarge(() => read(items), items.length > 1);
  if (result !== undefined) return yield result.value;
  const half = Math.ceil(items.length / 2);
  // Otherwise other requests would wait for all large parts in the local runtime.
  await scheduler.wait(0);
  yield* inParts(items.slice(0, half), read);
  yield* inParts(items.slice(half), read);
}

/** Returns undefined if the documents are too large, and less can be read instead. */
async function unlessTooLarge<Value>(read: () => Promise<Value>, canReadLess: boolean) {
  try {
    return { value: await read() };
  } catch (error) {
    if (canReadLess && error instanceof ResponseTooLarge) return undefined;
    throw error;
  }
}

function relatedKeys(records: readonly CatalogRecord[]): { works: string[]; authors: string[] } {
  const named = records.flatMap(({ authors, series }) => [
    ...keysOf(authors),
    ...keysWithin(authors, "author"),
    ...keysWithin(series, "series"),
  ]);
  return {
    works: [...new Set(records.flatMap((record) => workKeyOf(record) ?? []))],
    authors: [...new Set(named)],
  };
}

function workOf(record: CatalogRecord, { records }: Related): CatalogRecord | undefined {
  const key = workKeyOf(record);
  return key === undefined ? undefined : records.get(key);
}

/**
 * Builds the answer with a work or an edition in an export format, or an author as JSON-LD, always of the latest revision
 * (Q16). Throws 404 for other records.
 */
export async function makeFormatReply(
  row: RecordRow,
  name: FormatName,
  context: RequestContext,
): Promise<Reply> {
  const { contentType } = FORMATS[name];
  const { body, revisions } = await renderRecord(row, name, context);
  return jsonText(body, {
    contentType,
    etag: `${computeRevisionsEtag(revisions)}-${name}`,
    lastModified: row.lastModified,
    cacheControl: REVALIDATE,
    headers: { Vary: "Accept" },
    records: [...new Set(revisions.map(({ key }) => key))],
  });
}

async function renderRecord(row: RecordRow, name: FormatName, context: RequestContext) {
  if (row.type === "/type/author" && name === "jsonld") {
    const body = formatSchema(toSchemaAuthor(latestRecordOf(row), lookupConfig(context)));
    return { body, revisions: [row] };
  }
  if (!isBook(row)) throw recordNotFound(row.key);
  const { book, revisions } = await readBook(row, context);
  return { body: FORMAT_WRITERS[name].one(book), revisions };
}
