import { describe, expect, it } from "vitest";
import {
  planMerge,
  buildRedirect,
  refersTo,
  replaceReferences,
} from "../../../../src/catalog/editing/merge-plan.ts";
import {
  MERGE_RULES,
  absorbAuthor,
  absorbWork,
  parseMergeOrder,
} from "../../../../src/catalog/editing/merge-rules.ts";
import { dropDuplicates, fingerprint } from "../../../../src/catalog/editing/same-values.ts";
import type { CatalogRecord, Json } from "../../../../src/catalog/record.ts";
import { pick, randomStream } from "../random.ts";

const type = (name: string): CatalogRecord => ({ key: `/type/${name}` });
const author = (id: number, members: CatalogRecord = {}): CatalogRecord => ({
  key: `/authors/OL${id}A`,
  type: type("author"),
  ...members,
});
const ref = (id: number): CatalogRecord => ({ key: `/authors/OL${id}A` });
const FROM = new Set(["/authors/OL2A", "/authors/OL3A"]);
const replace = (members: CatalogRecord, kind = "work"): CatalogRecord => {
  const {
    key: _key,
    type: _type,
    ...rest
  } = replaceReferences({ key: "/works/OL1W", type: type(kind), ...members }, FROM, "/authors/OL1A");
  return rest;
};

describe("replaceReferences", () => {
  it.each<[string, CatalogRecord, CatalogRecord]>([
    ["a reference", { authors: [ref(2)] }, { authors: [ref(1)] }],
    ["several that become one", { authors: [ref(2), ref(4), ref(3), ref(1)] }, { authors: [ref(1), ref(4)] }],
    ["deep ones", { a: { b: [{ c: ref(2), d: 1 }] } }, { a: { b: [{ c: ref(1), d: 1 }] } }],
    [
      "objects with more members",
      { a: [{ key: "/authors/OL2A", x: 1 }] },
      { a: [{ key: "/authors/OL1A", x: 1 }] },
    ],
    [
      "equal elements of other arrays, too",
      { subjects: ["a", "b", "a"], x: ref(2) },
      { subjects: ["a", "b"], x: ref(1) },
    ],
    ["none: nothing is collapsed", { subjects: ["a", "a"], x: ref(4) }, { subjects: ["a", "a"], x: ref(4) }],
    ["texts are no references", { note: "/authors/OL2A" }, { note: "/authors/OL2A" }],
  ])("%s", (_what, members, expected) => expect(replace(members, "edition")).toEqual(expected));

  const credit = (id: number, role?: Json): CatalogRecord => ({ author: ref(id), ...(role && { role }) });
  it.each<[string, Json[], Json[]]>([
    ["no role twice", [credit(1), { type: "/type/author_role", author: ref(2) }, credit(3)], [credit(1)]],
    ["two roles", [credit(2, "Illustrator"), credit(1)], [credit(1, "Illustrator"), credit(1)]],
    [
      "one role twice",
      [credit(2, "Editor"), credit(1, " editor "), credit(3)],
      [credit(1, "Editor"), credit(1)],
    ],
    ["roles of others", [credit(4, "Editor"), credit(2)], [credit(4, "Editor"), credit(1)]],
    ["a blank role", [credit(1), credit(2, " ")], [credit(1)]],
  ])("keeps each credit, an author in a role, once: %s", (_what, authors, expected) => {
    expect(replace({ authors })["authors"]).toEqual(expected);
  });

  it("replaces old keys and normalizes tables of contents", () => {
    const table = ["One", { title: "Two", type: type("toc_item"), authors: [{ name: "x", author: ref(2) }] }];
    expect(replace({ authors: [{ key: "/a/OL2A" }], table_of_contents: table }, "edition")).toEqual({
      authors: [ref(1)],
      table_of_contents: [
        { level: 0, label: "", title: "One", pagenum: "" },
        { level: 0, label: "", title: "Two", pagenum: "", authors: [{ name: "x", author: ref(1) }] },
      ],
    });
  });

  it("keeps the document's own key", () => {
    expect(replaceReferences(author(2, { a: ref(3) }), FROM, "/authors/OL1A")["key"]).toBe("/authors/OL2A");
  });

  it("leaves no reference and is idempotent", () => {
    const random = randomStream(5);
    for (let round = 0; round < 400; round += 1) {
      const document: CatalogRecord = {
        key: "/works/OL1W",
        type: type("page"),
        a: randomValue(random, 0),
        b: [ref(2)],
      };
      const once = replaceReferences(document, FROM, "/authors/OL1A");
      expect(refersTo(once, FROM)).toBe(false);
      expect(replaceReferences(once, FROM, "/authors/OL1A")).toBe(once);
      expect(strings(once)).toEqual(
        new Set([...strings(document)].map((text) => (FROM.has(text) ? "/authors/OL1A" : text))),
      );
    }
  });
});

