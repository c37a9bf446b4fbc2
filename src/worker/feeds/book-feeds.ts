import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { stringsOf, textOf } from "../../catalog/record.ts";
import { readRecord, readTimes } from "../../db/records/records.ts";
import {
  type PageTarget,
  targetQueryOf,
  toPublisherTarget,
  toSubjectTarget,
} from "../../search/present/subjects.ts";
import { workAddressOf } from "../../search/present/works.ts";
import { type Query, equals } from "../../search/query/query.ts";
import { compareValues } from "../../search/text/collation.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, baseUrl, catalogReader, operation } from "../http/operation.ts";
import { digitsOf } from "../http/parameters.ts";
import type { Reply } from "../http/reply.ts";
import { askIndex, searchCacheControl } from "../search/guarded.ts";
import { nameAddressOf } from "../search/result-parts.ts";
import { canonicalSubjectKey } from "../search/subject-page.ts";
import { FEED_ENTRIES, FEED_RESPONSES, format, replyWithFeed, zonedTime } from "./feed-reply.ts";

type Format = z.output<typeof format>;

export const authorFeed = operation({
  id: "authorFeed",
  summary: "Get the newest books of an author as a feed",
  tag: "records",
  path: { author_id: digitsOf("author"), format },
  responses: FEED_RESPONSES,
  handle({ path: { author_id: digits, format: as } }, context) {
    const id = `${context.settings.RECORD_PREFIX}${digits}A`;
    const owner = { key: `/authors/${id}`, type: "/type/author" };
    return replyOfRecord(as, { owner, query: equals("author_key", id) }, context);
  },
});

export const seriesFeed = operation({
  id: "seriesNewBooksFeed",
  summary: "Get the newest books of a series as a feed",
  tag: "lists",
  path: { series_id: digitsOf("series"), format },
  responses: FEED_RESPONSES,
  handle({ path: { series_id: digits, format: as } }, context) {
    const id = `${context.settings.RECORD_PREFIX}${digits}L`;
    const owner = { key: `/series/${id}`, type: "/type/series" };
    return replyOfRecord(as, { owner, query: equals("series_key", id) }, context);
  },
});

export const subjectFeed = operation({
  id: "subjectFeed",
  summary: "Get the newest books of a subject as a feed",
  tag: "subjects",
  path: {
    key: z.string().min(1).describe("Key such as love, person:mark_twain, place:france, time:1850s"),
    format,
  },
  responses: FEED_RESPONSES,
  handle: ({ path: { key, format: as } }, context) =>
    replyOfName(as, toSubjectTarget(canonicalSubjectKey(key)), context),
});

export const publisherFeed = operation({
  id: "publisherFeed",
  summary: "Get the newest books of a publisher as a feed",
  tag: "subjects",
  path: { key: z.string().min(1).describe("Name of the publisher; underscores stand for blanks"), format },
  responses: FEED_RESPONSES,
  handle: ({ path: { key, format: as } }, context) => replyOfName(as, toPublisherTarget(key), context),
});

/** Answers for a record of which the books are found by its key. */
async function replyOfRecord(
  as: Format,
  { owner, query }: { owner: { key: string; type: string }; query: Query },
  context: RequestContext,
): Promise<Reply> {
  const [row, books] = await Promise.all([
    readRecord(catalogReader(context), owner.key),
    findNewest(query, context),
  ]);
  if (row?.type !== owner.type) throw notFound();
  const name = textOf(latestRecordOf(row)["name"]) ?? owner.key;
  return replyWithBooks(as, { name, page: owner.key, books }, context);
}

async function replyOfName(as: Format, target: PageTarget, context: RequestContext): Promise<Reply> {
  const books = await findNewest(targetQueryOf(target), context);
  if (books.length === 0) throw notFound();
  const page = nameAddressOf(target.key.replaceAll(" ", "_"));
  return replyWithBooks(as, { name: target.name, page, books }, context);
}

type NewBooks = Awaited<ReturnType<typeof findNewest>>;

const FIELDS = ["key", "title", "subtitle", "author_name", "first_publish_year"];

/**
 * Finds the works with the highest numbers, which are given in the order of creation, newest first. A walk by number reads as
 * many rows for any query. Three round trips.
 */
async function findNewest(query: Query, context: RequestContext) {
  const search = { query, filters: [], editionClauses: [], withEditions: false, fields: FIELDS };
  const walk = { sort: [{ field: "key", descending: true }], after: [], start: 0, rows: FEED_ENTRIES };
  const { documents } = await askIndex(context, "", (engine) => engine.works({ ...search, ...walk }));
  const keyed = documents.map((document) => ({
    document,
    key: workAddressOf(textOf(document["key"]) ?? ""),
  }));
  const times = await readTimes(
    catalogReader(context),
    keyed.map(({ key }) => key),
  );
  const records = new Map(times.map((record) => [record.key, record]));
  return keyed
    .flatMap(({ key, document }) => {
      const record = records.get(key);
      return record === undefined ? [] : [{ record, document }];
    })
    .toSorted(({ record: a }, { record: b }) => compareValues(b.created, a.created));
}

function replyWithBooks(
  as: Format,
  { name, page, books }: { name: string; page: string; books: NewBooks },
  context: RequestContext,
): Promise<Reply> {
  const site = baseUrl(context);
  const entries = books.map(({ record, document }) => {
    const { title, subtitle, first_publish_year: year } = document;
    const href = site + record.key;
    const fullTitle = [title, subtitle].flatMap((text) => textOf(text) || []).join(": ");
    return {
      title: fullTitle === "" ? href : fullTitle,
      href,
      id: href,
      published: zonedTime(record.created),
      updated: zonedTime(record.lastModified),
      summary: typeof year === "number" ? String(year) : undefined,
      authors: stringsOf(document["author_name"]),
    };
  });
  const etag = computeRevisionsEtag(
    books.map(({ record }) => record),
    name,
  );
  const cacheControl = searchCacheControl(context);
  return replyWithFeed(as, { title: `New books: ${name}`, page, entries, etag, cacheControl }, context);
}
