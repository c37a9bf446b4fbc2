import { describe, expect, it } from "vitest";
import {
  accessAvailabilityOf,
  documentAvailabilityOf,
  lendingAvailabilityOf,
  scanOf,
} from "../../../../src/search/present/availability.ts";
import { lendingStatus } from "../../../support/lending/status.ts";

describe("scanOf", () => {
  it.each([
    [{}, undefined],
    [{ ia: ["one", "two"] }, "one"],
    [{ ia: ["one"], lending_identifier_s: "lent", first_publish_year: 1923 }, "one"],
    [{ ia: ["one"], lending_identifier_s: "lent", first_publish_year: 1924 }, "lent"],
    [{ ia: ["one"], lending_identifier_s: "lent" }, "one"],
    [{ ia: ["x_librivox_y", "bookgut", "my-runeberg-1", "gutenbergish"] }, "gutenbergish"],
    [{ ia: ["x_librivox"] }, undefined],
    [{ ocaid: "own", ia: ["one"] }, "own"],
  ])("%j: %s", (document, expected) => {
    expect(scanOf(document)).toBe(expected);
  });
});

describe("availability", () => {
  it.each([
    [
      "public",
      { status: "open", is_readable: true, is_lendable: false, is_printdisabled: true, is_restricted: false },
    ],
    [
      "borrowable",
      {
        status: "borrow_available",
        available_to_browse: true,
        available_to_borrow: true,
        is_lendable: true,
        is_browseable: true,
        is_previewable: true,
        is_restricted: true,
      },
    ],
    ["printdisabled", { status: "error", is_printdisabled: true, is_lendable: false, is_restricted: true }],
    [
      "unclassified",
      { status: "error", is_printdisabled: false, is_previewable: false, is_restricted: true },
    ],
  ])("%s", (access, expected) => {
    const made = accessAvailabilityOf({ ebook_access: access }, { scan: "item1", work: "OL1W" });
    expect(made).toMatchObject(expected);
    expect(made).toMatchObject({ identifier: "item1", openlibrary_work: "OL1W", openlibrary_edition: null });
    expect(Object.keys(made)).toHaveLength(19);
  });
});

const CLASSES = [
  "status",
  "is_readable",
  "is_lendable",
  "available_to_borrow",
  "available_to_browse",
] as const;
const MORE = ["available_to_waitlist", "is_printdisabled", "is_previewable", "is_restricted"] as const;

describe("lendingAvailabilityOf", () => {
  it.each([
    [
      "open",
      { isReadable: true, isLendable: false, isPrintDisabled: false },
      "open,true,false,false,false,false,false,true,false",
    ],
    ["with a free copy", {}, "borrow_available,false,true,true,false,false,true,true,true"],
    ["to be browsed", { canBrowse: true }, "borrow_available,false,true,true,true,false,true,true,true"],
    ["lent out", { free: 0 }, "borrow_unavailable,false,true,false,false,true,true,true,true"],
    [
      "for the print-disabled",
      { isLendable: false, free: 0 },
      "borrow_unavailable,false,false,false,false,false,true,true,true",
    ],
    [
      "of no kind",
      { isLendable: false, isPrintDisabled: false, free: 0 },
      "error,false,false,false,false,false,false,false,true",
    ],
  ])("%s", (_name, status, expected) => {
    const made = lendingAvailabilityOf(lendingStatus(status), { scan: "item1" });
    expect([...CLASSES, ...MORE].map((name) => made[name]).join()).toBe(expected);
    expect(made["is_browseable"]).toBe(made["available_to_browse"]);
  });

  it("gives dates and counts of lending as text", () => {
    const status = lendingStatus({ free: 0, waiting: 2, lastLoan: 1_596_222_475_999, lastWaiting: 0 });
    expect(
      lendingAvailabilityOf(status, { scan: "item1", isbn: "9780140328721", oclc: "12345" }),
    ).toMatchObject({
      last_loan_date: "2020-07-31T19:07:55Z",
      last_waitlist_date: "1970-01-01T00:00:00Z",
      num_waitlist: "2",
      identifier: "item1",
      isbn: "9780140328721",
      oclc: "12345",
    });
  });
});

describe("documentAvailabilityOf", () => {
  const lent = { ebook_access: "borrowable" };
  const of = { scan: "item1" };

  it("takes the status of the scan from lending", () => {
    const states = new Map([["item1", lendingStatus({ free: 0 })]]);
    expect(documentAvailabilityOf(lent, of, states)).toMatchObject({ status: "borrow_unavailable" });
  });

  it("follows the document if lending does not know the scan", () => {
    expect(documentAvailabilityOf(lent, of, new Map())).toMatchObject({ status: "borrow_available" });
  });

  it("is an error if lending does not answer and the document depends on loans", () => {
    expect(documentAvailabilityOf(lent, of, undefined)).toEqual({
      status: "error",
      identifier: "item1",
      is_restricted: true,
      is_browseable: false,
    });
    expect(documentAvailabilityOf({ ebook_access: "public" }, of, undefined)).toMatchObject({
      status: "open",
    });
    const scanned = { ebook_access: "public", ia_collection: ["inlibrary"] };
    expect(documentAvailabilityOf(scanned, of, undefined)).toMatchObject({ status: "error" });
  });
});
