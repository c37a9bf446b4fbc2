import { describe, expect, it } from "vitest";
import {
  type CatalogRecord,
  type Json,
  DOCUMENT_BYTES,
  DOCUMENT_DEPTH_MAX,
} from "../../../../src/catalog/record.ts";
import { WRITE_FAILURES_MAX, referencesOf } from "../../../../src/catalog/editing/prepare.ts";
import { type Rules, BOT, EDITOR, edition, prepare, stored, told, work } from "./fixture.ts";

const role = (key: string): CatalogRecord => ({ author: { key }, type: { key: "/type/author_role" } });

describe("prepareWrites refuses", () => {
  it.each<[string, CatalogRecord, string[]]>([
    [
      "bad property names",
      work({ _comment: "x", Title: null, "a-b": 1, "": 2, __x: 3 }),
      [
        "400 Bad Property: '_comment' @_comment",
        "400 Bad Property: 'Title' @Title",
        "400 Bad Property: 'a-b' @a-b",
        "400 Bad Property: '' @",
        "400 Bad Property: '__x' @__x",
      ],
    ],
    ["no type", { key: "/works/OL9W", title: "x" }, ["400 missing type @type"]],
    ["a null type", work({ type: null }), ["400 missing type @type"]],
    ["a type that is none", work({ type: 5 }), ["400 expected /type/type, found /type/int @type"]],
    ["a type without slash", work({ type: "work" }), ["400 expected /type/type, found /type/string @type"]],
    ["a list of types", work({ type: ["/type/work"] }), ["400 expected /type/type, found /type/list @type"]],
    ["an unknown type", work({ type: "/type/nothing" }), ["404 Not in the catalog: /type/nothing @type"]],
    [
      "a record as type",
      work({ type: { key: "/about" } }),
      ["400 expected /type/type, found /type/page @type"],
    ],
    ["no key", { type: "/type/work" }, ["400 The document at index 0 has no key"]],
    ["a key without slash", work({ key: "works" }), ["400 Bad key in the document at index 0: 'works'"]],
    ["a key that no dump could carry", work({ key: "/a b" }), ["400 Bad key for /type/work: '/a b' @key"]],
    ["a key that is no text", work({ key: "/\ud800" }), ["400 Bad key for /type/work: '/\ud800' @key"]],
  ])("%s", (_what, document, expected) => {
    expect(told(prepare([document]).failures)).toEqual(expected);
  });

  it("all documents with all their failures", () => {
    const failures = prepare([
      work({ _a: 1, title: 5, subjects: "x", links: [{ url: 1, title: 2 }] }),
      edition({ works: ["/works/OL404W"], authors: [{ key: "/authors/OL404A" }] }),
      { key: "/works/OL8W" },
    ]).failures;
    expect(told(failures)).toEqual([
      "400 Bad Property: '_a' @_a",
      "400 expected /type/string, found /type/int @title",
      "400 expected list, found atom @subjects",
      "400 expected /type/string, found /type/int @links.url",
      "400 expected /type/string, found /type/int @links.title",
      "404 Not in the catalog: /works/OL404W @works",
      "404 Not in the catalog: /authors/OL404A @authors",
      "400 missing type @type",
    ]);
  });

  it("a bounded number of failures", () => {
    const failures = prepare([
      work({ subjects: Array.from({ length: WRITE_FAILURES_MAX + 1 }, () => 5) }),
    ]).failures;
    expect(failures).toHaveLength(WRITE_FAILURES_MAX);
  });

  it("documents too large with their envelope", () => {
    const size = (length: number) => told(prepare([work({ title: "x".repeat(length) })]).failures);
    const envelope = JSON.stringify({
      ...work({ title: "" }),
      latest_revision: 1,
      revision: 1,
      created: { type: "/type/datetime", value: "2026-01-01T00:00:00.000000" },
      last_modified: { type: "/type/datetime", value: "2026-01-01T00:00:00.000000" },
    }).length;
    expect(size(DOCUMENT_BYTES - envelope)).toEqual([]);
    expect(size(DOCUMENT_BYTES - envelope + 1)).toEqual([
      `413 A document can have at most ${DOCUMENT_BYTES} bytes`,
    ]);
    expect(size(DOCUMENT_BYTES / 2)).toEqual([]);
    expect(told(prepare([work({ title: "é".repeat(DOCUMENT_BYTES / 2) })]).failures)).toHaveLength(1);
  });

  it("documents nested too deeply", () => {
    const nested = (depth: number): Json => JSON.parse("[".repeat(depth) + "]".repeat(depth)) as Json;
    expect(prepare([work({ odd: nested(DOCUMENT_DEPTH_MAX) })]).failures).toEqual([]);
    expect(told(prepare([work({ odd: nested(50_000) })]).failures)).toEqual([
      "400 Values can be nested at most 64 levels deep",
    ]);
    expect(referencesOf([work({ odd: nested(50_000) })])).toEqual([]);
  });
});

