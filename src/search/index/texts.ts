import { indexText } from "../text/index-text.ts";
import type { TextColumn } from "./columns.ts";

/** Longest text of a column, in characters of tokens; the words beyond are not found. */
export const COLUMN_LENGTH_MAX = 600_000;

/** Texts of a field of a document. */
export type Values = string | readonly string[] | undefined;

/** Analyses texts. */
export type TextIndexer = (values: Values, stemmed: boolean) => string;

/** An analyser that remembers: a work and its editions have most of their texts in common. */
export function textIndexer(): TextIndexer {
  const known = new Map<string, string>();
  return (values, stemmed) => {
    if (values === undefined || values.length === 0) return "";
    const list = typeof values === "string" ? [values] : values;
    const key = `${stemmed ? "s" : "p"}${list.join("\0")}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const text = cutTokens(indexText(list, { stemmed }), COLUMN_LENGTH_MAX);
    known.set(key, text);
    return text;
  };
}

/** Texts of all columns, in their order. */
export function columnTexts<Name extends string>(
  columns: readonly TextColumn<Name>[],
  fields: Readonly<Partial<Record<Name, Values>>>,
  index: TextIndexer = textIndexer(),
): string[] {
  return columns.map(({ name, stemmed }) => index(fields[name], stemmed));
}

/** The tokens at the beginning of a text that have at most so many characters together. */
export function cutTokens(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, Math.max(0, text.lastIndexOf(" ", length)));
}

/** The column of exact values. */
export function tokenText(tokens: Iterable<string>): string {
  return cutTokens([...new Set(tokens)].join(" "), COLUMN_LENGTH_MAX);
}
