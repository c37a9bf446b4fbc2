import * as z from "zod";
import { exactTitleTokenOf } from "../../search/indexing/filter-token.ts";
import type { PlainScheme } from "../../search/plain-fields.ts";
import { TooBroadError, checkBreadth } from "../../search/plan/too-broad.ts";
import {
  type WorkParameters,
  CLAUSE_PARAMETERS,
  clausesOf,
  filtersOf,
  FLAG_PARAMETERS,
  LIST_PARAMETERS,
} from "../../search/query/work-parameters.ts";
import { parsePlainQuery, parseWorkQuery } from "../../search/query/parse-query.ts";
import { type Query, allOf, between, isTooComplex } from "../../search/query/query.ts";
import { type SortReader, parseEditionSort, parseWorkSort } from "../../search/sorts.ts";
import type { RequestContext } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { isPrintDisabled } from "./engine.ts";
import { VALUE_ERROR, askIndex, toQueryError } from "./guarded.ts";
import type { TextKey } from "../../catalog/texts.ts";

export const SEARCH_LIMIT = { default: 100, max: 1000 };
/** Minimum length of a text with letters in upper and lower case, unless it is a title (Q661). */
const QUERY_LENGTH_MIN = 3;
/** Number of works whose titles are compared with a shorter text. */
const SHORT_TITLES_MAX = 100;

const trueOrFalse = z.enum(["true", "false"]);
const optionalText = z.string().optional();
const textList = z.array(z.string()).default([]);

const searchText = z.string().superRefine((q, context) => {
  if (refusalOf(q) !== undefined)
    context.addIssue({ code: "custom", params: VALUE_ERROR, message: refusalOf(q) });
});

/** Returns the reason for not searching a text; undefined for a valid text. */
export function refusalOf(q: string): TextKey | undefined {
  // Q79: the message is a list of one text in Python's notation.
  return q.toLowerCase() === "the" ? "validation.query_the" : undefined;
}

const UNCASED_LETTER = /\p{Lo}/u;

/** Returns true for a text that is searched only if it is a title. Scripts without case may have short words. */
export function isShortText(q: string): boolean {
  return q !== "" && Array.from(q).length < QUERY_LENGTH_MIN && !UNCASED_LETTER.test(q);
}

/** Throws 422 for a short text that is no work's title. One search for a short text, none for others. */
export async function refuseShortText(q: string, context: RequestContext): Promise<void> {
  if (!isShortText(q)) return;
  const { query } = parseWorkQuery(q, { prefix: context.settings.RECORD_PREFIX });
  const search = { query, filters: [], editionClauses: [], sort: [], withEditions: false, fields: ["title"] };
  const { documents } = await askIndex(context, q, (engine) =>
    engine.works({ ...search, start: 0, rows: SHORT_TITLES_MAX }),
  );
  const token = exactTitleTokenOf(q);
  if (token !== undefined && documents.some(({ title }) => exactTitleTokenOf(String(title)) === token))
    return;
  throw toQueryError(q, { key: "validation.query_short", values: { least: QUERY_LENGTH_MIN } });
}

/** Describes a `sort` parameter that `parse` reads. Random orders with other seeds are valid too. */
export function describeSort(parse: SortReader) {
  const description = "Sort order, or several separated by commas; random orders may end in `_` and a seed";
  return { description, enum: ["", ...parse.names] };
}

/** Makes a `sort` parameter that is a 422 for a name that `parse` does not know. */
export function makeSortParameter(parse: SortReader) {
  return z
    .string()
    .superRefine((value, context) => {
      // The names do not depend on the time.
      const { refusal } = parse(value, 0);
      if (refusal === undefined) return;
      const { key: message, values } = refusal;
      context.addIssue({ code: "custom", params: { ...VALUE_ERROR, values }, message });
    })
    .meta(describeSort(parse));
}

export const workSort = makeSortParameter(parseWorkSort);
export const editionSort = makeSortParameter(parseEditionSort);

