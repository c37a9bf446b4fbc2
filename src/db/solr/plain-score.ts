import * as z from "zod";
import type { PlainSearch } from "../../search/engine.ts";
import { fieldOf, idsQuery, matchQuery } from "../../search/lucene/lucene-query.ts";
import type { Match, TokensMatch } from "../../search/plan/match.ts";
import { type PlainScheme, plainColumns } from "../../search/plain-fields.ts";
import { collationKey } from "../../search/text/collation.ts";
import { NAME_POINTS, PHRASE_POINTS, freeText, phraseOf } from "../search/plain.ts";
import { PLAIN_SOURCES } from "../search/plain-sources.ts";
import {
  type Found,
  type FoundPage,
  type SolrReader,
  bodyOf,
  bytesIn,
  find,
  numberIn,
  textIn,
} from "./reader.ts";

/** What makes a document of a scheme. */
export const PLAIN_READ_FIELDS = ["document", "n_work_count"];

/** Documents that are compared besides those up to the end of the page: Solr's order has fewer digits. */
const COMPARED_BEYOND = 300;

interface Scored {
  readonly search: PlainSearch;
  readonly query: string;
  /** What drives the search: its phrases make the score. */
  readonly match: Match;
}

/** So few documents are scored here alone, and come as they are returned. */
const FEW = 100;

/** A page of documents by their score. One round trip of few documents, else three; one more each minute. */
export async function scoredPage(
  reader: SolrReader,
  scheme: PlainScheme,
  scored: Scored,
): Promise<FoundPage> {
  const { query, search } = scored;
  const { start, rows } = search;
  const { nameSort, popular } = PLAIN_SOURCES[scheme];
  const tie = scheme === "author" ? "no" : "id";
  const sorted = nameSort === undefined ? [] : [`s_${nameSort}`];
  const fields = ["id", "no", "compared", "n_length", `n_${popular}`, ...sorted];
  const phrases = phrasesOf(scored.match);
  const few = await find(reader, scheme, {
    query,
    fields: [...fields, ...PLAIN_READ_FIELDS],
    limit: FEW,
    counted: phrases.map((phrase) => matchQuery(phrase, scheme)),
  });
  const { numFound, counts = [] } = few;
  if (few.docs.length === 0) return few;
  const scoring = await scoringOf(reader, scheme, { search, phrases, counts });
  const pageOf = (docs: readonly Found[]): Found[] =>
    docs
      .map((one) => ({ one, score: scoreOf(one, scoring) }))
      .sort((a, b) => b.score - a.score || compare(a.one[tie], b.one[tie]))
      .slice(start, start + rows)
      .map(({ one }) => one);
  if (numFound <= few.docs.length) return { numFound, docs: pageOf(few.docs) };
  const sort = `${scoreFunction(scoring)} desc, ${tie} asc`;
  const ask = { query, sort, fields, limit: start + rows + COMPARED_BEYOND };
  const page = pageOf((await find(reader, scheme, ask)).docs).map((one) => textIn(one, "id"));
  if (page.length === 0) return { numFound, docs: [] };
  const read = { query: idsQuery(page), fields: ["id", ...PLAIN_READ_FIELDS], limit: rows };
  const found = (await find(reader, scheme, read)).docs;
  const byId = new Map(found.map((one) => [textIn(one, "id"), one]));
  return { numFound, docs: page.map((id) => byId.get(id)).filter((one) => one !== undefined) };
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return Number(String(one) > String(other)) - Number(String(one) < String(other));
}

/** BM25 as FTS5 has it. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
const LEAST_IDF = 1e-6;

/** What a score is made of, besides the document. */
interface Scoring {
  readonly scheme: PlainScheme;
  readonly phrases: readonly { readonly phrase: TokensMatch; readonly idf: number }[];
  /** Tokens of a document, on average. */
  readonly average: number;
  /** All words in a row. */
  readonly whole: Match | undefined;
  /** Column with the collation key of the name, and the one that is searched for. */
  readonly nameSort: string | undefined;
  readonly name: string;
  /** Field that tells the popular from the others. */
  readonly popular: string;
}

interface Counted {
  readonly search: PlainSearch;
  readonly phrases: readonly TokensMatch[];
  /** Documents in all, and those with each phrase. */
  readonly counts: readonly number[];
}

