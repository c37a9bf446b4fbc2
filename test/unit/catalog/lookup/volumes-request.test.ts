import { describe, expect, it } from "vitest";
import { parseVolumesRequest } from "../../../../src/catalog/lookup/volumes.ts";

/** Labels, and the keys of each as `kind value`. */
const read = (text: string, prefix?: string): string[][] =>
  parseVolumesRequest(text, prefix).map(({ label, keys }) =>
    [label].concat(keys.map(({ kind, value }) => `${kind} ${value}`.trim())),
  );

describe("parseVolumesRequest", () => {
  it.each<[string, string, string[][]]>([
    ["one key", "isbn:0140328726", [["isbn:0140328726", "isbn 0140328726"]]],
    [
      "the contract's example",
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

  it("reads record numbers of the configured prefix", () =>
    expect(read("XX1M", "XX")).toEqual([["XX1M", "olid XX1M"]]));
});
