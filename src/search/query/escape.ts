import { type Tree, wordOf } from "./syntax.ts";

const SPECIAL = /[[\](){}:"\-+?~^/\\,']/g;
const OPERATORS = /AND|OR|NOT/g;
const SPACES = /\s+/;

/** A text without operators and fields: special characters escaped, operators in lower case, `*` a wildcard still. */
export function fullyEscaped(text: string): string {
  return text.replace(SPECIAL, "\\$&").replace(OPERATORS, (operator) => operator.toLowerCase());
}

/** All words of a text, taken as plain words (search.md 3.1 step 4); undefined when there are none. */
export function literalTree(text: string): Tree | undefined {
  const words = fullyEscaped(text)
    .split(SPACES)
    .filter((word) => word !== "")
    .map(wordOf);
  const [first, ...more] = words;
  if (first === undefined || more.length === 0) return first;
  return { kind: "and", of: words.map((tree) => ({ joiner: "", tree })) };
}
