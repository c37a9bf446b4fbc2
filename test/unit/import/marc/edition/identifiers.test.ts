import { describe, expect, it } from "vitest";
import { editionOfMarc } from "../../../../../src/import/marc/edition.ts";
import type { ImportWarning } from "../../../../../src/import/warning.ts";
import { edition, marc } from "./marc-lines.ts";

describe("numbers of libraries", () => {
  it.each([
    ["   85-17 ", "85000017"],
    ["sc 83-3257", "sc 83003257"],
    ["^^72626487^", "72626487"],
    ["79-1234567", "791234567"],
    ["a1-2-3", "a100020003"],
    ["???", undefined],
    ["x", undefined],
  ])("the LCCN %j is %j", (text, lccn) => {
    expect(edition(`010   ‡a${text}‡z   99000001`)["lccn"]).toEqual(lccn === undefined ? undefined : [lccn]);
  });

  it("Q315: keeps the numbers of several agencies", () => {
    expect(
      edition(
        "016 7 ‡a1‡2NL",
        "016 7 ‡2DE-101",
        "016 7 ‡a2‡a3‡2DE-101",
        "024 7 ‡a10.1/x‡2doi",
        "024 7 ‡a10.1/y‡2doi",
        "022   ‡a0068-1075‡a1",
        "022   ‡z2",
      ),
    ).toEqual({ identifiers: { dnb: ["2"], doi: ["10.1/x"], issn: ["0068-1075", "1"] } });
    expect(edition("022   ‡z2", "016 7 ‡a1", "024 7 ‡a1‡2urn")).toEqual({});
  });

  it("takes OCLC numbers from the record and from 035, once each", () => {
    expect(
      edition("001 ocm00012345 ", "003 OCoLC  ", "035   ‡a(OCoLC)ocm00012345‡a(OCoLC)0067890‡z(OCoLC)1"),
    ).toEqual({
      oclc_numbers: ["12345", "67890"],
    });
    expect(edition("001 0012", "003 ocolc", "035   ‡aocn007 ‡a(DLC)8‡a12‡a(OCoLC)x")).toEqual({
      oclc_numbers: ["0012", "7"],
    });
    expect(edition("001 ocm1", "001 ocm2", "003 OCoLC", "003 DLC")).toEqual({ oclc_numbers: ["1"] });
    expect(edition("001 ocm1", "003 DLC")).toEqual({});
    expect(edition("001 on1234", "003 OCoLC")).toEqual({});
  });

  it.each([
    ["(OCoLC)TGPSM11-B2267", []],
    ["(OCoLC)B2267-11", []],
    ["(OCoLC)", []],
    ["(OCoLC) on 0012", ["12"]],
    ["(OCoLC)cis12", ["12"]],
    ["(OCoLC)12 (set)", ["12"]],
    ["ocm12 ", ["12"]],
  ])("reads the OCLC number of %j: %j", (text, numbers) => {
    expect(edition(`035   ‡a${text}`)["oclc_numbers"] ?? []).toEqual(numbers);
  });

  it("says which numbers are none", () => {
    const warnings: ImportWarning[] = [];
    const lines = ["010   ‡ax", "020   ‡a$4.95‡z(pbk.)", "035   ‡a(OCoLC)a1b‡a(DLC)9", "041   ‡aengl"];
    editionOfMarc(marc("245 00‡aT", ...lines), warnings);
    expect(warnings.map(({ field, value, code }) => [field, value, code])).toEqual([
      ["041 $a", "engl", "invalid-language"],
      ["010 $a", "x", "invalid-lccn"],
      ["020", "$4.95", "invalid-isbn"],
      ["020", "(pbk.)", "invalid-isbn"],
      ["035 $a", "(OCoLC)a1b", "invalid-oclc-number"],
    ]);
  });

  it("has one shelfmark for each class", () => {
    expect(
      edition("050 00‡aQA76.9‡aQA77‡b.X1 2001", "050  4‡aZ699", "050   ‡b.Y‡b2", "082 04‡a005.1‡222‡a6"),
    ).toEqual({
      lc_classifications: ["QA76.9 .X1 2001", "QA77 .X1 2001", "Z699", ".Y 2"],
      dewey_decimal_class: ["005.1", "6"],
    });
  });
});

describe("ISBNs", () => {
  it.each([
    ["0-14-118250-4 (pbk.)", { isbn_10: ["0141182504"] }],
    ["9780141182506 :‡c$5", { isbn_13: ["9780141182506"] }],
    ["1402563884c$26.95", { isbn_10: ["1402563884"] }],
    ["1402563884c$26.95 (pbk.)", { isbn_10: ["1402563884"] }],
    ["087279811", { isbn_10: ["087279811"] }],
    ["014118250x", { isbn_10: ["014118250X"] }],
    ["978\u20139736124419 (brosch.)", { isbn_13: ["9789736124419"] }],
    ["[9789736124419]", { isbn_13: ["9789736124419"] }],
    ["(9780141182506) pbk.", { isbn_13: ["9780141182506"] }],
    ["978 9452309480 :‡c$5", { isbn_13: ["9789452309480"] }],
    ["ISBN 9452309482", { isbn_10: ["9452309482"] }],
    ["ISBN-13: 978-0-14-118250-6 ; hbk", { isbn_13: ["9780141182506"] }],
    ["urn:isbn:9780141182506", { isbn_13: ["9780141182506"] }],
    ["\u200E978.0.14.118250.6", { isbn_13: ["9780141182506"] }],
    ["(pbk.) 0141182504", {}],
    ["X", {}],
    ["$4.95", {}],
    ["\u00A312.50 (cased)", {}],
    ["12345678901234567", {}],
    ["1234567890123456", { isbn_10: ["1234567890123456"] }],
    ["01411825040141182504", { isbn_10: ["0141182504"] }],
    ["0141182504/0815769768", { isbn_10: ["0141182504", "0815769768"] }],
    ["0141182504;9780141182506", { isbn_10: ["0141182504"], isbn_13: ["9780141182506"] }],
    ["01411;82504", { isbn_10: ["0141182504"] }],
    ["1;2", { isbn_10: ["1;2"] }],
  ])("%j gives %j", (text, members) => expect(edition(`020   ‡a${text}`)).toEqual(members));

  it("are read from $a and $z, once each", () => {
    expect(edition("020   ‡z9780141182506 (set)‡a0141182504", "020   ‡a0-14-118250-4‡q0815769768")).toEqual({
      isbn_10: ["0141182504"],
      isbn_13: ["9780141182506"],
    });
  });
});
