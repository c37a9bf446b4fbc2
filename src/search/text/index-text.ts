import { type Analysis, analysisOf } from "./analysis.ts";
import { stem } from "./stem.ts";

/** Stands between values, so that no phrase crosses from one into the next. Never a token of a query. */
export const SENTINEL = "␞";
const BREAK = ` ${SENTINEL} `;

/**
 * What a full-text column stores for a field: tokens joined by blanks, values apart by sentinels. Compounds
 * come once more, written as one word, after the value that they are from (search.md 10.2).
 */
export function indexText(values: readonly string[], { stemmed }: { readonly stemmed: boolean }): string {
  let whole = "";
  for (const value of values) {
    const text = valueText(value, stemmed);
    if (text !== "") whole += whole === "" ? text : BREAK + text;
  }
  return whole;
}

function valueText(value: string, stemmed: boolean): string {
  const analysis = analysisOf(value);
  if (stemmed) return (analysis.stemmedText ??= textOf(analysis, stem));
  return (analysis.plainText ??= textOf(analysis, asItIs));
}

function textOf({ tokens, catenations }: Analysis, made: (token: string) => string): string {
  const text = tokens.map(made).join(" ");
  return catenations.length === 0 ? text : text + BREAK + catenations.map(made).join(" ");
}

function asItIs(token: string): string {
  return token;
}
