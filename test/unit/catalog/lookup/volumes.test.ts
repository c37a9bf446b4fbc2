import { describe, expect, it } from "vitest";
import { toDataEntry, toDetailsEntry } from "../../../../src/catalog/lookup/entries.ts";
import {
  type ScannedEdition,
  type Volume,
  SCAN_STATUSES,
  VOLUME_SCANS_MAX,
  parseVolumesRequest,
  scanStatusOf,
  buildVolume,
} from "../../../../src/catalog/lookup/volumes.ts";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { randomStream } from "../random.ts";
import { CONFIG, FOO, FOO_EDITION, bundleOf, record } from "./fixture.ts";

type ScanStatus = ScannedEdition["status"];
type VolumeInput = Parameters<typeof buildVolume>[0];

const scan = (number: number, status: ScanStatus, members: CatalogRecord = {}): ScannedEdition => ({
  edition: record("edition", `/books/OL${number}M`, { ocaid: `scan${number}`, ...members }),
  status,
});
const answer = (members: Partial<VolumeInput> = {}): Volume =>
  buildVolume({ requested: "isbn:0140328726", bundle: FOO, scans: [], config: CONFIG, ...members });
const offered = (members: Partial<VolumeInput>): string[] =>
  answer(members).items.map((item) => item["ol-edition-id"]);

describe("scanStatusOf", () => {
  it.each<[string[], boolean, ScanStatus]>([
    [["inlibrary", "printdisabled"], false, "lendable"],
    [["inlibrary", "printdisabled"], true, "checked out"],
    [["printdisabled"], true, "restricted"],
    [["texts"], true, "full access"],
    [[], false, "full access"],
  ])("%j, lent out %s: %s", (collections, checkedOut, status) => {
    expect(scanStatusOf({ collections, accessRestricted: false }, checkedOut)).toBe(status);
  });
});

describe("the record", () => {
  it("has the matched edition only", () => {
    const { records } = answer();
    expect(Object.keys(records)).toEqual(["/books/OL1M"]);
    const found = records["/books/OL1M"]!;
    expect(Object.keys(found)).toEqual([
      "isbns",
      "issns",
      "lccns",
      "oclcs",
      "olids",
      "publishDates",
      "recordURL",
      "data",
      "details",
    ]);
    expect(found).toEqual({
      isbns: ["0-14-032872-6"],
      issns: [],
      lccns: ["sa 64009056"],
      oclcs: ["ocm00012345"],
      olids: ["OL1M"],
      publishDates: [""],
      recordURL: "http://localhost:8080/books/OL1M/Foo_a_bar_(2nd_ed.)",
      data: toDataEntry(FOO, CONFIG),
      details: toDetailsEntry("isbn:0140328726", FOO, CONFIG),
    });
  });
});

describe("an item", () => {
  it("has its members in order", () => {
    const own = { edition: { ...FOO_EDITION, publish_date: "1988" }, status: "lendable" as const };
    expect(JSON.stringify(answer({ scans: [own] }).items)).toBe(
      '[{"enumcron":false,"match":"exact","status":"lendable","fromRecord":"/books/OL1M","ol-edition-id":"OL1M",' +
        '"ol-work-id":"OL1W","publishDate":"1988","contributor":"",' +
        '"itemURL":"http://localhost:8080/books/OL1M/Foo_a_bar_(2nd_ed.)/borrow",' +
        '"cover":{"small":"http://localhost:7075/b/id/7-S.jpg","medium":"http://localhost:7075/b/id/7-M.jpg",' +
        '"large":"http://localhost:7075/b/id/7-L.jpg"}}]',
    );
  });

  it("of another edition is similar", () => {
    expect(answer({ scans: [scan(5, "full access", { title: "B c" })] }).items).toEqual([
      {
        enumcron: false,
        match: "similar",
        status: "full access",
        fromRecord: "/books/OL1M",
        "ol-edition-id": "OL5M",
        "ol-work-id": "OL1W",
        publishDate: "",
        contributor: "",
        itemURL: "https://archive.org/stream/scan5",
      },
    ]);
  });

  it("requires a scan", () => {
    const unscanned = { edition: record("edition", "/books/OL5M"), status: "full access" as const };
    expect(answer({ bundle: bundleOf(record("edition", "/books/OL5M")), scans: [unscanned] }).items).toEqual(
      [],
    );
  });

  it("has no work number without a work", () => {
    const edition = record("edition", "/books/OL5M", { ocaid: "scan5" });
    const [item] = answer({ bundle: bundleOf(edition), scans: [scan(5, "lendable")] }).items;
    expect(item).toMatchObject({ match: "exact", "ol-edition-id": "OL5M", "ol-work-id": "" });
  });

  it.each([
    ["1988", "1988"],
    ["June 1988", "1988"],
    ["October 1, 1988", "1988"],
    ["1988-10-01", "1988"],
    ["c1988, 1990", "1990"],
    ["12/10/88", ""],
    ["88", ""],
    ["", ""],
  ])("published %j has the year %j", (publish_date, year) => {
    expect(answer({ scans: [scan(5, "full access", { publish_date })] }).items[0]?.publishDate).toBe(year);
  });

  it.each(SCAN_STATUSES)("with status %s is shown on request", (status) => {
    const onOffer = status === "full access" || status === "lendable";
    expect(answer({ scans: [scan(5, status)] }).items).toHaveLength(onOffer ? 1 : 0);
    const [shown] = answer({ scans: [scan(5, status)], showAllItems: true }).items;
    expect(shown?.status).toBe(status);
    const base = "http://localhost:8080/books/OL5M/untitled/borrow";
    expect(shown?.itemURL).toBe(status === "full access" ? "https://archive.org/stream/scan5" : base);
  });
});