function randomValue(random: () => number, depth: number): Json {
  const kinds = depth > 4 ? ["text", "reference"] : ["text", "number", "reference", "list", "object"];
  switch (pick(random, kinds)) {
    case "number":
      return Math.floor(random() * 3);
    case "reference":
      return ref(Math.floor(random() * 5));
    case "list":
      return Array.from({ length: 4 }, () => randomValue(random, depth + 1));
    case "object":
      return { x: randomValue(random, depth + 1), key: pick(random, ["/authors/OL2A", "/works/OL7W"]) };
    default:
      return pick(random, ["a", "b", ""]);
  }
}

/** The strings of a value, each once. */
function strings(value: Json | undefined): Set<string> {
  if (typeof value === "string") return new Set([value]);
  if (typeof value !== "object" || value === null) return new Set();
  return new Set(Object.values(value).flatMap((inner) => [...strings(inner)]));
}

describe("distinct", () => {
  it("compares values by content, not by member order", () => {
    const elements: Json[] = [{ a: 1, b: [2] }, { b: [2], a: 1 }, { b: [2, 2], a: 1 }, "1", 1, null, null];
    expect(dropDuplicates(elements)).toEqual([{ a: 1, b: [2] }, { b: [2, 2], a: 1 }, "1", 1, null]);
    expect(fingerprint("1")).not.toBe(fingerprint(1));
  });
});

describe("absorbAuthor", () => {
  const master = author(1, {
    name: "Ann  Lee",
    alternate_names: ["A. Lee", "A.  Lee"],
    photos: [5],
    remote_ids: { viaf: "1" },
    bio: "short",
    permission: { key: "/permission/open" },
    revision: 4,
  });

  it.each<[string, CatalogRecord, CatalogRecord]>([
    [
      "arrays are joined",
      { photos: [6, 5], links: [{ url: "u" }] },
      { photos: [5, 6], links: [{ url: "u" }] },
    ],
    [
      "objects too, the master winning",
      { remote_ids: { viaf: "2", isni: "3" } },
      { remote_ids: { viaf: "1", isni: "3" } },
    ],
    [
      "members are taken when missing",
      { birth_date: "1900", bio: "long" },
      { birth_date: "1900", bio: "short" },
    ],
    ["a text is one value", { bio: { type: "/type/text", value: "long" } }, { bio: "short" }],
    ["another name is an alternate one", { name: "Annie Lee" }, { alternate_names: ["A. Lee", "Annie Lee"] }],
    ["the same name is not", { name: " Ann Lee " }, { alternate_names: ["A. Lee"] }],
    [
      "alternate names are joined",
      { alternate_names: ["B", "A. Lee"] },
      { alternate_names: ["A. Lee", "B"] },
    ],
    ["what is the record's own is not taken", { permission: { key: "/permission/secret" }, revision: 9 }, {}],
  ])("%s", (_what, duplicate, expected) => {
    expect(absorbAuthor(master, author(2, duplicate))).toEqual({
      ...master,
      alternate_names: ["A. Lee"],
      ...expected,
    });
  });

  it("gives a nameless master the name", () => {
    expect(absorbAuthor(author(1), author(2, { name: "B" }))).toEqual(author(1, { name: "B" }));
  });

  it("keeps a member called __proto__", () => {
    const hostile = JSON.parse('{"__proto__": {"a": 1}}') as CatalogRecord;
    const merged = absorbAuthor(author(1), hostile);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });
});

