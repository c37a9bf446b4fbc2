import type { SearchEngine, WorkHits, WorkSearch } from "../../search/engine.ts";
import { withWordsReplaced } from "../../search/query/replace-words.ts";

/** What was found, and the words that were taken for misspelt. */
export interface FoundWorks {
  readonly hits: WorkHits;
  readonly corrections: ReadonlyMap<string, string>;
}

const NO_CORRECTIONS: ReadonlyMap<string, string> = new Map();

/**
 * Searches works; when nothing is found because words occur nowhere, searches once more for the nearest words that
 * do. `freeWords` are those that may be misspelt.
 */
export async function findWorks(
  engine: SearchEngine,
  search: WorkSearch,
  freeWords: readonly string[],
): Promise<FoundWorks> {
  const hits = await engine.works(search);
  if (hits.numFound > 0 || freeWords.length === 0) return { hits, corrections: NO_CORRECTIONS };
  const corrections = await engine.corrected(freeWords);
  if (corrections.size === 0) return { hits, corrections };
  const corrected = { ...search, query: withWordsReplaced(search.query, corrections) };
  const found = await engine.works(corrected);
  return found.numFound === 0 ? { hits, corrections: NO_CORRECTIONS } : { hits: found, corrections };
}

const WORD = /[^\s"():]+/g;

/**
 * A text with its misspelt words replaced, as the header `X-Corrected-Query` shows it; the words alone when they are
 * of other parameters.
 */
export function correctedText(text: string, corrections: ReadonlyMap<string, string>): string {
  if (text === "") return [...corrections.values()].join(" ");
  return text.replace(WORD, (word) => corrections.get(word) ?? word);
}
