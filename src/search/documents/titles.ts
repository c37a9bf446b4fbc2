import { type CatalogRecord, type Json, isObject, textOf } from "../../catalog/record.ts";
import { editionTitle, tocRow } from "../../catalog/view.ts";
import { texts } from "./values.ts";

/** Title of a work without any, and without an edition that has one. */
export const UNTITLED = "__None__";

const ARTICLE =
  /^(?:an? |the |l[aeo]s? |l'|de la |el |il |un[ae]? |du |de[imrst]? |das |ein |eine[mnrs]? |bir )/i;

/** Title and subtitle as one text. */
export function fullTitle(title: string, subtitle: string | undefined): string {
  return subtitle === undefined || subtitle === "" ? title : `${title}: ${subtitle}`;
}

/** Title of a work or edition, with the prefix that old editions keep apart; undefined when it is empty. */
export function titleOf(record: CatalogRecord): string | undefined {
  const title = editionTitle(record);
  return title === "" ? undefined : title;
}

/** Every title that one record gives its work. */
export function alternativeTitles(record: CatalogRecord): string[] {
  const title = titleOf(record);
  const more = [
    ...texts(record, "work_titles"),
    ...texts(record, "other_titles"),
    ...texts(record, "translation_of"),
  ];
  return title === undefined ? more : [fullTitle(title, textOf(record["subtitle"])), ...more];
}

/** Title with its article at the end, for sorting: `Great Gatsby, The`. */
export function titleForSorting(title: string, subtitle: string | undefined): string {
  const full = fullTitle(title, subtitle);
  const article = ARTICLE.exec(full)?.[0];
  if (article === undefined || article.length === full.length) return full;
  return `${full.slice(article.length)}, ${article.trimEnd()}`;
}

/** Rows of the table of contents, each after the number of the edition. */
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
