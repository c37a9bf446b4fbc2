import { type CatalogRecord, type Json, isObject, textOf } from "../../catalog/record.ts";
import { editionTitleOf, toTocRow } from "../../catalog/document.ts";
import { textsOf } from "./values.ts";

/** Title of a work if neither it nor any edition has one. */
export const UNTITLED = "__None__";

const ARTICLE =
  /^(?:an? |the |l[aeo]s? |l'|de la |el |il |un[ae]? |du |de[imrst]? |das |ein |eine[mnrs]? |bir )/i;

/** Joins title and subtitle. */
export function joinTitle(title: string, subtitle: string | undefined): string {
  return subtitle === undefined || subtitle === "" ? title : `${title}: ${subtitle}`;
}

/** Returns the title, with the separate prefix of old editions; undefined if it is empty. */
export function titleOf(record: CatalogRecord): string | undefined {
  const title = editionTitleOf(record);
  return title === "" ? undefined : title;
}

/** Returns all titles of a record. */
export function alternativeTitlesOf(record: CatalogRecord): string[] {
  const title = titleOf(record);
  const more = [
    ...textsOf(record, "work_titles"),
    ...textsOf(record, "other_titles"),
    ...textsOf(record, "translation_of"),
  ];
  return title === undefined ? more : [joinTitle(title, textOf(record["subtitle"])), ...more];
}

/** Returns the title for sorting, with its article at the end: `Great Gatsby, The`. `stated`: the article by the record. */
export function sortingTitleOf(title: string, subtitle: string | undefined, stated = ""): string {
  const full = joinTitle(title, subtitle);
  const article = stated !== "" && full.startsWith(stated) ? stated : ARTICLE.exec(full)?.[0];
  if (article === undefined || article.length === full.length) return full;
  return `${full.slice(article.length)}, ${article.trimEnd()}`;
}

/** Returns the rows of the table of contents, each prefixed with the number of the edition. */
export function chaptersOf(edition: CatalogRecord, olid: string): string[] {
  const rows = edition["table_of_contents"];
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row) => {
    const text = chapterTextOf(row);
    return text === undefined ? [] : [`${olid} | ${text}`];
  });
}

function chapterTextOf(row: Json): string | undefined {
  const bare = textOf(row);
  if (bare !== undefined) return bare === "" ? undefined : bare;
  const columns = isObject(row) ? toTocRow(row) : undefined;
  if (columns === undefined || !isObject(row)) return undefined;
  const { label, title, pagenum } = columns;
  if (label === "" && title === "" && pagenum === "") return undefined;
  return `${label} | ${joinTitle(title, textOf(row["subtitle"]))}${formatChapterAuthors(row["authors"])} | ${pagenum}`;
}

function formatChapterAuthors(authors: Json | undefined): string {
  if (!Array.isArray(authors)) return "";
  const names = authors.flatMap((author) => {
    const name = isObject(author) ? textOf(author["name"]) : undefined;
    return name === undefined || name === "" ? [] : [name];
  });
  return names.length === 0 ? "" : ` (${names.join(", ")})`;
}
