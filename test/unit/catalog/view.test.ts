import { describe, expect, it } from "vitest";
import type { CatalogRecord, Json } from "../../../src/catalog/record.ts";
import {
  VIEW_DEPTH_MAX,
  editionTitleOf,
  needsReadView,
  toReadView,
  toTocRow,
} from "../../../src/catalog/document.ts";
import { pick, randomStream } from "./random.ts";

const edition = (members: CatalogRecord): CatalogRecord => ({
  key: "/books/OL1M",
  type: { key: "/type/edition" },
  ...members,
});
const work = (members: CatalogRecord): CatalogRecord => ({
  key: "/works/OL1W",
  type: { key: "/type/work" },
  ...members,
});

describe("records served as stored", () => {
  it.each<[string, CatalogRecord]>([
    ["text fields kept as strings", work({ description: "plain", covers: [-1, null, 3] })],
    ["text objects", edition({ notes: { type: "/type/text", value: "x" } })],
    [
      "a regular table of contents",
      edition({ table_of_contents: [{ level: 0, label: "", title: "A", pagenum: "" }] }),
    ],
    [
      "rows with the three extra members",
      edition({
        table_of_contents: [
          {
            level: 1,
            label: "1",
            title: "A",
            pagenum: "3",
            authors: [{ name: "N", author: null }],
            subtitle: "s",
            description: "d",
          },
        ],
      }),
    ],
    ["an empty table of contents", edition({ table_of_contents: [] })],
    ["a table of contents that is none", edition({ table_of_contents: "see inside" })],
    [
      "roles with authors",
      work({ authors: [{ author: { key: "/authors/OL1A" }, type: "/type/author_role" }] }),
    ],
    ["edition authors, which are no roles", edition({ authors: [{ key: "/authors/OL1A" }, {}] })],
    ["a prefix on what is no edition", work({ title: "Tale", title_prefix: "The" })],
    ["rows on what is no edition", work({ table_of_contents: ["A"] })],
    ["a text member called id", edition({ id: "x" })],
    ["keys inside longer paths and other members", edition({ note: "/a/OL1A", local: { key: "/x/a/OL1A" } })],
    ["no type", { key: "/foo" }],
  ])("%s", (_what, record) => {
    const text = JSON.stringify(record);
    expect(needsReadView(record)).toBe(false);
    expect(toReadView(record)).toBe(record);
    expect(JSON.stringify(record)).toBe(text);
  });
});

/** Reads, and checks what holds of every reading. */
function read(record: CatalogRecord): CatalogRecord {
  const text = JSON.stringify(record);
  expect(needsReadView(record)).toBe(true);
  const view = toReadView(record);
  expect(JSON.stringify(record), "the stored record is left alone").toBe(text);
  expect(needsReadView(view), "a view needs no view").toBe(false);
  return view;
}