const dated = (number: number, status: ScanStatus, year: string): ScannedEdition =>
  scan(number, status, { publish_date: year });

describe("the order of items", () => {
  it("is own scan, status, then year", () => {
    const scans = [
      dated(9, "restricted", "1990"),
      dated(8, "checked out", "1980"),
      dated(7, "checked out", "1985"),
      dated(6, "lendable", ""),
      dated(5, "lendable", "1970"),
      dated(4, "lendable", "1999"),
      dated(3, "full access", ""),
      dated(2, "full access", "1912"),
      { edition: FOO_EDITION, status: "lendable" as const },
      dated(10, "full access", "1890"),
      dated(11, "restricted", "1890"),
      dated(12, "checked out", ""),
    ];
    const expected = [1, 10, 2, 3, 4, 5, 6, 7, 8, 12, 11, 9].map((number) => `OL${number}M`);
    expect(offered({ scans, showAllItems: true })).toEqual(expected);
    expect(offered({ scans })).toEqual(["OL1M", "OL10M", "OL2M", "OL3M", "OL4M", "OL5M", "OL6M"]);
  });

  it("puts an unavailable own scan by its status", () => {
    const scans = [{ edition: FOO_EDITION, status: "checked out" as const }, dated(2, "lendable", "1912")];
    expect(offered({ scans, showAllItems: true })).toEqual(["OL2M", "OL1M"]);
  });

  it("is independent of the input order", () => {
    const random = randomStream(51);
    const scans = SCAN_STATUSES.flatMap((status, at) =>
      ["", "1900", "1950", "2000"].map((year, index) => dated(10 * at + index + 2, status, year)),
    );
    const expected = offered({ scans, showAllItems: true });
    for (let round = 0; round < 50; round += 1) {
      const shuffled = scans.map((one) => ({ one, at: random() })).sort((a, b) => a.at - b.at);
      expect(offered({ scans: shuffled.map(({ one }) => one), showAllItems: true })).toEqual(expected);
    }
  });

  it("is limited, and leaves its input alone", () => {
    const scans = Array.from({ length: VOLUME_SCANS_MAX + 1 }, (_, index) => scan(index + 2, "full access"));
    const before = [...scans];
    expect(offered({ scans })).toHaveLength(VOLUME_SCANS_MAX);
    expect(scans).toEqual(before);
  });
});

/** Labels, and the keys of each as `kind value`. */
const read = (text: string, prefix?: string): string[][] =>
  parseVolumesRequest(text, prefix).map(({ label, keys }) =>
    [label].concat(keys.map(({ kind, value }) => `${kind} ${value}`.trim())),
  );

describe("parseVolumesRequest", () => {
  it.each<[string, string, string[][]]>([
    ["one key", "isbn:0140328726", [["isbn:0140328726", "isbn 0140328726"]]],
    [
      "two requests, the first by two keys",
      "isbn:0596156715;lccn:2009028519|olid:OL123M",
      [
        ["isbn:0596156715;lccn:2009028519", "isbn 0596156715", "lccn 2009028519"],
        ["olid:OL123M", "olid OL123M"],
      ],
    ],
    [
      "the acceptance vector",
      "id:1;isbn:999;lccn:sa64009056|olid:OL9M",
      [
        ["1", "none", "lccn sa64009056"],
        ["olid:OL9M", "olid OL9M"],
      ],
    ],
    ["a label in capitals", "ID:a b;OL1M", [["a b", "olid OL1M"]]],
    ["a label that stands later", "OL1M;id:5", [["OL1M;id:5", "olid OL1M", "none"]]],
    ["a label with a colon", "id:x:y;OL1M", [["x:y", "olid OL1M"]]],
    ["blanks in a label, which stay", "id: 1 ;OL1M", [[" 1 ", "olid OL1M"]]],
    ["a label alone", "id:1", [["1"]]],
    ["empty requests and keys", "|OL1M;;OL2M; | |", [["OL1M;;OL2M;", "olid OL1M", "olid OL2M"]]],
    [
      "the old diagnostic mode",
      "debug|OL1M",
      [
        ["debug", "none"],
        ["OL1M", "olid OL1M"],
      ],
    ],
    ["blanks", " isbn: 0140328726 ; OL1M ", [["isbn: 0140328726 ; OL1M", "isbn 0140328726", "olid OL1M"]]],
    ["nothing", "", []],
  ])("%s: %j", (_what, text, expected) => expect(read(text)).toEqual(expected));

  it("accepts the configured prefix", () => expect(read("XX1M", "XX")).toEqual([["XX1M", "olid XX1M"]]));
});
