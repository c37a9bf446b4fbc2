import * as z from "zod";
import type { Document, Hits, PlainSearch } from "../../search/engine.ts";
import { fieldOf, idsQuery, matchQuery, toLuceneQuery } from "../../search/lucene/lucene-query.ts";
import type { Match, TokensMatch } from "../../search/plan/match.ts";
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
import {
  type SolrFields,
  type SolrPage,
  type SolrReader,
  bodyOf,
  bytesIn,
  find,
  numberIn,
  textIn,
} from "./reader.ts";

export const PLAIN_READ_FIELDS = ["document", "n_work_count"];

/** Last sort keys: authors have numbers, subjects and lists only keys. */
export const TIES: Readonly<Record<PlainScheme, string>> = { author: "no", subject: "id", list: "id" };

/** Maximum number of documents that are scored here alone, and read with all fields of the page. */
const FEW_DOCUMENTS_MAX = 100;
/** Number of documents scored here besides those up to the end of the page: the order of Solr has fewer digits. */
const SCORED_BEYOND_PAGE = 300;

const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
const LEAST_IDF = 1e-6;

/**
 * Implements `SearchEngine.authors`, `subjects` and `lists`. One round trip; up to three for the scores of many documents,
 * and one more each minute.
 */
export async function searchSolrPlain(
  reader: SolrReader,
  scheme: PlainScheme,
  search: PlainSearch,
): Promise<Hits> {
  const prepared = preparePlain(scheme, search);
  const { plan, driver, sorts, offset, limit } = prepared;
  const { after } = search;
  const query = `+${toLuceneQuery(plan, scheme)}`;
  if (limit === 0) return hitsOf(scheme, await find(reader, scheme, { query, limit: 0 }));
  const isScored = after === undefined && sorts[0]?.field === "score";
  if (driver !== undefined && isScored) {
    return hitsOf(scheme, await readScoredPage(reader, scheme, { search, query, driver }));
  }
  const terms = orderTerms(scheme, prepared);
  const page = await find(reader, scheme, {
    query: after?.length ? `${query} +${afterQuery(terms, after)}` : query,
    sort: sortText(terms),
    fields: [...PLAIN_READ_FIELDS, ...markFields(terms)],
    offset,
    limit,
  });
  const last = after && page.docs.at(-1);
  const numFound = after?.length ? 0 : page.numFound;
  return { ...hitsOf(scheme, { ...page, numFound }), mark: last && markOf(last, terms) };
}

function hitsOf(scheme: PlainScheme, { numFound, docs }: SolrPage): Hits {
  return { numFound, numFoundExact: true, documents: docs.map((doc) => plainDocument(scheme, doc)) };
}

/** Returns a document in its returned form. */
export function plainDocument(scheme: PlainScheme, doc: SolrFields): Document {
  const document = textIn(doc, "document");
  // A subject is stored as the JSON of its row.
  const row =
    scheme === "subject" ? JSON.parse(document) : { document, work_count: numberIn(doc, "n_work_count") };
  return PLAIN_SOURCES[scheme].documentOf(row);
}

/** Returns the sort keys of documents. Without text the most popular come first. */
function orderTerms(scheme: PlainScheme, { sorts }: PreparedPlain): OrderTerm[] {
  const source = PLAIN_SOURCES[scheme];
  return walkTerms(sorts, TIES[scheme], ({ field, descending, seed = "" }) => {
    if (field === "score") return [{ value: `n_${source.popular}`, descending: true }];
    const column = source.sorts.get(field);
    if (column === undefined) return [];
    if (field === "random") return randomTerms(seed, descending);
    const isNumber = PLAIN_FIELDS[scheme].get(field)?.column === "number";
    return [{ value: `${isNumber ? "n" : "s"}_${column}`, descending, isOptional: true }];
  });
}

interface ScoredSearch {
  readonly search: PlainSearch;
  readonly query: string;
  /** Match whose phrases make the score. */
  readonly driver: Match;
}

