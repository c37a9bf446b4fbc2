import type { Value } from "../query/query.ts";
import { indexText } from "../text/index-text.ts";
import { type QueryTerm, queryTerms } from "../text/query-text.ts";
import { stem } from "../text/stem.ts";
import { matchesGlob } from "./glob.ts";

/** Values of a field in the form that words are looked for in: analysed tokens between blanks. */
export type AnalysedText = string;

/** Tells whether an analysed text has what is looked for. */
export type TextTest = (text: AnalysedText) => boolean;

/** Analyses the values of a field as the index does (search.md 10.2). */
export function analysed(values: readonly string[], stemmed: boolean): AnalysedText {
  return ` ${indexText(values, { stemmed })} `;
}

/** The test for one word of a query: its tokens in a row, or as one word, or a word of the same meaning. */
export function termTest({ tokens, catenation, synonyms }: QueryTerm, stemmed: boolean): TextTest {
  const others = catenation === undefined ? synonyms : [catenation, ...synonyms];
  const spellings = [tokens, ...others.map((one) => [one])].map((spelling) => needle(spelling, stemmed));
  return (text) => spellings.some((spelling) => text.includes(spelling));
}

/** The test for what a leaf asks of a text, as the index would find it. */
export function textTest(value: Value, stemmed: boolean): TextTest {
  switch (value.kind) {
    case "word": {
      const terms = queryTerms(value.text).map((term) => termTest(term, stemmed));
      return (text) => terms.every((test) => test(text));
    }
    case "phrase": {
      const phrase = needle(tokensOf(value.text), stemmed);
      return (text) => text.includes(phrase);
    }
    case "pattern": {
      // Words with wildcards are folded, not stemmed (search.md 3.5).
      const parts = value.parts.map((part) => tokensOf(part).join(""));
      return (text) => text.split(" ").some((token) => token !== "" && matchesGlob(token, parts));
    }
    case "exists":
      return (text) => text.trim() !== "";
    case "range":
      return () => false;
  }
}

function tokensOf(text: string): string[] {
  return queryTerms(text).flatMap(({ tokens }) => tokens);
}

function needle(tokens: readonly string[], stemmed: boolean): string {
  return ` ${(stemmed ? tokens.map(stem) : tokens).join(" ")} `;
}