async function scoringOf(
  reader: SolrReader,
  scheme: PlainScheme,
  { search, phrases, counts: [all = 0, ...counts] }: Counted,
): Promise<Scoring> {
  const written = freeText(search);
  const { nameSort, popular } = PLAIN_SOURCES[scheme];
  return {
    scheme,
    phrases: phrases.map((phrase, at) => {
      const count = counts[at] ?? 0;
      const idf = Math.log((all - count + 0.5) / (count + 0.5));
      return { phrase, idf: idf > 0 ? idf : LEAST_IDF };
    }),
    average: await averageLength(reader, scheme, all),
    whole: phraseOf(scheme, written),
    nameSort: written === "" ? undefined : nameSort,
    name: collationKey(written),
    popular: `n_${popular}`,
  };
}

const lengthSchema = z.object({ facets: z.object({ length: z.number().optional() }) });

/** How long an average is good for, in milliseconds, while there are as many documents: adding all lengths takes longest. */
const AVERAGE_MS = 60_000;
/** By collection and scheme. */
const averages = new Map<string, { readonly of: number; readonly until: number; readonly average: number }>();

/** Tokens of a document on average, of so many. */
async function averageLength(reader: SolrReader, scheme: PlainScheme, count: number): Promise<number> {
  if (count === 0) return 1;
  const name = `${reader.collection.address} ${scheme}`;
  const known = averages.get(name);
  if (known !== undefined && known.of === count && known.until > Date.now()) return known.average;
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

/** The score of a document: popularity, text, phrase, whole name. */
function scoreOf(one: Found, { scheme, phrases, average, whole, nameSort, name, popular }: Scoring): number {
  // The field holds what `comparedFields` made: texts in the order of the columns.
  const texts = JSON.parse(bytesIn(one, "compared")) as string[];
  const columns = new Map(plainColumns(scheme).map((column, at) => [column.name as string, texts[at] ?? ""]));
  const weights = new Map(
    [...columns.keys()].map((column, at) => [column, PLAIN_SOURCES[scheme].weights[at] ?? 1]),
  );
  const share = 1 - LENGTH_SHARE + (LENGTH_SHARE * (numberIn(one, "n_length") ?? 0)) / average;
  let text = 0;
  for (const { phrase, idf } of phrases) {
    let hits = 0;
    for (const column of phrase.columns)
      hits += (weights.get(column) ?? 0) * hitsIn(columns.get(column) ?? "", phrase);
    text += idf * ((hits * (SATURATION + 1)) / (hits + SATURATION * share));
  }
  const points = POPULARITY[scheme].of(numberIn(one, popular) ?? 0) + text;
  const isWhole =
    whole !== undefined &&
    phrasesOf(whole).some((phrase) =>
      phrase.columns.some((column) => hitsIn(columns.get(column) ?? "", phrase) > 0),
    );
  const isNamed = nameSort !== undefined && one[`s_${nameSort}`] === name;
  return points + PHRASE_POINTS * Number(isWhole) + NAME_POINTS * Number(isNamed);
}

/** How often a phrase stands in a text. */
function hitsIn(text: string, { tokens, prefix }: TokensMatch): number {
  const [padded, wanted] = [` ${text} `, ` ${tokens.join(" ")}${prefix ? "" : " "}`];
  let hits = 0;
  for (let at = padded.indexOf(wanted); at !== -1; at = padded.indexOf(wanted, at + 1)) hits += 1;
  return hits;
}

/** What `PlainSource.popularity` says in SQL, as a number and as a function of Solr. */
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

/** The score as Solr computes it: with fewer digits, and of several tokens, or a beginning, whether they are there. */
function scoreFunction({ scheme, phrases, average, whole, nameSort, name }: Scoring): string {
  const texts = phrases.map(({ phrase, idf }) => {
    const hits = hitsFunction(phrase, scheme);
    const share = `sum(${SATURATION * (1 - LENGTH_SHARE)},product(${(SATURATION * LENGTH_SHARE) / average},n_length))`;
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

/** How often a word stands in the columns, with their weights; of several tokens, or a beginning, whether it does. */
function hitsFunction({ columns, tokens, prefix }: TokensMatch, scheme: PlainScheme): string {
  const names = plainColumns(scheme).map(({ name }): string => name);
  const hits = columns.flatMap((column) => {
    const weight = PLAIN_SOURCES[scheme].weights[names.indexOf(column)] ?? 0;
    const field = fieldOf(scheme, column);
    if (weight === 0) return [];
    if (tokens.length === 1 && !prefix)
      return [`product(${weight},termfreq(${field},${JSON.stringify(tokens[0])}))`];
    return [ifFunction(matchQuery({ op: "tokens", columns: [column], tokens, prefix }, scheme), weight)];
  });
  return `sum(${[...hits, "0", "0"].join(",")})`;
}