/** Reads a page of documents by their score. One round trip for few documents, otherwise three. */
async function readScoredPage(
  reader: SolrReader,
  scheme: PlainScheme,
  { search, query, driver }: ScoredSearch,
): Promise<SolrPage> {
  const { start, rows } = search;
  const { nameSort, popular } = PLAIN_SOURCES[scheme];
  const tie = TIES[scheme];
  const fields = ["id", "no", "compared", "n_length", `n_${popular}`];
  if (nameSort !== undefined) fields.push(`s_${nameSort}`);
  const phrases = phrasesOf(driver);
  const first = await find(reader, scheme, {
    query,
    fields: [...fields, ...PLAIN_READ_FIELDS],
    limit: FEW_DOCUMENTS_MAX,
    counted: phrases.map((phrase) => matchQuery(phrase, scheme)),
  });
  const { numFound, counts = [] } = first;
  if (first.docs.length === 0) return first;
  const scoring = await scoringOf(reader, scheme, { search, phrases, counts });
  const pageOf = (docs: readonly SolrFields[]): SolrFields[] =>
    docs
      .map((doc) => ({ doc, score: scoreOf(doc, scoring) }))
      .sort((a, b) => b.score - a.score || compareTies(a.doc[tie], b.doc[tie]))
      .slice(start, start + rows)
      .map(({ doc }) => doc);
  if (numFound <= first.docs.length) return { numFound, docs: pageOf(first.docs) };
  const sort = `${scoreFunction(scoring)} desc, ${tie} asc`;
  const limit = start + rows + SCORED_BEYOND_PAGE;
  const scored = await find(reader, scheme, { query, sort, fields, limit });
  const ids = pageOf(scored.docs).map((doc) => textIn(doc, "id"));
  if (ids.length === 0) return { numFound, docs: [] };
  const { docs } = await find(reader, scheme, {
    query: idsQuery(ids),
    fields: ["id", ...PLAIN_READ_FIELDS],
    limit: rows,
  });
  const byId = new Map(docs.map((doc) => [textIn(doc, "id"), doc]));
  return { numFound, docs: ids.map((id) => byId.get(id)).filter((doc) => doc !== undefined) };
}

function compareTies(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return Number(String(a) > String(b)) - Number(String(a) < String(b));
}

interface Scoring {
  readonly scheme: PlainScheme;
  readonly phrases: readonly { readonly phrase: TokensMatch; readonly idf: number }[];
  readonly averageLength: number;
  readonly whole: Match | undefined;
  /** Column with the collation key of the name, and the collation key to find. */
  readonly nameSort: string | undefined;
  readonly name: string;
}

interface CountedPhrases {
  search: PlainSearch;
  phrases: readonly TokensMatch[];
  /** Number of all documents, and of those with each phrase. */
  counts: readonly number[];
}

async function scoringOf(
  reader: SolrReader,
  scheme: PlainScheme,
  { search, phrases, counts: [all = 0, ...counts] }: CountedPhrases,
): Promise<Scoring> {
  const words = freeText(search);
  return {
    scheme,
    phrases: phrases.map((phrase, at) => {
      const count = counts[at] ?? 0;
      const idf = Math.log((all - count + 0.5) / (count + 0.5));
      return { phrase, idf: idf > 0 ? idf : LEAST_IDF };
    }),
    averageLength: await readAverageLength(reader, scheme, all),
    whole: phraseOf(scheme, words),
    nameSort: words === "" ? undefined : PLAIN_SOURCES[scheme].nameSort,
    name: collationKeyOf(words),
  };
}

const lengthSchema = z.object({ facets: z.object({ length: z.number().optional() }) });

/** Lifetime of a cached average in milliseconds, unless the number of documents changes: summing all lengths is slow. */
const AVERAGE_MS = 60_000;
const averages = new Map<string, { readonly of: number; readonly until: number; readonly average: number }>();

async function readAverageLength(reader: SolrReader, scheme: PlainScheme, count: number): Promise<number> {
  if (count === 0) return 1;
  const name = `${reader.collection.address} ${scheme}`;
  const cached = averages.get(name);
  if (cached !== undefined && cached.of === count && cached.until > Date.now()) return cached.average;
  const body = { ...bodyOf(scheme, { query: "*:*", limit: 0 }), facet: { length: "sum(n_length)" } };
  const { facets } = await reader.collection.ask("query", body, lengthSchema);
  const average = (facets.length ?? 0) / count;
  averages.set(name, { of: count, until: Date.now() + AVERAGE_MS, average });
  return average;
}

function phrasesOf(match: Match): TokensMatch[] {
  if (match.op === "tokens") return [match];
  return match.op === "without"
    ? [...phrasesOf(match.from), ...phrasesOf(match.less)]
    : match.of.flatMap(phrasesOf);
}

