import { previewWord } from "../ebook-access.ts";
import { type CatalogRecord, authorsOf, keyOf, textOf } from "../record.ts";
import { recordUrl } from "../slug.ts";
import { type EditionBundle, type LookupConfig, coverId, coverUrl, ocaidOf } from "./bundle.ts";

/** Describes an edition under the key by which it was asked for: the default entry of a lookup. */
export function viewapiEntry(
  requested: string,
  { edition, access }: EditionBundle,
  { baseUrl, coversUrl, archiveUrl }: LookupConfig,
) {
  const url = recordUrl(baseUrl, edition);
  const ocaid = ocaidOf(edition);
  const cover = coverId(edition);
  return {
    bib_key: requested,
    info_url: url,
    preview: previewWord(edition, access),
    preview_url: ocaid === undefined ? url : `${archiveUrl}/details/${ocaid}`,
    ...(cover !== undefined && { thumbnail_url: coverUrl(coversUrl, cover, "S") }),
  };
}

/** The same with the whole record, its authors named. */
export function detailsEntry(requested: string, bundle: EditionBundle, config: LookupConfig) {
  return { ...viewapiEntry(requested, bundle, config), details: namedAuthors(bundle) };
}

function namedAuthors({ edition, authors }: EditionBundle): CatalogRecord {
  if (edition["authors"] === undefined) return edition;
  const named = authorsOf(edition["authors"], authors).map((author) => ({
    key: keyOf(author),
    name: textOf(author["name"]) ?? "",
  }));
  return { ...edition, authors: named };
}
