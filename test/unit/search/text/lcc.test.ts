import { describe, expect, test } from "vitest";
import {
  chooseSortingLcc,
  shortLccOf,
  toSortableLcc,
  toSortableLccPrefix,
} from "../../../../src/search/text/classifications.ts";

// Raw, sortable, short form back.
const SORTABLE: [raw: string, sortable: string, short: string][] = [
  ["pz73", "PZ-0073.00000000", "PZ73"],
  ["PZ", "PZ-0000.00000000", "PZ"],
  ["PZ123 [P]", "PZ-0123.00000000 [P]", "PZ123 [P]"],
  ["\\BP\\166.94\\.S277\\1999", "BP-0166.94000000.S277 1999", "BP166.94.S277 1999"],
  [
    "[LC6252.T4 T4 vol. 33, no. 10]",
    "LC-6252.00000000.T4 T4 vol. 33, no. 10",
    "LC6252.T4 T4 vol. 33, no. 10",
  ],
  ["SF427 . G74", "SF-0427.00000000.G74", "SF427.G74"],
  ["B1190 1951", "B--1190.00000000 1951", "B1190 1951"],
  ["DT423.E26 9th.ed. 2012", "DT-0423.00000000.E26 9th.ed. 2012", "DT423.E26 9th.ed. 2012"],
  ["E505.5 102nd.F57 1999", "E--0505.50000000 102nd.F57 1999", "E505.5 102nd.F57 1999"],
  ["HB3717 1929.E37 2015 ", "HB-3717.00000000 1929.E37 2015", "HB3717 1929.E37 2015"],
  ["KBD.G189s ", "KBD0000.00000000.G189s", "KBD.G189s"],
  ["N8354.B67 2000x", "N--8354.00000000.B67 2000x", "N8354.B67 2000x"],
  ["PS634.B4 1958-63", "PS-0634.00000000.B4 1958-63", "PS634.B4 1958-63"],
  ["PS3557.A28R4 1955", "PS-3557.00000000.A28R4 1955", "PS3557.A28R4 1955"],
  ["PZ8.3.G276Lo 1971 ", "PZ-0008.30000000.G276Lo 1971", "PZ8.3.G276Lo 1971"],
  ["PZ73.S758345255 2011", "PZ-0073.00000000.S758345255 2011", "PZ73.S758345255 2011"],
  ["PT2603.0.E46 Z589 1991", "PT-2603.00000000.E46 Z589 1991", "PT2603.E46 Z589 1991"],
  ["ML410", "ML-0410.00000000", "ML410"],
];

const INVALID = [
  "6113 .136",
  "9608 BOOK NOT YET IN LC",
  "#M8184",
  "",
  "MLCS 92/14990",
  "PZ123.234.234",
  "IN PROCESS",
  "African Section Pamphlet Coll",
  "Microfilm 99/20",
  "Microfilm 61948 E",
  "Microfiche 92/80965 (G)",
  "MLCSN+",
  "UNCLASSIFIED 809 (S)",
  "CPB Box no. 1516 vol. 17",
  "$9.99",
  "[]",
  "9781234123411",
  "123.4",
];

const PREFIXES: [prefix: string, sortable: string | undefined][] = [
  ["A", "A"],
  ["ADC", "ADC"],
  ["A5", "A--0005"],
  ["A5.00", "A--0005.00"],
  ["A10", "A--0010"],
  ["A10.5", "A--0010.5"],
  ["A10.", "A--0010"],
  ["A10.C", "A--0010.00000000.C"],
  ["F349.N2 A77", "F--0349.00000000.N2 A77"],
  ["123", undefined],
  ["*B55", undefined],
  ["A123", "A--0123"],
  ["A123.", "A--0123"],
  ["A123.0", "A--0123.0"],
  ["A123.C", "A--0123.00000000.C"],
  ["A123.C0", "A--0123.00000000.C0"],
  ["E--", "E--"],
  ["PN-", "PN-"],
];

describe("sortable forms", () => {
  test.each(SORTABLE)("%s", (raw, sortable, short) => {
    expect(toSortableLcc(raw)).toBe(sortable);
    expect(toSortableLcc(sortable)).toBe(sortable);
    expect(shortLccOf(sortable)).toBe(short);
  });

  test.each(INVALID)("%j is refused", (raw) => expect(toSortableLcc(raw)).toBeUndefined());
});

test.each(PREFIXES)("prefix %s", (prefix, sortable) => {
  expect(toSortableLccPrefix(prefix)).toBe(sortable);
});

test("the longest short form is used for sorting", () => {
  expect(chooseSortingLcc(["A--0001.00000000", "B--0001.13000000.C89"])).toBe("B--0001.13000000.C89");
  expect(chooseSortingLcc(["A--0001.00000000", "A--0001.13000000"])).toBe("A--0001.13000000");
  expect(chooseSortingLcc(["A--0123.00000000.C14", "B--0042.00000000"])).toBe("A--0123.00000000.C14");
  expect(chooseSortingLcc([])).toBeUndefined();
});

// With expressions that try again from every place, each of these would take minutes.
test.each([
  [" ", "A--0001.00000000 !"],
  [".", `A--0001.00000000${".".repeat(100_000)}!`],
  ["1", undefined],
  ["A.", undefined],
  [". ", `A--0001.00000000.${". ".repeat(99_999)}!`],
  ["-", undefined],
])("a very long text of %j", (part, expected) => {
  expect(toSortableLcc(`A1${part.repeat(100_000)}!`)).toBe(expected);
});