/** Returns the score of a document: popularity, text, phrase, whole name. */
function scoreOf(
  doc: SolrFields,
  { scheme, phrases, averageLength, whole, nameSort, name }: Scoring,
): number {
  const { weights, popular } = PLAIN_SOURCES[scheme];
  // The field holds what `comparedFieldsOf` returned: texts in the order of the columns.
  const texts = JSON.parse(bytesIn(doc, "compared")) as string[];
  const columns = new Map(
    plainColumnsOf(scheme).map((column, at) => [
      column.name as string,
      { text: texts[at] ?? "", weight: weights[at] ?? 1 },
    ]),
  );
  const share = 1 - LENGTH_SHARE + (LENGTH_SHARE * (numberIn(doc, "n_length") ?? 0)) / averageLength;
  let textPoints = 0;
  for (const { phrase, idf } of phrases) {
    let hits = 0;
    for (const column of phrase.columns) {
      const { text = "", weight = 0 } = columns.get(column) ?? {};
      hits += weight * hitsIn(text, phrase);
    }
    textPoints += idf * ((hits * (SATURATION + 1)) / (hits + SATURATION * share));
  }
  const points = POPULARITY[scheme].of(numberIn(doc, `n_${popular}`) ?? 0) + textPoints;
  const hasWhole =
    whole !== undefined &&
    phrasesOf(whole).some((phrase) =>
      phrase.columns.some((column) => hitsIn(columns.get(column)?.text ?? "", phrase) > 0),
    );
  const isNamed = nameSort !== undefined && doc[`s_${nameSort}`] === name;
  return points + PHRASE_POINTS * Number(hasWhole) + NAME_POINTS * Number(isNamed);
}

function hitsIn(text: string, { tokens, prefix }: TokensMatch): number {
  const padded = ` ${text} `;
  const phrase = ` ${tokens.join(" ")}${prefix ? "" : " "}`;
  let hits = 0;
  for (let at = padded.indexOf(phrase); at !== -1; at = padded.indexOf(phrase, at + 1)) hits += 1;
  return hits;
}

/** Points of `PlainSource.popularity`, as a number and as a function of Solr. */
const POPULARITY: Readonly<
  Record<PlainScheme, { readonly of: (count: number) => number; readonly text: string }>
> = {
  author: {
    of: (count) => Math.min(count, 20) + Math.log(1 + count),
    text: "min(n_work_count,20),ln(sum(1,n_work_count))",
  },
  subject: { of: (count) => Math.log(1 + count), text: "ln(sum(1,n_work_count))" },
  list: { of: (count) => Math.log(1 + count) / 10, text: "div(ln(sum(1,n_seed_count)),10)" },
};

/**
 * Returns the score as a function of Solr. It has fewer digits, and counts a phrase of several tokens, or a beginning, at
 * most once per column.
 */
function scoreFunction({ scheme, phrases, averageLength, whole, nameSort, name }: Scoring): string {
  const texts = phrases.map(({ phrase, idf }) => {
    const hits = hitsFunction(phrase, scheme);
    const share = `sum(${SATURATION * (1 - LENGTH_SHARE)},product(${(SATURATION * LENGTH_SHARE) / averageLength},n_length))`;
    return `div(product(${hits},${idf * (SATURATION + 1)}),sum(${hits},${share}))`;
  });
  const named = `{!field f=s_${nameSort} v=${JSON.stringify(name)}}`;
  const points = [
    POPULARITY[scheme].text,
    ...texts,
    ...(whole === undefined ? [] : [ifFunction(matchQuery(whole, scheme), PHRASE_POINTS)]),
    ...(nameSort === undefined ? [] : [ifFunction(named, NAME_POINTS)]),
  ];
  return `sum(${points.join(",")},0)`;
}

function ifFunction(query: string, points: number): string {
  return `if(exists(query({!lucene v=${JSON.stringify(query)}})),${points},0)`;
}

/** Returns the weighted number of occurrences in the columns. */
function hitsFunction({ columns, tokens, prefix }: TokensMatch, scheme: PlainScheme): string {
  const names = plainColumnsOf(scheme).map(({ name }): string => name);
  const hits = columns.flatMap((column) => {
    const weight = PLAIN_SOURCES[scheme].weights[names.indexOf(column)] ?? 0;
    if (weight === 0) return [];
    if (tokens.length === 1 && !prefix) {
      return [`product(${weight},termfreq(${fieldOf(scheme, column)},${JSON.stringify(tokens[0])}))`];
    }
    return [ifFunction(matchQuery({ op: "tokens", columns: [column], tokens, prefix }, scheme), weight)];
  });
  return `sum(${[...hits, "0", "0"].join(",")})`;
}
