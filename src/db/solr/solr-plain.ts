import type { Document, Hits, PlainSearch } from "../../search/engine.ts";
import { matchQuery, quoteText, toLuceneQuery } from "../../search/lucene/lucene-query.ts";
import { type PlainScheme, PLAIN_FIELDS, plainColumnsOf } from "../../search/plain-fields.ts";
import { collationKeyOf } from "../../search/text/collation.ts";
import { type OrderTerm, walkTerms } from "../../search/engine/order-terms.ts";
import {
  type PreparedPlain,
  PLAIN_SOURCES,
  phraseOf,
  freeText,
  preparePlain,
  NAME_POINTS,
  PHRASE_POINTS,
} from "../../search/engine/plain-search.ts";
import { afterQuery, markFields, markOf, randomTerms, sortText } from "./order.ts";
import { type SolrFields, type SolrReader, find, numberIn, textIn } from "./reader.ts";

export const PLAIN_READ_FIELDS = ["document", "n_work_count"];

/** Last sort keys: authors have numbers, subjects and lists only keys. */
export const TIES: Readonly<Record<PlainScheme, string>> = { author: "no", subject: "id", list: "id" };

/** Implements `SearchEngine.authors`, `subjects` and `lists`. One round trip. */
export async function searchSolrPlain(
  reader: SolrReader,
  scheme: PlainScheme,
  search: PlainSearch,
): Promise<Hits> {
  const prepared = preparePlain(scheme, search);
  const { plan, driver, sorts, offset, limit } = prepared;
  const { after } = search;
  const isScored =
    driver !== undefined && after === undefined && sorts.some(({ field }) => field === "score");
  const source = PLAIN_SOURCES[scheme];
  const terms = walkTerms(sorts, TIES[scheme], ({ field, descending, seed = "" }): OrderTerm[] => {
    // Without text the most popular come first.
    if (field === "score") return [{ value: isScored ? "score" : `n_${source.popular}`, descending: true }];
    const column = source.sorts.get(field);
    if (column === undefined) return [];
    if (field === "random") return randomTerms(seed, descending);
    const isNumber = PLAIN_FIELDS[scheme].get(field)?.column === "number";
    return [{ value: `${isNumber ? "n" : "s"}_${column}`, descending, isOptional: true }];
  });
  const found = `+${toLuceneQuery(plan, scheme)}`;
  const { numFound, docs } = await find(reader, scheme, {
    query: isScored
      ? scoredQuery(scheme, search, prepared)
      : found + (after?.length ? ` +${afterQuery(terms, after)}` : ""),
    sort: sortText(terms),
    fields: after === undefined ? PLAIN_READ_FIELDS : [...PLAIN_READ_FIELDS, ...markFields(terms)],
    // A page beyond the window may begin beyond the numbers of Solr.
    offset: limit === 0 ? 0 : offset,
    limit,
  });
  const last = after && docs.at(-1);
  return {
    numFound: after?.length ? 0 : numFound,
    numFoundExact: true,
    documents: docs.map((doc) => plainDocument(scheme, doc)),
    mark: last && markOf(last, terms),
  };
}

/** Returns a document in its returned form. */
export function plainDocument(scheme: PlainScheme, doc: SolrFields): Document {
  const document = textIn(doc, "document");
  // A subject is stored as the JSON of its row.
  const row =
    scheme === "subject" ? JSON.parse(document) : { document, work_count: numberIn(doc, "n_work_count") };
  return PLAIN_SOURCES[scheme].documentOf(row);
}

/** Points of a word in a column of weight 1. They grow with the weight, up to `1 + SATURATION` times as many. */
const WORD_POINTS = 8;
const SATURATION = 1.2;

/** Points of `PlainSource.popularity`, as arguments of a sum. */
const POPULARITY: Readonly<Record<PlainScheme, string>> = {
  author: "min(n_work_count,20),ln(sum(1,n_work_count))",
  subject: "ln(sum(1,n_work_count))",
  list: "div(ln(sum(1,n_seed_count)),10)",
};

/**
 * Returns the query of the results with their score: points for popularity, for each word by its columns, for all words as a
 * phrase, and for the whole name. Unlike BM25, it does not depend on counts, which differ between shards and replicas, so
 * pages never overlap.
 */
function scoredQuery(scheme: PlainScheme, search: PlainSearch, { driver, rest }: PreparedPlain): string {
  const { weights, nameSort } = PLAIN_SOURCES[scheme];
  const columns = plainColumnsOf(scheme).map(({ name }): string => name);
  const pointsOf = (column: string): string => {
    const weight = weights[columns.indexOf(column)] ?? 0;
    return ((WORD_POINTS * weight * (1 + SATURATION)) / (weight + SATURATION)).toFixed(1);
  };
  const words = freeText(search);
  const phrase = phraseOf(scheme, words);
  return [
    `+${driver === undefined ? "*:*" : matchQuery(driver, scheme, pointsOf)} +${toLuceneQuery(rest, scheme)}^=0`,
    `{!func v="sum(${POPULARITY[scheme]},0)"}`,
    ...(phrase === undefined ? [] : [`${matchQuery(phrase, scheme)}^=${PHRASE_POINTS}`]),
    ...(nameSort === undefined || words === ""
      ? []
      : [`({!field f=s_${nameSort} v=${quoteText(collationKeyOf(words))}})^=${NAME_POINTS}`]),
  ].join(" ");
}
