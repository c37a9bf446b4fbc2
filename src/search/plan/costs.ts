import type { Match, TokensMatch } from "./match.ts";
import { TooBroadPartError } from "./too-broad.ts";

/**
 * Times that FTS5 takes for a place of a word, about in nanoseconds: of a word alone, of one in a row with others, and
 * more of all words with a beginning, which are merged.
 */
const WORD_COST = 1;
const PHRASE_COST = 4;
const BEGINNING_COST = 6;
/** Highest cost of a place for which a word is not looked up: that of a word twice in a row. */
const REPEATED_COST = 2 * PHRASE_COST;
/** Maximum cost of a match: a search evaluates it up to four times. */
const MATCH_COST_MAX = 64_000_000;

/** Word that a match reads often, or all words with a beginning. */
export interface CostlyWord {
  /** Phrase or word in which it occurs. */
  readonly part: string;
  readonly word: string;
  readonly isBeginning: boolean;
  /** Cost of each place. */
  readonly cost: number;
}

/** Returns the words to be looked up before a match is searched for: those that repeat, and beginnings. */
export function costlyWordsOf(match: Match): CostlyWord[] {
  const words = new Map<string, CostlyWord>();
  for (const { tokens, prefix } of tokenMatchesOf(match)) {
    const part = tokens.join(" ") + (prefix ? "*" : "");
    for (const [at, word] of tokens.entries()) {
      const isBeginning = prefix && at === tokens.length - 1;
      const cost = (tokens.length > 1 ? PHRASE_COST : WORD_COST) + (isBeginning ? BEGINNING_COST : 0);
      const key = isBeginning ? `${word}*` : word;
      words.set(key, { part, word, isBeginning, cost: cost + (words.get(key)?.cost ?? 0) });
    }
  }
  return [...words.values()].filter(({ isBeginning, cost }) => isBeginning || cost > REPEATED_COST);
}

function tokenMatchesOf(match: Match): TokensMatch[] {
  if (match.op === "tokens") return [match];
  return (match.op === "without" ? [match.from, match.less] : match.of).flatMap(tokenMatchesOf);
}

/** Throws a `TooBroadPartError` if the words of a match cost too much together. `places`: those of each word. */
export function requireAffordable(words: readonly CostlyWord[], places: readonly number[]): void {
  const costs = words.map(({ cost }, at) => cost * (places[at] ?? 0));
  if (costs.reduce((sum, cost) => sum + cost, 0) <= MATCH_COST_MAX) return;
  const { part = "" } = words[costs.indexOf(Math.max(...costs))] ?? {};
  throw new TooBroadPartError("bad_request.too_broad", { part });
}
