import { beforeAll, describe, expect, it } from "vitest";
import { addItem } from "../../support/worker/holdings.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

beforeAll(async () => {
  await addItem("foxscan", ["inlibrary"]);
  await addItem("openscan", ["americana"]);
  await addItem("blindscan", ["printdisabled"]);
  await service.load(
    author(1, { name: "Roald Dahl" }),
    author(2, { name: "Leo Tolstoy" }),
    work(1, {
      title: "Fantastic Mr Fox",
      authors: [1],
      subjects: ["Love", "Foxes", "Children's stories, English"],
      subject_people: ["Mr. Fox"],
      subject_places: ["San Francisco (Calif.)"],
      subject_times: ["20th century"],
    }),
    work(2, {
      title: "Anna Karenina",
      authors: [2],
      subjects: ["Love", "Foxes"],
      subject_people: ["Anna Karenina"],
    }),
    work(3, { title: "Love again", subjects: ["love"] }),
    edition(11, {
      work: 1,
      publishers: ["Puffin Books"],
      publish_date: "1970",
      ocaid: "foxscan",
      languages: [{ key: "/languages/eng" }],
      covers: [7],
    }),
    edition(12, { work: 1, publishers: ["PUFFIN BOOKS"], publish_date: "1988" }),
    edition(13, { work: 1, publish_date: "2999" }),
    edition(21, { work: 2, publishers: ["Puffin Books"], publish_date: "1877", ocaid: "openscan" }),
    edition(31, { work: 3, ocaid: "blindscan" }),
    edition(32, { title: "Orphan", subjects: ["Love"] }),
  );
  await indexAll();
});

interface Page {
  work_count: number;
  works: { key: string }[];
}
const page = async (path: string, init?: RequestInit) =>
  Object(await service.json(path, init)) as Page & Record<string, unknown>;
const keys = async (path: string, init?: RequestInit) => (await page(path, init)).works.map(({ key }) => key);

