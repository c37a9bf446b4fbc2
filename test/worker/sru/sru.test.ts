import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { parseXml } from "../../../src/import/xml/document.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, deleted, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";

const index = countedDatabase(env.SEARCH);
const catalog = countedDatabase(env.CATALOG);
const service = testService({
  BASE_URL: "http://books.example",
  SEARCH: index.database,
  CATALOG: catalog.database,
});

const OLD = "http://www.loc.gov/zing/srw/";
const NEW = "http://docs.oasis-open.org/ns/search-ws/sruResponse";

beforeAll(async () => {
  await service.load(
    author(1, { name: "Jane Doe" }),
    author(2, { name: "Émile Roe" }),
    work(1, {
      authors: [1],
      title: "Rivers & <Ink>",
      subjects: ["Rivers", "Love"],
      first_publish_date: "1901",
    }),
    edition(1, { work: 1, publish_date: "1901", publishers: ["Penguin"] }),
    work(2, { authors: [2], title: "Rivers of the North", subjects: ["rivers", "Éclairs"] }),
    edition(2, { work: 2, publish_date: "1950", publishers: ["Quill"] }),
    work(3, { authors: [1], title: "Seas", subjects: ["Oceans"] }),
    edition(3, {
      work: 3,
      publish_date: "2001",
      publishers: ["Penguin"],
      isbn_13: ["9780451526533"],
      identifiers: { issn: ["0028-0836"] },
    }),
    edition(4, {
      work: 3,
      publish_date: "2005",
      publishers: ["Penguin"],
      lccn: ["62-298"],
      oclc_numbers: ["ocm01234567"],
      identifiers: { issn: ["0028-0836"] },
    }),
    edition(5, { works: [{ key: "/works/OL2W" }, { key: "/works/OL3W" }], isbn_10: ["0140328726"] }),
    edition(9, {
      title: "Orphan of the rivers",
      publish_date: "1999",
      oclc_numbers: ["1234567"],
      authors: [{ key: "/authors/OL2A" }],
    }),
    work(8, { title: "Gone with the index" }),
  );
  await indexAll();
  await service.loadUnindexed(deleted("/works/OL8W", 2));
});

async function asked(parameters: Record<string, string>, method = "GET"): Promise<string> {
  const form = new URLSearchParams(parameters);
  const response =
    method === "GET"
      ? await service.fetch(`/sru?${form}`)
      : await service.fetch("/sru", { method, body: form });
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
  const text = await response.text();
  parseXml(text);
  return text;
}

const search = (query: string, more: Record<string, string> = {}) =>
  asked({ version: "1.2", operation: "searchRetrieve", query, ...more });

/** The texts of all elements of a name. */
function texts(name: string, xml: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, "g"))].map(
    ([, text = ""]) => text,
  );
}

const found = async (query: string, more: Record<string, string> = {}) =>
  texts("recordIdentifier", await search(query, more));
const numbers = (xml: string) => texts("uri", xml).map((uri) => uri.replace("info:srw/diagnostic/1/", ""));

