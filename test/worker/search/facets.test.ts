import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { facetHeadersOf } from "../../../src/worker/search/facets.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
type Rows = Record<string, { value: string; label: string; count: number }[]>;
const facets = async (query: string): Promise<Rows> => {
  const response = await service.fetch(`/search/facets.json?${query}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("X-Facets")).toBeNull();
  return response.json<Rows>();
};
const inLanguage = (...codes: string[]) => ({
  languages: codes.map((code) => ({ key: `/languages/${code}` })),
});

beforeAll(async () => {
  await service.load(
    language("eng", "English", { name_translated: { de: ["Englisch"] } }),
    language("ger", "German"),
    author(1, { name: "Ann Lee" }),
    author(2, { name: "Bob" }),
    work(1, {
      title: "Sea one",
      authors: [1],
      subjects: ["Whales", "Boats", "Whales"],
      subject_places: ["Nantucket"],
    }),
    work(2, { title: "Sea two", authors: [1, 2], subjects: ["Whales"], subject_people: ["Ahab"] }),
    work(3, { title: "Land", authors: [2], subjects: ["whales"], subject_times: ["1800s"] }),
    edition(1, { work: 1, publishers: ["Sea Press"], publish_date: "1999", ...inLanguage("eng", "ger") }),
    edition(2, {
      work: 1,
      publishers: ["Sea Press", "Other Press"],
      publish_date: "2001",
      ...inLanguage("eng"),
    }),
    edition(3, {
      work: 2,
      publishers: ["sea press"],
      publish_date: "1999",
      providers: [{ url: "http://a", access: "read" }],
    }),
    edition(4, { work: 3, publishers: ["Land Press"], ...inLanguage("xyz") }),
  );
  await indexAll();
});

/** Counts over all works are kept for an hour. */
beforeEach(async () => {
  const { keys } = await env.CACHE.list({ prefix: "facets:" });
  for (const { name } of keys) await env.CACHE.delete(name);
});

const ALL =
  "author_facet,first_publish_year,has_fulltext,language,person_facet,place_facet,public_scan_b,publisher_facet,subject_facet,time_facet"
    .split(",")
    .map((field) => `&field=${field}`)
    .join("");

describe("GET /search/facets.json", () => {
  it("counts every field over the matching works", async () => {
    expect(await facets(`q=sea${ALL}`)).toEqual({
      author_facet: [
        { value: "OL1A", label: "Ann Lee", count: 2 },
        { value: "OL2A", label: "Bob", count: 1 },
      ],
      first_publish_year: [{ value: "1999", label: "1999", count: 2 }],
      has_fulltext: [
        { value: "false", label: "no", count: 1 },
        { value: "true", label: "yes", count: 1 },
      ],
      language: [
        { value: "eng", label: "English", count: 1 },
        { value: "ger", label: "German", count: 1 },
      ],
      person_facet: [{ value: "Ahab", label: "Ahab", count: 1 }],
      place_facet: [{ value: "Nantucket", label: "Nantucket", count: 1 }],
      public_scan_b: [
        { value: "false", label: "false", count: 1 },
        { value: "true", label: "true", count: 1 },
      ],
      publisher_facet: [
        { value: "Other Press", label: "Other Press", count: 1 },
        { value: "Sea Press", label: "Sea Press", count: 1 },
        { value: "sea press", label: "sea press", count: 1 },
      ],
      subject_facet: [
        { value: "Whales", label: "Whales", count: 2 },
        { value: "Boats", label: "Boats", count: 1 },
      ],
      time_facet: [],
    });
  });

  it("counts over all works without a query", async () => {
    expect(
      await facets("field=has_fulltext&field=language&field=author_facet&field=first_publish_year"),
    ).toEqual({
      has_fulltext: [
        { value: "false", label: "no", count: 2 },
        { value: "true", label: "yes", count: 1 },
      ],
      language: [
        { value: "eng", label: "English", count: 1 },
        { value: "ger", label: "German", count: 1 },
        { value: "xyz", label: "xyz", count: 1 },
      ],
      author_facet: [
        { value: "OL1A", label: "Ann Lee", count: 2 },
        { value: "OL2A", label: "Bob", count: 2 },
      ],
      first_publish_year: [{ value: "1999", label: "1999", count: 2 }],
    });
    expect(await facets("field=publisher_facet&field=public_scan_b")).toMatchObject({
      publisher_facet: [
        { value: "Land Press" },
        { value: "Other Press" },
        { value: "Sea Press" },
        { value: "sea press" },
      ],
      public_scan_b: [
        { value: "false", count: 2 },
        { value: "true", count: 1 },
      ],
    });
    const subjects = await service.fetch("/search/facets.json?field=subject_facet");
    expect(subjects.headers.get("X-Facets")).toBe("approximate");
    expect(await subjects.json()).toMatchObject({
      subject_facet: [{ value: "Whales", count: 2 }, { value: "Boats" }],
    });
  });

  it.each([
    ["subject_facet=Whales", 2],
    ["subject_facet=Whales&author_facet=OL2A", 1],
    ["language=ger&language=xyz", 2],
    ["title=land", 1],
    ["has_fulltext=true", 1],
    ["q=nothing", 0],
    ["q=!!!", 0],
  ])("applies %s", async (query, count) => {
    const { author_facet: authors = [], has_fulltext: readable = [] } = await facets(
      `${query}&field=has_fulltext&field=author_facet`,
    );
    expect(readable.reduce((sum, row) => sum + row.count, 0)).toBe(count);
    expect(authors.length > 0).toBe(count > 0);
  });

  it("names languages in the client's language", async () => {
    const response = await service.fetch("/search/facets.json?q=sea&field=language&lang=de");
    expect(await response.json()).toMatchObject({ language: [{ label: "Englisch" }, { label: "German" }] });
  });

  it("refuses missing and unknown fields", async () => {
    const missing = await service.fetch("/search/facets.json?q=sea");
    expect(missing.status).toBe(422);
    expect(await missing.json()).toEqual({
      detail: [{ type: "missing", loc: ["query", "field"], msg: "Field required", input: null }],
    });
    const unknown = await service.fetch("/search/facets.json?q=sea&field=language&field=isbn");
    expect(await unknown.json()).toMatchObject({
      detail: [
        {
          type: "literal_error",
          loc: ["query", "field", 1],
          msg:
            "Input should be 'author_facet', 'first_publish_year', 'has_fulltext', 'language', 'person_facet', " +
            "'place_facet', 'public_scan_b', 'publisher_facet', 'subject_facet' or 'time_facet'",
          input: "isbn",
        },
      ],
    });
    const short = await service.fetch("/search/facets.json?q=ab&field=language");
    expect(short.status).toBe(422);
  });
});

describe("GET /search/publishers.json", () => {
  it("returns publishers whose name contains the words", async () => {
    expect(await service.json("/search/publishers.json?q=SEA+pr")).toEqual({ numFound: 0, docs: [] });
    expect(await service.json("/search/publishers.json?q=sea")).toEqual({
      numFound: 2,
      docs: [
        { name: "Sea Press", key: "/publishers/Sea_Press", count: 1 },
        { name: "sea press", key: "/publishers/sea_press", count: 1 },
      ],
    });
    expect(await service.json("/search/publishers.json?q=")).toEqual({ numFound: 0, docs: [] });
    expect(await service.json("/search/publishers.json?q=othre+prss")).toEqual({
      numFound: 1,
      docs: [{ name: "Other Press", key: "/publishers/Other_Press", count: 1 }],
    });
    expect(await service.json("/search/publishers.json?q=xyzzy+press")).toEqual({ numFound: 0, docs: [] });
  });
});

it.each([
  [{ exact: true }, {}],
  [{ exact: false }, { "X-Facets": "approximate" }],
  [{ exact: true, asOf: 0 }, { "X-Facets-As-Of": "1970-01-01T00:00:00.000Z" }],
])("headers describe the precision of %j", (counted, headers) => {
  expect(facetHeadersOf({ numFound: 0, fields: {}, ...counted })).toEqual(headers);
});
