import { linesOf, branchOf } from "./addresses.ts";
import { isIpRange } from "./ip-ranges.ts";

/** Longest texts of a registration, in characters. */
export const LIBRARY_NAME_LENGTH_MAX = 200;
export const LIBRARY_TEXT_LENGTH_MAX = 20_000;
export const LIBRARY_WORD_LENGTH_MAX = 500;

/** What a library says of itself (lookup.md 17.3). */
export interface LibraryDetails {
  readonly name: string;
  /** Lines of nine fields. */
  readonly addresses: string;
  /** Which addresses of the network are the library's, one a line. */
  readonly ip_ranges: string;
  readonly website: string;
  readonly lending_region: string;
  readonly contact_email: string;
}

/** What is wrong with a field. */
export interface DetailProblem {
  readonly field: keyof LibraryDetails;
  readonly code: "missing_fields" | "bad_value";
  readonly message: string;
}

/** What is wrong with a registration: all of it at once, one problem a field. */
export function detailProblems(details: LibraryDetails): DetailProblem[] {
  const { addresses, ip_ranges: ranges, website, contact_email: email } = details;
  const problems: DetailProblem[] = [];
  for (const field of ["name", "addresses", "ip_ranges"] as const) {
    const isMissing = details[field].trim() === "";
    if (isMissing) problems.push({ field, code: "missing_fields", message: "This is needed." });
  }
  const bad = (field: keyof LibraryDetails, message: string): void => {
    problems.push({ field, code: "bad_value", message });
  };
  const address = linesOf(addresses).findIndex((line) => (branchOf(line)?.name ?? "") === "");
  if (address >= 0) {
    bad(
      "addresses",
      `Line ${address + 1} is no address: nine fields with | in between, the first one a name.`,
    );
  }
  const range = linesOf(ranges).findIndex((line) => !isIpRange(line));
  if (range >= 0) bad("ip_ranges", `Line ${range + 1} is no IP address and no range of them.`);
  if (website.trim() !== "" && !isWebAddress(website.trim())) bad("website", "This is no web address.");
  if (email.trim() !== "" && !/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(email.trim())) {
    bad("contact_email", "This is no e-mail address.");
  }
  return problems;
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:");
}
