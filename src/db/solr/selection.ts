import * as z from "zod";
import type { WorkSelection } from "../../search/engine.ts";
import {
  allQueries,
  escaped,
  fieldIn,
  matchQuery,
  planQuery,
  quoted,
} from "../../search/lucene/lucene-query.ts";
import { type PreparedSelection, type Selection, planSelection } from "../../search/plan/selection.ts";
import {
  type Vocabulary,
  type VocabularyRequest,
  EXPANSION_TERMS_MAX,
} from "../../search/plan/vocabulary.ts";
import { type SolrReader, find, textIn } from "./reader.ts";

/** Terms that are compared in full. */
const VOCABULARY_CANDIDATES_MAX = 5000;

/** Plans a selection; wildcards are looked up among the terms of the index. */
export function prepareSelection(reader: SolrReader, selection: WorkSelection): Promise<PreparedSelection> {
  return planSelection(selection, reader.prefix, (requests) => readVocabulary(reader, requests));
}

/** Terms by the conditions that stand for them, the most frequent first. One round trip, or none. */
export async function readVocabulary(
  reader: SolrReader,
  requests: readonly VocabularyRequest[],
): Promise<Vocabulary> {
  const { vocabulary } = reader;
  const unknown = requests.filter(({ id }) => !vocabulary.has(id));
  await Promise.all(
    unknown.map(async (request) => {
      const found = await wordsOrTokens(reader, request);
      vocabulary.set(request.id, [...new Set(found)].filter(request.accepts).slice(0, EXPANSION_TERMS_MAX));
    }),
  );
  return vocabulary;
}

/** Words are also looked for as titles and names write them, since the others are stems; without a beginning only so. */
async function wordsOrTokens(
  reader: SolrReader,
  { kind, beginning, inside }: VocabularyRequest,
): Promise<string[]> {
  if (kind === "tokens") return termsOf(reader, "work_token", { beginning, inside });
  const spelled = await spelledWords(reader, { beginning, inside, limit: VOCABULARY_CANDIDATES_MAX });
  if (beginning === "") return spelled;
  return [...(await termsOf(reader, "work_word", { beginning, inside })), ...spelled];
}

const termsSchema = z.object({ terms: z.record(z.string(), z.array(z.union([z.string(), z.int()]))) });

/** Terms of a field by how they begin and what they contain, the most frequent first, then in their order. */
async function termsOf(
  { collection }: SolrReader,
  field: string,
  { beginning, inside = "", limit = VOCABULARY_CANDIDATES_MAX }: TermsOptions,
): Promise<string[]> {
  const parameters: [string, string][] = [
    ["terms.fl", field],
    ["terms.prefix", beginning],
    ["terms.limit", String(limit)],
    ["terms.sort", "count"],
    ...(inside === ""
      ? []
      : [
          ["terms.regex", `.*${inside.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`)}.*`] as [string, string],
        ]),
  ];
  const { terms: found } = await collection.get("terms", parameters, termsSchema);
  return (found[field] ?? []).filter((one) => typeof one === "string");
}

interface TermsOptions {
  readonly beginning: string;
  readonly inside?: string;
  readonly limit?: number;
}

/** Words of titles and names, as they are written, in their order. */
export async function spelledWords(
  reader: SolrReader,
  { beginning, inside = "", limit = VOCABULARY_CANDIDATES_MAX }: TermsOptions,
): Promise<string[]> {
  // Above every text that begins so.
  const range =
    beginning === "" ? "term:*" : `term:[${quoted(beginning)} TO ${quoted(`${beginning}\u{10FFFF}`)}}`;
  const query = inside === "" ? range : `+${range} +term:*${escaped(inside)}*`;
  const { docs } = await find(reader, "spelling", { query, limit, sort: "term asc", fields: ["term"] });
  return docs.map((one) => textIn(one, "term"));
}

/** The works of a selection. */
export function selectionQuery({ match, conditions, ids }: Selection): string {
  return allQueries([
    match === undefined ? "*:*" : matchQuery(match, "work"),
    ...conditions.map((plan) => planQuery(plan, "work")),
    ...(ids === undefined ? [] : [`(${fieldIn("no", ids)})`]),
  ]);
}