export const selectionParameters = {
  q: searchText.default("").describe("Search text: words, phrases, field:value, AND, OR, NOT"),
  title: optionalText.describe("Words of the title"),
  publisher: optionalText,
  oclc: optionalText,
  lccn: optionalText,
  contributor: optionalText,
  subject: optionalText,
  place: optionalText,
  person: optionalText,
  time: optionalText,
  isbn: optionalText,
  author: optionalText.describe("Name or record ID of an author"),
  has_fulltext: trueOrFalse.optional().describe("Only works that can (`true`) or cannot be read or borrowed"),
  public_scan: trueOrFalse.optional(),
  print_disabled: trueOrFalse.optional(),
  public_scan_b: z.array(trueOrFalse).default([]),
  author_key: textList.describe("Record IDs of authors"),
  author_facet: textList.describe("Alias of `author_key`"),
  subject_facet: textList,
  person_facet: textList.describe("Names of people that the work is about"),
  place_facet: textList,
  time_facet: textList,
  first_publish_year: textList,
  publisher_facet: textList,
  language: textList.describe("Codes or names of languages; matches works in any of them"),
};

export const pagingParameters = {
  limit: integer(z.int().gte(0)).default(SEARCH_LIMIT.default).describe("Page size, at most 1,000"),
  offset: integer(z.int().gte(0)).optional().describe("Number of entries to skip; overrides `page`"),
  page: integer(z.int().gte(1)).optional(),
};

/** Returns first row and number of rows. `offset` takes precedence over `page`, which counts pages of the clipped limit. */
export function windowOf({ limit, offset, page }: z.output<z.ZodObject<typeof pagingParameters>>) {
  const rows = Math.min(limit, SEARCH_LIMIT.max);
  // The response repeats the start, which must stay exact.
  const start = Math.min(offset ?? rows * ((page ?? 1) - 1), Number.MAX_SAFE_INTEGER);
  return { start, rows };
}

/** Parses the `q` of a search for authors, subjects or lists; undefined if it is empty. Throws 422 if it is too complex. */
export function parsePlainSearch(q: string, scheme: PlainScheme): Query | undefined {
  if (q.trim() === "") return undefined;
  const { query, tooComplex } = parsePlainQuery(q, scheme);
  if (tooComplex) throw toQueryError(q, { key: "validation.query_complex" });
  try {
    checkBreadth([query]);
  } catch (error) {
    throw error instanceof TooBroadError ? toQueryError(q, error.text) : error;
  }
  return query;
}

/** Parses search text and parameters. Throws 422 if they are too complex. */
export function parseSelection(
  { q, parameters }: { q: string; parameters: WorkParameters },
  context: RequestContext,
) {
  const prefix = context.settings.RECORD_PREFIX;
  const text = parseWorkQuery(q, { prefix });
  const fielded = clausesOf(parameters, { prefix });
  const restricted = filtersOf(parameters, { prefix, printDisabled: isPrintDisabled(context) });
  const query = allOf([text.query, ...fielded.clauses]);
  const editionClauses = [...text.editionClauses, ...fielded.editionClauses];
  const texts = [...CLAUSE_PARAMETERS, ...FLAG_PARAMETERS].flatMap((name) => parameters[name] ?? []);
  const isEmpty =
    [q, ...texts].every((value) => value.trim() === "") &&
    LIST_PARAMETERS.every((name) => (parameters[name] ?? []).length === 0);
  // Each part has the same limit by itself: edition clauses repeat parts of the query, and only a client that repeats
  // filters sends many of them.
  const parts = [[query], editionClauses, restricted.filters];
  if (text.tooComplex || fielded.tooComplex || parts.some(isTooComplex)) {
    throw toQueryError(q, { key: "validation.query_complex" });
  }
  return {
    works: { query, filters: restricted.filters, editionClauses: [] },
    editionClauses: [...editionClauses, ...restricted.editionFilters],
    freeWords: [...new Set([...text.freeWords, ...fielded.freeWords])],
    isEmpty,
  };
}

function year(description: string) {
  return z.coerce.number().int().min(-9999).max(9999).optional().catch(undefined).describe(description);
}

export const yearParameters = {
  from: year("First published in this year or later (HTML only)"),
  to: year("First published in this year or earlier (HTML only)"),
};
export type YearRange = z.output<z.ZodObject<typeof yearParameters>>;

export function yearFiltersOf({ from, to }: Partial<YearRange>): Query[] {
  if (from === undefined && to === undefined) return [];
  return [between("first_publish_year", from?.toString() ?? null, to?.toString() ?? null)];
}