describe("keys and rights", () => {
  const live = stored(work({ title: "Tale" }));
  it.each<[string, Rules, CatalogRecord, string[]]>([
    ["a bot makes a work", BOT, work({ title: "x" }), []],
    [
      "a bot makes a page",
      BOT,
      { key: "/page", type: "/type/page" },
      ["403 Permission denied to create '/page'"],
    ],
    [
      "a bot makes a work at an odd key",
      BOT,
      { key: "/foo", type: "/type/work" },
      ["400 Bad key for /type/work: '/foo' @key", "403 Permission denied to create '/foo'"],
    ],
    [
      "a bot makes a work where editions are",
      BOT,
      { key: "/books/OL9M", type: "/type/work" },
      ["400 Bad key for /type/work: '/books/OL9M' @key"],
    ],
    [
      "a bot makes a page where works are",
      BOT,
      work({ type: "/type/page" }),
      ["400 Bad key for /type/page: '/works/OL9W' @key"],
    ],
    [
      "a bot makes a redirect out of nothing",
      BOT,
      work({ type: "/type/redirect", location: "/works/OL1W" }),
      ["400 Bad key for /type/redirect: '/works/OL9W' @key"],
    ],
    [
      "an editor makes a work",
      EDITOR,
      work({ title: "x" }),
      ["403 Permission denied to create '/works/OL9W'"],
    ],
    [
      "a bot protects a record",
      BOT,
      work({ child_permission: { key: "/permission/open" } }),
      ["403 Permission denied to change the permission of '/works/OL9W' @permission"],
    ],
  ])("%s", (_what, rules, document, expected) => {
    expect(told(prepare([document], { rules }).failures)).toEqual(expected);
  });

  it.each<[string, Rules | undefined, CatalogRecord, string[]]>([
    ["a redirect", EDITOR, { type: "/type/redirect", location: "/works/OL1W" }, []],
    ["a deletion", EDITOR, { type: "/type/delete" }, ["403 Permission denied to delete '/works/OL9W'"]],
    ["a deletion by an administrator", undefined, { type: "/type/delete" }, []],
    [
      "another kind",
      EDITOR,
      { type: "/type/edition" },
      ["400 Bad key for /type/edition: '/works/OL9W' @key"],
    ],
    ["another kind, by an administrator", undefined, { type: "/type/edition" }, []],
  ])("%s of a record that exists", (_what, rules, more, expected) => {
    const failures = prepare([work(more)], {
      before: [live],
      ...(rules === undefined ? {} : { rules }),
    }).failures;
    expect(told(failures)).toEqual(expected);
  });

  it("allow editing records at odd keys and repeating tombstones", () => {
    const odd = stored({ key: "/odd", type: { key: "/type/work" }, title: "x" });
    const gone = stored(work({ type: { key: "/type/delete" } }));
    const documents = [{ key: "/odd", type: "/type/work", title: "y" }, work({ type: "/type/delete" })];
    const { writes, failures } = prepare(documents, { before: [odd, gone], rules: EDITOR });
    expect(failures).toEqual([]);
    expect(writes.map(({ isChanged }) => isChanged)).toEqual([true, false]);
  });

  it("protect the permission of a record, except from redirects", () => {
    const open = stored(work({ title: "x", permission: { key: "/permission/open" } }));
    const told403 = (more: CatalogRecord) =>
      prepare([work(more)], { before: [open], rules: EDITOR }).failures.map(({ status }) => status);
    expect(told403({ title: "y", permission: { key: "/permission/open" } })).toEqual([]);
    expect(told403({ title: "y" })).toEqual([403]);
    expect(told403({ type: "/type/redirect", location: "/works/OL1W" })).toEqual([]);
    expect(prepare([work({ title: "y" })], { before: [open] }).failures).toEqual([]);
  });
});

