import { type CatalogRecord, type Json, isObject, textOf } from "../record.ts";
import { tocRow } from "../view.ts";

/** Members that a row has beside the four of its text. */
const EXTRAS = ["authors", "subtitle", "description"] as const;
/** Label, title and page; what follows them is JSON. */
const TEXT_PARTS = 3;

/**
 * Rows of a table of contents as people type them: `** label | title | page`, one a line; as many stars as levels. A
 * fourth part is the JSON of further members.
 */
export function parseTocText(text: string): CatalogRecord[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map(parseRow);
}

function parseRow(line: string): CatalogRecord {
  const [, stars = "", rest = ""] = /^(\**)(.*)$/.exec(line) ?? [];
  const level = stars.length;
  if (!rest.includes("|")) return { level, label: "", title: rest.trim(), pagenum: "" };
  const parts = rest.split("|");
  const [label = "", title = "", pagenum = ""] = parts.map((part) => part.trim());
  return { level, label, title, pagenum, ...extras(parts.slice(TEXT_PARTS).join("|")) };
}

function extras(text: string): CatalogRecord {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return {};
    return Object.fromEntries(
      EXTRAS.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])),
    );
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The text of stored rows, as `parseTocText` reads it. */
export function tocText(rows: Json | undefined): string {
  if (!Array.isArray(rows)) return textOf(rows) ?? "";
  return rows.flatMap((row) => rowText(row) ?? []).join("\n");
}

function rowText(row: Json): string | undefined {
  const read = tocRow(row);
  if (read === undefined) return undefined;
  const more = isObject(row)
    ? EXTRAS.filter((name) => row[name] !== undefined).map((name) => [name, row[name]])
    : [];
  const stars = "*".repeat(Math.max(0, read.level));
  const { label, title, pagenum } = read;
  const isPlain = label === "" && pagenum === "" && more.length === 0 && !title.includes("|");
  if (isPlain) return `${stars} ${title}`.trim();
  const parts = [
    label,
    title,
    pagenum,
    ...(more.length === 0 ? [] : [JSON.stringify(Object.fromEntries(more))]),
  ];
  return `${stars} ${parts.join(" | ")}`.trim();
}
