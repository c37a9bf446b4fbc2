import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const BASE = "http://books.example";
const service = testService({ BASE_URL: BASE });

beforeAll(async () => {
  await service.load(
    author(1, { name: "Jane Doe", birth_date: "1900", alternate_names: ["J. D. Roe"] }),
    author(2, {
      name: "Émile Zola",
      remote_ids: { viaf: "http://viaf.org/viaf/22147529", wikidata: "Q15504" },
    }),
    work(1, { authors: [1], title: "Rivers & <Ink>", subjects: ["Rivers", "Love"] }),
    edition(1, { work: 1, title: "Rivers & <Ink>", publish_date: "1901", isbn_13: ["9780451526533"] }),
    edition(4, { work: 1, title: "Rivers & <Ink>", publish_date: "1950", publishers: ["Quill"] }),
    work(2, { authors: [2], title: "Germinal", subject_places: ["Paris"] }),
    edition(2, { work: 2, title: "Germinal", publish_date: "1885" }),
    work(3, { authors: [1], title: "Germinal" }),
    edition(3, { work: 3, publish_date: "1999" }),
  );
  await indexAll();
});

interface Candidate {
  readonly id: string;
  readonly match: boolean;
  readonly score: number;
  readonly features: readonly unknown[];
}
interface Result {
  readonly result: readonly Candidate[];
}

async function post(fields: Record<string, string>, status = 200): Promise<unknown> {
  const response = await service.fetch("/reconcile", { method: "POST", body: new URLSearchParams(fields) });
  expect(response.status).toBe(status);
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  return response.json();
}

async function asked(query: object): Promise<readonly Candidate[]> {
  const answer = (await post({ queries: JSON.stringify({ q: query }) })) as Record<string, Result>;
  return answer["q"]?.result ?? [];
}
const ids = async (query: object) => (await asked(query)).map(({ id }) => id);

it("GET /reconcile describes the service", async () => {
  expect(await service.json("/reconcile")).toMatchObject({
    versions: ["0.1", "0.2"],
    identifierSpace: `${BASE}/reconcile/view/`,
    view: { url: `${BASE}/reconcile/view/{{id}}` },
    preview: { url: `${BASE}/reconcile/preview/{{id}}` },
    suggest: { entity: { service_url: `${BASE}/reconcile`, service_path: "/suggest/entity" } },
    defaultTypes: [{ id: "work" }, { id: "edition" }, { id: "author" }, { id: "subject" }],
  });
});

