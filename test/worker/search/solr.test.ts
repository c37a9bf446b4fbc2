import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const call = (path: string, init?: RequestInit): Promise<Response> =>
  exports.SearchEngine.fetch(`http://search.test${path}`, init);
const json = async (path: string, init?: RequestInit) => Object(await (await call(path, init)).json());
const select = async (query: string) => Object(await json(`/solr/openlibrary/select?${query}`)).response;
const keys = async (query: string): Promise<string[]> =>
  (await select(`${query}&fl=key`)).docs.map(({ key }: { key: string }) => key);
const update = (body: unknown, path = "/solr/openlibrary/update") =>
  json(path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });

const TOLERANT = "/solr/openlibrary/update?update.chain=tolerant-chain";

beforeAll(async () => {
  await service.load(
    author(1, { name: "J. R. R. Tolkien" }),
    work(1, { title: "The Hobbit", authors: [1], subjects: ["Dwarves"] }),
    work(2, { title: "The Silmarillion", authors: [1], subjects: ["Dwarves", "Elves"] }),
    edition(11, { work: 1, languages: [{ key: "/languages/eng" }], publish_date: "1937" }),
    edition(21, { work: 2, languages: [{ key: "/languages/eng" }], publish_date: "1977" }),
    edition(22, { work: 2, languages: [{ key: "/languages/ger" }] }),
    { key: "/series/OL1L", type: "/type/series", name: "Middle-earth" },
  );
  await indexAll();
});

