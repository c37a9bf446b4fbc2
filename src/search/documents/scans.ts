import { lastSegment } from "../../catalog/keys.ts";
import { type EbookAccess, EBOOK_ACCESS_LEVELS, itemFromSubjects } from "../../catalog/ebook-access.ts";
import { type CatalogRecord, textOf } from "../../catalog/record.ts";
import type { EditionDocument, ScanItem } from "./types.ts";
import { gathered, texts } from "./values.ts";

/** Ways to know of an edition's scan. */
export interface ScanSources {
  readonly items: ReadonlyMap<string, ScanItem>;
  readonly workSubjects: readonly string[];
  readonly deriveItems: boolean;
}

/** Collections that say what patrons like, not what a scan is. */
const FAVORITES = "fav-";

/** What is known of an edition's scan; undefined without a scan, or when nothing is known of it. */
export function scanOf(edition: CatalogRecord, sources: ScanSources): ScanItem | undefined {
  const ocaid = textOf(edition["ocaid"]);
  if (ocaid === undefined || ocaid === "") return undefined;
  return (
    sources.items.get(ocaid) ?? (sources.deriveItems ? itemFromSubjects(sources.workSubjects) : undefined)
  );
}

/** Collections that a document names, in order. */
export function sortedCollections(collections: readonly string[]): readonly string[] | undefined {
  if (collections.length === 0) return undefined;
  const named = collections.filter((collection) => !collection.startsWith(FAVORITES));
  return named.length === 0 ? undefined : [...new Set(named)].sort();
}

/** Boxes of the edition's paper copy: the record's, then the scan's; once each whatever the case. */
export function boxesOf(edition: CatalogRecord, scan: ScanItem | undefined): readonly string[] | undefined {
  const own = texts(edition, "ia_box_id");
  const box = scan?.boxId ?? "";
  return distinctIgnoringCase(box === "" ? own : [...own, box]);
}

/** The first of every text that differs in more than case; undefined when there are none. */
export function distinctIgnoringCase(values: readonly string[] | undefined): readonly string[] | undefined {
  if (values === undefined || values.length < 2) return values?.length === 0 ? undefined : values;
  const kept = new Map<string, string>();
  for (const value of values) {
    const folded = value.toLowerCase();
    if (!kept.has(folded)) kept.set(folded, value);
  }
  return [...kept.values()];
}

/** Place of an access among all, the lowest 0. */
export function accessLevel(access: EbookAccess): number {
  return EBOOK_ACCESS_LEVELS.indexOf(access);
}

const BORROWABLE = accessLevel("borrowable");
const PRINTDISABLED = accessLevel("printdisabled");
const ACCESS_ALWAYS = accessLevel("no_ebook");

/** Fields that say whether the access is at least at a level. */
export const ACCESS_FLAGS: ReadonlyMap<string, number> = new Map([
  ["has_fulltext", PRINTDISABLED],
  ["public_scan_b", accessLevel("public")],
]);

/** True when at least patrons with print disabilities can read the text. */
export function hasFulltext(access: EbookAccess): boolean {
  return accessLevel(access) >= PRINTDISABLED;
}

/** Members of a book that follow from how open it is. */
export function openness(access: EbookAccess) {
  return { has_fulltext: hasFulltext(access), public_scan_b: access === "public" };
}

/** True when there is an e-book of some kind. */
export function isEbook(access: EbookAccess): boolean {
  return accessLevel(access) > ACCESS_ALWAYS;
}

/** True when everybody who is logged in can read the text. */
export function isReadable(access: EbookAccess): boolean {
  return accessLevel(access) >= BORROWABLE;
}

type ScannedEdition = Pick<EditionDocument, "key" | "ia" | "ia_collection" | "ebook_access">;

/**
 * Scans of a work: the most open first, foreign copies (`...goog`) after the others of their access. The edition of the
 * first one is lent if patrons can read it; those for print-disabled patrons are joined by semicolons.
 */
export function scansOf(editions: readonly ScannedEdition[]) {
  const scanned = editions.filter((edition) => edition.ia !== undefined);
  if (scanned.length > 1) scanned.sort((one, other) => scanPlace(one) - scanPlace(other));
  const best = scanned[0];
  const lent = best !== undefined && isReadable(best.ebook_access) ? best : undefined;
  const printdisabled = scanned.filter(
    (edition) => edition.ia_collection?.includes("printdisabled") === true,
  );
  return {
    ia: gathered(scanned, ({ ia }) => ia),
    lendingEdition: lent === undefined ? undefined : lastSegment(lent.key),
    lendingIdentifier: lent?.ia?.[0],
    printdisabled:
      printdisabled.length === 0
        ? undefined
        : printdisabled.map((edition) => lastSegment(edition.key)).join(";"),
  };
}

function scanPlace(edition: ScannedEdition): number {
  const isForeign = edition.ia?.[0]?.endsWith("goog") === true;
  return (isForeign ? 1 : 0) - 2 * accessLevel(edition.ebook_access);
}