describe("stored members", () => {
  const broken = work({
    title: 5,
    subjects: "x",
    authors: [{ author: { key: "/authors/OL404A" } }],
    genres: ["Fiction"],
    see: { key: "/works/OL404W" },
    Odd_Name: "kept",
  });
  const before = [stored(broken)];

  it("are not checked again", () => {
    const { writes, failures } = prepare([{ ...broken, subtitle: "new" }], { before });
    expect(failures).toEqual([]);
    const { key: _key, type: _type, ...rest } = broken;
    expect(writes[0]).toMatchObject({
      members: { ...rest, subtitle: "new" },
      isChanged: true,
      before: { revision: 3 },
    });
  });

  it("are checked when their property or the type changes", () => {
    expect(told(prepare([{ ...broken, title: 6 }], { before }).failures)).toEqual([
      "400 expected /type/string, found /type/int @title",
    ]);
    const retyped = prepare([{ ...broken, type: "/type/author" }], { before }).failures;
    expect(told(retyped)).toEqual([
      "400 Bad Property: 'Odd_Name' @Odd_Name",
      "400 expected /type/string, found /type/int @title",
      "404 Not in the catalog: /authors/OL404A @authors.author",
      "404 Not in the catalog: /works/OL404W @see",
    ]);
  });

  it.each<[string, CatalogRecord]>([
    ["as it is, with its envelope", before[0]!.document],
    ["without envelope", broken],
    [
      "with another envelope",
      { ...broken, revision: 1, latest_revision: 99, created: "x", last_modified: null, id: 5 },
    ],
    ["with blanks", { ...broken, notes: "", links: [], subtitle: null }],
    ["in another order", Object.fromEntries(Object.entries(broken).toReversed())],
    ["typed by a string", { ...broken, type: "/type/work" }],
  ])("are unchanged when sent back %s", (_what, document) => {
    const { writes, failures } = prepare([document], { before, rules: EDITOR });
    expect(failures).toEqual([]);
    expect(writes.map(({ isChanged }) => isChanged)).toEqual([false]);
  });

  it("are unchanged when sent in their stored form", () => {
    const tidy = stored(
      work({ description: { type: "/type/text", value: "x" }, authors: [role("/authors/OL1A")] }),
    );
    const sent = work({ description: "x", authors: [{ author: "/authors/OL1A" }] });
    expect(prepare([sent], { before: [tidy] }).writes[0]!.isChanged).toBe(false);
  });

  it("are removed when not sent", () => {
    const titled = stored(work({ title: "x", subtitle: "y" }));
    const { writes } = prepare([work({ title: "x" })], { before: [titled] });
    expect(writes[0]).toMatchObject({ members: { title: "x" }, isChanged: true });
  });

  it("may have names of JavaScript object members", () => {
    const odd = JSON.parse(
      '{"constructor":"x","nested":{"__proto__":{"key":"/works/OL404W"}}}',
    ) as CatalogRecord;
    expect(told(prepare([work(odd)]).failures)).toEqual([
      "404 Not in the catalog: /works/OL404W @nested.__proto__",
    ]);
    expect(prepare([work({ constructor: "x" })], { before: [stored(work())] }).writes[0]!.isChanged).toBe(
      true,
    );
  });
});

describe("old documents as readers get them (Q91)", () => {
  const old = edition({
    title: "Tale",
    title_prefix: "The",
    authors: [{ key: "/a/OL404A" }],
    table_of_contents: [{ type: { key: "/type/toc_item" }, title: "A", level: "1" }],
  });
  const seen = edition({
    title: "The Tale",
    authors: [{ key: "/authors/OL404A" }],
    table_of_contents: [{ level: 1, label: "", title: "A", pagenum: "" }],
  });
  const before = [stored(old)];

  it("are unchanged when sent back", () => {
    const { writes, failures } = prepare([seen], { before });
    expect(failures).toEqual([]);
    expect(writes[0]!.isChanged).toBe(false);
  });

  it("are kept beside an edit, with the whole title", () => {
    const { writes, failures } = prepare([{ ...seen, subtitle: "new" }], { before });
    expect(failures).toEqual([]);
    expect(writes[0]!.members).toEqual({
      title: "The Tale",
      authors: old["authors"],
      table_of_contents: old["table_of_contents"],
      subtitle: "new",
    });
  });
});

