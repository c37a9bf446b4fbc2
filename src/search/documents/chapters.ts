import { type CatalogRecord, type Json, isObject, textOf } from "../../catalog/record.ts";
import { tocRow } from "../../catalog/view.ts";
import { fullTitle } from "./titles.ts";

/** Rows of the table of contents, each after the number of the edition (search.md 9.1 `chapter`). */
export function chaptersOf(edition: CatalogRecord, olid: string): string[] {
  const rows = edition["table_of_contents"];
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row) => {
    const text = chapterText(row);
    return text === undefined ? [] : [`${olid} | ${text}`];
  });
}

function chapterText(row: Json): string | undefined {
  const bare = textOf(row);
  if (bare !== undefined) return bare === "" ? undefined : bare;
  const read = isObject(row) ? tocRow(row) : undefined;
  if (read === undefined || !isObject(row)) return undefined;
  const { label, title, pagenum } = read;
  if (label === "" && title === "" && pagenum === "") return undefined;
  return `${label} | ${fullTitle(title, textOf(row["subtitle"]))}${writers(row["authors"])} | ${pagenum}`;
}

function writers(authors: Json | undefined): string {
  if (!Array.isArray(authors)) return "";
  const names = authors.flatMap((author) => {
    const name = isObject(author) ? textOf(author["name"]) : undefined;
    return name === undefined || name === "" ? [] : [name];
  });
  return names.length === 0 ? "" : ` (${names.join(", ")})`;
}
