import { type CatalogRecord, textOf } from "../record.ts";
import type { LibraryDetails } from "./registration.ts";

const KEY = /^\/libraries\/[\w-]{1,100}$/;
/** Names that are pages and not libraries. */
const RESERVED = /^\/libraries\/(?:dashboard|register|stats|pending-.*)$/;

/** True for keys that the record of a library can have. */
export function isLibraryKey(key: string): boolean {
  return KEY.test(key) && !RESERVED.test(key);
}

/** The record of a library that was let in. Q458: whom to write to is for the administrators alone. */
export function libraryRecord(key: string, details: LibraryDetails, registered: string): CatalogRecord {
  const { name, addresses, ip_ranges: ranges, website, lending_region: region } = details;
  return {
    key,
    type: { key: "/type/library" },
    name,
    addresses: text(addresses),
    ip_ranges: text(ranges),
    ...(website === "" ? {} : { website }),
    ...(region === "" ? {} : { lending_region: region }),
    registered_on: { type: "/type/datetime", value: registered },
    status: "approved",
  };
}

/** True when a record is of the library that registered so. */
export function isSameLibrary(record: CatalogRecord, library: CatalogRecord): boolean {
  return ["name", "addresses", "ip_ranges", "registered_on"].every(
    (member) => textOf(record[member]) === textOf(library[member]),
  );
}

function text(value: string): CatalogRecord {
  return { type: "/type/text", value };
}