const nested = (depth: number): Json => {
  let value: Json = { key: "/a/OL1A" };
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

describe("old keys", () => {
  it("are rewritten at any depth", () => {
    const record = work({
      key: "/b/OL1M",
      authors: [{ author: { key: "/a/OL1A" } }, { author: { key: "/authors/OL2A" } }],
      languages: [{ key: "/l/eng" }],
      nested: { list: [[{ key: "/user/jane" }]], note: "/a/OL1A" },
    });
    expect(read(record)).toEqual({
      key: "/books/OL1M",
      type: { key: "/type/work" },
      authors: [{ author: { key: "/authors/OL1A" } }, { author: { key: "/authors/OL2A" } }],
      languages: [{ key: "/languages/eng" }],
      nested: { list: [[{ key: "/people/jane" }]], note: "/a/OL1A" },
    });
  });

  it("are rewritten in every type, in member order", () => {
    const view = read({ type: "/type/list", seeds: [{ key: "/b/OL1M" }, "subject:a"], key: "/lists/OL1L" });
    expect(JSON.stringify(view)).toBe(
      '{"type":"/type/list","seeds":[{"key":"/books/OL1M"},"subject:a"],"key":"/lists/OL1L"}',
    );
  });

  it("keep members with special names", () => {
    const record = JSON.parse('{"key":"/a/OL1A","identifiers":{"__proto__":["x"]}}') as CatalogRecord;
    expect(JSON.stringify(read(record))).toBe('{"key":"/authors/OL1A","identifiers":{"__proto__":["x"]}}');
  });

  it("are rewritten down to a maximum depth", () => {
    expect(needsReadView({ deep: nested(VIEW_DEPTH_MAX - 1) })).toBe(true);
    expect(needsReadView({ deep: nested(VIEW_DEPTH_MAX + 1) })).toBe(false);
    for (const depth of [VIEW_DEPTH_MAX - 2, VIEW_DEPTH_MAX - 1, VIEW_DEPTH_MAX, 1000]) {
      read({ key: "/a/OL2A", deep: nested(depth) });
    }
    let objects: Json = { key: "/a/OL1A" };
    for (let depth = 0; depth < VIEW_DEPTH_MAX + 2; depth += 1) {
      objects = { inner: objects };
      if (needsReadView({ objects })) read({ objects });
    }
    expect(needsReadView({ objects })).toBe(false);
  });
});

const rows = (...stored: Json[]): Json | undefined =>
  read(edition({ table_of_contents: stored }))["table_of_contents"];

describe("the table of contents", () => {
  it.each<[string, Json, Json | undefined]>([
    ["bare text", "Chapter 1", { level: 0, label: "", title: "Chapter 1", pagenum: "" }],
    ["only a title", { title: "A" }, { level: 0, label: "", title: "A", pagenum: "" }],
    ["only a level", { level: 2 }, { level: 2, label: "", title: "", pagenum: "" }],
    ["a level as text", { level: "3", title: "A" }, { level: 3, label: "", title: "A", pagenum: "" }],
    [
      "a signed level as text",
      { level: " -1 ", title: "A" },
      { level: -1, label: "", title: "A", pagenum: "" },
    ],
    ["a level that is none", { level: "x", title: "A" }, { level: 0, label: "", title: "A", pagenum: "" }],
    ["half a level", { level: 1.9, title: "A" }, { level: 1, label: "", title: "A", pagenum: "" }],
    [
      "null for all",
      { level: null, label: null, title: "A", pagenum: null },
      { level: 0, label: "", title: "A", pagenum: "" },
    ],
    ["a number for a page", { title: "A", pagenum: 7 }, { level: 0, label: "", title: "A", pagenum: "7" }],
    [
      "type and class, which go",
      { type: { key: "/type/toc_item" }, class: "c", title: "A" },
      { level: 0, label: "", title: "A", pagenum: "" },
    ],
    [
      "the three extra members, which stay",
      {
        title: "A",
        authors: [{ name: "N", author: { key: "/a/OL1A" } }],
        subtitle: "s",
        description: "d",
        other: 1,
      },
      {
        level: 0,
        label: "",
        title: "A",
        pagenum: "",
        authors: [{ name: "N", author: { key: "/authors/OL1A" } }],
        subtitle: "s",
        description: "d",
      },
    ],
    [
      "a type, and the four members as they should be",
      { level: 0, label: "", title: "A", pagenum: "", type: { key: "/type/toc_item" } },
      { level: 0, label: "", title: "A", pagenum: "" },
    ],
    ...["label", "title", "pagenum"].map((name): [string, Json, Json] => [
      `a number for the ${name} alone`,
      { level: 1, label: "", title: "", pagenum: "", [name]: 7 },
      { level: 1, label: "", title: "", pagenum: "", [name]: "7" },
    ]),
    ["nothing", {}, undefined],
    ["empty members", { level: 0, label: "", title: "", pagenum: "" }, undefined],
    ["empty members and an extra one", { title: "", subtitle: "s" }, undefined],
    ["empty text", "", undefined],
    ["null", null, undefined],
    ["an array", ["A"], undefined],
  ])("normalizes a row of %s", (_what, stored, expected) => {
    expect(rows(stored)).toEqual(expected === undefined ? [] : [expected]);
  });

  it("keeps the order of rows with the four members first", () => {
    const read2 = rows("A", { subtitle: "s", title: "B", level: 1 }, {}, "C");
    expect(JSON.stringify(read2)).toBe(
      '[{"level":0,"label":"","title":"A","pagenum":""},' +
        '{"level":1,"label":"","title":"B","pagenum":"","subtitle":"s"},' +
        '{"level":0,"label":"","title":"C","pagenum":""}]',
    );
  });
});

describe("toTocRow", () => {
  it("returns the four members only", () => {
    expect(toTocRow({ title: "A", subtitle: "s", authors: [] })).toEqual({
      level: 0,
      label: "",
      title: "A",
      pagenum: "",
    });
    expect(toTocRow(undefined)).toBeUndefined();
  });
});

describe("the title prefix of an edition", () => {
  it.each<[CatalogRecord, CatalogRecord]>([
    [{ title: "Tale", title_prefix: "The" }, { title: "The Tale" }],
    [{ title: "Tale", title_prefix: "The " }, { title: "The  Tale" }],
    [{ title: "Tale", title_prefix: "  " }, { title: "Tale" }],
    [{ title: "Tale", title_prefix: "" }, { title: "Tale" }],
    [{ title: "Tale", title_prefix: null }, { title: "Tale" }],
    [{ title_prefix: "The" }, { title: "The" }],
    [{ title_prefix: "" }, {}],
  ])("%j", (stored, expected) => {
    const view = read(edition(stored));
    expect(view).toEqual(edition(expected));
    expect(editionTitleOf(edition(stored))).toBe(expected["title"]);
  });
});

describe("roles of a work without an author", () => {
  it("are dropped", () => {
    const good = { author: { key: "/authors/OL1A" }, type: { key: "/type/author_role" } };
    const stored = [
      good,
      { role: "x" },
      { author: {} },
      { author: null },
      { author: "/authors/OL2A" },
      null,
      "x",
    ];
    expect(read(work({ authors: stored }))["authors"]).toEqual([good]);
    expect(read(work({ authors: [{}] }))["authors"]).toEqual([]);
  });
});

describe("the legacy id", () => {
  it("is dropped", () => {
    expect(read(edition({ id: 17, title: "A" }))).toEqual(edition({ title: "A" }));
    expect(read({ type: { key: "/type/user" }, id: 0 })).toEqual({ type: { key: "/type/user" } });
  });
});

describe("random records", () => {
  const LEAVES: Json[] = ["", "A", "/a/OL1A", "/authors/OL1A", 0, -1, 2.5, true, null];
  const NAMES = [
    "key",
    "title",
    "title_prefix",
    "table_of_contents",
    "authors",
    "author",
    "level",
    "value",
    "id",
    "x",
  ];

  it("have a view that needs none, and equal it exactly when they need none", () => {
    const random = randomStream(7);
    const value = (depth: number): Json => {
      const kind = depth > 3 ? 0 : Math.floor(random() * 3);
      if (kind === 0) return pick(random, LEAVES);
      const count = Math.floor(random() * 4);
      if (kind === 1) return Array.from({ length: count }, () => value(depth + 1));
      return Object.fromEntries(Array.from({ length: count }, () => [pick(random, NAMES), value(depth + 1)]));
    };
    let needed = 0;
    for (let round = 0; round < 3000; round += 1) {
      const members = Object.fromEntries(NAMES.filter(() => random() < 0.4).map((name) => [name, value(0)]));
      const record: CatalogRecord = {
        ...members,
        type: { key: pick(random, ["/type/edition", "/type/work", "/type/page"]) },
      };
      const view = toReadView(record);
      expect(needsReadView(view)).toBe(false);
      expect(needsReadView(record)).toBe(JSON.stringify(view) !== JSON.stringify(record));
      needed += needsReadView(record) ? 1 : 0;
    }
    expect(needed).toBeGreaterThan(500);
  });
});
