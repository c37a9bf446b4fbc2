import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { normalizeMetadata, findItemRefusal, localIdsOf, requireBook } from "../../../src/import/item.ts";

const GOOD = { mediatype: "texts", repub_state: "4", imagecount: 7, collection: "books" };

describe("findItemRefusal", () => {
  it.each<[CatalogRecord, string | undefined]>([
    [{}, undefined],
    [{ mediatype: "audio" }, "not-texts-item"],
    [{ mediatype: null, repub_state: "1" }, "not-texts-item"],
    [{ repub_state: "5", imagecount: null }, "bad-repub-state"],
    [{ repub_state: 19 }, undefined],
    [{ repub_state: null }, undefined],
    [{ imagecount: "" }, "no-imagecount"],
    [{ noindex: "true" }, "noindex-true"],
    [{ noindex: "true", collection: ["a", "inlibrary"] }, undefined],
    [{ noindex: "true", collection: "printdisabled" }, undefined],
    [{ noindex: true }, "noindex-true"],
    [{ noindex: "false" }, undefined],
    [{ no_ol_import: "TRUE" }, "no-ol-import"],
    [{ no_ol_import: true }, "no-ol-import"],
    [{ no_ol_import: "no" }, undefined],
  ])("%j: %s", (members, expected) => {
    const metadata = normalizeMetadata({ ...GOOD, ...members });
    expect(findItemRefusal("foo00bar", metadata, ["bad_"])).toBe(expected);
  });

  it("checks the start of the id after images and before the index", () => {
    const of = (members: CatalogRecord) =>
      findItemRefusal("bad_1", normalizeMetadata({ ...GOOD, ...members }), ["bad_"]);
    expect(of({ noindex: "true" })).toBe("prefix-blacklisted");
    expect(of({ imagecount: null })).toBe("no-imagecount");
  });
});

describe("requireBook", () => {
  it.each([
    ["00000nam a2200000", undefined],
    ["00000ncm a2200000", undefined],
    ["00000nmm a2200000", undefined],
    ["00000dam a2200000", "record-deleted"],
    ["00000nas a2200000", "item-is-serial"],
    ["00000njs a2200000", "item-is-serial"],
    ["00000njm a2200000", "item-not-book"],
    ["00000naa a2200000", "item-not-book"],
    ["", "item-not-book"],
  ])("%j: %s", (leader, expected) => {
    const check = () => requireBook({ leader });
    if (expected === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: expected }));
  });
});

describe("localIdsOf", () => {
  const marc = {
    leader: "",
    fields: [
      { tag: "001", value: "c1" },
      { tag: "907", ind1: " ", ind2: " ", subfields: [["a", ".b1"] as const, ["a", ".b2"] as const] },
      { tag: "907", ind1: " ", ind2: " ", subfields: [["b", "no"] as const] },
      { tag: "907", ind1: " ", ind2: " ", subfields: [["a", ".b3"] as const] },
    ],
  };
  const at = (id_location: string) => localIdsOf(marc, { id_location, urn_prefix: "trent" });

  it("are read where the partner lists them", () => {
    expect(at("907$a")).toEqual(["urn:trent:.b1", "urn:trent:.b3"]);
    expect(at("001")).toEqual(["urn:trent:c1"]);
    expect(at("001$a")).toEqual(["urn:trent:c1"]);
    expect(at("907")).toEqual([]);
    expect(at("999$a")).toEqual([]);
  });

  it.each(["907$a$b", "", "$a", "907$"])("are refused for %j", (id_location) => {
    expect(() => at(id_location)).toThrow(expect.objectContaining({ code: "bad-input" }));
  });

  it("are refused without a prefix", () => {
    const none = () => localIdsOf(marc, { id_location: "001" });
    expect(none).toThrow(expect.objectContaining({ code: "bad-input" }));
  });
});
