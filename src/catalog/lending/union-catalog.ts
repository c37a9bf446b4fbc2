import { toCanonicalIsbn } from "../identifiers/isbn.ts";
import { normalizeOclc } from "../identifiers/edition-identifiers.ts";
import { type CatalogRecord, stringsOf } from "../record.ts";
import { editionTitleOf } from "../document.ts";

/** Search page for libraries that have a printed copy. */
const UNION_CATALOG = "https://search.worldcat.org/search";

/** Returns the URL of a union catalogue search: by OCLC number, otherwise ISBN, otherwise title. */
export function unionCatalogUrlOf(edition: CatalogRecord): string {
  const [oclc] = stringsOf(edition["oclc_numbers"]).flatMap((text) => normalizeOclc(text) ?? []);
  const isbns = [...stringsOf(edition["isbn_13"]), ...stringsOf(edition["isbn_10"])];
  const [isbn] = isbns.flatMap((text) => toCanonicalIsbn(text) ?? []);
  const title = `ti:${editionTitleOf(edition) ?? ""}`;
  const q = oclc === undefined ? (isbn === undefined ? title : `bn:${isbn}`) : `no:${oclc}`;
  return `${UNION_CATALOG}?${new URLSearchParams({ q })}`;
}
