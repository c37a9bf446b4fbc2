import { describe, expect, it } from "vitest";
import { entityIdOf, entityOf, keyOfEntity, typeOfKey } from "../../../src/search/reconcile/entities.ts";
import {
  type RequestedValue,
  nameSimilarityOf,
  partialSimilarityOf,
  PROPERTIES,
} from "../../../src/search/reconcile/properties.ts";
import { isMatch, parseAuthorRequest, scoreCandidates } from "../../../src/search/reconcile/score.ts";

describe("names", () => {
  it.each([
    ["Jane Austen", "Austen, Jane", 100],
    ["Émile Zola", "emile ZOLA", 100],
    ["Pride and Prejudice", "Pride & prejudice", 100],
    ["Emma", "", 0],
    ["Emma", "?!", 0],
    ["abc", "xyz", 0],
  ])("%s and %s are alike by %i", (one, other, likeness) => {
    expect(nameSimilarityOf(one, other)).toBe(likeness);
    expect(nameSimilarityOf(other, one)).toBe(likeness);
  });

  it("are less alike the more they differ", () => {
    const near = nameSimilarityOf("Pride and Prejudice", "Pride and Prejudise");
    expect(near).toBeGreaterThan(85);
    expect(near).toBeLessThan(100);
    expect(nameSimilarityOf("Pride and Prejudice", "Pride")).toBeLessThan(near);
    const long = "a b ".repeat(200);
    expect(nameSimilarityOf(long, long)).toBe(100);
    expect(nameSimilarityOf("aa a", "a aa a a")).toBeLessThan(100);
  });

  it("match whole names by a part", () => {
    expect(partialSimilarityOf("Robert Louis Stevenson", "R. L. Stevenson")).toBe(90);
    expect(partialSimilarityOf("Jane Austen", "Austen")).toBe(90);
    expect(partialSimilarityOf("Jane Austen", "Jane Doe")).toBeLessThan(70);
    expect(partialSimilarityOf("Jane Austen", "")).toBe(0);
  });
});

describe("ids", () => {
  it.each([
    ["OL1W", "/works/OL1W", "work"],
    ["OL1M", "/books/OL1M", "edition"],
    ["OL1A", "/authors/OL1A", "author"],
    ["subject:love", "/subjects/love", "subject"],
    ["place:são_paulo", "/subjects/place:são_paulo", "subject"],
  ])("%s is %s, a %s", (id, key, type) => {
    expect(keyOfEntity(id, "OL")).toBe(key);
    expect(entityIdOf(key)).toBe(id);
    expect(typeOfKey(key)).toBe(type);
  });

  it("accept no other ids", () => {
    expect(keyOfEntity("/works/OL1W", "OL")).toBe("/works/OL1W");
    for (const id of ["OL1L", "love", "list:x", "OL1W/x", "subject:", ""])
      expect(keyOfEntity(id, "OL")).toBeUndefined();
    expect(entityOf({ key: "/lists/OL1L", name: "A list" })).toBeUndefined();
  });
});

const work = (id: number, title: string, more = {}) => {
  const entity = entityOf({
    key: `/works/OL${id}W`,
    title,
    author_name: ["Jane Doe"],
    author_key: ["OL1A"],
    ...more,
  });
  if (entity === undefined) throw new Error("no entity");
  return entity;
};
const asked = (query: string | undefined, properties: Record<string, RequestedValue[]> = {}) => ({
  query,
  properties: Object.entries(properties).flatMap(([id, values]) =>
    PROPERTIES.filter((property) => property.id === id).map((property) => ({ property, values })),
  ),
});

describe("scores", () => {
  it("are the weighted mean of name and properties", () => {
    const [first] = scoreCandidates(
      [work(1, "Rivers", { first_publish_year: 1905, isbn: ["9780451526533"] })],
      asked("rivers", {
        year: [{ text: "1900" }],
        author: [{ text: "Doe" }],
        publisher: [{ text: "Quill" }],
      }),
    );
    expect(first?.features).toEqual([
      { id: "name", value: 100 },
      { id: "property:year", value: 50 },
      { id: "property:author", value: 90 },
    ]);
    // (3 * 100 + 1 * 50 + 2 * 90) / 6
    expect(first?.score).toBe(88.3);
  });

  it.each([
    ["isbn", { text: "0-451-52653-8" }, 100],
    ["isbn", { text: "9780141439518" }, undefined],
    ["author", { text: "", id: "OL1A" }, 100],
    ["author", { text: "Jane Doe", id: "OL2A" }, undefined],
    ["year", { text: "long ago" }, undefined],
    ["language", { text: "ENG" }, 100],
    ["language", { text: "English" }, 100],
    ["language", { text: "?" }, undefined],
    ["oclc", { text: "(OCoLC)12345" }, 100],
    ["lccn", { text: "2001-627090" }, 100],
    ["author", { text: "Doe, Jane, 1775-1817." }, 100],
  ])("compare %s with %j: %s", (id, value, score) => {
    const entity = work(1, "Rivers", {
      isbn: ["9780451526533"],
      first_publish_year: 1900,
      language: ["eng"],
      oclc: ["ocm00012345"],
      lccn: ["2001627090"],
    });
    expect(scoreCandidates([entity], asked(undefined, { [id]: [value] }))[0]?.score).toBe(score);
  });

  it("take the best of several names and values", () => {
    const entity = work(1, "Rivers", { subtitle: "A history" });
    const of = (query: string) => scoreCandidates([entity], asked(query))[0]?.score;
    expect([of("Rivers: a history"), of("Rivers, by Jane Doe"), of("rivers jane doe")]).toEqual([97, 88, 97]);
    const values = [{ text: "Somebody" }, { text: "Jane Doe" }];
    expect(scoreCandidates([entity], asked(undefined, { author: values }))[0]?.score).toBe(100);
  });

  it("compare authors by the name and the years of a heading", () => {
    const { query, properties } = parseAuthorRequest(asked("Doe, Jane, 1775-1817."));
    expect(query).toBe("Doe, Jane");
    expect(properties.map(({ property, values }) => [property.id, values])).toEqual([
      ["birth_date", [{ text: "1775" }]],
      ["death_date", [{ text: "1817" }]],
    ]);
    expect(parseAuthorRequest(asked(undefined))).toEqual(asked(undefined));
  });

  it("match a good result that is clearly the best", () => {
    const found = (...titles: string[]) =>
      scoreCandidates(
        titles.map((title, id) => work(id, title)),
        asked("Rivers"),
      );
    expect(isMatch(found("Rivers", "Rivers of the North"))).toBe(true);
    expect(isMatch(found("Rivers", "Rivers"))).toBe(false);
    expect(isMatch(found("Rivers of the North"))).toBe(false);
    expect(isMatch(found("Something else"))).toBe(false);
    expect(found("Something else")).toEqual([]);
  });
});