describe("reconciliation queries", () => {
  it.each([
    ["viaf", "22147529"],
    ["viaf", "https://viaf.org/viaf/22147529/"],
    ["wikidata", "http://www.wikidata.org/entity/Q15504"],
  ])("find authors by a column of numbers: %s %s", async (pid, v) => {
    const [found, ...others] = await asked({ type: "author", properties: [{ pid, v }] });
    expect([found?.id, found?.match, found?.score, others]).toEqual(["OL2A", true, 100, []]);
    expect(await ids({ query: "Someone else", type: "author", properties: [{ pid, v }] })).toEqual(["OL2A"]);
    const other = { type: "author", properties: [{ pid: pid === "viaf" ? "isni" : "gnd", v }] };
    expect(await ids(other)).toEqual([]);
  });

  it("are answered by name in a batch", async () => {
    const queries = JSON.stringify({ a: { query: "Rivers and <ink>" }, b: { query: "nothing of the kind" } });
    const expected = {
      a: {
        result: [
          {
            id: "OL1W",
            name: "Rivers & <Ink>",
            description: "Jane Doe · 1901 · 2 editions",
            type: [{ id: "work", name: "Work" }],
            score: 100,
            match: true,
            features: [{ id: "name", value: 100 }],
          },
        ],
      },
      b: { result: [] },
    };
    expect(await post({ queries })).toEqual(expected);
    expect(await service.json(`/reconcile?queries=${encodeURIComponent(queries)}`)).toEqual(expected);
  });

  it("may be a single JSON query, name, id or address", async () => {
    const one = async (query: string) => {
      const { result } = (await service.json(`/reconcile?query=${encodeURIComponent(query)}`)) as Result;
      return result.map(({ id, match }) => [id, match]);
    };
    expect(await one("rivers & ink")).toEqual([["OL1W", true]]);
    expect(await one('{"query":"zola, emile","type":"author"}')).toEqual([["OL2A", true]]);
    expect(await one("OL3W")).toEqual([["OL3W", true]]);
    expect(await one(`${BASE}/books/OL1M`)).toEqual([["OL1M", true]]);
    expect(await one("place:paris")).toEqual([["place:paris", true]]);
    for (const address of [`${BASE}/works/OL3W/Germinal`, "http://host/works/OL3W.json", "/works/OL3W/x"])
      expect(await one(address)).toEqual([["OL3W", true]]);
  });

  it("find the book of an ISBN in any spelling", async () => {
    for (const isbn of [
      "9780451526533",
      "0-451-52653-8",
      "978\u20100\u2010451\u201052653\u20103",
      "ISBN-13: 978-0-451-52653-3.",
    ])
      expect(await asked({ query: isbn })).toMatchObject([{ id: "OL1W", match: true, score: 100 }]);
    expect(await ids({ query: "urn:isbn:0451526538", type: "edition" })).toEqual(["OL1M"]);
    expect(await ids({ query: "9780451526533", type: "author" })).toEqual([]);
  });

  it("are answered one by one: OpenRefine sends blank cells, and limits as text (Q672)", async () => {
    const properties = [{ pid: "author", p: "P1", v: "" }];
    const queries = {
      q0: { query: "Germinal", type: "work", type_strict: "should", properties, limit: "1" },
      q1: { query: "", type: "work" },
      q2: { query: null, properties: [{ pid: "author", v: null }] },
      q3: { query: "  ", limit: 3 },
      q4: { query: ["a"] },
      q5: "Germinal",
      q6: {},
      q7: { query: "a", properties: [{ pid: "year" }] },
      q8: { query: "germinal", limit: "many" },
      q9: {
        query: Array.from({ length: 30 }, (_, n) => `w${n}`).join(" "),
        properties: Array.from({ length: 20 }, () => ({ pid: "author", v: "a b c d e f g h i j" })),
      },
    };
    const answer = (await post({ queries: JSON.stringify(queries) })) as Record<string, Result>;
    const sizes = Object.values(answer).map(({ result }) => result.length);
    expect(sizes).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 2, 0]);
    expect(answer["q0"]?.result[0]?.score).toBe(100);
  });

  it("find works, editions, authors and subjects by type", async () => {
    expect(await ids({ query: "Germinal", type: "edition" })).toEqual(["OL2M"]);
    expect(await ids({ query: "J. D. Roe", type: ["author"] })).toEqual(["OL1A"]);
    expect(await ids({ query: "paris", type: "subject" })).toEqual(["place:paris"]);
    expect(await ids({ query: "rivers", type: ["subject", "work"] })).toEqual(["subject:rivers", "OL1W"]);
    expect(await ids({ query: "rivers", type: "/type/fish" })).toEqual([]);
  });

  it("tell namesakes apart by properties", async () => {
    const twins = await asked({ query: "Germinal" });
    expect(twins.map(({ match }) => match)).toEqual([false, false]);
    const properties = [{ pid: "author", v: "Zola" }];
    const [first, second] = await asked({ query: "Germinal", properties });
    expect([first?.id, first?.match, second?.id, second?.match]).toEqual(["OL2W", true, "OL3W", false]);
    const byId = [{ pid: "author", v: [{ id: "OL1A", name: "x" }] }];
    expect(await asked({ query: "Germinal", properties: byId, limit: 1 })).toMatchObject([
      { id: "OL3W", match: true, features: [{ id: "name" }, { id: "property:author", value: 100 }] },
    ]);
    expect(await ids({ properties: [{ pid: "isbn", v: "0-451-52653-8" }], type: "edition" })).toEqual([
      "OL1M",
    ]);
    const byYear = { query: "rivers ink", type: "edition", properties: [{ pid: "year", v: 1950 }] };
    expect((await ids(byYear))[0]).toBe("OL4M");
  });

  it("match misspelt words, subtitles and initials", async () => {
    expect(await ids({ query: "Germinol" })).toContain("OL2W");
    expect(await ids({ query: "Germinal: a novel" })).toContain("OL2W");
    expect(await asked({ query: "E. Zola", type: "author" })).toMatchObject([{ id: "OL2A", match: false }]);
  });

  it.each([
    [{ queries: "[" }],
    [{ queries: "[]" }],
    [{ query: "{}" }],
    [{ query: '{"properties":[{"pid":"fish","v":1}]}' }],
    [{ query: '{"query":"a","properties":[{"v":1}]}' }],
    [
      {
        queries: JSON.stringify(
          Object.fromEntries(Array.from({ length: 51 }, (_, q) => [q, { query: "a" }])),
        ),
      },
    ],
    [{ extend: "{}" }],
    [{ extend: JSON.stringify({ ids: Array(201).fill("OL1W"), properties: [] }) }],
  ])("are refused when invalid: %j", async (fields) => {
    expect(await post(fields, 400)).toMatchObject({ error: "bad_data" });
  });
});

