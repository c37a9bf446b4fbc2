import { type NamesWith, FIELDS, fieldsHaving } from "../fields.ts";
import { plainColumns } from "../plain-fields.ts";
import { indexText } from "../text/analysis.ts";

/** Column of texts. The same words must be stemmed in documents and queries. */
interface TextColumn<Name extends string> {
  readonly name: Name;
  readonly stemmed: boolean;
}

type BookColumn = TextColumn<NamesWith<{ words: string }> | "number">;

const WORDS: readonly BookColumn[] = fieldsHaving("words").map(([name, words]) => ({
  name,
  stemmed: words === "stemmed",
}));
/** Column of words for the numbers of other libraries, oclc and lccn. */
export const NUMBER_COLUMN: BookColumn = { name: "number", stemmed: false };

/** Columns of `work_text` in order, without `token`, the last one. */
export const WORK_TEXT_COLUMNS: readonly BookColumn[] = [...WORDS, NUMBER_COLUMN];

/** Columns of `edition_text`, without `token` and `work`. */
export const EDITION_TEXT_COLUMNS: readonly BookColumn[] = [
  ...WORDS.filter(({ name }) => FIELDS.get(name)?.edition === name),
  NUMBER_COLUMN,
];

/** Columns of `author_text`, `subject_text` and `list_text`, without `token`. */
export const AUTHOR_TEXT_COLUMNS = plainColumns("author");
export const SUBJECT_TEXT_COLUMNS = plainColumns("subject");
export const LIST_TEXT_COLUMNS = plainColumns("list");

/** Maximum length of the text of a column, in characters of tokens; the words beyond are not found. */
const COLUMN_LENGTH_MAX = 600_000;

/** Texts of a field of a document. */
type Values = string | readonly string[] | undefined;

/** Returns the texts of all columns, in order; `more` has fields that are not members of the document. */
export function columnTextsOf<Name extends string>(
  columns: readonly TextColumn<Name>[],
  fields: Readonly<Partial<Record<Name, Values>>>,
  more?: Readonly<Partial<Record<Name, Values>>>,
): string[] {
  return columns.map(({ name, stemmed }) => columnTextOf(more?.[name] ?? fields[name], stemmed));
}

function columnTextOf(values: Values, stemmed: boolean): string {
  if (values === undefined || values.length === 0) return "";
  return cutTokens(indexText(typeof values === "string" ? [values] : values, { stemmed }), COLUMN_LENGTH_MAX);
}

/** Returns the first tokens of a text, up to `length` characters in all. */
export function cutTokens(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, Math.max(0, text.lastIndexOf(" ", length)));
}

/** Returns the text of the column of exact values. */
export function joinTokens(tokens: Iterable<string>): string {
  return cutTokens([...new Set(tokens)].join(" "), COLUMN_LENGTH_MAX);
}
