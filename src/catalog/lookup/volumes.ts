import type { ItemMetadata } from "../ebook-access.ts";
import { DEFAULT_PREFIX, olidOfKey } from "../keys.ts";
import { publicationYearOf } from "../publication-date.ts";
import { type CatalogRecord, keyOf, stringsOf, textOf } from "../record.ts";
import { recordUrlOf } from "../slug.ts";
import { type BibKey, parseBibKey } from "./bibkey.ts";
import { type EditionBundle, type LookupConfig, coverUrlsOf, ocaidOf } from "./bundle.ts";
import { toDataEntry, toDetailsEntry } from "./entries.ts";

/** Availability of scans, best first. */
export const SCAN_STATUSES = ["full access", "lendable", "checked out", "restricted"] as const;
type ScanStatus = (typeof SCAN_STATUSES)[number];

export const VOLUME_SCANS_MAX = 500;

/** Scanned edition of the work, including the matched edition, with the availability of its scan. */
export interface ScannedEdition {
  readonly edition: CatalogRecord;
  readonly status: ScanStatus;
}

interface VolumeInput {
  readonly requested: string;
  readonly bundle: EditionBundle;
  /** Scans of all editions of the work, or of the edition itself if it has no work. */
  readonly scans: readonly ScannedEdition[];
  /** True to include scans that are not available now. Default false. */
  readonly showAllItems?: boolean;
  readonly config: LookupConfig;
}

/** Returns the availability of a scan by its item's collections. `checkedOut`: no copy is free. */
export function scanStatusOf(item: ItemMetadata, checkedOut: boolean): ScanStatus {
  if (item.collections.includes("inlibrary")) return checkedOut ? "checked out" : "lendable";
  return item.collections.includes("printdisabled") ? "restricted" : "full access";
}

/** Builds the volume of a matched edition: its record, and the scans of its work in order of preference. */
export function buildVolume(input: VolumeInput) {
  const { bundle, scans, showAllItems = false } = input;
  const items = scans
    .slice(0, VOLUME_SCANS_MAX)
    .filter(({ status }) => showAllItems || isOnOffer(status))
    .flatMap((scan) => toVolumeItem(scan, input));
  return {
    records: { [keyOf(bundle.edition) ?? ""]: toVolumeRecord(input) },
    items: items.sort(compareItems),
  };
}

/** Response of the Read API for a book. */
export type Volume = ReturnType<typeof buildVolume>;

function toVolumeRecord({ requested, bundle, config }: VolumeInput) {
  const { edition } = bundle;
  return {
    isbns: [...stringsOf(edition["isbn_10"]), ...stringsOf(edition["isbn_13"])],
    issns: [],
    lccns: stringsOf(edition["lccn"]),
    oclcs: stringsOf(edition["oclc_numbers"]),
    olids: [olidOf(edition)],
    publishDates: [textOf(edition["publish_date"]) ?? ""],
    recordURL: recordUrlOf(config.baseUrl, edition),
    data: toDataEntry(bundle, config),
    details: toDetailsEntry(requested, bundle, config),
  };
}

function toVolumeItem({ edition, status }: ScannedEdition, { bundle, config }: VolumeInput) {
  const ocaid = ocaidOf(edition);
  if (ocaid === undefined) return [];
  const cover = coverUrlsOf(config.coversUrl, edition);
  const borrowUrl = `${recordUrlOf(config.baseUrl, edition)}/borrow`;
  const item = {
    enumcron: false,
    match: ocaid === ocaidOf(bundle.edition) ? "exact" : "similar",
    status,
    fromRecord: keyOf(bundle.edition) ?? "",
    "ol-edition-id": olidOf(edition),
    "ol-work-id": olidOf(bundle.work),
    publishDate: String(publicationYearOf(edition) ?? ""),
    contributor: "",
    itemURL: status === "full access" ? `${config.archiveUrl}/stream/${ocaid}` : borrowUrl,
    ...(cover !== undefined && { cover }),
  };
  return [item];
}
type VolumeItem = ReturnType<typeof toVolumeItem>[number];

function olidOf(record: CatalogRecord | undefined): string {
  return olidOfKey(keyOf(record) ?? "") ?? "";
}

function isOnOffer(status: ScanStatus): boolean {
  return status === "full access" || status === "lendable";
}

/** Sorts the edition's own available scan first, then by status and year; lent items newest first. */
function compareItems(a: VolumeItem, b: VolumeItem): number {
  return (
    Number(isOwnScan(b)) - Number(isOwnScan(a)) ||
    SCAN_STATUSES.indexOf(a.status) - SCAN_STATUSES.indexOf(b.status) ||
    compareYears(a, b)
  );
}

function isOwnScan({ match, status }: VolumeItem): boolean {
  return match === "exact" && isOnOffer(status);
}

function compareYears(a: VolumeItem, b: VolumeItem): number {
  if (a.publishDate === "" || b.publishDate === "") {
    return Number(a.publishDate === "") - Number(b.publishDate === "");
  }
  const years = Number(a.publishDate) - Number(b.publishDate);
  return a.status === "lendable" || a.status === "checked out" ? -years : years;
}

/** Maximum number of bib keys per multi-request. The caller rejects more. */
export const VOLUME_KEYS_MAX = 1000;

/** Book in a multi-request: the first of its keys with an edition is used. */
export interface VolumesRequest {
  readonly label: string;
  readonly keys: readonly BibKey[];
}

const LABEL = /^id:(.*)$/is;

/** Parses `isbn:0141439513;lccn:62000298|id:second;olid:OL1M`: `|` separates books, `;` the keys of a book (Q32). */
export function parseVolumesRequest(text: string, prefix = DEFAULT_PREFIX): VolumesRequest[] {
  const requests = text.split("|").map((request) => request.trim());
  return requests.filter((request) => request !== "").map((request) => parseBook(request, prefix));
}

function parseBook(request: string, prefix: string): VolumesRequest {
  const [first = "", ...others] = request.split(";");
  const label = LABEL.exec(first)?.[1];
  const keys = (label === undefined ? [first, ...others] : others).filter((key) => key !== "");
  return { label: label ?? request, keys: keys.map((key) => parseBibKey(key, prefix)) };
}
