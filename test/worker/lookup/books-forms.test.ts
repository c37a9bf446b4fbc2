import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { ACCEPTANCE } from "../../support/worker/acceptance.ts";
import { addItem } from "../../support/worker/holdings.ts";
import { author, deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { ORIGIN, documentOf, testService } from "../../support/worker/service.ts";
import { countedDatabase } from "../../support/worker/statements.ts";

const { database, statements } = countedDatabase(env.CATALOG);
const service = testService({ CATALOG: database });

const books = async (keys: string, more = ""): Promise<Record<string, Record<string, unknown>>> => {
  const response = await service.fetch(`/api/books.json?bibkeys=${keys}${more}`);
  expect(response.status).toBe(200);
  return response.json();
};

const RICH = edition(20, {
  title: "Rivers",
  title_prefix: "The",
  subtitle: "a tale",
  by_statement: "by A. Writer",
  work: 20,
  authors: [{ key: "/authors/OL1A" }],
  isbn_10: ["0451526538"],
  lccn: ["12034567"],
  oclc_numbers: ["4242"],
  identifiers: { goodreads: ["777"], isbn_10: ["overridden"], empty: [] },
  classifications: { udc: ["82"] },
  lc_classifications: ["PS1306"],
  dewey_decimal_class: ["813.4"],
  publishers: ["Acme Press"],
  publish_places: ["Leiden"],
  publish_date: "1912",
  number_of_pages: 100,
  pagination: "100 p.",
  weight: "300 grams",
  notes: { type: "/type/text", value: "A note" },
  first_sentence: { type: "/type/text", value: "Once." },
  table_of_contents: ["One", { level: 1, title: "Two", authors: [{ name: "A" }] }, ""],
  covers: [42],
  ocaid: "rivers00writ",
  languages: [{ key: "/languages/eng" }],
  series: ["A series"],
});

beforeAll(async () => {
  await addItem("rivers00writ", ["opensource"]);
  await service.load(
    ...ACCEPTANCE,
    RICH,
    work(20, {
      authors: [2, 3, 1, 404, 5],
      subjects: ["River boats", { type: "/type/text", value: "Old Form" }, { key: "/subjects/Older_Form" }],
      subject_people: ["Jim Hawk"],
      subject_places: ["Leiden"],
      subject_times: ["19th century"],
      links: [
        { title: "Review", url: "https://example.org/r" },
        { title: "No address" },
        { url: "https://example.org/x" },
      ],
      excerpts: [{ excerpt: { type: "/type/text", value: "More" }, comment: "c" }, { excerpt: "Less" }, {}],
      first_sentence: "Not this one.",
    }),
    author(2, { name: "A. Writer" }),
    redirected("/authors/OL3A", "/authors/OL4A", 1),
    author(4, { name: undefined }),
    deleted("/authors/OL5A", 1),
    edition(21, { title: "", authors: [{ key: "/authors/OL2A" }, { key: "/authors/OL404A" }] }),
    edition(22, { work: 404, title: "Dangling", authors: [{ key: "/authors/OL2A" }] }),
    edition(23, { work: 24, title: "Of a moved work" }),
    redirected("/works/OL24W", "/works/OL20W", 1),
    edition(25, { work: 26, title: "Of a deleted work" }),
    deleted("/works/OL26W", 1),
    edition(27, {
      title: "Odd",
      works: ["/works/OL20W", null],
      authors: "nobody",
      covers: "x",
      identifiers: [],
    }),
  );
});

describe("/api/books with jscmd=data", () => {
  it("follows the redirect of a work and skips deleted works", async () => {
    const found = await books("OL23M,OL25M,OL22M", "&jscmd=data");
    expect(found["OL23M"]).toMatchObject({
      authors: [{ name: "A. Writer" }, { name: "" }, { name: "Mark Twain" }],
    });
    expect(found["OL25M"]).not.toHaveProperty("subjects");
    expect(found["OL22M"]).toMatchObject({ title: "Dangling", authors: [{ name: "A. Writer" }] });
  });

  it("survives odd values", async () => {
    for (const form of ["data", "details", "viewapi"]) {
      expect(Object.keys(await books("OL27M,OL20M,OL22M", `&jscmd=${form}`))).toEqual([
        "OL27M",
        "OL20M",
        "OL22M",
      ]);
    }
  });

  it("takes its hosts from the settings", async () => {
    const configured = testService({
      BASE_URL: "https://books.example",
      COVERS_PUBLIC_URL: "https://covers.example/",
      ARCHIVE_PUBLIC_URL: "https://scans.example/",
    });
    const text = await (await configured.fetch("/api/books.json?bibkeys=OL20M,OL1M&jscmd=data")).text();
    const hosts = new Set([...text.matchAll(/https?:\/\/[^/"]+/g)].map(([host]) => host));
    expect([...hosts].toSorted()).toEqual([
      "https://books.example",
      "https://covers.example",
      "https://example.org",
      "https://scans.example",
    ]);
    expect(text).not.toContain("example//");
  });
});

describe("/api/books with jscmd=details", () => {
  it("returns the whole record with the names of its authors", async () => {
    const found = await books("OL20M", "&jscmd=details");
    const { title_prefix: _prefix, ...stored } = documentOf(RICH) as Record<string, unknown>;
    expect(found["OL20M"]).toEqual({
      bib_key: "OL20M",
      info_url: `${ORIGIN}/books/OL20M/The_Rivers`,
      preview: "full",
      preview_url: "https://archive.org/details/rivers00writ",
      thumbnail_url: `${ORIGIN}/b/id/42-S.jpg`,
      details: {
        ...stored,
        title: "The Rivers",
        authors: [{ key: "/authors/OL1A", name: "Mark Twain" }],
        table_of_contents: [
          { level: 0, label: "", title: "One", pagenum: "" },
          { level: 1, label: "", title: "Two", pagenum: "", authors: [{ name: "A" }] },
        ],
      },
    });
  });

  it.each([
    "&details=true",
    "&details=true&jscmd=data",
    "&details=true&jscmd=viewapi",
    "&jscmd=details&details=false",
  ])("equals %s", async (more) => {
    expect(await books("OL1M", more)).toEqual(await books("OL1M", "&jscmd=details"));
  });
});

describe("the format of /api/books", () => {
  const SCRIPT = /^var _OLBookInfo = (\{.*\});$/s;
  const CALL = /^a\.b\((\{.*\})\);$/s;
  it.each([
    [".json", "", "application/json", /^(\{.*\})$/s],
    ["", "", "application/javascript", SCRIPT],
    ["", "&format=json", "application/json", /^(\{.*\})$/s],
    [".json", "&format=js", "application/javascript", SCRIPT],
    [".json", "&format=javascript", "application/javascript", SCRIPT],
    [".json", "&callback=a.b", "application/javascript", CALL],
    ["", "&callback=a.b", "application/javascript", CALL],
    ["", "&format=js&callback=a.b", "application/javascript", CALL],
    [".json", "&text=true", "application/json", /^(\{.*\})$/s],
    [".json", "&jscmd=viewapi", "application/json", /^(\{.*\})$/s],
  ])("/api/books%s %s", async (suffix, more, type, form) => {
    const response = await service.fetch(`/api/books${suffix}?bibkeys=OL1M${more}`);
    expect(response.headers.get("Content-Type")).toBe(type);
    const [, body = ""] = form.exec(await response.text()) ?? [];
    expect(JSON.parse(body)).toEqual(await books("OL1M"));
  });

  it.each([
    ["", "missing", "bibkeys", "Field required"],
    ["bibkeys=x&jscmd=foo", "literal_error", "jscmd", "Input should be 'details', 'data' or 'viewapi'"],
    ["bibkeys=x&details=True", "literal_error", "details", "Input should be 'true' or 'false'"],
    ["bibkeys=x&format=xml", "literal_error", "format", /^Input should be 'json'/],
    ["bibkeys=x&callback=a(b", "string_pattern_mismatch", "callback", /^String should match pattern/],
    [
      "bibkeys=x&high_priority=maybe",
      "bool_parsing",
      "high_priority",
      "Input should be a valid boolean, unable to interpret input",
    ],
  ])("refuses %s", async (search, type, name, msg) => {
    for (const path of ["/api/books.json", "/api/books"]) {
      const response = await service.fetch(`${path}?${search}`);
      expect(response.status).toBe(422);
      const { detail } = await response.json<{ detail: Record<string, unknown>[] }>();
      expect(detail).toHaveLength(1);
      expect(detail[0]).toMatchObject({ type, loc: ["query", name], msg: expect.stringMatching(msg) });
      expect(detail[0]!["input"]).toBe(new URLSearchParams(search).get(name));
    }
  });

  it("reports every failure at once", async () => {
    const { detail } = Object(
      await service.json("/api/books.json?jscmd=x&details=y&high_priority=z&callback=("),
    );
    expect(detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual([
      "bibkeys",
      "details",
      "jscmd",
      "callback",
      "high_priority",
    ]);
  });
});

describe("the cost of /api/books", () => {
  const ids = Array.from({ length: 50 }, (_, index) => 2000 + index);
  const keys = ids.map((id) => `OL${id}M`).join(",");

  beforeAll(async () => {
    await service.load(
      ...ids.map((id) =>
        edition(id, { work: id, ocaid: `scan${id}`, authors: [{ key: `/authors/OL${id}A` }] }),
      ),
      ...ids.map((id) => work(id, { authors: [id, id + 1], subjects: ["In library"] })),
      ...ids.map((id) => author(id)),
    );
  });

  it.each([
    ["viewapi", 3],
    ["details", 3],
    ["data", 4],
  ])("for fifty keys with jscmd=%s is at most %i statements", async (form, most) => {
    statements.length = 0;
    expect(Object.keys(await books(keys, `&jscmd=${form}`))).toHaveLength(50);
    expect(statements.length).toBeLessThanOrEqual(most);
  });
});

describe("POST /api/books", () => {
  const json = { "Content-Type": "application/json" };
  const many = Array.from({ length: 999 }, (_, place) => `ISBN:${place}`);
  it.each([
    ["/api/books", { body: new URLSearchParams({ bibkeys: "OL20M,nothing", jscmd: "data" }) }],
    [
      "/api/books.json",
      { headers: json, body: JSON.stringify({ bibkeys: [...many, "OL20M"], jscmd: "data" }) },
    ],
    [
      "/api/books",
      { headers: json, body: JSON.stringify({ bibkeys: "OL20M", jscmd: "data", format: "json" }) },
    ],
  ])("answers %s like GET, uncached", async (path, init) => {
    const response = await service.fetch(path, { ...init, method: "POST" });
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual(await books("OL20M", "&jscmd=data"));
  });

  it.each([
    [{ bibkeys: [...many, "OL20M", "OL21M"] }, "too_long"],
    [{}, "missing"],
    [{ bibkeys: "OL20M", jscmd: "all" }, "literal_error"],
  ])("refuses %j", async (body, type) => {
    const init = { method: "POST", headers: json, body: JSON.stringify(body) };
    const response = await service.fetch("/api/books", init);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ type }] });
  });
});
