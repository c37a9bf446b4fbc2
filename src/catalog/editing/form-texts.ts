import { parsedJson } from "../parsed-json.ts";
import { type CatalogRecord, type Json, isObject, textOf } from "../record.ts";
import { tocExtras, tocRow } from "../view.ts";

/** Functions for form fields whose text holds several values. */

/** Splits a text at semicolons, as used for publishers and places. Drops blank parts. */
export function splitSemicolons(text: string): string[] {
  return trimmed(text.split(";"));
}

/** Splits a text into lines. Drops blank lines. */
export function splitLines(text: string): string[] {
  return trimmed(text.split("\n"));
}

/** Trims values and drops blank ones. */
export function trimmed(values: readonly string[]): string[] {
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
  return withoutRepeats(trimmed(values));
}

/** Returns the values without those that differ from an earlier one only in case. */
export function withoutRepeats(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const folded = value.toLowerCase();
    if (seen.has(folded)) return false;
    seen.add(folded);
    return true;
  });
}

/** Formats subjects for `splitSubjects`. */
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
export class TocLineError extends Error {}

/**
 * Parses a typed table of contents: `** label | title | page | {JSON of more}`, one row per line, a star per level.
 * Throws TocLineError.
 */
export function parseTocText(text: string): CatalogRecord[] {
  return splitLines(text).map(parseRow);
}

function parseRow(line: string): CatalogRecord {
  const level = /^\**/.exec(line)?.[0].length ?? 0;
  const rest = line.slice(level);
  if (!rest.includes("|")) return { level, label: "", title: rest.trim(), pagenum: "" };
  const parts = rest.split("|");
  const [label = "", title = "", pagenum = ""] = parts.map((part) => part.trim());
  return { level, label, title, pagenum, ...typedExtras(parts.slice(TEXT_PARTS).join("|").trim()) };
}

function typedExtras(text: string): CatalogRecord {
  const extras = text === "" ? {} : parsedJson(text);
  if (isObject(extras)) return tocExtras(extras);
  throw new TocLineError(`The fourth part of a line of the table of contents is no JSON object: '${text}'`);
}

/** Formats stored rows for `parseTocText`. */
export function tocText(rows: Json | undefined): string {
  if (!Array.isArray(rows)) return textOf(rows) ?? "";
  return rows.flatMap((row) => rowText(row) ?? []).join("\n");
}

function rowText(row: Json): string | undefined {
  const read = tocRow(row);
  if (read === undefined) return undefined;
  const extras = tocExtras(row);
  const hasExtras = Object.keys(extras).length > 0;
  const stars = "*".repeat(Math.max(0, read.level));
  const { label, title, pagenum } = read;
  const isPlain = label === "" && pagenum === "" && !hasExtras && !title.includes("|");
  if (isPlain) return `${stars} ${title}`.trim();
  const parts = [label, title, pagenum, ...(hasExtras ? [JSON.stringify(extras)] : [])];
  return `${stars} ${parts.join(" | ")}`.trim();
}
