import { EBOOK_ACCESS_LEVELS } from "../../catalog/ebook-access.ts";
import { type JsonObject, stringsOf } from "../../catalog/record.ts";
import type { Document } from "../engine.ts";

/** Works first published later than this are usually lent, not open: their loan copy is asked for first. */
const LAST_OPEN_YEAR = 1923;
/** Scans that are another provider's copy. */
const FOREIGN_SCAN = /librivox|runeberg|gut$/;

/** The scan whose availability stands for a document (search.md 2.6); undefined when it has none. */
export function scanOf(document: Document): string | undefined {
  const { ia, ocaid, identifier, first_publish_year: year } = document;
  const lending = document["lending_identifier"] ?? document["lending_identifier_s"];
  const isRecent = typeof year === "number" && year > LAST_OPEN_YEAR;
  const candidates = isRecent ? [ocaid, identifier, lending, ia] : [ocaid, identifier, ia, lending];
  return candidates.flatMap(stringsOf).find((scan) => scan !== "" && !FOREIGN_SCAN.test(scan));
}

/** Records that an availability speaks of: OLIDs. */
export interface AvailabilityOf {
  readonly scan: string;
  readonly work?: string | undefined;
  readonly edition?: string | undefined;
}

/**
 * Availability of a scan by how openly the document can be read (search.md 2.6): what can be said without loan
 * desks.
 */
export function availability(document: Document, { scan, work, edition }: AvailabilityOf): JsonObject {
  const { ebook_access: access } = document;
  const level = EBOOK_ACCESS_LEVELS.findIndex((name) => name === access);
  const isPublic = access === "public";
  const isLent = access === "borrowable";
  const isScanned = level >= EBOOK_ACCESS_LEVELS.indexOf("printdisabled");
  return {
    status: isPublic ? "open" : isLent ? "borrow_available" : "error",
    error_message: null,
    available_to_browse: isLent,
    available_to_borrow: isLent,
    available_to_waitlist: false,
    is_printdisabled: isScanned,
    is_readable: isPublic,
    is_lendable: isLent,
    is_previewable: isScanned,
    identifier: scan,
    isbn: null,
    oclc: null,
    openlibrary_work: work ?? null,
    openlibrary_edition: edition ?? null,
    last_loan_date: null,
    num_waitlist: null,
    last_waitlist_date: null,
    is_restricted: !isPublic,
    is_browseable: isLent,
  };
}
