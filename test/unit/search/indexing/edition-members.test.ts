import { describe, expect, it } from "vitest";
import { editionMembersOf, restoreEdition } from "../../../../src/search/indexing/edition-rows.ts";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { author, built, edition, stored, storedEdition, work } from "../documents/sources.ts";

const FULL: CatalogRecord = {
  title: "Small",
  subtitle: "and full",
  languages: [{ key: "/languages/eng" }],
  publishers: ["A press"],
  publish_date: "May 1999",
  isbn_10: ["0306406152"],
  identifiers: { goodreads: ["5"] },
  covers: [7],
  ocaid: "scan00",
};

/** JSON of the members of every edition, and what is read back of it. */
function passed(editions: readonly CatalogRecord[], members: CatalogRecord = {}) {
  const document = built({ work: work(members), editions: [...editions], authors: [author(1)] });
  const texts = document.editions.map((each) => JSON.stringify(editionMembersOf(each, document)));
  return {
    texts,
    read: texts.map((text) => JSON.parse(JSON.stringify(restoreEdition(JSON.parse(text), stored(document))))),
    expected: document.editions.map((each) => JSON.parse(JSON.stringify(storedEdition(each)))),
  };
}

describe("the stored members of an edition", () => {
  it("omit those of the work for a single edition", () => {
    const { texts, read, expected } = passed([edition(1, FULL)], { title: "Small" });
    expect(read).toEqual(expected);
    const names = Object.keys(JSON.parse(texts[0] ?? ""));
    expect(names.toSorted()).toEqual(["key", "scores", "subtitle"]);
  });

  it("mark missing members that the work has", () => {
    const { read, expected } = passed([edition(1, { title: "Small" })], {
      title: "Large",
      subtitle: "of the work",
      covers: [9],
    });
    expect(read).toEqual(expected);
    expect(read[0]).not.toHaveProperty("subtitle");
    expect(read[0]).not.toHaveProperty("cover_i");
  });

  it("are complete for one of several editions", () => {
    const { read, expected } = passed([edition(1, FULL), edition(2, { title: "Other" })]);
    expect(read).toEqual(expected);
    expect(read).toHaveLength(2);
  });
});