describe("absorbWork", () => {
  const role = (id: number, more: CatalogRecord = {}): CatalogRecord => ({ author: ref(id), ...more });
  const work = (members: CatalogRecord): CatalogRecord => ({
    key: "/works/OL1W",
    type: type("work"),
    ...members,
  });

  it("joins arrays, with credits and series by reference", () => {
    const series = (id: number, position: string): CatalogRecord => ({
      series: { key: `/series/OL${id}L` },
      position,
    });
    const master = work({
      title: "T",
      authors: [role(1), role(1, { role: "artist" }), ref(1)],
      subjects: ["a", " A"],
      series: [series(1, "1")],
      excerpts: [{ excerpt: "x", author: { key: "/people/a" } }],
    });
    const duplicate = work({
      title: "Other",
      authors: [role(1, { type: type("author_role"), role: "x" }), role(2), role(1, { role: "Artist " })],
      subjects: ["b", "a", "B ", "A"],
      subject_places: ["New  York", "new york"],
      series: [series(1, "2"), series(2, "1")],
      excerpts: [{ excerpt: "y", author: { key: "/people/a" } }],
      description: "d",
    });
    expect(absorbWork(master, duplicate)).toEqual({
      ...master,
      authors: [
        role(1),
        role(1, { role: "artist" }),
        role(1, { type: type("author_role"), role: "x" }),
        role(2),
      ],
      subjects: ["a", "b"],
      subject_places: ["New  York"],
      series: [series(1, "1"), series(2, "1")],
      excerpts: [
        { excerpt: "x", author: { key: "/people/a" } },
        { excerpt: "y", author: { key: "/people/a" } },
      ],
      description: "d",
      other_titles: ["Other"],
    });
  });

  it("joins identifiers by value and covers by number", () => {
    const master = work({ covers: [1, 2, 1], identifiers: { goodreads: ["12-3"], wikidata: "Q1" } });
    const duplicate = work({
      covers: ["2", 3],
      identifiers: { goodreads: ["123 ", "4", "4"], wikidata: "Q2", oclc: ["A", "a"] },
    });
    expect(absorbWork(master, duplicate)).toMatchObject({
      covers: [1, 2, 3],
      identifiers: { goodreads: ["12-3", "4"], wikidata: "Q1", oclc: ["A"] },
    });
  });

  it("keeps the master's values and is idempotent", () => {
    const random = randomStream(9);
    const some = (): CatalogRecord =>
      Object.fromEntries(
        ["title", "subjects", "identifiers", "links", "description", "authors"]
          .filter(() => random() < 0.7)
          .map((name) => [name, randomMember(name, random)]),
      );
    for (let round = 0; round < 300; round += 1) {
      const [master, duplicate] = [work(some()), work(some())];
      const merged = absorbWork(master, duplicate);
      for (const [name, value] of Object.entries(master))
        expect(merged[name]).toSatisfy((now: Json) => holds(now, value));
      expect(absorbWork(merged, duplicate)).toEqual(merged);
    }
  });

  function randomMember(name: string, random: () => number): Json {
    const texts = Array.from({ length: 3 }, () => pick(random, ["a", "b", "c", "d"]));
    if (name === "identifiers") return { [texts[0]!]: [texts[1]!] };
    if (name === "authors") return texts.map((_text, index) => role(index + Math.floor(random() * 3)));
    if (name === "links") return texts.map((url) => ({ url }));
    return name === "subjects" ? texts : texts[0]!;
  }
});

/** True when every element or member of `before` is still there. */
function holds(now: Json, before: Json | undefined): boolean {
  if (Array.isArray(before)) {
    const known = new Set((now as Json[]).map(fingerprint));
    return before.every((element) => known.has(fingerprint(element)));
  }
  if (typeof before !== "object" || before === null) return now === before;
  return Object.entries(before).every(([name, value]) => holds((now as CatalogRecord)[name] ?? null, value));
}