describe("searchRetrieve", () => {
  it.each([
    ["marcxml", '<record xmlns="http://www.loc.gov/MARC21/slim">'],
    ["MARC21-xml", '<record xmlns="http://www.loc.gov/MARC21/slim">'],
    ["http://www.loc.gov/MARC21/slim", '<record xmlns="http://www.loc.gov/MARC21/slim">'],
    ["http://www.loc.gov/mods/v3", '<mods xmlns="http://www.loc.gov/mods/v3"'],
    ["info:srw/schema/1/mods-v3.5", '<mods xmlns="http://www.loc.gov/mods/v3"'],
    ["mods", '<mods xmlns="http://www.loc.gov/mods/v3"'],
    ["dc", '<srw_dc:dc xmlns:srw_dc="info:srw/schema/1/dc-schema"'],
    ["oai_dc", '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"'],
  ])("returns records as %s", async (recordSchema, beginning) => {
    const xml = await search("title = ink", { recordSchema });
    expect(xml).toContain(`<searchRetrieveResponse xmlns="${OLD}"><version>1.2</version>`);
    expect(xml).toContain("<numberOfRecords>1</numberOfRecords>");
    expect(xml).toContain(`<recordPacking>xml</recordPacking><recordData>${beginning}`);
    expect(xml).toContain("Rivers &amp; &lt;Ink&gt;");
    expect(xml).toMatch(/Doe/);
    expect(xml).toMatch(/1901/);
  });

  it("returns escaped records", async () => {
    const xml = await search("title = ink", { recordSchema: "dc", recordPacking: "string" });
    expect(xml).toContain("<recordPacking>string</recordPacking>");
    expect(xml).toContain("&lt;dc:title&gt;Rivers &amp;amp; &amp;lt;Ink&amp;gt;&lt;/dc:title&gt;");
    const own = await asked({ query: "title = ink", recordXMLEscaping: "string" });
    expect(own).toContain("<recordXMLEscaping>string</recordXMLEscaping>");
    expect(own).toContain("&lt;leader&gt;");
  });

  it("understands CQL", async () => {
    expect(await found("creator = doe sortBy dc.date/sort.descending")).toEqual([
      "/works/OL3W",
      "/works/OL1W",
    ]);
    expect(await found('subject == "Rivers" not creator = doe')).toEqual([]);
    expect(await found("dc.date > 1950 sortBy title")).toEqual(["/books/OL9M", "/works/OL3W"]);
    expect(await found("rivers prox/ordered of")).toEqual(["/works/OL2W"]);
    expect(await found('rec.identifier = "/works/OL3W"')).toEqual(["/works/OL3W"]);
    expect(await found("publisher = penguin", { sortKeys: "title,,0" })).toEqual([
      "/works/OL3W",
      "/works/OL1W",
    ]);
    for (const name of ["anywhere", "serverChoice", "keywords", "cql.anywhere", "any"]) {
      expect(await found(`${name} = seas`)).toEqual(["/works/OL3W"]);
    }
    expect(await found("allRecords = 1")).toHaveLength(5);
    expect(numbers(await search("resultSetId = 1"))).toEqual(["50"]);
    expect(await found("penguin (seas", { version: "2.0", queryType: "searchTerms" })).toEqual([
      "/works/OL3W",
    ]);
  });

  it.each([
    // Koha: the fields of its sample server, joined as it joins them, and control numbers.
    'dc.title="seas"',
    'dc.author="doe" and dc.title="seas"',
    'dc.subject="oceans"',
    'rec.id="OL3W"',
    // Other programs.
    'bath.author="doe" and bath.title="seas"',
    'bath.name="doe" and bath.any="seas"',
    "rec.identifier=OL3W",
    'rec.identifier="http://books.example/works/OL3W/Seas"',
    "rec.id=OL3M",
  ])("finds the work by %s", async (query) => {
    expect(await found(query)).toEqual(["/works/OL3W"]);
    expect(await search(query)).toContain('<controlfield tag="001">OL3W</controlfield>');
  });

  it.each([
    ["bath.isbn=9780451526533", ["/books/OL3M"]],
    ['cql.anywhere="seas" and bath.isbn="978-0-451-52653-3"', ["/books/OL3M"]],
    ["isbn=0451526538 and dc.creator=doe", ["/books/OL3M"]],
    ["isbn=0451526538 and dc.creator=roe", []],
    ["isbn=0451526538 not title=seas", []],
    ["9780451526533", ["/books/OL3M"]],
    ["isbn=9780140328721", ["/books/OL5M"]],
    ["bath.any=978-0-451-52653-3", ["/books/OL3M"]],
    ["dc.identifier=9780451526533", ["/books/OL3M"]],
    ["bath.issn=0028-0836", ["/books/OL3M", "/books/OL4M"]],
    ["bath.issn=00280836 sortBy dc.date", ["/books/OL3M", "/books/OL4M"]],
    ["bath.standardIdentifier=0028-0836", ["/books/OL3M", "/books/OL4M"]],
    ["bath.lccn=62000298", ["/books/OL4M"]],
    ["oclc=1234567", ["/books/OL4M", "/books/OL9M"]],
    ["isbn=9780451526533 or lccn=62000298", ["/books/OL3M", "/books/OL4M"]],
    ["isbn=9780451526533 and lccn=62000298", ["/works/OL3W"]],
    ["isbn=978* and title=seas", ["/works/OL3W"]],
    ["isbn=9780451526533 or title=seas", ["/works/OL3W"]],
    ["isbn=9781111111111", []],
  ])("returns the editions that have the number in %s", async (query, keys) => {
    const xml = await search(query);
    expect(texts("recordIdentifier", xml)).toEqual(keys);
    expect(texts("numberOfRecords", xml)).toEqual([String(keys.length)]);
  });

  it("returns the data of the edition, and pages", async () => {
    const xml = await search("bath.issn=0028-0836", { startRecord: "2", maximumRecords: "1" });
    expect(texts("recordIdentifier", xml)).toEqual(["/books/OL4M"]);
    expect(texts("recordPosition", xml)).toEqual(["2"]);
    expect(texts("subfield", xml)).toEqual(expect.arrayContaining(["0028-0836", "2005", "Doe, Jane"]));
    const first = await search("bath.issn=0028-0836", { maximumRecords: "1" });
    expect(texts("nextRecordPosition", first)).toEqual(["2"]);
    expect(numbers(await search("bath.issn=0028-0836", { startRecord: "3" }))).toEqual(["61"]);
  });

  it("returns an edition without a work with its author", async () => {
    expect(await search("title = orphan", { recordSchema: "dc" })).toContain(
      "<dc:creator>Roe, Émile</dc:creator>",
    );
  });

  it("pages", async () => {
    const page = (startRecord: string) =>
      search("cql.allRecords = 1 sortBy title", { startRecord, maximumRecords: "2" });
    const [first, last] = [await page("1"), await page("5")];
    expect(texts("recordPosition", first)).toEqual(["1", "2"]);
    expect(texts("nextRecordPosition", first)).toEqual(["3"]);
    expect(texts("recordPosition", last)).toEqual(["5"]);
    expect(texts("nextRecordPosition", last)).toEqual([]);
    expect(texts("numberOfRecords", last)).toEqual(["5"]);
    expect(numbers(await page("6"))).toEqual(["61"]);
    const none = await search("title = nowhere");
    expect([texts("numberOfRecords", none), numbers(none)]).toEqual([["0"], []]);
    expect(texts("maximumRecords", await search("rivers", { maximumRecords: "5000" }))).toEqual(["100"]);
    expect(await found("rivers", { maximumRecords: "0" })).toEqual([]);
  });

  it("reports a deleted record by a diagnostic", async () => {
    const xml = await search("title = gone");
    expect(xml).toContain("<recordSchema>info:srw/schema/1/diagnostics-v1.1</recordSchema>");
    expect([numbers(xml), texts("details", xml)]).toEqual([["65"], ["/works/OL8W"]]);
  });

  it("takes one round trip more than a search", async () => {
    await search("rivers");
    for (const { statements, batches } of [index, catalog]) [statements.length, batches.length] = [0, 0];
    expect(await found("title = rivers and date > 1000")).toHaveLength(3);
    expect([roundTrips(index), roundTrips(catalog)]).toEqual([1, 1]);
    for (const { statements, batches } of [index, catalog]) [statements.length, batches.length] = [0, 0];
    // The two of the index are at the same time.
    expect(await found("bath.issn=0028-0836 and date > 1000")).toHaveLength(2);
    expect([roundTrips(index), roundTrips(catalog)]).toEqual([2, 1]);
  });
});

