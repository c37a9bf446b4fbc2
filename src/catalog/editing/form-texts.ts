import { normalizeNumber } from "../identifiers/edition-identifiers.ts";
import { findHalfSurrogate } from "../storable-text.ts";
import { tryParseJson, isObject, textOf, stringsOf, type CatalogRecord, type Json } from "../record.ts";
import { tocExtrasOf, toTocRow } from "../document.ts";
import { TextError } from "../texts.ts";

/** Splits a text at semicolons, as used for publishers and places. Drops blank parts. */
export function splitSemicolons(text: string): string[] {
  return trimTexts(text.split(";"));
}

/** Splits a text into lines. Drops blank lines. */
export function splitLines(text: string): string[] {
  return trimTexts(text.split("\n"));
}

export function trimTexts(values: readonly string[]): string[] {
  return values.map((value) => value.trim()).filter((value) => value !== "");
}

const CSV_VALUE = /\s*(?:"((?:[^"]|"")*)"([^,]*)|([^,]*))(?:,|$)/y;

/**
 * Parses typed subjects: values of one CSV row, quoted if they contain a comma. Line ends count as commas. Of several
 * that differ only in case the first is kept.
 */
export function splitSubjects(text: string): string[] {
  const row = text.replaceAll(/\r?\n/g, ",");
  const values: string[] = [];
  CSV_VALUE.lastIndex = 0;
  while (CSV_VALUE.lastIndex < row.length) {
    const match = CSV_VALUE.exec(row);
    if (match === null) break;
    const [, quoted, rest = "", plain = ""] = match;
    values.push(quoted === undefined ? plain : quoted.replaceAll('""', '"') + rest);
  }
  return dropCaseDuplicates(trimTexts(values));
}

/** Returns the values without those that differ from an earlier one only in case. */
export function dropCaseDuplicates(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const folded = value.toLowerCase();
    if (seen.has(folded)) return false;
    seen.add(folded);
    return true;
  });
}

export function joinSubjects(subjects: readonly string[]): string {
  return subjects
    .map((subject) => (/[",\n]/.test(subject) ? `"${subject.replaceAll('"', '""')}"` : subject))
    .join(", ");
}

/** Splits a title at the first colon followed by a blank. Returns undefined if there is no subtitle. */
export function splitTitle(text: string): { title: string; subtitle: string } | undefined {
  const [, title = "", subtitle = ""] = /^(.*?\S): +(\S[^]*)$/.exec(text) ?? [];
  return title === "" ? undefined : { title, subtitle };
}

/** Number of text parts: label, title and page. JSON follows them. */
const TEXT_PARTS = 3;

/** Error in a line of a table of contents: its fourth part is not a JSON object and would be lost (Q517). */
export class TocLineError extends TextError {}

/** Parses rows `** label | title | page | {JSON of more}`, a star per level. Throws TocLineError. */
export function parseToc(text: string): CatalogRecord[] {
  return splitLines(text).map(parseRow);
}

function parseRow(line: string): CatalogRecord {
  const level = /^\**/.exec(line)?.[0].length ?? 0;
  const rest = line.slice(level);
  if (!rest.includes("|")) return { level, label: "", title: rest.trim(), pagenum: "" };
  const parts = rest.split("|");
  const [label = "", title = "", pagenum = ""] = parts.map((part) => part.trim());
  return { level, label, title, pagenum, ...parseExtras(parts.slice(TEXT_PARTS).join("|").trim()) };
}

function parseExtras(text: string): CatalogRecord {
  const extras = text === "" ? {} : tryParseJson(text);
  if (isObject(extras) && findHalfSurrogate(extras) === undefined) return tocExtrasOf(extras);
  throw new TocLineError("bad_data.toc_line", { text });
}

/** Formats stored rows for `parseToc`. */
export function formatToc(rows: Json | undefined): string {
  if (!Array.isArray(rows)) return textOf(rows) ?? "";
  return rows.flatMap((row) => formatRow(row) ?? []).join("\n");
}

function formatRow(row: Json): string | undefined {
  const rowView = toTocRow(row);
  if (rowView === undefined) return undefined;
  const extras = tocExtrasOf(row);
  const hasExtras = Object.keys(extras).length > 0;
  const stars = "*".repeat(Math.max(0, rowView.level));
  const { label, title, pagenum } = rowView;
  const isPlain = label === "" && pagenum === "" && !hasExtras && !title.includes("|");
  if (isPlain) return `${stars} ${title}`.trim();
  const parts = [label, title, pagenum, ...(hasExtras ? [JSON.stringify(extras)] : [])];
  return `${stars} ${parts.join(" | ")}`.trim();
}

interface FormIdentifier {
  readonly name: string;
  readonly value: string;
}

const OWN_MEMBERS = ["isbn_10", "isbn_13", "lccn", "oclc_numbers"] as const;
const OWN_CLASSES = ["lc_classifications", "dewey_decimal_class"] as const;

/** Parses the identifiers of a form: `[{name, value}]`, lines `name: value`, or an object `{name: [values]}`. */
export function parseFormIdentifiers(value: Json): FormIdentifier[] {
  if (typeof value === "string") return splitLines(value).flatMap((line) => parseLine(line) ?? []);
  if (Array.isArray(value)) return value.flatMap((row) => parseIdentifierRow(row) ?? []);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, values]) =>
    stringsOf(values).flatMap((id) => parseIdentifierRow({ name, value: id }) ?? []),
  );
}

