import { describe, expect, it } from "vitest";
import { atomFeed } from "../../../../src/catalog/lists/atom.ts";
import { bibtexEntry } from "../../../../src/catalog/lists/bibtex.ts";

describe("BibTeX", () => {
  const options = { authors: ["Ann B.", "Cy & Dee"], baseUrl: "http://x.test" };

  it("has what is known, escaped for TeX", () => {
    const edition = {
      key: "/books/OL1M",
      type: { key: "/type/edition" },
      title: "100% {of} $5 & C#_~^\\",
      title_prefix: "The",
      subtitle: "Sub\nline",
      publishers: ["P & Q"],
      publish_date: "May 3, 1999",
      isbn_10: ["0140328726"],
      isbn_13: ["9780140328721"],
    };
    expect(bibtexEntry(edition, options)).toBe(
      [
        "@book{OL1M,",
        "  author = {Ann B. and Cy \\& Dee},",
        "  title = {The 100\\% \\{of\\} \\$5 \\& C\\#\\_\\textasciitilde{}\\textasciicircum{}\\textbackslash{}: Sub line},",
        "  publisher = {P \\& Q},",
        "  year = {1999},",
        "  isbn = {9780140328721},",
        "  url = {http://x.test/books/OL1M}",
        "}",
        "",
      ].join("\n"),
    );
  });

  it("leaves out what is not known", () => {
    const work = { key: "/works/OL1W", type: { key: "/type/work" }, title: "T" };
    expect(bibtexEntry(work, { ...options, authors: [] })).toBe(
      "@book{OL1W,\n  title = {T},\n  url = {http://x.test/works/OL1W}\n}\n",
    );
  });
});

describe("Atom", () => {
  const list = {
    id: 1,
    key: "/people/joe/lists/OL1L",
    type: "/type/list",
    revision: 1,
    created: "2026-01-01T00:00:00.000000",
    lastModified: "2026-01-03T00:00:00.000000",
    members: { name: "A <b> list" },
    seedCount: 1,
  } as const;

  it("has an entry for each edition, escaped", () => {
    const change = {
      key: "/books/OL1M",
      edition: { title: "T & <U>" },
      changeId: 9,
      created: "2026-01-02T00:00:00.000000",
      comment: 'said "so"',
      author: null,
      authorName: null,
    };
    const text = atomFeed(list, [change], "http://x.test");
    expect(text).toContain("<title>Updates of A &lt;b&gt; list</title>");
    expect(text).toContain("<updated>2026-01-02T00:00:00.000000Z</updated>");
    expect(text).toContain('href="http://x.test/people/joe/lists/OL1L/A_b_list"');
    expect(text).toContain("<title>T &amp; &lt;U&gt;</title>");
    expect(text).toContain('href="http://x.test/books/OL1M/T_U"');
    expect(text).toContain("<name>Anonymous</name>");
    expect(text).not.toContain("<b>");
    const known = { ...change, author: "/people/ann", authorName: null };
    expect(atomFeed(list, [known], "")).toContain("<name>ann</name>");
  });

  it("is as old as the list when nothing is in it", () => {
    const text = atomFeed(list, [], "http://x.test");
    expect(text).toContain("<updated>2026-01-03T00:00:00.000000Z</updated>");
    expect(text).not.toContain("<entry>");
  });
});
