import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { author, authors, edition, redirect, roles, work } from "../../../support/import/records.ts";
import { SmallCatalog } from "../../../support/import/small-catalog.ts";

const COVER = "https://m.media-amazon.com/images/I/1.jpg";

describe("a promised edition", () => {
  const PROMISE = edition(1, {
    title: "Promised",
    isbn_10: ["0140328726"],
    source_records: ["promise:bwb_1:X"],
    publish_date: "unknown",
    revision: 1,
  });
  const MARC = {
    title: "The real title",
    isbn_10: ["0140328726"],
    ocaid: "real00item",
    source_records: ["ia:real00item"],
    dewey_decimal_class: ["840"],
    publishers: ["Gallimard"],
    publish_date: "2017",
    translated_from: ["yid"],
    authors: [{ name: "Singer, Isaac", role: "Author" }],
  };
  const WORK = work(1, { title: "Promised" });

  it("is overwritten by a library's record", () => {
    const catalog = new SmallCatalog(PROMISE, WORK);
    const decision = catalog.decide(MARC, { fromMarc: true });
    expect(decision).toMatchObject({ kind: "edit-book", comment: "overwrite existing edition" });
    const reply = catalog.load(MARC, { fromMarc: true });
    expect(reply).toMatchObject({
      authors: [{ name: "Isaac Singer", status: "created" }],
      edition: { key: "/books/OL1M", status: "modified" },
      work: { key: "/works/OL1W", status: "matched" },
    });
    expect(catalog.get("/books/OL1M")).toEqual({
      key: "/books/OL1M",
      type: { key: "/type/edition" },
      title: "The real title",
      isbn_10: ["0140328726"],
      ocaid: "real00item",
      source_records: ["promise:bwb_1:X", "ia:real00item"],
      dewey_decimal_class: ["840"],
      publishers: ["Gallimard"],
      publish_date: "2017",
      translated_from: [{ key: "/languages/yid" }],
      authors: [{ key: reply.authors?.[0]?.key }],
      works: [{ key: "/works/OL1W" }],
      revision: 2,
    });
  });

  it("keeps its authors and gets a work if it has none", () => {
    const catalog = new SmallCatalog(author(5, "I. B. Singer"), redirect("/authors/OL4A", "/authors/OL5A"), {
      ...PROMISE,
      works: [],
      authors: authors(4),
    });
    const reply = catalog.load({ ...MARC, cover: COVER }, { fromMarc: true });
    expect(reply.authors).toEqual([{ key: "/authors/OL5A", name: "I. B. Singer", status: "matched" }]);
    expect(reply.work.status).toBe("created");
    expect(catalog.get("/books/OL1M")).toMatchObject({
      authors: authors(5),
      works: [{ key: reply.work.key }],
      covers: [5000],
    });
    expect(catalog.get(reply.work.key)).toMatchObject({
      title: "The real title",
      authors: roles(5),
      covers: [5000],
    });
  });

  it.each<[string, CatalogRecord, boolean]>([
    ["another revision", { revision: 2 }, true],
    ["no sources", { source_records: null }, true],
    ["empty sources", { source_records: [] }, true],
    ["another source", { source_records: ["bwb:1", "promise:1"] }, true],
    ["a record that is no library's", {}, false],
  ])("stays with %s", (_, members, fromMarc) => {
    const catalog = new SmallCatalog({ ...PROMISE, ...members }, WORK);
    catalog.load(MARC, { fromMarc });
    expect(catalog.get("/books/OL1M")).toMatchObject({
      title: "Promised",
      publish_date: "unknown",
      ocaid: "real00item",
    });
  });
});
