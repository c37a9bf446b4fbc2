import { describe, expect, it } from "vitest";
import { findDetailProblems, isIpRange, isLibraryKey } from "../../../../src/catalog/lending/library.ts";

describe("isIpRange", () => {
  it.each([
    "192.0.2.7",
    "192.0.2.0/24",
    "192.0.2.1-192.0.2.9",
    "192.0.2.1 - 192.0.2.9 # reading room",
    "192.0.2.*",
    "192.0.*.*",
    "192.0.2.1-9",
    "2001:db8::/32",
    "2001:db8::1",
    "1:2:3:4:5:6:7:8",
    "::",
    "",
    "# closed",
  ])("takes %j", (text) => {
    expect(isIpRange(text)).toBe(true);
  });

  it.each([
    "192.0.2",
    "192.0.2.256",
    "192.0.2.0/33",
    "192.0.2.0/",
    "192.0.2.0/24/8",
    "192.0.2.1-192.0.2.9-1",
    "192.0.2.1-2-3",
    "192.0.2.**",
    "192.0.2.-",
    "2001:db8::/129",
    "1::2::3",
    "1:2:3",
    "12345::",
    "1:2:3:4:5:6:7:8:9",
    "library.example",
  ])("refuses %j", (text) => {
    expect(isIpRange(text)).toBe(false);
  });
});

describe("findDetailProblems", () => {
  const good = {
    name: "Library",
    addresses: "Main||||||||\n",
    ip_ranges: "192.0.2.7",
    website: "",
    lending_region: "",
    contact_email: "",
  };

  it("accepts the required details", () => {
    expect(findDetailProblems(good)).toEqual([]);
    expect(findDetailProblems({ ...good, website: "https://a.example", contact_email: "a@b" })).toEqual([]);
  });

  it("reports all problems", () => {
    const bad = {
      name: " ",
      addresses: "Main||||||||\n||||||||",
      ip_ranges: "192.0.2.7\nnone",
      website: "javascript:alert(1)",
      lending_region: "",
      contact_email: "nobody",
    };
    const found = findDetailProblems(bad).map(({ field, code }) => [field, code]);
    expect(found).toEqual([
      ["name", "missing_fields"],
      ["addresses", "bad_value"],
      ["ip_ranges", "bad_value"],
      ["website", "bad_value"],
      ["contact_email", "bad_value"],
    ]);
    expect(findDetailProblems(bad)[1]?.text.values).toEqual({ line: 2 });
  });
});

it.each([
  ["/libraries/san_francisco", true],
  ["/libraries/pending-1", false],
  ["/libraries/dashboard", false],
  ["/libraries/a/b", false],
  ["/libraries/", false],
  ["/libraries/locations.txt", false],
  ["/works/OL1W", false],
])("isLibraryKey %s: %s", (key, is) => {
  expect(isLibraryKey(key)).toBe(is);
});
