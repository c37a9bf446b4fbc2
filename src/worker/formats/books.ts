import { latestRecordOf } from "../../catalog/document.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { RDF_EDITIONS_MAX } from "../../catalog/rdf.ts";
import { type CatalogRecord, keysOf, keysWithin } from "../../catalog/record.ts";
import { readMembers } from "../../db/records/members.ts";
import { type RecordRow, DocumentsTooLarge } from "../../db/records/record-rows.ts";
import { type Related, readRelated } from "../../db/records/related.ts";
import { type Book, bookOf } from "../../export/book.ts";
import { FORMAT_WRITERS } from "../../export/format-writers.ts";
import { type FormatName, FORMATS, formatSchema } from "../../export/formats.ts";
import { toSchemaAuthor } from "../../export/schema-org.ts";
import { lookupConfig, workKeyOf } from "../holdings/bundles.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { recordNotFound } from "../http/errors.ts";
import { type Reply, REVALIDATE, jsonText } from "../http/reply.ts";

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
    readRelated(reader, relatedKeys([record])),
    row.type === "/type/work"
      ? readMembers(reader, { kind: "editions", owner: row.key }, { limit: RDF_EDITIONS_MAX, offset: 0 })
      : { members: [] },
  ]);
  const editions = members.members.filter(({ type }) => type === "/type/edition");
  const book = bookOf(
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

interface BookSource {
  record: CatalogRecord;
  firstYear?: number | undefined;
}

/** Yields books in their order, works without editions. One round trip, or more if the records are large. */
export function readBooks(sources: readonly BookSource[], context: RequestContext): AsyncGenerator<Book[]> {
  const site = lookupConfig(context);
  return inParts(sources, async (part) => {
    const related = await readRelated(catalogReader(context), relatedKeys(part.map(({ record }) => record)));
    return part.map(({ record, firstYear }) =>
      bookOf({ record, work: workOf(record, related), related: related.records, firstYear }, site),
    );
  });
}

/**
 * Reads the books of search hits, in their order; undefined if a book has been deleted since. `named` are the keys of
 * the authors and series in the index. One round trip, and one
 * more for records that the index does not name, such as authors of an edition without a work. Throws
 * `DocumentsTooLarge`.
 */
export async function readFoundBooks(
  hits: readonly { key: string; named: readonly string[]; firstYear?: number | undefined }[],
  context: RequestContext,
): Promise<(Book | undefined)[]> {
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
  const site = lookupConfig(context);
  return hits.map(({ key, firstYear }) => {
    const record = related.records.get(key);
    if (record === undefined) return undefined;
    return bookOf({ record, work: workOf(record, related), related: related.records, firstYear }, site);
  });
}

/** Reads all items at once, or each half separately if their documents are too large. */
export async function* inParts<Item, Value>(
  items: readonly Item[],
  read: (part: readonly Item[]) => Promise<Value>,
): AsyncGenerator<Value> {
  const result = await unlessTooLarge(() => read(items), items.length > 1);
  if (result !== undefined) return yield result.value;
  const half = Math.ceil(items.length / 2);
  yield* inParts(items.slice(0, half), read);
  yield* inParts(items.slice(half), read);
}

async function unlessTooLarge<Value>(read: () => Promise<Value>, isDivisible: boolean) {
  try {
    return { value: await read() };
  } catch (error) {
    if (isDivisible && error instanceof DocumentsTooLarge) return undefined;
    throw error;
  }
}

/** Yields a document of books, page by page, so that no more than a page of records is in memory. */
export async function* writeBooks(
  name: FormatName,
  pages: AsyncIterable<readonly BookSource[]>,
  context: RequestContext,
): AsyncGenerator<string> {
  const { open, piece, between, close } = FORMAT_WRITERS[name].many;
  yield open;
  let isFirst = true;
  for await (const page of pages) {
    for await (const books of readBooks(page, context)) {
      if (books.length === 0) continue;
      yield (isFirst ? "" : between) + books.map(piece).join(between);
      isFirst = false;
    }
  }
  yield close;
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