describe("planMerge", () => {
  const work: CatalogRecord = {
    key: "/works/OL1W",
    type: type("work"),
    title: "T",
    authors: [{ author: ref(2) }],
  };
  type MergeState = Parameters<typeof planMerge>[0];
  const state = (more: Partial<MergeState> = {}): MergeState => ({
    master: author(1, { name: "A", links: [{ author: ref(2) }] }),
    duplicates: [author(2, { name: "B" })],
    naming: [work],
    isLast: true,
    ...more,
  });
  const plan = (more?: Partial<MergeState>): CatalogRecord[] => planMerge(state(more), MERGE_RULES.author);
  const pointed = { ...work, authors: [{ author: ref(1) }] };

  it("redirects duplicates and updates references", () => {
    expect(plan()).toEqual([
      buildRedirect("/authors/OL2A", "/authors/OL1A"),
      pointed,
      author(1, { name: "A", links: [{ author: ref(1) }], alternate_names: ["B"] }),
    ]);
  });

  it("updates references only before the last page", () =>
    expect(plan({ isLast: false })).toEqual([pointed]));

  it("keeps existing redirects and updates remaining references", () => {
    expect(plan({ duplicates: [buildRedirect("/authors/OL2A", "/authors/OL1A")] })).toEqual([pointed]);
  });

  it.each([
    ["deleted", { key: "/authors/OL2A", type: type("delete") }],
    ["redirected elsewhere", buildRedirect("/authors/OL2A", "/authors/OL9A")],
  ])("turns a duplicate that is %s into a redirect without merging it", (_what, duplicate) => {
    const { links: _links, ...plain } = state().master;
    expect(plan({ master: plain, duplicates: [duplicate], naming: [] })).toEqual([
      buildRedirect("/authors/OL2A", "/authors/OL1A"),
      author(1, { name: "A" }),
    ]);
  });

  it("names an author once who is a twin or redirect", () => {
    const named = (id: number, ...authors: number[]): CatalogRecord => ({
      key: `/works/OL${id}W`,
      type: type("work"),
      title: "Emma",
      authors: authors.map((one) => ({ author: ref(one) })),
    });
    const records = [
      author(1, { name: "Jane Austen", birth_date: "1775" }),
      author(2, { name: "JANE  AUSTEN" }),
      author(3, { name: "Jane Austen", birth_date: "16 December 1775" }),
      author(4, { name: "Jane Austen", birth_date: "1950" }),
      buildRedirect("/authors/OL5A", "/authors/OL1A"),
    ];
    const documents = planMerge(
      {
        master: named(1, 1),
        duplicates: [named(2, 2, 3), named(3, 4, 5)],
        naming: [],
        isLast: true,
        authors: new Map(records.map((record) => [String(record["key"]), record])),
      },
      MERGE_RULES.work,
    );
    expect(documents.at(-1)).toMatchObject({ authors: [{ author: ref(1) }, { author: ref(4) }] });
  });

  it("is idempotent", () => {
    const documents = new Map(plan().map((document) => [document["key"], document]));
    const at = (key: string): CatalogRecord => documents.get(key)!;
    expect(
      plan({ master: at("/authors/OL1A"), duplicates: [at("/authors/OL2A")], naming: [at("/works/OL1W")] }),
    ).toEqual([]);
  });
});

describe("parseMergeOrder", () => {
  it.each([
    [{ master: "/authors/OL1A", duplicates: [] }, "bad_data.merge_two"],
    [{ master: "/authors/OL1A", duplicates: ["/authors/OL1A"] }, "bad_data.merge_two"],
    [{ master: "/works/OL1W", duplicates: ["/authors/OL1A"] }, "bad_data.key_of_type"],
    [{ master: "/authors/OL1A", duplicates: ["/works/OL1W"] }, "bad_data.key_of_type"],
    [{ master: "OL1A", duplicates: ["/authors/OL2A"] }, "bad_data.key_of_type"],
  ])("refuses %j", (sent, key) => {
    expect(parseMergeOrder(sent, MERGE_RULES.author)).toMatchObject({ problem: { key } });
  });

  it("names every duplicate once, in order, without the master", () => {
    const duplicates = ["/authors/OL3A", "/authors/OL1A", "/a/OL2A", "/authors/OL3A"];
    expect(parseMergeOrder({ master: "/a/OL1A", duplicates }, MERGE_RULES.author)).toEqual({
      master: "/authors/OL1A",
      duplicates: ["/authors/OL3A", "/authors/OL2A"],
    });
  });
});
