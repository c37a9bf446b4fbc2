import { type CatalogRecord, textOf } from "../../catalog/record.ts";
import { editionTitle } from "../../catalog/view.ts";
import { textMember, texts } from "./values.ts";

/** Title of a work without any, and without an edition that has one (search.md 9.1). */
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

/** Every title that one record gives its work (search.md 9.1 `alternative_title`). */
export function alternativeTitles(record: CatalogRecord): string[] {
  const title = titleOf(record);
  const more = [
    ...texts(record, "work_titles"),
    ...texts(record, "other_titles"),
    ...texts(record, "translation_of"),
  ];
  return title === undefined ? more : [fullTitle(title, textOf(record["subtitle"])), ...more];
}

/** Title with its article at the end, for sorting: `Great Gatsby, The` (search.md 3.8). */
export function titleForSorting(title: string, subtitle: string | undefined): string {
  const full = fullTitle(title, subtitle);
  const article = ARTICLE.exec(full)?.[0];
  if (article === undefined || article.length === full.length) return full;
  return `${full.slice(article.length)}, ${article.trimEnd()}`;
}

/** Subtitle of a record; undefined when it is empty. */
export function subtitleOf(record: CatalogRecord): string | undefined {
  return textMember(record, "subtitle");
}