describe("tombstones and redirects", () => {
  const before = [stored(work({ title: "x" }))];
  it("store no members but the location", () => {
    const members = (more: CatalogRecord) =>
      prepare([work({ title: "x", ...more })], { before }).writes[0]!.members;
    expect(members({ type: "/type/delete" })).toEqual({});
    expect(members({ type: "/type/redirect", location: "/works/OL1W" })).toEqual({ location: "/works/OL1W" });
  });

  it("require a text as location", () => {
    const sent = work({ type: "/type/redirect", location: { key: "/works/OL1W" } });
    expect(told(prepare([sent], { before }).failures)).toEqual([
      "400 expected /type/string, found /type/work @location",
    ]);
  });

  it("are revived by a document that is checked completely", () => {
    const gone = [stored(work({ type: { key: "/type/delete" } }))];
    expect(prepare([work({ title: "x" })], { before: gone }).writes[0]).toMatchObject({ isChanged: true });
    expect(prepare([work({ title: 5 })], { before: gone }).failures).toHaveLength(1);
  });
});

describe("a batch", () => {
  it("resolves references to itself", () => {
    const documents = [
      edition({ works: ["/works/OL9W"], authors: [{ key: "/authors/OL1A" }] }),
      work({ authors: [role("/authors/OL8A")] }),
      { key: "/authors/OL8A", type: "/type/author", name: "N" },
      { key: "/authors/OL1A", type: "/type/redirect", location: "/authors/OL8A" },
    ];
    const before = [stored({ key: "/authors/OL1A", type: { key: "/type/author" } })];
    expect(told(prepare(documents, { before }).failures)).toEqual([
      "400 expected /type/author, found /type/redirect @authors",
    ]);
  });

  it("reports a document without type once", () => {
    expect(told(prepare([edition({ works: ["/works/OL9W"] }), { key: "/works/OL9W" }]).failures)).toEqual([
      "400 missing type @type",
    ]);
  });

  it("takes the last document of a key, at its place", () => {
    const documents = [work({ title: 5 }), edition({ title: "e" }), work({ title: "last" })];
    const { writes, failures } = prepare(documents);
    expect(failures).toEqual([]);
    expect(writes.map(({ key, members }) => [key, members["title"]])).toEqual([
      ["/books/OL9M", "e"],
      ["/works/OL9W", "last"],
    ]);
  });

  it("keeps the order of members and its input", () => {
    const document = work({ subtitle: "b", description: "d", title: "a" });
    const text = JSON.stringify(document);
    expect(Object.keys(prepare([document]).writes[0]!.members)).toEqual(["subtitle", "description", "title"]);
    expect(JSON.stringify(document)).toBe(text);
  });
});

describe("referencesOf", () => {
  it.each<[string, CatalogRecord, string[]]>([
    ["nothing", work({ title: "x" }), []],
    ["types that the code does not know", work({ type: "/type/custom" }), ["/type/custom"]],
    [
      "references and bare keys",
      edition({ works: ["/works/OL1W"], authors: [{ key: "/authors/OL1A" }] }),
      ["/works/OL1W", "/authors/OL1A"],
    ],
    [
      "inside embedded and free objects",
      work({
        authors: [{ author: "/authors/OL1A", by: { key: "/people/a" } }],
        series: [{ series: { key: "/series/OL1L" } }],
        odd: [[{ deep: { key: "/about" } }]],
      }),
      ["/authors/OL1A", "/people/a", "/series/OL1L", "/about"],
    ],
    [
      "keys of the early years as today's",
      edition({ authors: [{ key: "/a/OL1A" }], odd: { key: "/b/OL1M" } }),
      ["/authors/OL1A", "/books/OL1M"],
    ],
    ["references where none belong", work({ title: { key: "/works/OL1W" } }), ["/works/OL1W"]],
    ["permissions", work({ permission: { key: "/permission/open" } }), ["/permission/open"]],
    [
      "no texts that are no keys",
      edition({ works: ["OL1W", "/a b"], languages: ["/languages/eng"] }),
      ["/languages/eng"],
    ],
  ])("finds %s", (_what, document, expected) => {
    expect(referencesOf([document])).toEqual(expected);
  });

  it("leaves out the documents themselves", () => {
    expect(referencesOf([edition({ works: ["/works/OL9W", "/works/OL1W"] }), work()])).toEqual([
      "/works/OL1W",
    ]);
  });
});
