import { type EditionBundle, coverId, coverUrl, ocaidOf } from "../../catalog/lookup/bundle.ts";
import { type JsonObject, keyOf, textOf } from "../../catalog/record.ts";
import { recordUrl } from "../../catalog/slug.ts";
import { editionTitle } from "../../catalog/document.ts";
import type { InsideHit } from "../../db/search/inside.ts";
import { type BookMetadata, metadataFields } from "../../search/inside/metadata.ts";
import type { BlockMap } from "../../search/inside/pages.ts";
import { cutSnippets } from "../../search/inside/snippets.ts";
import { availability, lendingAvailability } from "../../search/present/availability.ts";
import { authorsOfBundle, readPages } from "./scans.ts";

/** Addresses that hits point to, without trailing slashes. */
interface HitAddresses {
  readonly coversUrl: string;
  readonly archiveUrl: string;
}

/** A hit of the answer: edition and availability only where the scan belongs to an edition. */
export function hitObject(
  { identifier, score, metadata }: InsideHit,
  snippets: readonly Snippet[],
  { bundle, addresses }: { bundle: EditionBundle | undefined; addresses: HitAddresses },
): JsonObject {
  const fields = {
    identifier: [identifier],
    // Written by this service, from the same type.
    ...metadataFields(JSON.parse(metadata) as BookMetadata),
    // Q58: parallel to the snippets.
    page_num: snippets.map(({ page }) => page),
  };
  return {
    _index: "pages",
    _type: "page",
    _id: identifier,
    _score: score,
    // The values are arrays of strings and numbers.
    fields: fields as unknown as JsonObject,
    highlight: { text: snippets.map(({ text }) => text) },
    ...(bundle === undefined ? {} : editionMembers(identifier, bundle, addresses)),
  };
}

/** Whether the scan of a hit can be read or borrowed. */
export function isReadable(bundle: EditionBundle | undefined): boolean {
  return bundle?.access === "public" || bundle?.access === "borrowable";
}

function editionMembers(scan: string, bundle: EditionBundle, addresses: HitAddresses): JsonObject {
  const { edition, work, access, lending } = bundle;
  const [editionKey = "", workKey] = [keyOf(edition), keyOf(work)];
  const of = { scan, work: olid(workKey), edition: olid(editionKey) };
  const state =
    lending === undefined ? availability({ ebook_access: access }, of) : lendingAvailability(lending, of);
  const cover = coverAddress(bundle, addresses);
  return {
    edition: {
      key: editionKey,
      url: recordUrl("", edition),
      title: editionTitle(edition) ?? "",
      ocaid: ocaidOf(edition) ?? scan,
      eligibility: {},
      availability: state,
      authors: authorsOfBundle(bundle).map((author) => ({
        key: keyOf(author) ?? "",
        name: textOf(author["name"]) ?? "",
      })),
      ...(workKey === undefined ? {} : { work_key: workKey }),
      ...(cover === undefined ? {} : { cover_url: cover }),
    },
    availability: state,
  };
}

/** The edition's cover, else the picture of the scan's first page. */
function coverAddress(
  { edition }: EditionBundle,
  { coversUrl, archiveUrl }: HitAddresses,
): string | undefined {
  const cover = coverId(edition);
  if (cover !== undefined) return coverUrl(coversUrl, cover, "M");
  const ocaid = ocaidOf(edition);
  return ocaid === undefined ? undefined : `${archiveUrl}/download/${ocaid}/page/cover_w180_h360.jpg`;
}

function olid(key: string | undefined): string | undefined {
  return key?.split("/").at(-1);
}

/** Snippets of a book. */
const SNIPPETS_MAX = 5;

/** A piece of a page with the words that were looked for. */
interface Snippet {
  /** Number of the page, from 1. */
  readonly page: number;
  readonly text: string;
}

/** Cuts the snippets of a hit out of its text. None when the text has just been replaced or removed. */
export async function snippetsOf(
  archive: R2Bucket,
  { object, blocks, places }: InsideHit,
  phrase: readonly string[],
): Promise<Snippet[]> {
  // Written by this service, from the same type.
  const map = JSON.parse(blocks) as BlockMap;
  const pages = await readPages(archive, object, { map, places });
  const snippets: Snippet[] = [];
  for (const place of places) {
    const left = SNIPPETS_MAX - snippets.length;
    const texts = cutSnippets(pages.get(place) ?? "", phrase, left);
    snippets.push(...texts.map((text) => ({ page: place + 1, text })));
  }
  return snippets;
}