describe("/select", () => {
  it("answers in the format of Solr", async () => {
    const answer = await json("/solr/openlibrary/select?q=title:hobbit&fl=key,title&wt=json");
    expect(answer).toEqual({
      responseHeader: {
        status: 0,
        QTime: expect.any(Number),
        params: { q: "title:hobbit", fl: "key,title", wt: "json" },
      },
      response: {
        numFound: 1,
        start: 0,
        numFoundExact: true,
        docs: [{ key: "/works/OL1W", title: "The Hobbit" }],
      },
    });
  });

  it("accepts a form, any core and a trailing slash", async () => {
    const body = new URLSearchParams({ q: "title:hobbit", fl: "key" });
    for (const path of ["/solr/openlibrary/select", "/solr/other-core/select/", "/solr/select"]) {
      const answer = await json(path, { method: "POST", body });
      expect(answer.response.docs).toEqual([{ key: "/works/OL1W" }]);
    }
  });

  it.each([
    ["q=type:work&sort=key asc", ["/works/OL1W", "/works/OL2W"]],
    ["q=*:*&fq=type:work&sort=edition_count desc", ["/works/OL2W", "/works/OL1W"]],
    ["q=*:*&fq=type:work&fq=language:ger", ["/works/OL2W"]],
    ["q=author_key:OL1A AND first_publish_year:[1970 TO *]", ["/works/OL2W"]],
    ["q=type:author AND name:tolkien", ["/authors/OL1A"]],
    ['q=key:"/works/OL2W"', ["/works/OL2W"]],
    ["q={!terms f=key}/works/OL1W,/works/OL2W&sort=key asc", ["/works/OL1W", "/works/OL2W"]],
    ["q=*:*&fq={!terms f=key}/works/OL1W,/works/OL9W", ["/works/OL1W"]],
    ["q=type:subject AND name:elves", ["/subjects/elves"]],
    ["q=", []],
    ["q=type:edition", ["/books/OL11M", "/books/OL21M", "/books/OL22M"]],
    ["q=*:*&fq=type:edition&fq=-language:eng&sort=key desc", ["/books/OL22M"]],
    ["q={!term f=subject_key}elves", ["/works/OL2W"]],
    ["q=hobbit silmarillion&fq=type:work", []],
    ["q=hobbit silmarillion&fq=type:work&q.op=OR&sort=key asc", ["/works/OL1W", "/works/OL2W"]],
    ["q=hobbit&df=title", ["/works/OL1W"]],
  ])("%s", async (query, expected) => {
    expect(await keys(encodeURI(query))).toEqual(expected);
  });

  it("pages through all kinds of documents", async () => {
    const all = await keys("q=*:*&rows=100");
    expect(all).toHaveLength(6);
    expect((await select("q=*:*&rows=0")).numFound).toBe(6);
    const pages = await Promise.all([0, 2, 4].map((start) => keys(`q=*:*&start=${start}&rows=2`)));
    expect(pages.flat()).toEqual(all);
  });

  it("counts facets in each format", async () => {
    const facets = async (form: string) =>
      (
        await json(
          `/solr/openlibrary/select?q=type:work&rows=0&facet=true&facet.field=language&facet.field=subject_facet&facet.mincount=1&${form}`,
        )
      ).facet_counts;
    expect(await facets("")).toEqual({
      facet_queries: {},
      facet_fields: { language: ["eng", 2, "ger", 1], subject_facet: ["Dwarves", 2, "Elves", 1] },
      facet_ranges: {},
      facet_intervals: {},
      facet_heatmaps: {},
    });
    expect((await facets("json.nl=arrarr&f.language.facet.limit=1")).facet_fields).toEqual({
      language: [["eng", 2]],
      subject_facet: [
        ["Dwarves", 2],
        ["Elves", 1],
      ],
    });
  });

  it("returns scores", async () => {
    const { maxScore, docs } = await select("q=hobbit&fq=type:work&fl=key,score");
    expect(docs).toEqual([{ key: "/works/OL1W", score: expect.any(Number) }]);
    expect(maxScore).toBe(docs[0].score);
  });

  it.each(["q=nonsense:x", "q=title:", "q=x&sort=nonsense asc", "q=x&rows=-1", "q={!join}x"])(
    "%s: 400",
    async (query) => {
      const response = await call(`/solr/openlibrary/select?${query}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        responseHeader: { status: 400 },
        error: {
          metadata: ["error-class", "org.apache.solr.common.SolrException"],
          msg: expect.any(String),
          code: 400,
        },
      });
    },
  );

  it.each([
    ["many wildcards", `q=${encodeURIComponent([..."abcdefgh"].map((letter) => `${letter}*`).join(" OR "))}`],
    ["many words", `q=${"a-".repeat(1000)}`],
    ["many words of names", `q=type:author AND name:"${"a ".repeat(1000)}"`],
  ])("answers 400 in Solr's format for %s", async (_what, query) => {
    const response = await call(`/solr/openlibrary/select?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      responseHeader: { status: 400 },
      error: { metadata: ["error-class", "org.apache.solr.common.SolrException"], code: 400 },
    });
  });

  it("answers 404 for other handlers", async () => {
    expect((await call("/solr/openlibrary/spell?q=x")).status).toBe(404);
    expect(await json("/solr/openlibrary/replication")).toMatchObject({ error: { code: 404 } });
    expect((await call("/solr/openlibrary/select?q=x", { method: "DELETE" })).status).toBe(405);
  });

  it.skipIf(env.SEARCH_ENGINE === "solr")("answers 503 when the index is down", async () => {
    await env.SEARCH.prepare("ALTER TABLE work_text_a RENAME TO elsewhere").run();
    const response = await call("/solr/openlibrary/select?q=hobbit");
    await env.SEARCH.prepare("ALTER TABLE elsewhere RENAME TO work_text_a").run();
    expect([response.status, await response.json()]).toMatchObject([503, { error: { code: 503 } }]);
  });
});