function parseLine(line: string): FormIdentifier | undefined {
  const colon = line.indexOf(":");
  return colon === -1
    ? undefined
    : parseIdentifierRow({ name: line.slice(0, colon), value: line.slice(colon + 1) });
}

function parseIdentifierRow(row: Json): FormIdentifier | undefined {
  if (!isObject(row)) return undefined;
  const { name, value } = row;
  if (typeof name !== "string" || typeof value !== "string") return undefined;
  const [source, text] = [name.trim(), value.trim()];
  if (source === "" || text === "") return undefined;
  return { name: source, value: normalizeNumber(source, text) };
}

export function formatIdentifiers(value: Json | undefined): string {
  if (!isObject(value)) return "";
  return Object.entries(value)
    .flatMap(([name, values]) => stringsOf(values).map((id) => `${name}: ${id}`))
    .join("\n");
}

/**
 * Returns the members of an edition with exactly these identifiers. ISBNs and the like have their own members; with
 * `isWhole`, which marks the list as complete, those that are missing are removed. A scan is kept unless the list has
 * one.
 */
export function identifierMembersOf(list: readonly FormIdentifier[], isWhole: boolean): CatalogRecord {
  const ocaid = list.findLast(({ name }) => name === "ocaid")?.value;
  const members = groupIdentifiers(list, OWN_MEMBERS, { member: "identifiers", isWhole });
  return ocaid === undefined ? members : { ...members, ocaid };
}

export function classificationMembersOf(list: readonly FormIdentifier[], isWhole: boolean): CatalogRecord {
  return groupIdentifiers(list, OWN_CLASSES, { member: "classifications", isWhole });
}

function groupIdentifiers(
  list: readonly FormIdentifier[],
  ownNames: readonly string[],
  { member, isWhole }: { member: string; isWhole: boolean },
): CatalogRecord {
  const groups = new Map<string, string[]>();
  for (const { name, value } of list) {
    const values = groups.get(name) ?? [];
    if (!values.includes(value)) values.push(value);
    groups.set(name, values);
  }
  groups.delete("ocaid");
  const others = [...groups].filter(([name]) => !ownNames.includes(name));
  const ownEntries = ownNames.flatMap((name): [string, Json][] => {
    const values = groups.get(name);
    if (values === undefined) return isWhole ? [[name, null]] : [];
    return [[name, values]];
  });
  return {
    ...Object.fromEntries(ownEntries),
    [member]: others.length === 0 ? null : Object.fromEntries(others),
  };
}
