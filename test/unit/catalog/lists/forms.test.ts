import { describe, expect, it } from "vitest";
import { renderListFeed } from "../../../../src/catalog/lists/list-view.ts";

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

  it("has an escaped entry for each edition", () => {
    const change = {
      key: "/books/OL1M",
      type: "/type/edition",
      record: { title: "T & <U>" },
      changeId: 9,
      created: "2026-01-02T00:00:00.000000",
      comment: 'said "so"',
      author: null,
      authorName: null,
    };
    const text = renderListFeed(list, [change], "http://x.test");
    expect(text).toContain("<title>Updates of A &lt;b&gt; list</title>");
    expect(text).toContain("<updated>2026-01-02T00:00:00.000000Z</updated>");
    expect(text).toContain('href="http://x.test/people/joe/lists/OL1L/A_b_list"');
    expect(text).toContain("<title>T &amp; &lt;U&gt;</title>");
    expect(text).toContain('href="http://x.test/books/OL1M/T_U"');
    expect(text).toContain("<name>Anonymous</name>");
    expect(text).not.toContain("<b>");
    const known = { ...change, author: "/people/ann", authorName: null };
    expect(renderListFeed(list, [known], "")).toContain("<name>ann</name>");
  });
});
