import { type NamesWith, FIELDS, findFieldsHaving } from "../fields.ts";
import { plainColumnsOf } from "../plain-fields.ts";
import { toIndexText } from "../text/analysis.ts";

/** Column of texts. The same words must be stemmed in documents and queries. */
interface TextColumn<Name extends string> {
  name: Name;
  stemmed: boolean;
}

type BookColumn = TextColumn<NamesWith<{ words: string }> | "number">;

const WORDS: readonly BookColumn[] = findFieldsHaving("words").map(([name, words]) => ({
  name,
  stemmed: words === "stemmed",
}));
export const NUMBER_COLUMN: BookColumn = { name: "number", stemmed: false };

/** Columns of `work_text` in order, without `token`, the last one. */
export const WORK_TEXT_COLUMNS: readonly BookColumn[] = [...WORDS, NUMBER_COLUMN];

/** Columns of `edition_text`, without `token` and `work`. */
export const EDITION_TEXT_COLUMNS: readonly BookColumn[] = [
  ...WORDS.filter(({ name }) => FIELDS.get(name)?.edition === name),
  NUMBER_COLUMN,
];

/** Columns of `author_text`, `subject_text` and `list_text`, without `token`. */
export const AUTHOR_TEXT_COLUMNS = plainColumnsOf("author");
export const SUBJECT_TEXT_COLUMNS = plainColumnsOf("subject");
export const LIST_TEXT_COLUMNS = plainColumnsOf("list");

/** Maximum length of the text of a column, in characters of tokens; the words beyond are not found. */
const COLUMN_LENGTH_MAX = 600_000;

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
  return cutTokens(
    toIndexText(typeof values === "string" ? [values] : values, { stemmed }),
    COLUMN_LENGTH_MAX,
  );
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

/** Maximum length of a document in stored JSON, in characters; longer ones are cut. */
export const DOCUMENT_LENGTH_MAX = 400_000;

const CUT_LENGTH_MIN = 20;

/** Returns a document's JSON; its longest lists and texts are halved until it fits. Throws otherwise. */
export function fitJson(document: object, length = DOCUMENT_LENGTH_MAX): string {
  let json = JSON.stringify(document);
  if (json.length <= length) return json;
  const members = new Map<string, unknown>(Object.entries(document));
  while (json.length > length) {
    const longest = longestMemberOf(members);
    if (longest === undefined) throw new Error("a document with too many members");
    members.set(longest, halve(members.get(longest)));
    json = JSON.stringify(Object.fromEntries(members));
  }
  return json;
}

function longestMemberOf(members: ReadonlyMap<string, unknown>): string | undefined {
  let longest: string | undefined;
  let size = 0;
  for (const [name, value] of members) {
    const length = isCuttable(value) ? JSON.stringify(value).length : 0;
    if (length > size) [longest, size] = [name, length];
  }
  return longest;
}

function isCuttable(value: unknown): value is string | unknown[] {
  if (typeof value === "string") return value.length >= CUT_LENGTH_MIN;
  return Array.isArray(value) && value.length > 0;
}

function halve(value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, value.length / 2).toWellFormed();
  return Array.isArray(value) ? value.slice(0, value.length / 2) : value;
}
