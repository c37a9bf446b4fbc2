import { describe, expect, it } from "vitest";
import { NO_COUNTS } from "../../../../src/search/documents/types.ts";
import {
  RETURNABLE_WORK_FIELDS,
  expandAuthor,
  expandEdition,
  expandList,
  expandSubject,
  expandWork,
} from "../../../../src/search/present/expand.ts";
import { fieldTestOf, project } from "../../../../src/search/present/selected-fields.ts";
import { author, built, edition, stored, storedEdition, work } from "../documents/sources.ts";

const record = work({
  title: "Don Quixote",
  subjects: ["Love", "Chivalry", "love", "???"],
  subject_people: ["Sancho"],
  subject_places: ["La Mancha"],
  subject_times: ["17th century"],
});
const editions = [
  edition(9, {
    publishers: ["B", "A"],
    identifiers: { goodreads: ["1"], amazon: ["2"] },
    isbn_10: ["0940787083"],
    edition_name: "2nd",
  }),
];
const document = built({
  work: record,
  editions,
  authors: [author(2, { name: "Zoe" }), author(1, { name: "Al" })],
  counts: { ratings: [0, 0, 0, 0, 1], wantToRead: 1, currentlyReading: 2, alreadyRead: 3, stoppedReading: 4 },
});

describe("expandWork", () => {
  const expanded = expandWork(stored(document));

  it("derives members from others", () => {
    expect(expanded).toMatchObject({
      type: "work",
      key: "/works/OL1W",
      title_suggest: "Don Quixote",
      author_facet: ["OL1A Al", "OL2A Zoe"],
      author_key: ["OL2A", "OL1A"],
      publisher: ["B", "A"],
      publisher_facet: ["A", "B"],
      subject: ["Love", "Chivalry", "love", "???"],
      subject_facet: ["???", "Chivalry", "Love", "love"],
      subject_key: ["chivalry", "love"],
      person_facet: ["Sancho"],
      place_key: ["la_mancha"],
      time_key: ["17th_century"],
      id_amazon: ["2"],
      id_goodreads: ["1"],
      seed: [
        "/books/OL9M",
        "/works/OL1W",
        "/authors/OL2A",
        "/authors/OL1A",
        "/subjects/love",
        "/subjects/chivalry",
        "/subjects/???",
        "/subjects/person:sancho",
        "/subjects/place:la_mancha",
        "/subjects/time:17th_century",
      ],
    });
  });

  it("flattens counts and views", () => {
    expect(expanded).toMatchObject({
      ratings_count: 1,
      ratings_count_1: 0,
      ratings_count_5: 1,
      ratings_average: 5,
      readinglog_count: 10,
      want_to_read_count: 1,
      currently_reading_count: 2,
      already_read_count: 3,
      stopped_reading_count: 4,
      trending_score_hourly_0: 0,
      trending_score_hourly_23: 0,
      trending_score_daily_6: 0,
      trending_score_hourly_sum: 0,
      trending_z_score: 0,
    });
    expect(expanded["ratings_sortable"]).toBeCloseTo(2.403664, 6);
    expect(expanded).not.toHaveProperty("trending_score_hourly_24");
    expect(expanded).not.toHaveProperty("trending_score_daily_7");
    const hourly = Array.from({ length: 24 }, (_, hour) => hour);
    const daily = [10, 12, 9, 11, 10, 8, 12];
    const seen = expandWork(stored(document, { hourlySum: 50, zScore: 16.6513, slots: { hourly, daily } }));
    expect(seen).toMatchObject({
      trending_score_hourly_23: 23,
      trending_score_daily_1: 12,
      trending_score_hourly_sum: 50,
      trending_z_score: 16.6513,
    });
  });

  it("is in alphabetical order", () => {
    const names = Object.keys(expanded);
    expect(names).toEqual(names.toSorted());
    expect(names).toContain("id_goodreads");
  });

  it("hides fields that are only for searching", () => {
    for (const name of ["alternative_title", "alternative_subtitle", "by_statement", "text", "title_sort"]) {
      expect(expanded).not.toHaveProperty(name);
    }
    expect(expanded).not.toHaveProperty("editions");
    expect(expanded).not.toHaveProperty("counts");
    expect(expanded).not.toHaveProperty("identifiers");
  });

  it("leaves out missing values and keeps 0 and false", () => {
    expect(Object.values(expanded)).not.toContain(undefined);
    expect(expanded).not.toHaveProperty("cover_i");
    expect(expanded).toMatchObject({ has_fulltext: false, public_scan_b: false, ebook_count_i: 0 });
  });

  it.each([
    [
      ["key", "nothing", "title"],
      ["key", "title"],
    ],
    [["id_*"], ["id_amazon", "id_goodreads"]],
    [["ratings_count_*"], [1, 2, 3, 4, 5].map((star) => `ratings_count_${star}`)],
    [
      ["*_facet", "key"],
      [
        "author_facet",
        "key",
        "person_facet",
        "place_facet",
        "publisher_facet",
        "subject_facet",
        "time_facet",
      ],
    ],
    [["alternative_title", "by_statement"], []],
    [[], []],
  ])("of the fields %j has %j", (fields, names) => {
    expect(Object.keys(expandWork(stored(document), fields))).toEqual(names);
    expect(Object.keys(project(expanded, fields))).toEqual(names);
  });

  it("has all fields for *", () => expect(project(expanded, ["title", "*"])).toEqual(expanded));

  it("lists its fields", () => {
    const known = new Set(RETURNABLE_WORK_FIELDS);
    expect(Object.keys(expanded).filter((name) => !known.has(name) && !name.startsWith("id_"))).toEqual([]);
    for (const name of [
      "osp_count",
      "printdisabled_s",
      "series_position",
      "trending_score_daily_0",
      "seed",
    ]) {
      expect(known).toContain(name);
    }
    expect(fieldTestOf(["title"])("title_sort")).toBe(false);
  });
});

