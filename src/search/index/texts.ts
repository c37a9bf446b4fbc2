import { indexText } from "../text/index-text.ts";
import type { TextColumn } from "./columns.ts";

/** Longest text of a column, in characters of tokens; the words beyond are not found. */
export const COLUMN_LENGTH_MAX = 600_000;

/** Texts of a field of a document. */
export type Values = string | readonly string[] | undefined;

/** Texts of all columns, in their order; `more` has fields that are no members of the document. */
export function columnTexts<Name extends string>(
  columns: readonly TextColumn<Name>[],
  fields: Readonly<Partial<Record<Name, Values>>>,
  more?: Readonly<Partial<Record<Name, Values>>>,
): string[] {
  return columns.map(({ name, stemmed }) => columnText(more?.[name] ?? fields[name], stemmed));
}

function columnText(values: Values, stemmed: boolean): string {
  if (values === undefined || values.length === 0) return "";
  return cutTokens(indexText(typeof values === "string" ? [values] : values, { stemmed }), COLUMN_LENGTH_MAX);
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
