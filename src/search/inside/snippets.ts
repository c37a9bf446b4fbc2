import { PHRASE_WORDS_MAX } from "../plan/match.ts";
import { wordsOf } from "../text/words.ts";

const CONTEXT_WORDS = 12;
const BLANKS = /\s+/gu;
/** Pattern of a word without the punctuation around it. */
const CORE = /[\p{L}\p{M}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/su;

/** Positions of a page's words, and its tokens, each with its word (`owners`). */
interface Page {
  text: string;
  places: readonly { start: number; end: number }[];
  tokens: readonly string[];
  owners: readonly number[];
}

/**
 * Returns the text of a page around the phrase: some twelve words on each side, the matched words in triple braces. The
 * text is not escaped. At most `max` snippets, which do not overlap.
 */
export function cutSnippets(text: string, phrase: readonly string[], max: number): string[] {
  const page = pageOf(text);
  const matches = matchesIn(page, phrase);
  const snippets: string[] = [];
  let lastShown = -1;
  for (const [first, last] of matches) {
    if (snippets.length === max) break;
    if (last <= lastShown) continue;
    const from = Math.max(first - CONTEXT_WORDS, lastShown + 1);
    lastShown = Math.min(last + CONTEXT_WORDS, page.places.length - 1);
    snippets.push(markMatches(page, { from, to: lastShown, matches }));
  }
  return snippets;
}

function pageOf(text: string): Page {
  const words = wordsOf(text);
  const owners = words.flatMap((word, index) => word.parts.map(() => index));
  return { text, places: words, tokens: words.flatMap((word) => word.parts), owners };
}

/** Returns the first and last words of each occurrence of the phrase, in order; no two share a token. */
function matchesIn({ tokens, owners }: Page, phrase: readonly string[]): [number, number][] {
  const matches: [number, number][] = [];
  if (phrase.length === 0) return matches;
  for (let at = 0; at + phrase.length <= tokens.length; at += 1) {
    if (!phrase.every((token, index) => tokens[at + index] === token)) continue;
    matches.push([owners[at] ?? 0, owners[at + phrase.length - 1] ?? 0]);
    at += phrase.length - 1;
  }
  return matches;
}

function markMatches(
  { text, places }: Page,
  { from, to, matches }: { from: number; to: number; matches: readonly (readonly [number, number])[] },
): string {
  const isMatched = (word: number): boolean => matches.some(([first, last]) => first <= word && word <= last);
  let snippet = "";
  let end = places[from]?.start ?? 0;
  for (let word = from; word <= to; word += 1) {
    const { start } = places[word] ?? { start: end };
    // Adjacent characters of scripts without blanks are marked as one.
    while (
      isMatched(word) &&
      isMatched(word + 1) &&
      word < to &&
      places[word]?.end === places[word + 1]?.start
    )
      word += 1;
    const last = places[word]?.end ?? start;
    const piece = text.slice(start, last);
    snippet +=
      text.slice(end, start) + (isMatched(word) ? piece.replace(CORE, (core) => `{{{${core}}}}`) : piece);
    end = last;
  }
  return snippet.replace(BLANKS, " ").trim();
}

interface SnippetPart {
  text: string;
  isMatch: boolean;
}

const OPEN = "{{{";
const CLOSE = "}}}";

/** Returns a snippet in parts, for display. An open brace without a closing one marks the rest. */
export function splitSnippet(snippet: string): SnippetPart[] {
  const parts: SnippetPart[] = [];
  const [before = "", ...marked] = snippet.split(OPEN);
  parts.push({ text: before, isMatch: false });
  for (const piece of marked) {
    const end = piece.indexOf(CLOSE);
    parts.push({ text: end === -1 ? piece : piece.slice(0, end), isMatch: true });
    if (end !== -1) parts.push({ text: piece.slice(end + CLOSE.length), isMatch: false });
  }
  return parts.filter(({ text }) => text !== "");
}

/** Returns the tokens of a page or phrase in order. Unstemmed, because phrases are literal. */
export function literalTokensOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => word.parts);
}

/** Returns the FTS5 expression that finds the first `PHRASE_WORDS_MAX` tokens as a phrase. */
export function toPhraseExpression(tokens: readonly string[]): string {
  return `"${tokens.slice(0, PHRASE_WORDS_MAX).join(" ")}"`;
}