describe("versions", () => {
  it("are named by the request, or else derived from it", async () => {
    expect(await asked({ version: "1.1", operation: "searchRetrieve", query: "seas" })).not.toContain(
      "recordIdentifier",
    );
    const latest = await asked({ query: "seas" });
    expect(latest).toContain(`<searchRetrieveResponse xmlns="${NEW}"><version>2.0</version>`);
    expect(texts("resultCountPrecision", latest)).toEqual([
      "info:srw/vocabulary/resultCountPrecision/1/exact",
    ]);
    expect(await asked({ operation: "searchRetrieve", query: "seas" })).toContain("<version>1.2</version>");
    expect(await asked({ operation: "searchRetrieve", version: "1.2", query: "seas" }, "POST")).toContain(
      "<numberOfRecords>1</numberOfRecords>",
    );
  });
});

describe("diagnostics", () => {
  const request = { version: "1.2", operation: "searchRetrieve", query: "seas" };
  it.each([
    [{ operation: "fetch" }, "4"],
    [{ version: "3.0" }, "5"],
    [{ startRecord: "0" }, "6"],
    [{ maximumRecords: "-1" }, "6"],
    [{ maximumRecords: "many" }, "6"],
    [{ queryType: "sql" }, "6"],
    [{ query: 'title = "sea' }, "14"],
    [{ query: "fnord = seas" }, "16"],
    [{ query: "title = a* and title = b* and c* and d* and e* and f* and g* and h* and i*" }, "47"],
    [{ recordSchema: "tei" }, "66"],
    [{ recordPacking: "zip" }, "71"],
    [{ sortKeys: "subject" }, "82"],
  ])("%j: %s", async (more, number) => {
    const xml = await asked({ ...request, ...more });
    expect(numbers(xml)).toEqual([number]);
    expect(texts("recordIdentifier", xml)).toEqual([]);
  });

  it("report ignored parameters", async () => {
    const xml = await asked({
      ...request,
      resultSetTTL: "300",
      stylesheet: "a.xsl",
      fnord: "1",
      "x-fnord": "1",
    });
    expect(texts("recordIdentifier", xml)).toEqual(["/works/OL3W"]);
    expect(numbers(xml)).toEqual(["50", "110", "8"]);
    expect(xml).toContain('<diagnostic xmlns="http://www.loc.gov/zing/srw/diagnostic/">');
  });
});

