import * as z from "zod";
import { type FeedEntry, renderAtom } from "../../catalog/web-feed.ts";
import { latestRecordOf } from "../../catalog/document.ts";
import { stringsOf, textOf } from "../../catalog/record.ts";
import { readRecords } from "../../db/records/records.ts";
import { FORMATS, FORMAT_NAMES, FORMAT_TYPES } from "../../export/formats.ts";
import { type Document, WINDOW_WORKS_MAX } from "../../search/engine.ts";
import { workAddressOf } from "../../search/present/works.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { joinBooks, nextPageLink, takePage, writeBooks } from "../http/book-pages.ts";
import { FIRST_DATE_FIELDS, firstDateOf, inParts, isBook } from "../http/book-formats.ts";
import { type RequestContext, baseUrl, catalogReader, operation } from "../http/operation.ts";
import { jsonText } from "../http/reply.ts";
import { NOTHING_FOUND, askIndex, searchCacheControl } from "./guarded.ts";
import { selectionParameters, windowOf, yearFiltersOf, yearParameters } from "./parameters.ts";
import { parseSearchRequest } from "./search-request.ts";
import { runSearch, searchParameters } from "./search.ts";

export const searchFile = operation({
  id: "searchFile",
  summary: "Export the works of a search",
  tag: "search",
  path: { format: z.enum(FORMAT_NAMES) },
  query: searchParameters,
  responses: {
    200: {
      description: "One page of works as a document; the `Link` header has the next page",
      also: FORMAT_TYPES,
    },
    403: { description: "Solr tuning parameter" },
  },
  async handle({ path: { format }, query }, context) {
    const { search, hits } = await runSearch({ ...query, fields: FILE_FIELDS }, context);
    const { page, last } = await takePage(writeBooks(format, recordPages(hits.documents, context), context));
    const found = hits.documents.map(keyOf);
    const end = windowOf(query).start + (last === undefined ? found.length : found.indexOf(last) + 1);
    const isLast = found.length === 0 || end >= Math.min(hits.numFound, WINDOW_WORKS_MAX);
    const cacheControl = searchCacheControl(context, { sort: search.sort });
    return {
      status: 200,
      body: joinBooks(format, page),
      contentType: FORMATS[format].contentType,
      cacheControl,
      headers: {
        "Content-Disposition": `attachment; filename="search.${format}"`,
        ...nextPageLink("offset", isLast ? undefined : String(end), context)?.headers,
      },
    };
  },
});

/** Index fields that are not in records. */
const FILE_FIELDS = ["key", ...FIRST_DATE_FIELDS];
const FILE_PAGE_RECORDS = 200;

async function* recordPages(documents: readonly Document[], context: RequestContext) {
  for (let at = 0; at < documents.length; at += FILE_PAGE_RECORDS) {
    const page = documents.slice(at, at + FILE_PAGE_RECORDS);
    yield* inParts(page, async (part) => {
      const records = await readRecords(catalogReader(context), part.map(keyOf));
      const rows = new Map(records.map((row) => [row.key, row]));
      return part.flatMap((document) => {
        const row = rows.get(keyOf(document));
        // The record may have been deleted or merged since it was indexed.
        if (row === undefined || !isBook(row)) return [];
        return [{ record: latestRecordOf(row), firstDate: firstDateOf(document) }];
      });
    });
  }
}

function keyOf({ key }: Document): string {
  return workAddressOf(stringsOf(key)[0] ?? "");
}

const FEED_WORKS = 50;
const FEED_FIELDS = ["key", "title", "subtitle", "author_name", "first_publish_year", "last_modified_i"];

/** Q598: `GET /search.atom`: the newest works of a search as a feed. The service stores no subscriptions. */
export const searchFeed = operation({
  id: "searchFeed",
  summary: "Get the newest works of a search as an Atom feed",
  tag: "search",
  query: { ...selectionParameters, ...yearParameters },
  responses: {
    200: { description: "Works by year of publication, newest first", contentType: "application/atom+xml" },
  },
  async handle({ query: params }, context) {
    const { sorts: sort } = parseWorkSort("new", context.now);
    const feedParams = { ...params, sort: "new", fields: FEED_FIELDS, limit: FEED_WORKS };
    const { q, search: request, isEmpty } = await parseSearchRequest(feedParams, context);
    const years = yearFiltersOf(params);
    const filters = [...request.filters, ...years];
    const { documents } =
      isEmpty && years.length === 0
        ? NOTHING_FOUND
        : await askIndex(context, q, (engine) => engine.works({ ...request, filters }));
    const site = baseUrl(context);
    const { search, searchParams } = context.url;
    const entries = documents.map((document): FeedEntry => {
      const [title = "", subtitle = ""] = [textOf(document["title"]), textOf(document["subtitle"])];
      const href = site + workAddressOf(textOf(document["key"]) ?? "");
      const fullTitle = [title, subtitle].filter((text) => text !== "").join(": ");
      const { first_publish_year: year } = document;
      return {
        title: fullTitle === "" ? href : fullTitle,
        href,
        id: href,
        updated: timeOf(document["last_modified_i"]),
        summary: typeof year === "number" ? String(year) : undefined,
        authors: stringsOf(document["author_name"]),
      };
    });
    const updated = entries.map((entry) => entry.updated).toSorted();
    const { name } = await context.site();
    const feed = renderAtom({
      title: `${name}: ${[...searchParams.values()].join(", ")}`,
      self: `${site}/search.atom${search}`,
      page: `${site}/search${search}`,
      updated: updated.at(-1) ?? timeOf(undefined),
      author: name,
      entries,
    });
    return jsonText(feed, {
      contentType: "application/atom+xml; charset=utf-8",
      cacheControl: searchCacheControl(context, { sort }),
    });
  },
});

/** Writes a time in seconds since 1970; an unknown time is 1970. */
function timeOf(seconds: unknown): string {
  return new Date((typeof seconds === "number" ? seconds : 0) * 1000).toISOString();
}
