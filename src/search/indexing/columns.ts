import { indexText } from "../text/analysis.ts";

/** A column of texts. Which words are stemmed must be the same for documents and queries. */
export interface TextColumn<Name extends string> {
  readonly name: Name;
  readonly stemmed: boolean;
}

function stemmedColumn<Name extends string>(name: Name): TextColumn<Name> {
  return { name, stemmed: true };
}

function plain<Name extends string>(name: Name): TextColumn<Name> {
  return { name, stemmed: false };
}

/** Columns of `work_text` in order, without `token`, the last one. */
export const WORK_TEXT_COLUMNS = [
  stemmedColumn("title"),
  stemmedColumn("subtitle"),
  stemmedColumn("alternative_title"),
  stemmedColumn("alternative_subtitle"),
  plain("author_name"),
  plain("author_alternative_name"),
  stemmedColumn("series_name"),
  stemmedColumn("chapter"),
  stemmedColumn("subject"),
  plain("place"),
  plain("person"),
  stemmedColumn("time"),
  stemmedColumn("publisher"),
  plain("contributor"),
  stemmedColumn("publish_place"),
  stemmedColumn("publish_date"),
  stemmedColumn("by_statement"),
  stemmedColumn("first_sentence"),
  stemmedColumn("format"),
  plain("number"),
] as const;

/** Columns of `edition_text`, without `token` and `work`. */
export const EDITION_TEXT_COLUMNS = [
  stemmedColumn("title"),
  stemmedColumn("subtitle"),
  stemmedColumn("alternative_title"),
  stemmedColumn("chapter"),
  stemmedColumn("publisher"),
  stemmedColumn("publish_date"),
  stemmedColumn("format"),
  plain("number"),
] as const;

/** Columns of `author_text`, without `token`. */
export const AUTHOR_TEXT_COLUMNS = [
  plain("name"),
  plain("alternate_names"),
  plain("birth_date"),
  plain("death_date"),
  plain("date"),
  stemmedColumn("top_subjects"),
] as const;

/** Columns of `subject_text`, without `token`. */
export const SUBJECT_TEXT_COLUMNS = [stemmedColumn("name")] as const;

/** Columns of `list_text`, without `token`. */
export const LIST_TEXT_COLUMNS = [
  stemmedColumn("name"),
  stemmedColumn("subject"),
  plain("place"),
  plain("person"),
  stemmedColumn("time"),
] as const;

/** Longest text of a column, in characters of tokens; the words beyond are not found. */
const COLUMN_LENGTH_MAX = 600_000;

/** Texts of a field of a document. */
type Values = string | readonly string[] | undefined;

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
