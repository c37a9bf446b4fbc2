import { describe, expect, it } from "vitest";
import { type ListSeed, toListSeed, toSeedEntry } from "../../../../src/catalog/lists/seed-entry.ts";
import type { CatalogRecord, Json } from "../../../../src/catalog/record.ts";

const TIME = "2026-01-02T03:04:05.678901";
const record = (type: string, members: CatalogRecord = {}) => ({
  type: `/type/${type}`,
  revision: 1,
  lastModified: TIME,
  members,
});
const pictures = { coversUrl: "http://covers.test", subjects: new Map([["subject:love_and_war", 7]]) };
const entry = (seed: Json, of?: ListSeed["record"]) => {
  const made = toListSeed(seed, of);
  return made === undefined ? undefined : toSeedEntry(made, pictures);
};

describe("toSeedEntry", () => {
  it("shows works with title, time and cover", () => {
    const members = { title: "Dune", covers: [-1, null, 5] };
    expect(entry({ key: "/works/OL1W" }, record("work", members))).toEqual({
      url: "/works/OL1W",
      full_url: "/works/OL1W/Dune",
      type: "work",
      title: "Dune",
      last_update: TIME,
      picture: { url: "http://covers.test/b/id/5-S.jpg" },
    });
  });

  it("shows editions with their prefix, and authors with their photo", () => {
    const edition = record("edition", { title: "Hobbit", title_prefix: "The" });
    expect(entry({ key: "/b/OL1M" }, edition)).toMatchObject({
      url: "/books/OL1M",
      full_url: "/books/OL1M/The_Hobbit",
      type: "edition",
      title: "The Hobbit",
    });
    expect(entry({ key: "/authors/OL1A" }, record("author", { name: "Ann B.", photos: [3] }))).toMatchObject({
      full_url: "/authors/OL1A/Ann_B.",
      type: "author",
      title: "Ann B.",
      picture: { url: "http://covers.test/a/id/3-S.jpg" },
    });
  });

  it("falls back to the key as title", () => {
    expect(entry({ key: "/works/OL1W" }, record("work"))).toMatchObject({
      full_url: "/works/OL1W/untitled",
      title: "/works/OL1W",
    });
    expect(entry({ key: "/authors/OL1A" }, record("author"))).toMatchObject({
      full_url: "/authors/OL1A/unnamed",
    });
  });

  it("shows subjects with their prefix and the picture of a work", () => {
    expect(entry("subject:love_and_war")).toEqual({
      url: "/subjects/love_and_war",
      full_url: "/subjects/love_and_war",
      type: "subject",
      title: "subject:love and war",
      last_update: null,
      picture: { url: "http://covers.test/b/id/7-S.jpg" },
    });
    const place = { url: "/subjects/place:france", title: "place:france", last_update: null };
    expect(entry("place:france")).toMatchObject(place);
    expect(entry({ key: "/subjects/place:france" })).toMatchObject(place);
  });

  it("shows redirects and missing records by key, without a picture", () => {
    expect(entry({ key: "/works/OL1W" }, record("redirect", { covers: [1] }))).toEqual({
      url: "/works/OL1W",
      full_url: "/works/OL1W",
      type: "redirect",
      title: "/works/OL1W",
      last_update: TIME,
    });
    const gone = { url: "/works/OL1W", full_url: "/works/OL1W", type: "unknown", title: "/works/OL1W" };
    expect(entry({ key: "/works/OL1W" }, record("delete"))).toEqual({ ...gone, last_update: TIME });
    expect(entry({ key: "/works/OL1W" })).toEqual({ ...gone, last_update: null });
  });

  // Q243
  it("includes notes and position of the seed", () => {
    const seed = { thing: { key: "/works/OL1W" }, notes: "why", position: 2 };
    expect(entry(seed, record("work", { title: "T" }))).toMatchObject({ notes: "why", position: "2" });
    expect(entry({ thing: { key: "/works/OL1W" }, notes: "" })).not.toHaveProperty("notes");
  });

  it("skips invalid seeds", () => {
    expect(entry({ notes: "x" })).toBeUndefined();
    expect(entry("")).toBeUndefined();
    expect(entry(null)).toBeUndefined();
  });

  it("omits a zero fraction", () => {
    const whole = { ...record("work"), lastModified: "2026-01-02T03:04:05.000000" };
    expect(entry({ key: "/works/OL1W" }, whole)).toMatchObject({ last_update: "2026-01-02T03:04:05" });
  });
});
