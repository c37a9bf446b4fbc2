import { type PreviewWord, previewWord } from "../ebook-access.ts";
import { type CatalogRecord, authorsOf, keyOf, textOf } from "../record.ts";
import { recordUrl } from "../slug.ts";
import { type EditionBundle, type LookupConfig, coverId, coverUrl, ocaidOf } from "./bundle.ts";

/** The default entry of a lookup. */
interface ViewapiEntry {
  readonly bib_key: string;
  readonly info_url: string;
  readonly preview: PreviewWord;
  readonly preview_url: string;
  readonly thumbnail_url?: string;
}

/** Describes an edition under the key by which it was asked for. */
export function viewapiEntry(
  requested: string,
  { edition, access }: EditionBundle,
  { baseUrl, coversUrl, archiveUrl }: LookupConfig,
): ViewapiEntry {
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

/** The entry with the whole record. */
export interface DetailsEntry extends ViewapiEntry {
  readonly details: CatalogRecord;
}

/** Describes an edition by its record, its authors named. */
export function detailsEntry(requested: string, bundle: EditionBundle, config: LookupConfig): DetailsEntry {
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