describe("/get, /query, /export", () => {
  it("/get returns documents by key", async () => {
    const get = (query: string) => json(`/solr/openlibrary/get?${query}`);
    expect(await get("id=/works/OL1W&fl=key,title")).toEqual({
      doc: { key: "/works/OL1W", title: "The Hobbit" },
    });
    expect(await get("id=/works/OL99W")).toEqual({ doc: null });
    expect(await get("ids=/authors/OL1A,/works/OL99W,/works/OL2W&fl=key")).toEqual({
      response: {
        numFound: 2,
        start: 0,
        numFoundExact: true,
        docs: [{ key: "/authors/OL1A" }, { key: "/works/OL2W" }],
      },
    });
  });

  it("/query sums and counts", async () => {
    const body = JSON.stringify({
      params: { q: "author_key:OL1A", rows: 0 },
      facet: {
        editions: "sum(edition_count)",
        subject_facet: { type: "terms", field: "subject_facet", limit: 1 },
      },
    });
    expect(await json("/solr/openlibrary/query", { method: "POST", body })).toMatchObject({
      response: { numFound: 2, docs: [] },
      facets: { count: 2, editions: 3, subject_facet: { buckets: [{ val: "Dwarves", count: 2 }] } },
    });
    const short = JSON.stringify({ query: "title:hobbit", fields: ["key"], limit: 5 });
    expect((await json("/solr/openlibrary/query", { method: "POST", body: short })).response.docs).toEqual([
      { key: "/works/OL1W" },
    ]);
    expect((await call("/solr/openlibrary/query", { method: "POST", body: "[" })).status).toBe(400);
  });

  it("/export returns all matches", async () => {
    const { response } = await json("/solr/openlibrary/export?q=type:work&fl=key&sort=key%20asc");
    expect(response).toEqual({ numFound: 2, docs: [{ key: "/works/OL1W" }, { key: "/works/OL2W" }] });
    expect((await json("/solr/openlibrary/export?q=title:nothing")).response).toEqual({
      numFound: 0,
      docs: [],
    });
    expect((await call("/solr/openlibrary/export")).status).toBe(400);
  });
});

