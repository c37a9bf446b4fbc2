import { describe, expect, it } from "vitest";
import { parseDatetime, formatDatetime, normalizeDatetime } from "../../../src/catalog/datetime.ts";
import { computeRevisionsEtag } from "../../../src/catalog/etag.ts";
import { languageNamesOf } from "../../../src/catalog/language-names.ts";
import { pickReaderLanguage } from "../../../src/catalog/language.ts";
import { RecordFlag, flagsOf } from "../../../src/catalog/document.ts";
import { sequenceOfKey } from "../../../src/catalog/key-numbers.ts";

describe("datetimes", () => {
  it("have six fraction digits and no zone", () => {
    expect(formatDatetime(Date.UTC(2026, 7, 25, 9, 15, 3, 120))).toBe("2026-08-25T09:15:03.120000");
  });

  it("round-trip to the millisecond", () => {
    const time = Date.UTC(2001, 1, 3, 4, 5, 6, 7);
    expect(parseDatetime(formatDatetime(time))).toBe(time);
  });

  it.each(["2020-02-30", "2020-01-01", "x", "", "2020-01-01T25:00:00"])("%j is invalid", (text) => {
    expect(normalizeDatetime(text)).toBeUndefined();
  });
});

describe("computeRevisionsEtag", () => {
  const one = [{ key: "/works/OL1W", revision: 1 }];

  it("is stable", () => expect(computeRevisionsEtag(one)).toBe(computeRevisionsEtag([...one])));

  it.each([
    ["another revision", [{ key: "/works/OL1W", revision: 2 }], ""],
    ["another record", [{ key: "/works/OL2W", revision: 1 }], ""],
    ["a further record", [...one, { key: "/works/OL2W", revision: 1 }], ""],
    ["no record", [], ""],
    ["something else that decides", one, "2"],
  ])("differs for %s", (_what, records, extra) =>
    expect(computeRevisionsEtag(records, extra)).not.toBe(computeRevisionsEtag(one)),
  );
});

describe("sequenceOfKey", () => {
  it.each([
    ["/books/OL12M", "type_edition_seq", 12],
    ["/works/OL3W", "type_work_seq", 3],
    ["/authors/OL4A", "type_author_seq", 4],
    ["/tags/OL5T", "type_tag_seq", 5],
    ["/publishers/OL6P", "type_publisher_seq", 6],
    ["/lists/OL7L", "list", 7],
    ["/series/OL8L", "list", 8],
    ["/people/jane/lists/OL9L", "list", 9],
  ])("%s counts in %s", (key, name, number) => expect(sequenceOfKey(key, "OL")).toEqual({ name, number }));

  it.each(["/languages/eng", "/works/XX1W", "/people/jane", "/works/OL1W/x", "/works/OL1000000000000W"])(
    "returns undefined for %s",
    (key) => {
      expect(sequenceOfKey(key, "OL")).toBeUndefined();
    },
  );
});

describe("flagsOf", () => {
  const work = (subjects: string[]) => ({ type: { key: "/type/work" }, subjects });

  it.each([
    [["Fiction"], 0],
    [["In library"], RecordFlag.lendingSubject],
    [["Lending library", "Protected DAISY"], RecordFlag.lendingSubject | RecordFlag.daisySubject],
    [["Accessible book"], RecordFlag.accessibleSubject],
  ])("of a work with %j are %i", (subjects, flags) => expect(flagsOf(work(subjects))).toBe(flags));

  it("mark documents that need a read view", () => {
    expect(flagsOf({ type: { key: "/type/edition" }, title_prefix: "The", title: "x" })).toBe(
      RecordFlag.needsView,
    );
  });
});

describe("language names", () => {
  const record = {
    name: "French ",
    identifiers: { iso_639_1: ["fr"] },
    name_translated: { fr: ["Français"], de: ["Französisch"] },
  };

  it.each([
    ["en", "French", "French"],
    ["de", "Französisch", "Französisch"],
    ["fr", "Français", "Français"],
    ["ar", "French", "الفرنسية"],
    ["it", "French", "French"],
  ])("for a client in %s: %s, on pages %s", (language, name, shown) => {
    expect(languageNamesOf("fre", record, language)).toEqual({
      code: "fre",
      name,
      shown,
      english: "French",
      native: "Français",
    });
  });

  it.each([
    ["ger", "Allemand"],
    ["grc", "Grec ancien"],
    ["xyz", "Xyz"],
    ["new_code", "Xyz"],
  ])("of %s come from Unicode on a French page: %s", (code, shown) =>
    expect(languageNamesOf(code, { name: "Xyz" }, "fr").shown).toBe(shown),
  );

  it("fall back to the key without a record", () => {
    expect(languageNamesOf("xyz", undefined, "en").name).toBe("/languages/xyz");
  });

  it.each([
    [["de", null, "fr"], "de"],
    [[null, undefined, "fr-CH,de;q=0.5"], "fr"],
    [[null, "", "*"], "en"],
  ])("are chosen from %j", (sources, language) => expect(pickReaderLanguage(sources)).toBe(language));
});
