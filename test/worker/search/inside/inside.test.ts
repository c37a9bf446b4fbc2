import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { author, edition, language, work } from "../../../support/worker/records.ts";
import { testService } from "../../../support/worker/service.ts";

const service = testService();
const OPERATOR = { Authorization: `Bearer ${env.LOAD_TOKEN}` };

interface Hit {
  _score: number;
  fields: Record<string, unknown[]>;
  highlight: { text: string[] };
  edition?: Record<string, unknown>;
  availability?: Record<string, unknown>;
}
interface Answer {
  hits: { total: number; max_score: number | null; hits: Hit[] };
  aggregations?: Record<string, { buckets: { key: unknown; doc_count: number }[] }>;
  error?: string;
}

const put = (item: string, text: string, query = "") =>
  service.fetch(`/system/text/${item}${query}`, { method: "PUT", body: text, headers: OPERATOR });
const remove = (item: string) =>
  service.fetch(`/system/text/${item}`, { method: "DELETE", headers: OPERATOR });
async function inside(query: string): Promise<Answer> {
  const response = await service.fetch(`/search/inside.json?${query}`);
  expect(response.status).toBe(200);
  return response.json<Answer>();
}
const found = ({ hits }: Answer) => hits.hits.map(({ fields }) => fields["identifier"]?.[0]);

const PRIDE = [
  "PRIDE AND PREJUDICE",
  "It is a truth universally acknowledged, that a single man in possession\nof a good fortune, must be in want of a wife.",
  "However little known the feelings or views of such a man may be, this truth\nis so well fixed in the minds of the surrounding families.",
].join("\f");

beforeAll(async () => {
  await service.load(
    language("eng", "English"),
    language("ger", "German"),
    author(1, { name: "Jane Austen" }),
    work(1, { authors: [1], subjects: ["Fiction", "Accessible book"] }),
    edition(1, {
      work: 1,
      title: "Pride and Prejudice",
      ocaid: "prideprejudice00aust",
      publish_date: "January 28, 1813",
      languages: [{ key: "/languages/eng" }],
      publishers: ["Egerton"],
      covers: [7],
    }),
    work(2, { subjects: ["In library"] }),
    edition(2, { work: 2, title: "Lent", ocaid: "lent00book" }),
    work(3),
    edition(3, { work: 3, title: "Closed", ocaid: "closed00book" }),
  );
  await put("prideprejudice00aust", PRIDE);
  await put(
    "lent00book",
    "A truth universally denied. The Dog barks.",
    "?language=ger&year=1900&creator=X&creator=Y",
  );
  await put("closed00book", "Nothing but the truth.\fThe truth, the truth! O'Brien's wi-fi", "?title=Given");
  await put(
    "stray",
    "The dog and the truth of Łódź: 村上春樹の本",
    "?title=Stray&downloads=10&collection=americana",
  );
});