it("POST /reconcile with extend returns values of properties", async () => {
  const properties = ["author", "year", "isbn", "birth_date", "fish"].map((id) => ({ id }));
  const names = ["OL1W", "OL1M", "OL1A", "subject:love", "OL99W", "?"];
  const answer = await post({ extend: JSON.stringify({ ids: names, properties }) });
  const none = { author: [], year: [], isbn: [], birth_date: [], fish: [] };
  const doe = [{ id: "OL1A", name: "Jane Doe" }];
  const isbn = [{ str: "9780451526533" }, { str: "0451526538" }];
  expect(answer).toEqual({
    meta: [
      { id: "author", name: "Author", type: { id: "author", name: "Author" } },
      { id: "year", name: "Year" },
      { id: "isbn", name: "ISBN" },
      { id: "birth_date", name: "Born" },
      { id: "fish", name: "fish" },
    ],
    rows: {
      OL1W: { ...none, author: doe, year: [{ int: 1901 }], isbn },
      OL1M: { ...none, author: doe, year: [{ int: 1901 }], isbn },
      OL1A: { ...none, birth_date: [{ str: "1900" }] },
      "subject:love": none,
      OL99W: none,
      "?": none,
    },
  });
  expect(await service.json("/reconcile/properties?type=subject")).toMatchObject({
    type: "subject",
    properties: [{ id: "work_count" }, { id: "kind" }],
  });
});

describe("suggestions", () => {
  const suggested = async (query: string) => {
    const { result } = (await service.json(`/reconcile/suggest/${query}`)) as { result: { id: string }[] };
    return result.map(({ id }) => id);
  };
  it("cover entities, types and properties", async () => {
    expect(await suggested("entity?prefix=germ")).toEqual(["OL2W", "OL3W"]);
    expect(await suggested("entity?prefix=germ&cursor=1")).toEqual(["OL3W"]);
    expect(await suggested("entity?prefix=riv&type=subject")).toEqual(["subject:rivers"]);
    expect(await suggested("entity?prefix=OL1A")).toEqual(["OL1A"]);
    expect(await suggested("entity?prefix=")).toEqual([]);
    expect(await suggested("type?prefix=Ed")).toEqual(["edition"]);
    expect(await suggested("property?prefix=year")).toEqual(["year"]);
    expect(await suggested("property?prefix=number&type=author")).toEqual(["work_count"]);
  });
});

describe("views", () => {
  it("redirect to pages and preview them in frames", async () => {
    const location = async (id: string) =>
      (await service.fetch(`/reconcile/view/${id}`)).headers.get("Location");
    expect(await location("OL1M")).toBe("/books/OL1M");
    expect(await location("place%3Aparis")).toBe("/subjects/place:paris");
    expect((await service.fetch("/reconcile/view/fish")).status).toBe(404);
    const preview = await service.fetch("/reconcile/preview/OL1W");
    expect(preview.headers.get("Content-Security-Policy")).toContain("frame-ancestors *");
    expect(await preview.text()).toContain(
      '<a href="/works/OL1W" target="_top">Rivers &amp; &lt;Ink&gt;</a>',
    );
    expect((await service.fetch("/reconcile/preview/OL99W")).status).toBe(404);
  });
});