describe("GET /subjects/{key}.json", () => {
  it("lists the works, most editions first", async () => {
    const response = await service.fetch("/subjects/love.json");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const answer = Object(await response.json());
    expect(Object.keys(answer)).toEqual(["key", "name", "subject_type", "solr_query", "work_count", "works"]);
    expect(answer).toMatchObject({
      key: "/subjects/love",
      name: "love",
      subject_type: "subject",
      solr_query: 'subject_key:"love"',
      work_count: 4,
    });
    expect(answer.works[0]).toEqual({
      key: "/works/OL1W",
      title: "Fantastic Mr Fox",
      edition_count: 3,
      cover_id: 7,
      cover_edition_key: "OL11M",
      subject: ["Love", "Foxes", "Children's stories, English"],
      ia_collection: ["inlibrary"],
      printdisabled: false,
      lending_edition: "OL11M",
      lending_identifier: "foxscan",
      authors: [{ key: "/authors/OL1A", name: "Roald Dahl" }],
      first_publish_year: 1970,
      ia: "foxscan",
      public_scan: false,
      has_fulltext: true,
      availability: expect.objectContaining({ status: "borrow_available", identifier: "foxscan" }),
    });
    expect(answer.works.map(({ key }: { key: string }) => key)).toContain("/works/OL32M");
  });

  it("adds facets with details=true", async () => {
    const answer = await page("/subjects/love.json?details=true&limit=0");
    expect(answer).toMatchObject({
      name: "Love",
      works: [],
      ebook_count: 3,
      subjects: [
        { key: "/subjects/foxes", name: "Foxes", count: 2 },
        { key: "/subjects/children's_stories_english", name: "Children's stories, English", count: 1 },
      ],
      places: [{ key: "/subjects/place:san_francisco_(calif.)", name: "San Francisco (Calif.)", count: 1 }],
      people: [
        { key: "/subjects/person:anna_karenina", name: "Anna Karenina", count: 1 },
        { key: "/subjects/person:mr._fox", name: "Mr. Fox", count: 1 },
      ],
      times: [{ key: "/subjects/time:20th_century", name: "20th century", count: 1 }],
      authors: [
        { name: "Roald Dahl", key: "/authors/OL1A", count: 1 },
        { name: "Leo Tolstoy", key: "/authors/OL2A", count: 1 },
      ],
      publishers: [
        { name: "Puffin Books", count: 2, key: "/publishers/Puffin_Books" },
        { name: "PUFFIN BOOKS", count: 1, key: "/publishers/PUFFIN_BOOKS" },
      ],
      languages: [{ name: "eng", count: 1 }],
      publishing_history: [
        [1877, 1],
        [1970, 1],
        [1988, 1],
      ],
    });
  });

  it.each([
    ["/subjects/person:mr._fox.json", "person", ["/works/OL1W"]],
    ["/subjects/place:san_francisco_(calif.).json", "place", ["/works/OL1W"]],
    ["/subjects/time:20th_century.json", "time", ["/works/OL1W"]],
    ["/subjects/children's_stories_english.json", "subject", ["/works/OL1W"]],
    ["/subjects/a/b.json", "subject", []],
  ])("%s", async (path, type, expected) => {
    const { subject_type, works } = await page(path);
    expect([subject_type, works.map(({ key }) => key)]).toEqual([type, expected]);
  });

  it("redirects to lower case with the query", async () => {
    const response = await service.fetch("/subjects/place:San_Francisco%3f.json?details=true");
    expect(response.status).toBe(301);
    expect(response.headers.get("Location")).toBe("/subjects/place:san_francisco%3F.json?details=true");
  });

  it.each([
    ["has_fulltext=true", ["/works/OL1W", "/works/OL2W"]],
    ["published_in=1988", ["/works/OL1W"]],
    ["published_in=1800-1900", ["/works/OL2W"]],
    ["published_in=2000-", ["/works/OL1W", "/works/OL2W", "/works/OL32M", "/works/OL3W"]],
    ["limit=1&offset=1", ["/works/OL32M"]],
    ["limit=2&page=2&offset=0", ["/works/OL1W", "/works/OL32M"]],
    ["limit=1&sort=old", ["/works/OL2W"]],
    ["limit=2&sort=editions,title", ["/works/OL1W", "/works/OL2W"]],
  ])("?%s", async (query, expected) => {
    expect((await keys(`/subjects/love.json?${query}`)).toSorted()).toEqual(expected.toSorted());
  });

  it.each([
    ["has_fulltext=true", "a=b", { work_count: 2, ebook_count: 2 }],
    ["has_fulltext=true", "pd=1", { work_count: 3 }],
    ["has_fulltext=true&details=true", "a=b", { ebook_count: 2 }],
  ])("counts readable works for ?%s and the cookie %s", async (query, Cookie, expected) => {
    expect(await page(`/subjects/love.json?${query}`, { headers: { Cookie } })).toMatchObject(expected);
  });

  it.each([
    ["limit=1001", "limit", "less_than_equal"],
    ["limit=-1", "limit", "greater_than_equal"],
    ["sort=nonsense", "sort", "value_error"],
    ["details=perhaps", "details", "bool_parsing"],
  ])("?%s: 422", async (query, name, type) => {
    const response = await service.fetch(`/subjects/love.json?${query}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ type, loc: ["query", name] }] });
  });
});

describe("GET /publishers/{key}.json", () => {
  it("lists the works of exactly this publisher", async () => {
    expect(await page("/publishers/Puffin_Books.json")).toMatchObject({
      key: "/publishers/Puffin Books",
      name: "Puffin Books",
      subject_type: "publisher",
      solr_query: 'publisher_facet:"Puffin Books"',
      work_count: 2,
    });
    expect(await keys("/publishers/Puffin_Books.json")).toEqual(["/works/OL1W", "/works/OL2W"]);
    const blank = await service.fetch("/publishers/Puffin%20Books.json");
    expect([blank.status, blank.headers.get("Location")]).toEqual([308, "/publishers/Puffin_Books.json"]);
    expect(await keys("/publishers/PUFFIN_BOOKS.json")).toEqual(["/works/OL1W"]);
    expect(await page("/publishers/puffin_books.json")).toMatchObject({ work_count: 0, works: [] });
  });

  it("omits itself from its publishers", async () => {
    expect(await page("/publishers/Puffin_Books.json?details=true")).toMatchObject({
      publishers: [{ name: "PUFFIN BOOKS", count: 1 }],
      subjects: [{ name: "Foxes" }, { name: "Love" }, { name: "Children's stories, English" }],
    });
  });
});
