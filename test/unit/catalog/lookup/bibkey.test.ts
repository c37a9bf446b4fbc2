import { describe, expect, it } from "vitest";
import { type BibKey, parseBibKey, splitBibKeys } from "../../../../src/catalog/lookup/bibkey.ts";
import { HOSTILE, randomStream, randomText } from "../random.ts";

/** Returns kind, value and revision of a key. */
const meaning = (text: string, prefix?: string): string => {
  const { kind, value, revision } = parseBibKey(text, prefix);
  return [kind, value, revision].filter((part) => part !== undefined && part !== "").join(" ");
};

describe("parseBibKey", () => {
  it.each<[rule: string, text: string, expected: string]>([
    ["a prefix", "ISBN:0140328726", "isbn 0140328726"],
    ["blanks around the prefix and the value", " isbn : 0140328726 ", "isbn 0140328726"],
    ["a value in any spelling", "ISBN:978-0-14-032872-1", "isbn 9780140328721"],
    ["a lower x", "ISBN:059035342x", "isbn 059035342X"],
    ["a wrong check digit", "ISBN:0590353427", "isbn 0590353427"],
    ["no ISBN", "ISBN:999", "none"],
    ["an ASIN under isbn", "ISBN:b00testing", "asin B00TESTING"],
    ["an LCCN", "LCCN:sa64-9056", "lccn sa64009056"],
    ["an LCCN with a blank", "LCCN: sa 64009056", "lccn sa64009056"],
    ["an LCCN without normal form", "lccn:ABC 1", "lccn abc1"],
    ["an OCLC number", "OCLC:ocm00012345", "oclc 12345"],
    ["an address of an OCLC number", "OCLC:https://www.worldcat.org/oclc/12345", "oclc 12345"],
    ["an address of an LCCN", "LCCN:https://lccn.loc.gov/sa64009056", "lccn sa64009056"],
    ["a scan item, in its own case", "OCAID:Foo00Bar", "ocaid Foo00Bar"],
    ["a record number in any case", "OLID:ol1m", "olid OL1M"],
    ["a record number as a key", "OLID:/books/OL1M", "olid OL1M"],
    ["a revision", "OLID:OL1M@3", "olid OL1M 3"],
    ["revision 0, which is the latest", "OLID:OL1M@0", "olid OL1M"],
    ["a revision that is none", "OLID:OL1M@x", "none"],
    ["the number of a work", "OLID:OL1W", "none"],
    ["a value with a colon", "OCAID:a:b", "ocaid a:b"],
    ["a library's own number", "local_id:urn:trent:0116", "local_id urn:trent:0116"],
    ["a library's own number without the word urn", "local_id:trent:0116", "none"],
    ["a library's own number without colon", "local_idurn:trent:0116", "none"],
    ["another prefix", "ID:x", "none"],
    ["another identifier", "goodreads:777", "none"],
    ["a word without colon", "ISBN0140328726", "isbn 0140328726"],
    ["lccn without colon", "LCCNsa 64009056", "lccn sa64009056"],
    ["a word alone", "isbn", "none"],
    ["a bare ISBN", "0140328726", "isbn 0140328726"],
    ["a bare record number", "OL1M", "olid OL1M"],
    ["a bare key", "/books/OL1M", "olid OL1M"],
    ["a bare record number and more", "OL1Mx", "none"],
    ["a bare ASIN", "B00TESTING", "asin B00TESTING"],
    ["too long an ASIN", "B00TESTING1", "none"],
    ["text", "Foo", "none"],
  ])("%s: %j", (_rule, text, expected) => expect(meaning(text)).toBe(expected));

  it("keeps the trimmed text", () => {
    expect(parseBibKey("  isbn: 0-14-032872-6 ")).toEqual<BibKey>({
      requested: "isbn: 0-14-032872-6",
      kind: "isbn",
      value: "0140328726",
    });
    expect(parseBibKey("ol1m@3")).toEqual<BibKey>({
      requested: "ol1m@3",
      kind: "olid",
      value: "OL1M",
      revision: 3,
    });
    expect(Object.keys(parseBibKey("OL1M"))).toEqual(["requested", "kind", "value"]);
  });

  it("accepts the configured prefix", () => {
    expect(meaning("xx1m", "XX")).toBe("olid XX1M");
    expect(meaning("OLID:/books/XX1M", "XX")).toBe("olid XX1M");
    expect(meaning("OL1M", "XX")).toBe("none");
  });

  it("has a value exactly when it has a kind", () => {
    const random = randomStream(31);
    const pieces = [...HOSTILE, "isbn", "OLID:", "oclc:", "lccn", "OL", "1", "M", "@", "B", "x", "/books/"];
    for (let round = 0; round < 3000; round += 1) {
      const text = randomText(random, pieces, 14);
      const key = parseBibKey(text);
      expect(key.requested).toBe(text.trim());
      expect(key.value === "").toBe(key.kind === "none");
      if (key.kind !== "olid") expect(key.revision).toBeUndefined();
    }
  });
});

describe("splitBibKeys", () => {
  it.each<[string[], string[]]>([
    [[], []],
    [[""], []],
    [[" , ,"], []],
    [["ISBN:1"], ["ISBN:1"]],
    [["b, a ,c"], ["b", "a", "c"]],
    [
      ["a,b", "c"],
      ["a", "b", "c"],
    ],
    [
      ["0140328726", "10", "9"],
      ["0140328726", "10", "9"],
    ],
    [
      ["a,b,a", "b, a"],
      ["a", "b"],
    ],
    [["LCCN:sa 64009056,x"], ["LCCN:sa 64009056", "x"]],
  ])("%j: %j", (occurrences, keys) => expect(splitBibKeys(occurrences)).toEqual(keys));
});
