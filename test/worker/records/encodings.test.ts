import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { author, deleted, edition, language, redirected, work } from "../../support/worker/records.ts";
import { documentOf, testService } from "../../support/worker/service.ts";

const service = testService();
const accepting = (accept: string) => ({ headers: { Accept: accept } });
const typeOf = async (path: string, accept: string): Promise<string> => {
  const response = await service.fetch(path, accepting(accept));
  return response.status === 200 ? (response.headers.get("Content-Type") ?? "") : String(response.status);
};

const THE_EDITION = edition(1, {
  work: 1,
  title: "Rivers & <Ink>",
  subtitle: "a tale",
  languages: [{ key: "/languages/eng" }],
  isbn_13: ["9780451526533", "9780451526540"],
  dewey_decimal_class: ["823.5"],
});
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const [JSON_TYPE, YAML, RDF] = [
  "application/json",
  "text/x-yaml; charset=utf-8",
  "application/rdf+xml; charset=utf-8",
];

beforeAll(async () => {
  await service.load(
    THE_EDITION,
    edition(2, { work: 1, title: "Second" }),
    work(1, { authors: [1, 2], subjects: ["Rivers"] }),
    author(1, { name: "Jane", birth_date: "1900" }),
    redirected("/authors/OL2A", "/authors/OL3A", 1),
    author(3, { name: "Joan" }),
    language("eng", "English"),
    redirected("/works/OL7W", "/works/OL1W", 1),
    deleted("/books/OL8M", 1),
  );
});

describe("content negotiation", () => {
  it.each([
    ["application/json", "/books/OL1M.rdf", JSON_TYPE],
    ["application/json", "/books/OL1M", JSON_TYPE],
    ["application/rdf+xml", "/books/OL1M.json", RDF],
    ["text/x-yaml", "/books/OL1M.json", YAML],
    ["application/marcxml+xml", "/books/OL1M.json", "application/marcxml+xml; charset=utf-8"],
    ["text/plain;q=0.1, application/json;q=0.2", "/books/OL1M.rdf", JSON_TYPE],
    ["text/html, application/json;q=0.9", "/books/OL1M.rdf", RDF],
    ["application/json;q=0, text/x-yaml;q=0.1", "/books/OL1M.json", YAML],
    ["application/json; charset=utf-8", "/books/OL1M.rdf", JSON_TYPE],
    ["", "/books/OL1M.rdf", RDF],
    [BROWSER, "/books/OL1M.json", JSON_TYPE],
    ["constructor", "/books/OL1M.yml", YAML],
    ["__proto__", "/books/OL1M.json", JSON_TYPE],
    ["text/x-yaml; Q=0.1, application/json; Q=0.2", "/books/OL1M.rdf", JSON_TYPE],
  ])("Accept %s on %s", async (accept, path, type) => {
    expect(await typeOf(path, accept)).toBe(type);
  });

  it("varies by Accept", async () => {
    for (const path of ["/works/OL1W.json", "/works/OL1W.yml", "/works/OL1W.rdf"]) {
      expect((await service.fetch(path)).headers.get("Vary")).toBe("Accept");
    }
    const accepts = ["application/json", "text/x-yaml", "application/rdf+xml", "application/json"];
    const seen = [];
    for (const accept of accepts) seen.push(await typeOf("/works/OL1W.json", accept));
    expect(seen).toEqual([JSON_TYPE, YAML, RDF, JSON_TYPE]);
  });

  it("applies to history, which has only JSON", async () => {
    expect(await typeOf("/works/OL1W.json?m=history", "text/x-yaml")).toBe("406");
    expect(await typeOf("/works/OL1W.yml?m=history", "application/json")).toBe(JSON_TYPE);
  });
});

describe("GET <key>.yml", () => {
  it("shows the record as YAML with unescaped letters", async () => {
    await service.load(work(5, { title: "Ümläute: 日本", subjects: ["no", "12", "a: b"] }));
    const response = await service.fetch("/works/OL5W.yml");
    const text = await response.text();
    expect(response.headers.get("Content-Type")).toBe(YAML);
    expect(parse(text, { version: "1.1" })).toEqual(await service.json("/works/OL5W.json"));
    expect(text).toContain("Ümläute: 日本");
    expect(text).toMatch(/^type:\n {4}key: \/type\/work$/m);
  });

  it("answers 404 as YAML", async () => {
    const response = await service.fetch("/books/OL99M.yml");
    expect(response.status).toBe(404);
    expect(parse(await response.text())).toEqual({ error: "notfound", key: "/books/OL99M" });
  });
});

describe("GET <key>.rdf", () => {
  const rdf = async (path: string): Promise<string> => {
    const response = await service.fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe(RDF);
    return response.text();
  };

  it("describes an edition with the authors of its work", async () => {
    const text = await rdf("/books/OL1M.rdf");
    expect(text).toContain('<rdf:Description rdf:about="http://carrel.test/books/OL1M">');
    expect(text).toContain('<rdrel:workManifested rdf:resource="http://carrel.test/works/OL1W"/>');
    expect(text).toContain("<dcterms:title>Rivers &amp; &lt;Ink&gt;: a tale</dcterms:title>");
    expect(text.match(/<foaf:name>\w+/g)).toEqual(["<foaf:name>Jane", "<foaf:name>Joan"]);
    expect(text.match(/<bibo:isbn13>\d+/g)).toHaveLength(2);
    expect(text).toContain("<dcterms:language>eng</dcterms:language>");
    expect(text).toContain("<rdf:value>823.5</rdf:value>");
    expect(text).toMatch(/<ov:versionnumber>1<\/ov:versionnumber>/);
  });

  it.each(["/languages/eng", "/books/OL8M", "/works/OL99W"])("answers 404 for %s", async (key) => {
    expect((await service.fetch(`${key}.rdf`)).status).toBe(404);
  });

  it("changes its entity tag with every record it shows", async () => {
    const before = (await service.fetch("/books/OL1M.rdf")).headers.get("ETag");
    await service.load(author(1, { name: "Jane B.", revision: 2 }));
    service.now += 60_000;
    const after = await service.fetch("/books/OL1M.rdf", { headers: { "If-None-Match": before ?? "" } });
    expect(after.status).toBe(200);
    expect(await after.text()).toContain("Jane B.");
  });
});

it("the same JSON is served by suffix, Accept and page address", async () => {
  const expected = documentOf(THE_EDITION);
  expect(await service.json("/books/OL1M.json")).toEqual(expected);
  expect(await service.json("/books/OL1M/Any_Title.json")).toEqual(expected);
  expect(await service.json("/books/OL1M", accepting("application/json"))).toEqual(expected);
  expect(await service.json("/books/OL1M/Rivers_Ink")).toEqual(expected);
});
