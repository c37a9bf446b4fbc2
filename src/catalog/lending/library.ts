import type { Text, TextKey } from "../texts.ts";
import { textOf, type CatalogRecord } from "../record.ts";

const FIELDS = 9;
const COORDINATE = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;

/** Building of a library; its coordinates are undefined if not given. */
export type Branch = NonNullable<ReturnType<typeof parseBranch>>;

/** Parses an address line; undefined if the number of fields is wrong or the coordinates are invalid. */
export function parseBranch(line: string) {
  const fields = line.split("|").map((field) => field.replace(/\s+/g, " ").trim());
  if (fields.length !== FIELDS) return undefined;
  const [name = "", street = "", city = "", state = "", zip = "", country = "", ...more] = fields;
  const [telephone = "", website = "", place = ""] = more;
  const [latitude = "", longitude = "", ...rest] = place.split(",").map((part) => part.trim());
  const areValid = rest.length === 0 && isCoordinate(latitude, 90) && isCoordinate(longitude, 180);
  if (place !== "" && !areValid) return undefined;
  const coordinates = areValid ? { latitude, longitude } : undefined;
  return { name, street, city, state, zip, country, telephone, website, coordinates };
}

/** Parses all branches of an address text, one a line; skips invalid lines. */
export function branchesOf(text: string): Branch[] {
  return linesOf(text).flatMap((line) => parseBranch(line) ?? []);
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}

function isCoordinate(text: string, most: number): boolean {
  return COORDINATE.test(text) && Math.abs(Number(text)) <= most;
}

const IPV6 = /^(?=.*:.*:)[0-9a-f:]{2,39}$/i;
const PREFIX = /^\d{1,3}$/;
const GROUPS = 8;

/**
 * Returns true for a line that defines addresses of a library: an address, a network (`192.0.2.0/24`), a range
 * (`192.0.2.1-192.0.2.9`), or an address with `*` or `1-9` in places. Text after a `#` is a remark.
 */
export function isIpRange(line: string): boolean {
  const text = (line.split("#")[0] ?? "").trim();
  if (text === "") return true;
  const [address = "", prefix, ...more] = text.split("/");
  if (prefix !== undefined) {
    const bits = isIpv4(address) ? 32 : isIpv6(address) ? 128 : -1;
    return more.length === 0 && PREFIX.test(prefix) && Number(prefix) <= bits;
  }
  const [first = "", last, ...others] = text.split("-").map((part) => part.trim());
  if (last !== undefined && others.length === 0 && isIpv4(first) && isIpv4(last)) return true;
  if (isIpv6(text)) return true;
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => part === "*" || isSpan(part));
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every(isByte);
}

function isIpv6(text: string): boolean {
  if (!IPV6.test(text) || text.split("::").length > 2) return false;
  const groups = text.split(":").filter((group) => group !== "");
  const isShort = text.includes("::");
  return (
    groups.every((group) => group.length <= 4) &&
    (isShort ? groups.length < GROUPS : groups.length === GROUPS)
  );
}

function isByte(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= 255;
}

function isSpan(text: string): boolean {
  const ends = text.split("-");
  return ends.length <= 2 && ends.every(isByte);
}

/** Longest texts of a registration, in characters. */
export const LIBRARY_NAME_LENGTH_MAX = 200;
export const LIBRARY_TEXT_LENGTH_MAX = 20_000;
export const LIBRARY_WORD_LENGTH_MAX = 500;

export interface LibraryDetails {
  readonly name: string;
  readonly addresses: string;
  /** Network addresses of the library, one definition a line. */
  readonly ip_ranges: string;
  readonly website: string;
  readonly lending_region: string;
  readonly contact_email: string;
}

export interface DetailProblem {
  readonly field: keyof LibraryDetails;
  readonly code: "missing_fields" | "bad_value";
  readonly text: Text;
}

/** Returns all problems of a registration, one per field. */
export function findDetailProblems(details: LibraryDetails): DetailProblem[] {
  const { addresses, ip_ranges: ranges, website, contact_email: email } = details;
  const problems: DetailProblem[] = [];
  for (const field of ["name", "addresses", "ip_ranges"] as const) {
    const isMissing = details[field].trim() === "";
    if (isMissing) problems.push({ field, code: "missing_fields", text: { key: "bad_data.missing_field" } });
  }
  const bad = (field: keyof LibraryDetails, key: TextKey, line?: number): void => {
    problems.push({ field, code: "bad_value", text: { key, values: line === undefined ? {} : { line } } });
  };
  const address = linesOf(addresses).findIndex((line) => (parseBranch(line)?.name ?? "") === "");
  if (address >= 0) bad("addresses", "validation.library_address", address + 1);
  const range = linesOf(ranges).findIndex((line) => !isIpRange(line));
  if (range >= 0) bad("ip_ranges", "validation.library_ip", range + 1);
  const { protocol } = URL.parse(website.trim()) ?? { protocol: "" };
  const isWebAddress = protocol === "http:" || protocol === "https:";
  if (website.trim() !== "" && !isWebAddress) bad("website", "validation.url");
  if (email.trim() !== "" && !/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(email.trim())) {
    bad("contact_email", "bad_data.email");
  }
  return problems;
}

const KEY = /^\/libraries\/[\w-]{1,100}$/;
/** Names that are pages and not libraries. */
const RESERVED = /^\/libraries\/(?:dashboard|register|stats|pending-.*)$/;

export function isLibraryKey(key: string): boolean {
  return KEY.test(key) && !RESERVED.test(key);
}

/** Builds the record of an approved library. Q458: it has no contact address, which only administrators may see. */
export function buildLibraryRecord(key: string, details: LibraryDetails, registered: string): CatalogRecord {
  const { name, addresses, ip_ranges: ranges, website, lending_region: region } = details;
  return {
    key,
    type: { key: "/type/library" },
    name,
    addresses: toTextObject(addresses),
    ip_ranges: toTextObject(ranges),
    ...(website === "" ? {} : { website }),
    ...(region === "" ? {} : { lending_region: region }),
    registered_on: { type: "/type/datetime", value: registered },
    status: "approved",
  };
}

/** Returns true if a record belongs to the library with this registration. */
export function isSameLibrary(record: CatalogRecord, library: CatalogRecord): boolean {
  return ["name", "addresses", "ip_ranges", "registered_on"].every(
    (member) => textOf(record[member]) === textOf(library[member]),
  );
}

function toTextObject(value: string): CatalogRecord {
  return { type: "/type/text", value };
}
