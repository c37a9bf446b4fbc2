import { latestRecord } from "../../catalog/document.ts";
import { revisionsEtag } from "../../catalog/etag.ts";
import { RDF_EDITIONS_MAX } from "../../catalog/rdf-parts.ts";
import { type CatalogRecord, keysOf, keysWithin } from "../../catalog/record.ts";
import { readMembers } from "../../db/records/members.ts";
import { type RecordRow, DocumentsTooLarge } from "../../db/records/record-rows.ts";
import { type Related, readRelated } from "../../db/records/related.ts";
import { type Book, bookOf } from "../../export/book.ts";
import { type FormatName, FORMATS, schemaText } from "../../export/formats.ts";
import { schemaAuthor } from "../../export/schema-org.ts";
import { lookupConfig, workKeyOf } from "../holdings/bundles.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { recordNotFound } from "../http/errors.ts";
import { type Reply, REVALIDATE, jsonText } from "../http/reply.ts";

/** A book with what its forms show besides its own record. */
interface ReadBook {
  readonly book: Book;
  /** Of all records that decide the answer. */
  readonly revisions: readonly { readonly key: string; readonly revision: number }[];
}

/** Types of the records that are books. */
export function isBook({ type }: Pick<RecordRow, "type">): boolean {
  return type === "/type/edition" || type === "/type/work";
}

/** A work or an edition with all that stands around it. One round trip besides the one that found its record. */
export async function readBook(row: RecordRow, context: RequestContext): Promise<ReadBook> {
  const reader = catalogReader(context);
  const record = latestRecord(row);
  const [related, members] = await Promise.all([
    readRelated(reader, around([record])),
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
      editions: editions.map(latestRecord),
    },
    lookupConfig(context),
  );
  return { book, revisions: [row, ...related.revisions, ...editions] };
}

/** A record of a book, and when it was first published, where something besides it knows. */
interface BookSource {
  readonly record: CatalogRecord;
  readonly firstYear?: number | undefined;
}

/** Many of them, works without their editions, in their order. One round trip, and more where they are large. */
export function readBooks(sources: readonly BookSource[], context: RequestContext): AsyncGenerator<Book[]> {
  const site = lookupConfig(context);
  return inParts(sources, async (some) => {
    const related = await readRelated(catalogReader(context), around(some.map(({ record }) => record)));
    return some.map(({ record, firstYear }) =>
      bookOf({ record, work: workOf(record, related), related: related.records, firstYear }, site),
    );
  });
}

/** A book as a search finds it: what its document in the index names. */
interface FoundBook {
  readonly key: string;
  /** Keys of authors and series. */
  readonly named: readonly string[];
  readonly firstYear?: number | undefined;
}

/**
 * Books that a search has found, in their order; undefined where one has been deleted since. One round trip, and one more
 * for what the index does not name, such as authors of an edition without a work. Throws `DocumentsTooLarge`.
 */
export async function readFoundBooks(
  found: readonly FoundBook[],
  context: RequestContext,
): Promise<(Book | undefined)[]> {
  const reader = catalogReader(context);
  const read = await readRelated(reader, {
    works: found.map(({ key }) => key),
    authors: [...new Set(found.flatMap(({ named }) => named))],
  });
  const records = found.map(({ key }) => read.records.get(key)).filter((record) => record !== undefined);
  const unread = ({ works, authors }: ReturnType<typeof around>) => ({
    works: works.filter((key) => !read.records.has(key)),
    authors: authors.filter((key) => !read.records.has(key)),
  });
  const more = await readRelated(reader, unread(around(records)));
  const related = { records: new Map([...more.records, ...read.records]), revisions: [] };
  const site = lookupConfig(context);
  return found.map(({ key, firstYear }) => {
    const record = related.records.get(key);
    if (record === undefined) return undefined;
    return bookOf({ record, work: workOf(record, related), related: related.records, firstYear }, site);
  });
}

/** What is read for all of them at once or, where there is no room for so much, for each half by itself. */
export async function* inParts<Item, Value>(
  items: readonly Item[],
  read: (some: readonly Item[]) => Promise<Value>,
): AsyncGenerator<Value> {
  const all = await unlessTooLarge(() => read(items), items.length > 1);
  if (all !== undefined) return yield all.value;
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

/** Several books as one document, page by page, so that no more than a page of records is in memory. */
export async function* booksDocument(
  name: FormatName,
  pages: AsyncIterable<readonly BookSource[]>,
  context: RequestContext,
): AsyncGenerator<string> {
  const { open, piece, between, close } = FORMATS[name].many;
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

/** Works of editions, of which the authors come along, and authors and series that the records name. */
function around(records: readonly CatalogRecord[]): { works: string[]; authors: string[] } {
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

/** A work or an edition in a format of others, an author as JSON-LD; nothing else has one. Of the latest revision (Q16). */
export async function formatReply(row: RecordRow, name: FormatName, context: RequestContext): Promise<Reply> {
  const { contentType } = FORMATS[name];
  const { body, revisions } = await written(row, name, context);
  return jsonText(body, {
    contentType,
    etag: `${revisionsEtag(revisions)}-${name}`,
    lastModified: row.lastModified,
    cacheControl: REVALIDATE,
    headers: { Vary: "Accept" },
    records: [...new Set(revisions.map(({ key }) => key))],
  });
}

async function written(row: RecordRow, name: FormatName, context: RequestContext) {
  if (row.type === "/type/author" && name === "jsonld") {
    const body = schemaText(schemaAuthor(latestRecord(row), lookupConfig(context)));
    return { body, revisions: [row] };
  }
  if (!isBook(row)) throw recordNotFound(row.key);
  const { book, revisions } = await readBook(row, context);
  return { body: FORMATS[name].one(book), revisions };
}
