import { parsedJson } from "../parsed-json.ts";
import { type CatalogRecord, type Json, isObject, textOf } from "../record.ts";
import { tocExtras, tocRow } from "../view.ts";

/** Texts of form fields that stand for several values. */

/** Parts between semicolons, as publishers and places are typed; blank ones are left out. */
export function splitSemicolons(text: string): string[] {
  return trimmed(text.split(";"));
}

/** One value a line; blank lines are left out. */
export function splitLines(text: string): string[] {
  return trimmed(text.split("\n"));
}

/** Values without the blanks around them, and without blank ones. */
export function trimmed(values: readonly string[]): string[] {
  return values.map((value) => value.trim()).filter((value) => value !== "");
}

const CSV_VALUE = /\s*(?:"((?:[^"]|"")*)"([^,]*)|([^,]*))(?:,|$)/y;

/**
 * Subjects as they are typed: values of one CSV row, quoted where they hold a comma. Line ends count as commas. The
 * first of several that differ only in case is kept.
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

/** The values without those that differ from an earlier one only in case. */
export function withoutRepeats(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const folded = value.toLowerCase();
    if (seen.has(folded)) return false;
    seen.add(folded);
    return true;
  });
}

/** Subjects as `splitSubjects` reads them. */
export function joinSubjects(subjects: readonly string[]): string {
  return subjects
    .map((subject) => (/[",\n]/.test(subject) ? `"${subject.replaceAll('"', '""')}"` : subject))
    .join(", ");
}

/** A title with its subtitle after the first colon and blank; undefined when it holds none. */
export function splitTitle(text: string): { title: string; subtitle: string } | undefined {
  const [, title = "", subtitle = ""] = /^(.*?\S): +(\S[^]*)$/.exec(text) ?? [];
  return title === "" ? undefined : { title, subtitle };
}

/** Label, title and page; what follows them is JSON. */
const TEXT_PARTS = 3;

/** A line of a table of contents whose fourth part says nothing that could be kept (Q517). */
export class TocLineError extends Error {}

/**
 * Rows of a table of contents as typed: `** label | title | page | {JSON of more}`, one a line, a star a level. Throws
 * TocLineError.
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

/** The text of stored rows, as `parseTocText` reads it. */
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
