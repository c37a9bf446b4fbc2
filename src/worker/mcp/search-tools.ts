import * as z from "zod";
import { type CatalogRecord, isObject, objectsOf } from "../../catalog/record.ts";
import { WINDOW_WORKS_MAX } from "../../search/engine.ts";
import { FACET_FIELDS } from "../search/facets.ts";
import { ToolFailure } from "./call-route.ts";
import { fitList, nextCursor, offsetCursor, paging, offsetOf, tool } from "./tool.ts";

const WORK_FIELDS =
  "key,title,subtitle,author_name,author_key,first_publish_year,edition_count,language,ebook_access,ratings_average";
const EDITION_FIELDS =
  "editions,editions.key,editions.title,editions.language,editions.publish_date,editions.isbn";
const facetName = z.enum(FACET_FIELDS).exclude(["public_scan_b"]);
/** Values of a facet that are shown. */
const FACET_VALUES = 20;

const text = (what: string) => z.string().max(1000).optional().describe(what);
const work = z.looseObject({ key: z.string(), title: z.string().optional() });
const total = z.int().describe("Number of all entries");

export const searchWorksTool = tool({
  name: "search_works",
  title: "Search works",
  description:
    "Searches the catalog for works by words and filters; can count facets and show the best edition of each work. Words may use field:value, AND, OR, NOT and quotes.",
  hints: "reads",
  input: z.object({
    q: text("Words to search for, such as `emma author:austen`"),
    title: text("Words of the title"),
    author: text("Name of an author"),
    author_key: text("Key of an author, such as `OL1A`"),
    subject: text("Subject of the book"),
    place: text("Place that the book is about"),
    person: text("Person that the book is about"),
    publisher: text("Publisher of an edition"),
    language: z.array(z.string().max(100)).max(20).optional().describe("Codes or names; matches any of them"),
    first_publish_year: z
      .array(z.string().regex(/^\d{1,4}$/))
      .max(50)
      .optional(),
    has_fulltext: z.boolean().optional().describe("Only works that can, or cannot, be read or borrowed"),
    sort: z.enum(["new", "old", "rating", "editions", "title"]).optional(),
    facets: z
      .array(facetName)
      .max(facetName.options.length)
      .optional()
      .describe("Fields to count over all found works"),
    editions: z.boolean().default(false).describe("Show the best edition of each work"),
    ...paging,
  }),
  output: z.object({
    total,
    works: z.array(work),
    facets: z
      .record(z.string(), z.array(z.object({ value: z.string(), label: z.string(), count: z.int() })))
      .optional(),
    corrected_query: z.string().optional().describe("Text that was searched instead of `q`"),
    suggested_query: z.string().optional(),
    ...nextCursor,
  }),
  async run({ facets, editions, limit, cursor, max_bytes: most, sort, ...filters }, caller) {
    const start = offsetOf({ cursor });
    const fields = editions ? `${WORK_FIELDS},${EDITION_FIELDS}` : WORK_FIELDS;
    const query = { ...filters, ...(sort !== undefined && { sort }) };
    const [response, counts] = await Promise.all([
      caller.call("/search.json", { query: { ...query, fields, limit, offset: start } }),
      facets && caller.object("/search/facets.json", { query: { ...filters, field: facets } }),
    ]);
    const found = await response.json<{ numFound: number; docs: CatalogRecord[] }>();
    const decode = (name: string): string | undefined => {
      const value = response.headers.get(name);
      return value === null ? undefined : decodeURIComponent(value);
    };
    const [corrected, suggested] = [decode("X-Corrected-Query"), decode("X-Suggested-Query")];
    const answer = {
      total: found.numFound,
      works: found.docs as z.input<typeof work>[],
      ...(counts && { facets: cutFacets(counts) }),
      ...(corrected !== undefined && { corrected_query: corrected }),
      ...(suggested !== undefined && { suggested_query: suggested }),
    };
    return fitList(answer, "works", {
      most,
      ...offsetCursor(start, Math.min(found.numFound, WINDOW_WORKS_MAX)),
    });
  },
});

function cutFacets(counts: CatalogRecord) {
  // Rows of the route's schema.
  type Row = { value: string; label: string; count: number };
  const rows = Object.entries(counts) as [string, Row[]][];
  return Object.fromEntries(rows.map(([name, values]) => [name, values.slice(0, FACET_VALUES)]));
}

export const searchInsideTool = tool({
  name: "search_inside",
  title: "Search inside books",
  description: "Finds a phrase in the text of scanned books and returns the books with snippets.",
  hints: "reads",
  input: z.object({
    q: z.string().min(1).max(1000).describe("Phrase to find"),
    language: text("Code or English name of the language"),
    readable: z.boolean().default(false).describe("Only books that can be read or borrowed"),
    ...paging,
  }),
  output: z.object({ total, books: z.array(z.looseObject({})), ...nextCursor }),
  async run({ limit, cursor, max_bytes: most, ...phrase }, caller) {
    const start = offsetOf({ cursor });
    const query = { ...phrase, limit, offset: start, facets: false };
    const { hits, error } = await caller.object("/search/inside.json", { query });
    // Q56: a failure of the engine is 200.
    if (!isObject(hits)) throw new ToolFailure(503, String(error));
    const all = Number(hits["total"]);
    return fitList({ total: all, books: objectsOf(hits["hits"]) }, "books", {
      most,
      ...offsetCursor(start, all),
    });
  },
});