describe("GET /search/inside.json", () => {
  it("returns a hit with its edition", async () => {
    const answer = await inside("q=truth universally acknowledged");
    expect(answer.hits.total).toBe(1);
    expect(answer).toMatchObject({ timed_out: false, took: expect.any(Number) });
    const [hit] = answer.hits.hits;
    expect(answer.hits.max_score).toBe(hit?._score);
    expect(hit?.fields).toEqual({
      identifier: ["prideprejudice00aust"],
      meta_title: ["Pride and Prejudice"],
      meta_creator: ["Jane Austen"],
      meta_year: [1813],
      meta_languageSorter: ["English"],
      meta_subjectSorter: ["Fiction", "Accessible book"],
      meta_publisher: ["Egerton"],
      meta_date: ["January 28, 1813"],
      meta_mediatype: ["texts"],
      page_num: [2],
    });
    expect(hit?.highlight.text).toEqual([
      "It is a {{{truth}}} {{{universally}}} {{{acknowledged}}}, that a single man in possession of a good fortune, must be",
    ]);
    expect(hit?.edition).toMatchObject({
      key: "/books/OL1M",
      url: "/books/OL1M/Pride_and_Prejudice",
      title: "Pride and Prejudice",
      ocaid: "prideprejudice00aust",
      eligibility: {},
      authors: [{ key: "/authors/OL1A", name: "Jane Austen" }],
      work_key: "/works/OL1W",
      cover_url: "http://carrel.test/b/id/7-M.jpg",
    });
    expect(hit?.availability).toMatchObject({
      status: "open",
      is_readable: true,
      openlibrary_edition: "OL1M",
    });
  });

  it("returns a hit without an edition", async () => {
    const [hit] = (await inside("q=Łódź")).hits.hits;
    expect(hit).not.toHaveProperty("edition");
    expect(hit).not.toHaveProperty("availability");
    expect(hit?.fields).toMatchObject({
      meta_title: ["Stray"],
      meta_downloads: [10],
      meta_collection: ["americana"],
    });
  });

  it.each([
    ["truth", 4],
    ["the truth", 2],
    ["“the truth”", 2],
    ["truth the", 1],
    ["universally truth", 0],
    ["lodz", 1],
    ["春樹の", 1],
    ["o'brien", 1],
    ["wi fi", 1],
    ["wi-fi", 1],
    ["dog bark", 0],
    ["tru*", 0],
    ["possession of a good", 1],
  ])("finds %s in %i books", async (phrase, total) => {
    expect((await inside(`q=${encodeURIComponent(phrase)}`)).hits.total).toBe(total);
  });

  // Q55
  it.each(["", "   ", '"', '""', "“”", "?!"])("returns nothing for %j without a search", async (phrase) => {
    expect(await inside(`q=${encodeURIComponent(phrase)}`)).toEqual({ hits: { hits: [], total: 0 } });
  });

  it("returns each book once, best first, with the pages of its snippets", async () => {
    const answer = await inside("q=truth");
    expect(answer.hits.total).toBe(4);
    const scores = answer.hits.hits.map(({ _score }) => _score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    const closed = answer.hits.hits.find(({ fields }) => fields["identifier"]?.[0] === "closed00book");
    expect(closed?.fields["page_num"]).toEqual([1, 2]);
    expect(closed?.highlight.text).toEqual([
      "Nothing but the {{{truth}}}.",
      "The {{{truth}}}, the {{{truth}}}! O'Brien's wi-fi",
    ]);
  });

  it("pages without overlap, and prefers offset over page", async () => {
    const all = found(await inside("q=truth"));
    const pages = await Promise.all([1, 2, 3].map((page) => inside(`q=truth&limit=2&page=${page}`)));
    expect(pages.flatMap(found)).toEqual(all);
    expect(pages.map(({ hits }) => hits.total)).toEqual([4, 4, 4]);
    expect(found(await inside("q=truth&limit=2&page=1&offset=3"))).toEqual(all.slice(3));
    expect(await inside("q=truth&limit=0")).toMatchObject({ hits: { total: 4, hits: [] } });
    expect(await inside("q=truth&offset=99999999")).toMatchObject({ hits: { total: 4, hits: [] } });
  });

  it("counts facets over the books", async () => {
    const { aggregations } = await inside("q=truth");
    expect(Object.keys(aggregations ?? {})).toEqual([
      "top-languages",
      "top-collection",
      "top-mediatype",
      "top-year",
      "top-subject",
      "top-creator",
    ]);
    expect(aggregations?.["top-mediatype"]?.buckets).toEqual([{ key: "texts", doc_count: 4 }]);
    expect(aggregations?.["top-year"]?.buckets).toEqual([
      { key: 1813, doc_count: 1 },
      { key: 1900, doc_count: 1 },
    ]);
    expect(aggregations?.["top-creator"]?.buckets.map(({ key }) => key)).toEqual(["Jane Austen", "X", "Y"]);
    expect(await inside("q=truth&facets=false")).not.toHaveProperty("aggregations");
    expect((await inside("q=nowhere")).aggregations?.["top-year"]).toEqual({ buckets: [] });
  });

  it.each([
    ["language=ger", ["lent00book"]],
    ["language=&language=english&language=ger", ["prideprejudice00aust"]],
    ["language=Klingon", []],
  ])("%s", async (query, expected) => {
    const answer = await inside(`q=truth&${query}`);
    expect(found(answer)).toEqual(expected);
    expect(answer.hits.total).toBe(expected.length);
  });

  // Q57
  it("filters unreadable hits, but not the total", async () => {
    const answer = await inside("q=truth&readable=true");
    expect(found(answer).toSorted()).toEqual(["lent00book", "prideprejudice00aust"]);
    expect(answer.hits.total).toBe(4);
  });

  it.each([
    ["", "missing", "q"],
    ["?q=a&page=0", "greater_than_equal", "page"],
    ["?q=a&facets=maybe", "bool_parsing", "facets"],
  ])("answers 422 for %s: %s", async (query, type, name) => {
    const response = await service.fetch(`/search/inside.json${query}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ type, loc: ["query", name] }] });
  });
});

describe("/system/text", () => {
  it("replaces and deletes a text with its object", async () => {
    await put("changing", "first words here\fsecond page words");
    expect((await inside("q=second page words")).hits.total).toBe(1);
    await put("changing", "other words there", "?title=New");
    expect((await inside("q=second page words")).hits.total).toBe(0);
    const answer = await inside("q=other words there");
    expect(answer.hits.hits[0]?.fields).toMatchObject({ meta_title: ["New"], page_num: [1] });
    expect((await env.ARCHIVE.list({ prefix: "text/changing/" })).objects).toHaveLength(1);
    expect((await remove("changing")).status).toBe(200);
    expect((await inside("q=other words there")).hits.total).toBe(0);
    expect((await env.ARCHIVE.list({ prefix: "text/changing/" })).objects).toEqual([]);
    expect((await remove("changing")).status).toBe(404);
  });

  it("finds the pages of a long book", async () => {
    const pages = Array.from(
      { length: 3000 },
      (_, place) => `page ${place} ${"filler words ".repeat(40)}mark${place}`,
    );
    const response = await put("long", pages.join("\f"));
    expect(await response.json()).toEqual({ identifier: "long", pages: 3000, title: null });
    for (const place of [0, 57, 1234, 2999]) {
      const [hit] = (await inside(`q=mark ${place}`)).hits.hits;
      expect(hit?.fields["page_num"]).toEqual([place + 1]);
      expect(hit?.highlight.text[0]).toMatch(new RegExp(`\\{\\{\\{mark${place}\\}\\}\\}$`));
    }
    const [hit] = (await inside("q=filler words filler")).hits.hits;
    expect(hit?.highlight.text).toHaveLength(5);
    await remove("long");
  });

  it("stores standard gzip", async () => {
    const { objects } = await env.ARCHIVE.list({ prefix: "text/prideprejudice00aust/" });
    const object = await env.ARCHIVE.get(objects[0]?.key ?? "");
    const text = await new Response(object?.body.pipeThrough(new DecompressionStream("gzip"))).text();
    expect(text).toBe(`${PRIDE}\f`);
  });

  it("accepts POST, and requires the operator token", async () => {
    const init = { method: "POST", body: "posted words", headers: OPERATOR };
    expect((await service.fetch("/system/text/posted", init)).status).toBe(200);
    expect((await remove("posted")).status).toBe(200);
    expect((await service.fetch("/system/text/posted", { method: "PUT", body: "x" })).status).toBe(401);
    expect((await service.fetch("/system/text/posted", { method: "DELETE" })).status).toBe(401);
  });

  it.each([
    ["empty", "", 400],
    ["blank", " \f \n", 400],
    ["pages", "a\f".repeat(10_001), 400],
    ["-bad", "x", 422],
    ["a%2Fb", "x", 422],
    ["large", "x".repeat(10 * 1024 * 1024 + 1), 413],
  ])("refuses %s", async (item, text, status) => {
    expect((await put(item, text)).status).toBe(status);
  });
});

describe("GET /search/inside.json without an index", () => {
  // Q56
  it("reports the error with 200", async () => {
    await env.SEARCH.exec("DROP TABLE book");
    expect(await inside("q=truth")).toEqual({ error: "Unable to query search engine" });
  });
});