describe("expandEdition", () => {
  it("has scores and the members of its work", () => {
    const expanded = expandEdition(storedEdition(document.editions[0]!));
    expect(expanded).toMatchObject({
      key: "/books/OL9M",
      type: "edition",
      work_key: ["OL1W"],
      author_facet: ["OL1A Al", "OL2A Zoe"],
      edition_name: ["2nd"],
      publisher_facet: ["A", "B"],
      access_score: 50,
      access_score_normalized: 13,
      discovery_score: 113,
      discovery_score_normalized: 52,
      evaluation_score: 32,
      evaluation_score_normalized: 14,
      usefulness_score: 195,
      usefulness_score_normalized: 24,
    });
    expect(expanded).not.toHaveProperty("scores");
    expect(expanded).not.toHaveProperty("alternative_title");
    const names = Object.keys(expanded);
    expect(names).toEqual(names.toSorted());
  });
});

describe("other documents", () => {
  it("sums the counts of an author", () => {
    const expanded = expandAuthor({
      key: "/authors/OL1A",
      type: "author",
      name: "A",
      work_count: 2,
      top_work: "Don Quixote",
      top_subjects: ["Love"],
      counts: { ...NO_COUNTS, wantToRead: 3 },
    });
    expect(expanded).toMatchObject({
      key: "/authors/OL1A",
      name: "A",
      work_count: 2,
      top_work: "Don Quixote",
      top_subjects: ["Love"],
      want_to_read_count: 3,
      readinglog_count: 3,
      ratings_average: 0,
    });
    expect(expanded).not.toHaveProperty("birth_date");
  });

  it("includes the kind of a subject", () => {
    const subject = { key: "/subjects/place:x", name: "X", subject_type: "place", work_count: 1 } as const;
    expect(expandSubject(subject)).toEqual({ ...subject, type: "subject" });
  });

  it("includes the subjects of a list", () => {
    const list = {
      key: "/series/OL1L",
      type: "series",
      list_type: "series",
      name: "S",
      seed: ["/works/OL1W"],
      seed_count: 1,
      last_modified: "2025-01-03T20:50:27.524685Z",
    } as const;
    expect(expandList(list)).toEqual(list);
    expect(expandList({ ...list, place: ["La Mancha"] })).toEqual({
      ...list,
      place: ["La Mancha"],
      place_facet: ["La Mancha"],
      place_key: ["la_mancha"],
    });
  });
});