describe("/update", () => {
  const mixed = [
    { key: "/works/OL500W", type: "work", title: "Added by hand", subject: ["Handwork"], edition_count: 1 },
    { key: "/authors/OL500A", type: "author", name: "By Hand" },
    { key: "/works/OL501W", nonsense: 1 },
  ];

  it("changes nothing when a command is refused", async () => {
    const answer = await update(mixed);
    expect(answer.error).toMatchObject({ code: 400, msg: "[doc=/works/OL501W] unknown field 'nonsense'" });
    expect(await keys("q=title:added")).toEqual([]);
    const refused = [
      '{"add":{"doc":{"key":"/works/OL500W","title":"Added"}},"rollback":{}}',
      '{"add":{"doc":{"key":"/works/OL500W","title":"Added"},"overwrite":false}}',
      '{"add":{"doc":{"key":"/works/OL500W","title":"Added"}},"delete":{"nothing":1}}',
      '{"add":{"doc":{"key":"/works/OL500W","title":"Added"}},"delete":{"query":"nonsense:x"}}',
      '{"add":{"doc":{"key":"/works/OL500W","title":"Added"}},"delete":{"query":"type:edition"}}',
      '{"add":{"doc":{"key":"/works/OL500W","title":"Added"}},"delete":"/books/OL11M"}',
      '[{"key":"/works/OL500W","title":"Added"},{"key":"/works/OL1W","title":{"add":"x"}}]',
      '[{"key":"/works/OL500W","title":"Added"},{"key":"/books/OL1M","title":"x"}]',
    ];
    for (const body of refused) expect((await update(body)).error?.code, body).toBe(400);
    const path = "/solr/openlibrary/update?commit=true&";
    for (const parameter of ["overwrite=false", "update.chain=mine", "wt=csv", "stream.body=x"])
      expect((await update(mixed.slice(0, 2), path + parameter)).error?.code, parameter).toBe(400);
    const xml = "<update><delete><id>/works/OL1W</id></delete><rollback/></update>";
    expect((await update(xml)).error?.code).toBe(400);
    expect(await keys("q=title:(added OR hobbit)")).toEqual(["/works/OL1W"]);
  });

  it("applies valid commands of the tolerant chain, and deletes", async () => {
    const answer = await update(mixed, TOLERANT);
    expect(answer).toEqual({
      responseHeader: {
        errors: [{ type: "ADD", id: "/works/OL501W", message: "unknown field 'nonsense'" }],
        maxErrors: -1,
        status: 0,
        QTime: expect.any(Number),
      },
    });
    expect(await keys("q=title:added")).toEqual(["/works/OL500W"]);
    expect(await keys("q=name:hand&fq=type:author")).toEqual(["/authors/OL500A"]);
    expect(await service.json("/search.json?q=added%20by%20hand&fields=key")).toMatchObject({
      docs: [{ key: "/works/OL500W" }],
    });

    await update('{"delete":{"id":"/works/OL500W"},"delete":"/authors/OL500A","commit":{}}');
    expect(await keys("q=title:added")).toEqual([]);
    expect(await keys("q=name:hand&fq=type:author")).toEqual([]);
  });

  it("accepts its own documents", async () => {
    const [document] = (await select('q=key:"/works/OL2W"')).docs;
    expect(document.title).toBe("The Silmarillion");
    const answer = await update({ add: { doc: { ...document, title: "The Silmarillion, again" } } });
    expect(answer.responseHeader.errors).toEqual([]);
    const [again] = (await select('q=key:"/works/OL2W"')).docs;
    expect(again).toEqual({
      ...document,
      title: "The Silmarillion, again",
      title_suggest: "The Silmarillion, again",
    });
  });

  it("deletes by query in JSON and XML, and accepts single documents", async () => {
    await update({ key: "/works/OL510W", title: "Zzyzx one" }, "/solr/openlibrary/update/json/docs");
    await update([{ key: "/works/OL511W", title: "Zzyzx two" }], "/solr/openlibrary/update/json");
    expect(await keys("q=title:zzyzx&sort=key asc")).toEqual(["/works/OL510W", "/works/OL511W"]);
    await update({ delete: { query: "title:(zzyzx one)" } });
    expect(await keys("q=title:zzyzx")).toEqual(["/works/OL511W"]);
    const xml = {
      method: "POST",
      body: "<delete><query>title:zzyzx</query></delete>",
      headers: { "Content-Type": "text/xml" },
    };
    expect((await call("/solr/openlibrary/update/?commit=true", xml)).status).toBe(200);
    expect(await keys("q=title:zzyzx")).toEqual([]);
    expect((await call("/solr/openlibrary/update?commit=true")).status).toBe(200);
  });

  it("sets numbers in place", async () => {
    const answer = await update(
      [
        { key: "/works/OL1W", trending_z_score: { set: 2.5 }, trending_score_hourly_3: { set: 7 } },
        { key: "/works/OL1W", ratings_count_5: { set: 4 }, want_to_read_count: { set: 9 } },
        { key: "/works/OL99W", ratings_count_5: { set: 4 } },
        { key: "/works/OL1W", cover_i: { set: 4 } },
        { key: "/works/OL1W", ratings_count_1: { set: 0.1 } },
        { key: "/works/OL1W", already_read_count: { set: -1 } },
        { key: "/works/OL1W", trending_score_hourly_sum: { set: 1e300 } },
      ],
      TOLERANT,
    );
    const refused = [
      "Field 'cover_i' cannot be updated in place",
      "Field 'ratings_count_1' must be a whole number",
      "Field 'already_read_count' cannot be negative",
      "Field 'trending_score_hourly_sum' must be a whole number",
    ];
    expect(answer.responseHeader.errors).toEqual(
      refused.map((message) => ({ type: "ADD", id: "/works/OL1W", message })),
    );
    const [document] = (await select('q=key:"/works/OL1W"')).docs;
    expect(document).toMatchObject({
      title: "The Hobbit",
      trending_z_score: 2.5,
      trending_score_hourly_3: 7,
      ratings_count: 4,
      ratings_average: 5,
      readinglog_count: 9,
    });
  });

  it.each(["", "x", "{", '{"nothing":1}', "[1]", "<add><doc/></add>"])("answers 400 for %j", async (body) => {
    const response = await call("/solr/openlibrary/update", { method: "POST", body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 400 } });
  });
});
