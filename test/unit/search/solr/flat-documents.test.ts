import { describe, expect, it } from "vitest";
import { parseFlatUpdate, UnusableDocument } from "../../../../src/search/solr/flat-documents.ts";

describe("parseFlatUpdate", () => {
  it("takes a work as searches return it", () => {
    const update = parseFlatUpdate({
      key: "/works/OL1W",
      type: "work",
      title: "The Hobbit",
      subtitle: "There and back",
      author_key: ["OL1A"],
      author_name: "Tolkien",
      author_facet: ["OL1A Tolkien"],
      edition_count: 1,
      edition_key: ["OL1M"],
      id_goodreads: ["5"],
      subject: ["Dwarves"],
      subject_key: ["dwarves"],
      ratings_count_5: 2,
      ratings_average: 5,
      trending_z_score: 0,
      ebook_access: "public",
      has_fulltext: true,
      public_scan_b: "true",
      first_publish_year: "1937",
      publish_year: [1937],
      _version_: 1,
      editions: [
        { key: "/books/OL1M", type: "edition", title: "E", access_score: 5, ebook_access: "public" },
      ],
    });
    expect(update).toMatchObject({
      kind: "work",
      document: {
        key: "/works/OL1W",
        title: "The Hobbit",
        title_sort: "Hobbit: There and back, The",
        alternative_title: ["The Hobbit: There and back"],
        author_name: ["Tolkien"],
        identifiers: { id_goodreads: ["5"] },
        counts: { ratings: [0, 0, 0, 0, 2], wantToRead: 0 },
        first_publish_year: 1937,
        public_scan_b: true,
        editions: [
          { key: "/books/OL1M", type: "edition", scores: { access: 5, discovery: 0, evaluation: 0 } },
        ],
      },
    });
    expect(update.kind === "work" && "subject_key" in update.document).toBe(false);
  });

  it("reads authors and lists", () => {
    expect(parseFlatUpdate({ key: "/authors/OL1A", type: "author", name: "A", work_count: 5 })).toEqual({
      kind: "author",
      document: { key: "/authors/OL1A", type: "author", name: "A" },
    });
    expect(parseFlatUpdate({ key: "/people/x/lists/OL1L", name: "L", seed: ["/works/OL1W"] })).toMatchObject({
      kind: "list",
      document: { type: "list", list_type: "user_list", seed_count: 1 },
    });
    expect(parseFlatUpdate({ key: "/series/OL1L", name: "S" })).toMatchObject({
      document: { type: "series", list_type: "series", seed_count: 0 },
    });
  });

  it("reads new values of numeric fields", () => {
    expect(parseFlatUpdate({ key: "/works/OL1W", trending_z_score: { set: 1.5 } })).toEqual({
      kind: "patch",
      key: "/works/OL1W",
      values: { trending_z_score: 1.5 },
    });
  });

  it.each([
    [{}, "key is missing"],
    [{ key: "/subjects/love" }, "Cannot index '/subjects/love'"],
    [{ key: "/books/OL1M" }, "Cannot index '/books/OL1M'"],
    [{ key: "/works/OL1W", nonsense: 1 }, "unknown field 'nonsense'"],
    [{ key: "/works/OL1W", title: ["a", "b"] }, "Field 'title' must be one string"],
    [{ key: "/works/OL1W", subject: [1] }, "Field 'subject' must be strings"],
    [{ key: "/works/OL1W", cover_i: "x" }, "Field 'cover_i' must be a number"],
    [{ key: "/works/OL1W", cover_i: 1.5 }, "Field 'cover_i' must be a whole number"],
    [{ key: "/works/OL1W", first_publish_year: 1e300 }, "Field 'first_publish_year' must be a whole number"],
    [{ key: "/works/OL1W", publish_year: [1900, 2 ** 31] }, "Field 'publish_year' must be a whole number"],
    [{ key: "/works/OL1W", edition_count: "0.5" }, "Field 'edition_count' must be a whole number"],
    [{ key: "/works/OL1W", want_to_read_count: -5 }, "Field 'want_to_read_count' cannot be negative"],
    [{ key: "/lists/OL1L", seed_count: 1.5 }, "Field 'seed_count' must be a whole number"],
    [{ key: "/works/OL1W", ebook_access: "x" }, "ebook_access: '\"x\"' is not supported"],
    [{ key: "/works/OL1W", has_fulltext: 1 }, "Field 'has_fulltext' must be true or false"],
    [{ key: "/works/OL1W", title: { set: "x" } }, "Field 'title' must be a number"],
    [{ key: "/works/OL1W", cover_i: { inc: 1 } }, "Field 'cover_i' must be a number"],
  ])("%j: %s", (flat, message) => {
    expect(() => parseFlatUpdate(flat)).toThrow(UnusableDocument);
    expect(() => parseFlatUpdate(flat)).toThrow(message);
  });
});