describe("POST", () => {
  it.each([
    ["", "text/plain", "7"],
    ["<searchRetrieveRequest/>", "text/xml", "7"],
    ["fnord=1&version=1.2", "application/x-www-form-urlencoded", "7"],
    ["[1]", "application/json", "7"],
    ["{", "application/json", "7"],
    ["operation=searchRetrieve", "application/x-www-form-urlencoded", "7"],
    ["operation=fetch", "application/x-www-form-urlencoded", "4"],
  ])("%j as %s gets the diagnostic %s", async (body, type, number) => {
    const response = await service.fetch("/sru", { method: "POST", body, headers: { "Content-Type": type } });
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      200,
      "application/xml; charset=utf-8",
    ]);
    expect(numbers(await response.text())).toEqual([number]);
  });

  it("takes parameters that the body lacks from the address", async () => {
    const path = "/sru?version=1.2&operation=searchRetrieve&query=love";
    const response = await service.fetch(path, {
      method: "POST",
      body: new URLSearchParams({ query: "seas" }),
    });
    const xml = await response.text();
    expect(xml).toContain("<version>1.2</version><numberOfRecords>1<");
    expect(texts("recordIdentifier", xml)).toEqual(["/works/OL3W"]);
  });
});

describe("responses of the middleware", () => {
  const hurried = testService({ RATE_LIMIT_PER_MINUTE: "1" });

  it("are diagnostics with their usual status", async () => {
    const path = "/sru?version=1.2&operation=searchRetrieve&query=rivers";
    const other = await service.fetch(path, { method: "PUT" });
    expect([other.status, other.headers.get("Allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
    expect(numbers(await other.text())).toEqual(["4"]);
    await (await hurried.fetch(path)).text();
    const response = await hurried.fetch(path, { headers: { Accept: "text/html" } });
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(response.headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
    const xml = await response.text();
    parseXml(xml);
    expect(xml).toContain(`<searchRetrieveResponse xmlns="${OLD}"><version>1.2</version><numberOfRecords>0<`);
    expect([numbers(xml), texts("details", xml)]).toEqual([
      ["2"],
      [expect.stringMatching(/^Too many requests\./)],
    ]);
    const long = await service.fetch("/sru", { method: "POST", body: "x".repeat(9_000_000) });
    expect([long.status, long.headers.get("Content-Type")]).toEqual([413, "application/json"]);
  });
});

describe("scan", () => {
  const scan = (scanClause: string, more: Record<string, string> = {}) =>
    asked({ version: "1.2", operation: "scan", scanClause, ...more });

  it("lists terms around one with numbers of works", async () => {
    const xml = await scan("dc.subject = l");
    expect(xml).toContain(`<scanResponse xmlns="${OLD}"><version>1.2</version><terms>`);
    expect(texts("value", xml)).toEqual(["Love", "Oceans", "Rivers"]);
    expect(
      texts("value", await scan("dc.subject = l", { responsePosition: "2", maximumTerms: "2" })),
    ).toEqual(["Éclairs", "Love"]);
    const authors = await scan('dc.creator = ""');
    expect(texts("value", authors)).toEqual(["Doe, Jane", "Roe, Émile"]);
    expect(await search('dc.creator = "Doe, Jane"')).toContain("<numberOfRecords>2<");
    expect(texts("numberOfRecords", authors)).toEqual(["2", "2"]);
    expect(texts("whereInList", authors)).toEqual(["first", "last"]);
    expect(texts("value", await scan("dc.subject = z"))).toEqual([]);
    expect(await asked({ scanClause: "dc.date = 1950" })).toContain(
      '<scanResponse xmlns="http://docs.oasis-open.org/ns/search-ws/scan"><terms><term><value>1950</value>',
    );
  });

  it.each([
    [{ scanClause: "title = a" }, "16"],
    [{ scanClause: "love" }, "16"],
    [{ scanClause: "serverChoice = love" }, "16"],
    [{ scanClause: "dc.subject = a and dc.subject = b" }, "10"],
    [{ maximumTerms: "0" }, "6"],
    [{ responsePosition: "9", maximumTerms: "3" }, "120"],
  ])("%j: %s", async (more, number) => {
    expect(numbers(await scan("dc.subject = l", more))).toEqual([number]);
  });
});

describe("explain", () => {
  it("lists indexes that can all be searched", async () => {
    const xml = await asked({});
    expect(xml).toContain("<host>books.example</host><port>80</port><database>sru</database>");
    const names = [...xml.matchAll(/<name set="(\w+)">(\w+)<\/name>/g)].map(
      ([, set, name]) => `${set}.${name}`,
    );
    expect(names).toEqual(expect.arrayContaining(["dc.title", "bath.isbn", "carrel.edition_count"]));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(numbers(await search(`${name} = 1`))).toEqual([]);
    const scanned = xml.match(/<index search="true" scan="true"/g) ?? [];
    expect(scanned.length).toBeGreaterThan(6);
    expect(await asked({ version: "1.1", operation: "explain" })).toContain(
      `<explainResponse xmlns="${OLD}">`,
    );
  });
});
