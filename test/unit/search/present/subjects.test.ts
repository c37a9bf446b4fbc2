import { describe, expect, it } from "vitest";
import type { Facets } from "../../../../src/search/engine.ts";
import {
  makeDetailFacets,
  toPublisherTarget,
  subjectDetailsOf,
  toSubjectTarget,
  targetTextOf,
} from "../../../../src/search/present/subjects.ts";
import { toWorkObject } from "../../../../src/search/present/works.ts";

describe("toSubjectTarget", () => {
  it.each([
    ["love", "love", "subject", 'subject_key:"love"'],
    ["science_fiction", "science fiction", "subject", String.raw`subject_key:"science_fiction"`],
    ["science fiction", "science fiction", "subject", String.raw`subject_key:"science_fiction"`],
    ["person:mark_twain", "mark twain", "person", 'person_key:"mark_twain"'],
    [
      "place:san_francisco_(calif.)",
      "san francisco (calif.)",
      "place",
      String.raw`place_key:"san_francisco_\(calif.\)"`,
    ],
    ["time:1850s", "1850s", "time", 'time_key:"1850s"'],
    ["genre:thriller", "genre:thriller", "subject", 'subject_key:"genrethriller"'],
    ["a/b_testing", "a/b testing", "subject", 'subject_key:"ab_testing"'],
    ["history_--_20th", "history -- 20th", "subject", String.raw`subject_key:"history_\-\-_20th"`],
  ])("%s", (key, name, type, text) => {
    const target = toSubjectTarget(key);
    expect(target).toMatchObject({ key: `/subjects/${key}`, name, type });
    expect(targetTextOf(target)).toBe(text);
  });
});

describe("toPublisherTarget", () => {
  it("links to the exact name", () => {
    const target = toPublisherTarget("Penguin_Books");
    expect(target).toMatchObject({
      key: "/publishers/Penguin Books",
      name: "Penguin Books",
      type: "publisher",
    });
    expect(targetTextOf(target)).toBe('publisher_facet:"Penguin Books"');
  });
});

const facets: Facets = {
  numFound: 3,
  exact: true,
  fields: {
    subject_facet: [
      { value: "Love Stories", count: 3 },
      { value: "love stories", count: 1 },
      { value: "Foxes / Animals", count: 1 },
    ],
    person_facet: [{ value: "Mr Fox", count: 1 }],
    author_facet: [
      { value: "OL34184A Roald Dahl", count: 1 },
      { value: "OL1A", count: 1 },
    ],
    publisher_facet: [
      { value: "Love Stories", count: 1 },
      { value: "Puffin Books", count: 1 },
    ],
    language: [{ value: "eng", count: 2 }],
    has_fulltext: [
      { value: "true", count: 2 },
      { value: "false", count: 1 },
    ],
    publish_year: [1000, 1988, 2027, 1970, 1001].map((year) => ({ value: String(year), count: 1 })),
  },
};

describe("subjectDetailsOf", () => {
  it("arranges the counts of a subject's page", () => {
    expect(subjectDetailsOf(toSubjectTarget("love_stories"), facets)).toEqual({
      name: "Love Stories",
      members: {
        ebook_count: 2,
        subjects: [{ key: "/subjects/foxes__animals", name: "Foxes / Animals", count: 1 }],
        places: [],
        people: [{ key: "/subjects/person:mr_fox", name: "Mr Fox", count: 1 }],
        times: [],
        authors: [
          { name: "Roald Dahl", key: "/authors/OL34184A", count: 1 },
          { name: "", key: "/authors/OL1A", count: 1 },
        ],
        publishers: [
          { name: "Love Stories", count: 1, key: "/publishers/Love_Stories" },
          { name: "Puffin Books", count: 1, key: "/publishers/Puffin_Books" },
        ],
        languages: [{ name: "eng", count: 2 }],
        publishing_history: [
          [1001, 1],
          [1970, 1],
          [1988, 1],
          [2027, 1],
        ],
      },
    });
  });

  it("omits a publisher from its own page, but not another case of it", () => {
    const publisher_facet = [
      { value: "Puffin Books", count: 2 },
      { value: "PUFFIN BOOKS", count: 1 },
    ];
    const { name, members } = subjectDetailsOf(toPublisherTarget("Puffin_Books"), {
      ...facets,
      fields: { publisher_facet },
    });
    expect(name).toBe("Puffin Books");
    expect(members["publishers"]).toEqual([
      { name: "PUFFIN BOOKS", count: 1, key: "/publishers/PUFFIN_BOOKS" },
    ]);
    expect(members["ebook_count"]).toBe(0);
  });

  it("requests 25 of each and every year", () => {
    const asked = makeDetailFacets();
    expect(asked.find(({ field }) => field === "publish_year")?.limit).toBe(-1);
    expect(new Set(asked.map(({ limit }) => limit))).toEqual(new Set([25, -1]));
    expect(asked.every(({ mincount }) => mincount === 1)).toBe(true);
  });
});

describe("toWorkObject", () => {
  it("has all its members, with null and empty values for missing data", () => {
    expect(
      toWorkObject(
        {
          key: "/works/OL1W",
          title: "T",
          edition_count: 1,
          has_fulltext: false,
          public_scan_b: false,
        },
        new Map(),
      ),
    ).toEqual({
      key: "/works/OL1W",
      title: "T",
      edition_count: 1,
      cover_id: null,
      cover_edition_key: null,
      subject: [],
      ia_collection: [],
      printdisabled: false,
      lending_edition: "",
      lending_identifier: "",
      authors: [],
      first_publish_year: null,
      ia: null,
      public_scan: false,
      has_fulltext: false,
    });
  });

  it("pairs author names and keys, and has the best scan and its availability", () => {
    const made = toWorkObject(
      {
        key: "/works/OL1W",
        title: "T",
        edition_count: 2,
        author_key: ["OL1A", "OL2A"],
        author_name: ["A", "B"],
        ia: ["best", "other"],
        ia_collection: ["printdisabled"],
        ebook_access: "borrowable",
        lending_identifier_s: "other",
        lending_edition_s: "OL2M",
        first_publish_year: 1970,
        public_scan_b: false,
        has_fulltext: true,
      },
      new Map(),
    );
    expect(made).toMatchObject({
      ia: "best",
      printdisabled: true,
      lending_edition: "OL2M",
      authors: [
        { key: "/authors/OL1A", name: "A" },
        { key: "/authors/OL2A", name: "B" },
      ],
      availability: { status: "borrow_available", identifier: "other", openlibrary_edition: "OL2M" },
    });
    expect(
      toWorkObject({ ia: ["x_librivox"], ebook_access: "public" }, new Map())["availability"],
    ).toBeNull();
  });
});
