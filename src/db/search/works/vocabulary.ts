import {
  EXPANSION_TERMS_MAX,
  type Vocabulary,
  type VocabularyRequest,
} from "../../../search/plan/vocabulary.ts";
import { type Statement, batchRows } from "../../statement.ts";
import type { Generation } from "../generation.ts";
import type { IndexReader } from "../index-reader.ts";

/** Terms of the index that one condition looks at. */
export const VOCABULARY_SCAN_TERMS = 200_000;
/** Terms that are compared in full. */
const VOCABULARY_CANDIDATES_MAX = 5000;
/** Above every text that begins with what stands before it. */
const LAST = "\u{10FFFF}";

/**
 * Looks up the terms that conditions stand for, the most frequent first. One round trip, none when nothing is
 * asked for that is not known yet.
 */
export async function readVocabulary(
  { database, generation, vocabulary = new Map<string, readonly string[]>() }: IndexReader,
  requests: readonly VocabularyRequest[],
): Promise<Vocabulary> {
  const unknown = requests.filter(({ id }) => !vocabulary.has(id));
  if (unknown.length === 0) return vocabulary;
  const found = await batchRows(
    database,
    unknown.map((request) => vocabularyStatement(request, generation)),
  );
  for (const [index, { id, accepts }] of unknown.entries()) {
    // The rows have the column of the statement.
    const terms = ((found[index] ?? []) as { term: string }[]).map(({ term }) => term);
    vocabulary.set(id, [...new Set(terms)].filter(accepts).slice(0, EXPANSION_TERMS_MAX));
  }
  return vocabulary;
}

/**
 * The words of texts are looked up as titles and names write them too, since the index has stems. Without a
 * beginning only these are: the whole index is too much to look at.
 */
function vocabularyStatement(request: VocabularyRequest, generation: Generation): Statement {
  const { kind, beginning, inside } = request;
  const range = `term >= ?1 AND term < ?2`;
  const indexed = `SELECT term, doc FROM work_term_${generation} WHERE ${range} LIMIT ${VOCABULARY_SCAN_TERMS}`;
  const spelled = `SELECT term, 0 AS doc FROM spelling_${generation} WHERE ${range} LIMIT ${VOCABULARY_SCAN_TERMS}`;
  const both = `SELECT * FROM (${indexed}) UNION ALL SELECT * FROM (${spelled})`;
  const words = beginning === "" ? spelled : both;
  return {
    sql: `SELECT term FROM (${kind === "tokens" ? indexed : words}) WHERE instr(term, ?3) > 0 OR ?3 = ''
          ORDER BY doc DESC, term LIMIT ${VOCABULARY_CANDIDATES_MAX}`,
    values: [beginning, beginning + LAST, inside],
  };
}
