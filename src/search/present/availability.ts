import { EBOOK_ACCESS_LEVELS } from "../../catalog/ebook-access.ts";
import type { LendingStatus } from "../../catalog/lending/loan.ts";
import { type JsonObject, stringsOf } from "../../catalog/record.ts";
import type { Document } from "../engine.ts";

/** Last first-publication year for preferring open copies: later works are usually lent. */
const LAST_OPEN_YEAR = 1923;
const FOREIGN_SCAN = /librivox|runeberg|gut$/;

/** Returns the scan whose availability a document shows; undefined if it has none. */
export function scanOf(document: Document): string | undefined {
  const { ia, ocaid, identifier, first_publish_year: year } = document;
  const lending = document["lending_identifier"] ?? document["lending_identifier_s"];
  const isRecent = typeof year === "number" && year > LAST_OPEN_YEAR;
  const candidates = isRecent ? [ocaid, identifier, lending, ia] : [ocaid, identifier, ia, lending];
  return candidates.flatMap(stringsOf).find((scan) => scan !== "" && !FOREIGN_SCAN.test(scan));
}

/** States of scans by their ids; undefined if lending did not answer. Scans unknown to lending are absent. */
export type LendingStates = ReadonlyMap<string, LendingStatus> | undefined;

export interface AvailabilitySubject {
  readonly scan: string;
  readonly work?: string | undefined;
  readonly edition?: string | undefined;
  readonly isbn?: string | undefined;
  readonly oclc?: string | undefined;
}

/** Returns true if loans decide the availability of a document: lending is queried only then. */
export function isLent(document: Document): boolean {
  return (
    document["ebook_access"] === "borrowable" || stringsOf(document["ia_collection"]).includes("inlibrary")
  );
}

/** Returns a scan's availability: from lending, or if unknown there, from the document's access. */
export function documentAvailabilityOf(
  document: Document,
  subject: AvailabilitySubject,
  states: LendingStates,
): JsonObject {
  const status = states?.get(subject.scan);
  if (status !== undefined) return lendingAvailabilityOf(status, subject);
  if (states !== undefined || !isLent(document)) return accessAvailabilityOf(document, subject);
  return { status: "error", identifier: subject.scan, is_restricted: true, is_browseable: false };
}

/** Returns the status word of an item. */
export function availabilityStatusOf(
  status: LendingStatus,
): "open" | "borrow_available" | "borrow_unavailable" | "error" {
  if (status.isReadable) return "open";
  if (status.isLendable) return status.free > 0 ? "borrow_available" : "borrow_unavailable";
  return status.isPrintDisabled ? "borrow_unavailable" : "error";
}

/** Returns the availability of an item from its loans and its queue. */
export function lendingAvailabilityOf(status: LendingStatus, subject: AvailabilitySubject): JsonObject {
  const { isReadable, isLendable, isPrintDisabled, free, canBrowse, waiting } = status;
  return {
    status: availabilityStatusOf(status),
    error_message: null,
    available_to_browse: isLendable && canBrowse && free > 0,
    available_to_borrow: isLendable && free > 0,
    available_to_waitlist: isLendable && free === 0,
    // Print-disabled patrons may have the items that other patrons must borrow.
    is_printdisabled: !isReadable && (isLendable || isPrintDisabled),
    is_readable: isReadable,
    is_lendable: isLendable,
    is_previewable: isReadable || isLendable || isPrintDisabled,
    ...recordMembersOf(subject),
    last_loan_date: formatSecond(status.lastLoan),
    // Q280: the number is text.
    num_waitlist: isLendable ? String(waiting) : null,
    last_waitlist_date: formatSecond(status.lastWaiting),
    is_restricted: !isReadable,
    is_browseable: isLendable && canBrowse && free > 0,
  };
}

/** Returns the availability of a scan from the access of the document, without lending. */
export function accessAvailabilityOf(document: Document, subject: AvailabilitySubject): JsonObject {
  const { ebook_access: access } = document;
  const level = EBOOK_ACCESS_LEVELS.findIndex((name) => name === access);
  const isPublic = access === "public";
  const isBorrowable = access === "borrowable";
  const isScanned = level >= EBOOK_ACCESS_LEVELS.indexOf("printdisabled");
  return {
    status: isPublic ? "open" : isBorrowable ? "borrow_available" : "error",
    error_message: null,
    available_to_browse: isBorrowable,
    available_to_borrow: isBorrowable,
    available_to_waitlist: false,
    is_printdisabled: isScanned,
    is_readable: isPublic,
    is_lendable: isBorrowable,
    is_previewable: isScanned,
    ...recordMembersOf(subject),
    last_loan_date: null,
    num_waitlist: null,
    last_waitlist_date: null,
    is_restricted: !isPublic,
    is_browseable: isBorrowable,
  };
}

function recordMembersOf({ scan, isbn, oclc, work, edition }: AvailabilitySubject): JsonObject {
  return {
    identifier: scan,
    isbn: isbn ?? null,
    oclc: oclc ?? null,
    openlibrary_work: work ?? null,
    openlibrary_edition: edition ?? null,
  };
}

/** Returns a time to the second, such as `2020-07-31T19:07:55Z`. */
function formatSecond(time: number | null): string | null {
  return time === null ? null : `${new Date(time).toISOString().slice(0, 19)}Z`;
}
