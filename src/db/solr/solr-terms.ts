import * as z from "zod";
import {
  conjoinQueries,
  escapeToken,
  queryFieldIn,
  queryField,
  matchQuery,
  quoteText,
  toLuceneQuery,
} from "../../search/lucene/lucene-query.ts";
import type { Selection } from "../../search/plan/selection.ts";
import { type Vocabulary, type VocabularyRequest, LAST } from "../../search/plan/vocabulary.ts";
import type { IndexedWord, WordRequest } from "../../search/correction/word-forms.ts";
import { type WordReader, CORRECTION_CANDIDATES_MAX } from "../../search/engine/find-correction.ts";
import { lookUpTerms } from "../../search/engine/search-works.ts";
import { type SolrReader, countDocuments, find, textIn } from "./reader.ts";

const VOCABULARY_CANDIDATES_MAX = 5000;

export function selectionQuery({ match, conditions, ids }: Selection): string {
  return conjoinQueries([
    match === undefined ? "*:*" : matchQuery(match, "work"),
    ...conditions.map((plan) => toLuceneQuery(plan, "work")),
    ...(ids === undefined ? [] : [`(${queryFieldIn("no", ids)})`]),
  ]);
}

/** Looks up the terms that wildcards match, most frequent first. One round trip, none if all are cached. */
export function readSolrVocabulary(
  reader: SolrReader,
  requests: readonly VocabularyRequest[],
): Promise<Vocabulary> {
  return lookUpTerms(reader.vocabulary, requests, (unknown) =>
    Promise.all(unknown.map((request) => readTerms(reader, request))),
  );
}

/**
 * Words are also looked up in the spelling of titles and names, because the index has stems; without a beginning only
 * there.
 */
async function readTerms(
  reader: SolrReader,
  { kind, beginning, inside }: VocabularyRequest,
): Promise<string[]> {
  if (kind === "tokens") return readIndexedTerms(reader, "work_token", { beginning, inside });
  const spelled = await readSpelledWords(reader, { beginning, inside, limit: VOCABULARY_CANDIDATES_MAX });
  if (beginning === "") return spelled;
  return [...(await readIndexedTerms(reader, "work_word", { beginning, inside })), ...spelled];
}

/** Returns the terms of a field by beginning and contained text, most frequent first, then in order. */
function readIndexedTerms(
  reader: SolrReader,
  field: string,
  { beginning, inside }: { beginning: string; inside: string },
): Promise<string[]> {
  const pattern = `.*${inside.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`)}.*`;
  return fetchTerms(reader, field, {
    "terms.prefix": beginning,
    "terms.limit": String(VOCABULARY_CANDIDATES_MAX),
    "terms.sort": "count",
    ...(inside !== "" && { "terms.regex": pattern }),
  });
}

/** Returns the tokens of works between two, in order. */
export function readTokensBetween(
  reader: SolrReader,
  { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
): Promise<string[]> {
  return fetchTerms(reader, "work_token", {
    "terms.lower": from,
    "terms.lower.incl": "false",
    "terms.upper": to,
    "terms.sort": "index",
    "terms.limit": String(limit),
  });
}

const termsSchema = z.object({ terms: z.record(z.string(), z.array(z.union([z.string(), z.int()]))) });

async function fetchTerms(
  { collection }: SolrReader,
  field: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string[]> {
  const list = Object.entries({ "terms.fl": field, ...parameters });
  const { terms } = await collection.get("terms", list, termsSchema);
  return (terms[field] ?? []).filter((term) => typeof term === "string");
}

/** Returns words of titles and names, as they are written, in order. */
export async function readSpelledWords(
  reader: SolrReader,
  { beginning, inside = "", limit }: { beginning: string; inside?: string; limit: number },
): Promise<string[]> {
  const range = beginning === "" ? "term:*" : beginsQuery(beginning);
  const query = inside === "" ? range : `+${range} +term:*${escapeToken(inside)}*`;
  const { docs } = await find(reader, "spelling", { query, limit, sort: "term asc", fields: ["term"] });
  return docs.map((doc) => textIn(doc, "term"));
}

function beginsQuery(beginning: string): string {
  return `term:[${quoteText(beginning)} TO ${quoteText(beginning + LAST)}}`;
}

/** Returns the reader of words of Solr. Throws `SolrError`. */
export function createSolrWordReader(reader: SolrReader): WordReader {
  return (words) => Promise.all(words.map((word) => readWord(reader, word)));
}

async function readWord(
  reader: SolrReader,
  { word, skeletons, shortest, longest, beginnings }: WordRequest,
): Promise<IndexedWord> {
  const sameSkeleton = skeletons.slice(0, 1).map((skeleton) => queryField("skeleton", skeleton));
  const [spelled, { docs }] = await Promise.all([
    countDocuments(reader, "spelling", queryField("term", word)),
    find(reader, "spelling", {
      query: conjoinQueries([
        `(${queryFieldIn("skeleton", skeletons)})`,
        `(${[...beginnings.map(beginsQuery), ...sameSkeleton].join(" ")})`,
        `n_length:[${shortest} TO ${longest}]`,
      ]),
      sort: "id asc",
      fields: ["term"],
      limit: CORRECTION_CANDIDATES_MAX,
    }),
  ]);
  return { isSpelt: spelled > 0, near: docs.map((doc) => textIn(doc, "term")) };
}
