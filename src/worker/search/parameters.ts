import * as z from "zod";
import type { PlainScheme } from "../../search/plain-fields.ts";
import { TooBroadError, checkBreadth } from "../../search/plan/too-broad.ts";
import { parsePlainQuery } from "../../search/query/parse-query.ts";
import type { Query } from "../../search/query/query.ts";
import { type SortReader, parseWorkSort } from "../../search/sorts.ts";
import { integer, orAbsent } from "../http/parameters.ts";
import { VALUE_ERROR, queryRefused } from "./guarded.ts";

/** Works in an answer of a search: when no limit is given, and at most. More is asked for page by page. */
export const SEARCH_LIMIT = { default: 100, max: 1000 };
/** Shortest text that is searched for, in characters. */
export const QUERY_LENGTH_MIN = 3;

const trueOrFalse = orAbsent(z.enum(["true", "false"]));
const optionalText = z.string().optional();
const texts = orAbsent(z.array(z.string())).default([]);

const searchText = z.string().superRefine((value, context) => {
  const message = refusalOf(value);
  if (message === undefined) return;
  context.addIssue({ code: "custom", params: VALUE_ERROR, message: `Value error, ${message}` });
});

/** Why a text is not searched for; undefined when it is. */
export function refusalOf(value: string): string | undefined {
  if (value === "") return undefined;
  if (Array.from(value).length < QUERY_LENGTH_MIN) {
    return `Query too short, must be at least ${QUERY_LENGTH_MIN} characters`;
  }
  // Q79: the message is a list of one text in Python's spelling.
  const isTheOnly = value.toLowerCase() === "the";
  return isTheOnly ? "('Invalid query; the following queries are not allowed: the',)" : undefined;
}

/** How a `sort` that `parse` reads is described: seeds of the client's own are taken besides. */
export function sortNames(parse: SortReader) {
  const description =
    "Name of an order, or several with commas between; random orders may end in `_` and a seed";
  return { description, enum: ["", ...parse.names] };
}

/** Names of orders that `parse` knows; an unknown one is a 422. */
export function sortParameter(parse: SortReader) {
  return z
    .string()
    .superRefine((value, context) => {
      // Which names there are does not depend on the time.
      const { message } = parse(value, 0);
      if (message === undefined) return;
      context.addIssue({ code: "custom", params: VALUE_ERROR, message: `Value error, ${message}` });
    })
    .meta(sortNames(parse));
}

/** Names of orders of works. */
export const workSort = sortParameter(parseWorkSort);

/** What chooses the works of `/search.json` and of `/search/facets.json`. */
export const selectionParameters = {
  q: searchText.default("").describe("Search text: words, phrases, field:value, AND, OR, NOT"),
  title: optionalText.describe("Words of the work's title"),
  publisher: optionalText,
  oclc: optionalText,
  lccn: optionalText,
  contributor: optionalText,
  subject: optionalText,
  place: optionalText,
  person: optionalText,
  time: optionalText,
  isbn: optionalText,
  author: optionalText.describe("Name or record number of an author"),
  has_fulltext: trueOrFalse.optional().describe("Whether it can be read or borrowed"),
  public_scan: trueOrFalse.optional(),
  print_disabled: trueOrFalse.optional(),
  public_scan_b: orAbsent(z.array(trueOrFalse)).default([]),
  author_key: texts.describe("Record numbers of authors"),
  author_facet: texts.describe("The same as author_key"),
  subject_facet: texts,
  person_facet: texts.describe("Names of persons the work is about"),
  place_facet: texts,
  time_facet: texts,
  first_publish_year: texts,
  publisher_facet: texts,
  language: texts.describe("Codes of three letters; one of them is enough"),
};

/** The same, checked. */
export type Selection = z.output<z.ZodObject<typeof selectionParameters>>;

/** Where an answer starts and how long it is. */
export const pagingParameters = {
  limit: integer(z.int().gte(0)).default(SEARCH_LIMIT.default).describe("More than 1,000 is taken as 1,000"),
  offset: integer(z.int().gte(0)).optional().describe("Goes before page"),
  page: integer(z.int().gte(1)).optional(),
};

/** First row and number of rows; `offset` goes before `page`, and the limit that counts is the clipped one. */
export function windowOf({ limit, offset, page }: z.output<z.ZodObject<typeof pagingParameters>>) {
  const rows = Math.min(limit, SEARCH_LIMIT.max);
  // Nothing is there; but the answer says where it starts, and beyond this no number would be exact.
  const start = Math.min(offset ?? rows * ((page ?? 1) - 1), Number.MAX_SAFE_INTEGER);
  return { start, rows };
}

/** The query of a text; undefined for an empty one, which finds nothing. Throws 422 for one that is too complex. */
export function plainQuery(words: string, scheme: PlainScheme): Query | undefined {
  if (words.trim() === "") return undefined;
  const { query, tooComplex } = parsePlainQuery(words, scheme);
  if (tooComplex) throw queryRefused(words, "Query too complex");
  try {
    checkBreadth([query]);
  } catch (error) {
    throw error instanceof TooBroadError ? queryRefused(words, error.message) : error;
  }
  return query;
}
