import { type AtomEntry, atomDocument } from "../../catalog/atom.ts";
import { stringsOf, textOf } from "../../catalog/record.ts";
import type { Document } from "../../search/engine.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { jsonText } from "../http/reply.ts";
import { NAME } from "../http/settings.ts";
import { searchCacheControl } from "./answers.ts";
import { askIndex } from "./guarded.ts";
import { selectionParameters } from "./parameters.ts";
import { workAddress } from "./result-parts.ts";
import { searchRequest } from "./search-request.ts";
import { yearFilters, yearParameters } from "./year-range.ts";

/** Works in a feed. */
const FEED_WORKS = 50;
const FIELDS = ["key", "title", "subtitle", "author_name", "first_publish_year", "last_modified_i"];

/** Q598: `GET /search.atom`: the newest works of a search, to be followed. Nothing is kept of it: the address says it all. */
export const searchFeed = operation({
  id: "searchFeed",
  summary: "The newest works of a search as an Atom feed",
  tag: "search",
  query: { ...selectionParameters, ...yearParameters },
  responses: {
    200: {
      description: "Works by their year, the newest first, as they were last changed",
      contentType: "application/atom+xml",
    },
    503: { description: "The index does not answer" },
  },
  async handle({ query }, context) {
    const { sorts: sort } = parseWorkSort("new", context.now);
    const documents = await newestWorks(query, context);
    const site = baseUrl(context);
    const asked = context.url.search;
    const entries = documents.map((document) => entryOf(document, site));
    const updated = entries.map((entry) => entry.updated).toSorted();
    const feed = atomDocument({
      title: `${NAME}: ${[...context.url.searchParams.values()].join(", ")}`,
      self: `${site}/search.atom${asked}`,
      page: `${site}/search${asked}`,
      updated: updated.at(-1) ?? timeOf(undefined),
      author: NAME,
      entries,
    });
    return jsonText(feed, {
      contentType: "application/atom+xml; charset=utf-8",
      cacheControl: searchCacheControl(context, { sort }),
    });
  },
});

type Asked = Omit<Parameters<typeof searchRequest>[0], "fields" | "limit"> &
  Parameters<typeof yearFilters>[0];

/** One round trip; none where nothing is asked. */
async function newestWorks(asked: Asked, context: RequestContext): Promise<readonly Document[]> {
  const wanted = { ...asked, sort: "new", fields: FIELDS, limit: FEED_WORKS };
  const { search, text, isEmpty } = await searchRequest(wanted, context);
  const years = yearFilters(asked);
  if (isEmpty && years.length === 0) return [];
  const filters = [...search.filters, ...years];
  return (await askIndex(context, text, (engine) => engine.works({ ...search, filters }))).documents;
}

function entryOf(document: Document, site: string): AtomEntry {
  const { key, title, subtitle, author_name: names, first_publish_year: year, last_modified_i } = document;
  const href = site + workAddress(textOf(key) ?? "");
  const whole = [textOf(title) ?? "", textOf(subtitle) ?? ""].filter((text) => text !== "").join(": ");
  return {
    title: whole === "" ? href : whole,
    href,
    id: href,
    updated: timeOf(last_modified_i),
    summary: typeof year === "number" ? String(year) : undefined,
    authors: stringsOf(names),
  };
}

/** Seconds since 1970 as the feed has them; their beginning where they are not known. */
function timeOf(seconds: unknown): string {
  return new Date((typeof seconds === "number" ? seconds : 0) * 1000).toISOString();
}
