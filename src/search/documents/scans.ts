import { lastSegmentOf } from "../../catalog/keys.ts";
import { type EbookAccess, EBOOK_ACCESS_LEVELS, itemFromSubjects } from "../../catalog/ebook-access.ts";
import { type CatalogRecord, textOf } from "../../catalog/record.ts";
import type { EditionDocument, ScanItem } from "./types.ts";
import { gather, textsOf } from "./values.ts";

export interface ScanSources {
  readonly items: ReadonlyMap<string, ScanItem>;
  readonly workSubjects: readonly string[];
  readonly deriveItems: boolean;
}

/** Prefix of collections that are patrons' favourites and do not describe a scan. */
const FAVORITES = "fav-";

/** Returns the data about an edition's scan. Returns undefined without a scan, or if nothing is known about it. */
export function scanItemOf(edition: CatalogRecord, sources: ScanSources): ScanItem | undefined {
  const ocaid = textOf(edition["ocaid"]);
  if (ocaid === undefined || ocaid === "") return undefined;
  return (
    sources.items.get(ocaid) ?? (sources.deriveItems ? itemFromSubjects(sources.workSubjects) : undefined)
  );
}

/** Returns the collections for a document, sorted. */
export function sortCollections(collections: readonly string[]): readonly string[] | undefined {
  if (collections.length === 0) return undefined;
  const collectionNames = collections.filter((collection) => !collection.startsWith(FAVORITES));
  return collectionNames.length === 0 ? undefined : [...new Set(collectionNames)].sort();
}

/** Returns the boxes of the edition's paper copy: the record's, then the scan's; distinct ignoring case. */
export function boxesOf(edition: CatalogRecord, scan: ScanItem | undefined): readonly string[] | undefined {
  const recordBoxes = textsOf(edition, "ia_box_id");
  const box = scan?.boxId ?? "";
  return deduplicateIgnoringCase(box === "" ? recordBoxes : [...recordBoxes, box]);
}

/** Returns the distinct texts, ignoring case, in their first spelling. Returns undefined if there are none. */
export function deduplicateIgnoringCase(
  values: readonly string[] | undefined,
): readonly string[] | undefined {
  if (values === undefined || values.length < 2) return values?.length === 0 ? undefined : values;
  const byFoldedText = new Map<string, string>();
  for (const value of values) {
    const folded = value.toLowerCase();
    if (!byFoldedText.has(folded)) byFoldedText.set(folded, value);
  }
  return [...byFoldedText.values()];
}

/** Returns the rank of an access level, the lowest is 0. */
export function accessLevelOf(access: EbookAccess): number {
  return EBOOK_ACCESS_LEVELS.indexOf(access);
}

const BORROWABLE = accessLevelOf("borrowable");
const PRINTDISABLED = accessLevelOf("printdisabled");
const ACCESS_ALWAYS = accessLevelOf("no_ebook");

export const ACCESS_FLAGS: ReadonlyMap<string, number> = new Map([
  ["has_fulltext", PRINTDISABLED],
  ["public_scan_b", accessLevelOf("public")],
]);

/** Returns true if at least patrons with print disabilities can read the text. */
export function hasFulltext(access: EbookAccess): boolean {
  return accessLevelOf(access) >= PRINTDISABLED;
}

/** Returns the members of a book that follow from its access level. */
export function opennessOf(access: EbookAccess) {
  return { has_fulltext: hasFulltext(access), public_scan_b: access === "public" };
}

/** Returns true if there is an e-book of any kind. */
export function isEbook(access: EbookAccess): boolean {
  return accessLevelOf(access) > ACCESS_ALWAYS;
}

/** Returns true if every logged-in user can read the text. */
export function isReadable(access: EbookAccess): boolean {
  return accessLevelOf(access) >= BORROWABLE;
}

type ScannedEdition = Pick<EditionDocument, "key" | "ia" | "ia_collection" | "ebook_access">;

/**
 * Returns the scans of a work: most open first, copies from other sources (`...goog`) last within their access level.
 * The edition of the first scan is the one to lend if patrons can read it; those for print-disabled patrons are joined
 * by semicolons.
 */
export function scansOf(editions: readonly ScannedEdition[]) {
  const scanned = editions.filter((edition) => edition.ia !== undefined);
  if (scanned.length > 1) scanned.sort((a, b) => scanRankOf(a) - scanRankOf(b));
  const best = scanned[0];
  const lent = best !== undefined && isReadable(best.ebook_access) ? best : undefined;
  const printdisabled = scanned.filter(
    (edition) => edition.ia_collection?.includes("printdisabled") === true,
  );
  return {
    ia: gather(scanned, ({ ia }) => ia),
    lendingEdition: lent === undefined ? undefined : lastSegmentOf(lent.key),
    lendingIdentifier: lent?.ia?.[0],
    printdisabled:
      printdisabled.length === 0
        ? undefined
        : printdisabled.map((edition) => lastSegmentOf(edition.key)).join(";"),
  };
}

function scanRankOf(edition: ScannedEdition): number {
  const isForeign = edition.ia?.[0]?.endsWith("goog") === true;
  return (isForeign ? 1 : 0) - 2 * accessLevelOf(edition.ebook_access);
}
