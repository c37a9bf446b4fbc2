import { describe, expect, it } from "vitest";
import {
  subjectFolderOf,
  subjectKeyOf,
  subjectSeedOf,
} from "../../../../src/search/documents/subject-key.ts";
import {
  alternativeTitlesOf,
  joinTitle,
  sortingTitleOf,
  titleOf,
} from "../../../../src/search/documents/titles.ts";
import { sortDistinct } from "../../../../src/search/text/collation.ts";

describe("subjectKeyOf", () => {
  it.each([
    ["Science Fiction", "science_fiction"],
    ["Fiction, general", "fiction_general"],
    ["Romance / Love", "romance__love"],
    ["C++ (Computer)", "c_(computer)"],
    ["New York (N.Y.)", "new_york_(n.y.)"],
    ["Children's fiction", "children's_fiction"],
    ["History -- 20th century", "history_--_20th_century"],
    ["A:B", "ab"],
    ["a  b", "a__b"],
    ["Récits", "récits"],
    ["Children's stories, English", "children's_stories_english"],
    ["San Francisco (Calif.)", "san_francisco_(calif.)"],
    ["A/B testing", "ab_testing"],
    ["  Café  culture ", "café__culture"],
    ["one\r\ntwo", "onetwo"],
    ["?!", "!"],
    ["???", ""],
  ])("of %j is %j", (name, key) => expect(subjectKeyOf(name)).toBe(key));
});

describe("subjectSeedOf", () => {
  it.each([
    ["Romance / Love", "/subjects/romance_/_love"],
    ["a  b", "/subjects/a_b"],
    ["A:B", "/subjects/a:b"],
    [" Fiction, general, ", "/subjects/fiction_general"],
    ["__x__y__", "/subjects/x_y"],
  ])("of %j is %j", (name, key) => expect(subjectSeedOf("subject", name)).toBe(key));

  it("includes the kind", () => {
    expect(subjectSeedOf("person", "Don Quixote")).toBe("/subjects/person:don_quixote");
    expect(subjectSeedOf("place", "La Mancha")).toBe("/subjects/place:la_mancha");
    expect(subjectSeedOf("time", "17th century")).toBe("/subjects/time:17th_century");
    expect(subjectFolderOf("subject")).toBe("/subjects/");
    expect(subjectFolderOf("time")).toBe("/subjects/time:");
  });
});

describe("sortingTitleOf", () => {
  it.each<[string, string | undefined, string]>([
    ["The Great Gatsby", undefined, "Great Gatsby, The"],
    ["The Hobbit", "There and Back Again", "Hobbit: There and Back Again, The"],
    ["L'amour", undefined, "amour, L'"],
    ["Les Misérables", undefined, "Misérables, Les"],
    ["De la démocratie", undefined, "démocratie, De la"],
    ["Die Verwandlung", undefined, "Die Verwandlung"],
    ["Dune", undefined, "Dune"],
    ["The", undefined, "The"],
    ["La", undefined, "La"],
    ["The ", undefined, "The "],
    ["AN OLD TALE", "", "OLD TALE, AN"],
    ["Theory", undefined, "Theory"],
    ["Einer flog", undefined, "flog, Einer"],
    ["Bir gün", undefined, "gün, Bir"],
  ])("of %j, %j is %j", (title, subtitle, sorted) => expect(sortingTitleOf(title, subtitle)).toBe(sorted));

  it.each([
    ["Die Verwandlung", "Die ", "Verwandlung, Die"],
    ["Az ember", "A ", "Az ember"],
  ])("of %j follows the article %j that the record states", (title, article, sorted) => {
    expect(sortingTitleOf(title, undefined, article)).toBe(sorted);
  });
});

describe("titles of a record", () => {
  it("are the full title and all others", () => {
    const record = {
      title: "foo",
      subtitle: "bar",
      work_titles: ["one"],
      other_titles: ["two", ""],
      translation_of: "three",
    };
    expect(alternativeTitlesOf(record)).toEqual(["foo: bar", "one", "two", "three"]);
    expect(alternativeTitlesOf({ subtitle: "bar", translation_of: "three" })).toEqual(["three"]);
    expect(joinTitle("foo", "")).toBe("foo");
  });

  it("include the separate prefix of old editions", () => {
    expect(titleOf({ title: "Hobbit", title_prefix: "The" })).toBe("The Hobbit");
    expect(titleOf({ title: "" })).toBeUndefined();
    expect(titleOf({ title: 7 })).toBeUndefined();
  });
});

describe("sortDistinct", () => {
  it("orders by UTF-8 bytes", () => {
    expect(sortDistinct(["b", "a", "Z", "b", "é"])).toEqual(["Z", "a", "b", "é"]);
    // U+FFFD comes before U+1F600 in UTF-8, and after its first half in UTF-16.
    expect(sortDistinct(["\u{1f600}", "\ufffd", "x\u{1f601}", "x\u{1f600}", "x"])).toEqual([
      "x",
      "x\u{1f600}",
      "x\u{1f601}",
      "\ufffd",
      "\u{1f600}",
    ]);
    expect(sortDistinct([])).toBeUndefined();
  });
});
