import { type PreviewWord, previewWord } from "../ebook-access.ts";
import { recordUrl } from "../slug.ts";
import { type EditionBundle, type LookupConfig, coverId, coverUrl, ocaidOf } from "./shared.ts";

/** The default entry of a lookup (lookup.md 3.4). */
export interface ViewapiEntry {
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
