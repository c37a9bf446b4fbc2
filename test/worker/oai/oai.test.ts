import { beforeAll, describe, expect, it } from "vitest";
import { ask, errorOf, harvest, listPart, named, textIn } from "../../support/worker/harvester.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { list } from "../../support/worker/lists.ts";
import { author, deleted, edition, language, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ BASE_URL: "https://books.example", MAIL_FROM: "Books <desk@books.example>" });
const MINUTE = 60_000;
const FIRST = "2026-11-21T12:01:00Z";
const SECOND = "2026-11-21T12:06:00Z";

beforeAll(async () => {
  await service.load(
    edition(1, { work: 1, title: "Rivers & <Ink>", languages: [{ key: "/languages/eng" }] }),
    edition(2, { work: 1, title: "Flüsse", languages: [{ key: "/languages/ger" }] }),
    work(1, { authors: [1], title: "Rivers", subject_places: ["River Thames"] }),
    work(2, { title: "Brooks", subject_places: ["River Thames"] }),
    author(1, { name: "Jane Doe" }),
    language("eng", "English"),
    language("ger", "German"),
    list("/people/jane/lists/OL1L", [{ key: "/works/OL2W" }, { key: "/books/OL9M" }, "subject:rivers"], {
      name: "Jane's",
    }),
    list("/series/OL5L", [], { name: "Waters" }),
    work(4, { series: [{ series: { key: "/series/OL5L" } }] }),
  );
  service.now += 5 * MINUTE;
  await service.load(
    edition(3, { work: 2, languages: [{ key: "/languages/eng" }] }),
    deleted("/books/OL9M", 3),
    redirected("/works/OL3W", "/works/OL1W", 2),
  );
  service.now += 5 * MINUTE;
  await indexAll();
});

const numbers = async (query: string): Promise<string[]> => {
  const { records } = await harvest(service, `verb=ListIdentifiers&metadataPrefix=oai_dc${query}`);
  return records.map(([identifier]) => identifier.replace("oai:books.example:", ""));
};
const content = async (query: string): Promise<string> => {
  const root = await ask(service, query);
  const [, , element] = root.children.filter((child) => typeof child !== "string");
  return textIn(element);
};

describe("GET /oai", () => {
  it("identifies the repository", async () => {
    const response = await service.fetch("/oai?verb=Identify");
    expect(response.headers.get("Content-Type")).toBe("text/xml; charset=utf-8");
    const text = await content("verb=Identify");
    for (const part of [
      "https://books.example/oai 2.0 desk@books.example",
      `${FIRST} persistent YYYY-MM-DDThh:mm:ssZ`,
      "oai books.example : oai:books.example:OL1M",
    ]) {
      expect(text).toContain(part);
    }
  });

  it("returns a record with its metadata", async () => {
    const text = await content("verb=GetRecord&identifier=oai:books.example:OL1M&metadataPrefix=oai_dc");
    expect(text).toContain(`oai:books.example:OL1M ${FIRST} books languages~eng Rivers & <Ink> Doe, Jane`);
    expect(await content("verb=GetRecord&identifier=oai:books.example:OL1W&metadataPrefix=marc21")).toContain(
      "Rivers",
    );
    const marc = await service.fetch(
      "/oai?verb=GetRecord&identifier=oai:books.example:OL1M&metadataPrefix=marc21",
    );
    expect(await marc.text()).toContain(
      '<record xmlns="http://www.loc.gov/MARC21/slim" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
        'xsi:schemaLocation="http://www.loc.gov/MARC21/slim http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd">',
    );
    const { records } = await listPart(
      service,
      "verb=GetRecord&identifier=oai:books.example:OL9M&metadataPrefix=oai_dc",
    );
    expect(records).toEqual([
      ["oai:books.example:OL9M", { datestamp: SECOND, isDeleted: true, sets: ["books"], metadata: "" }],
    ]);
  });

  it.each([
    ["", "badVerb"],
    ["verb=Records", "badVerb"],
    ["verb=toString", "badVerb"],
    ["verb=Identify&verb=Identify", "badVerb"],
    ["verb=Identify&set=books", "badArgument"],
    ["verb=ListRecords", "badArgument"],
    ["verb=GetRecord&metadataPrefix=oai_dc", "badArgument"],
    ["verb=ListRecords&metadataPrefix=oai_dc&metadataPrefix=oai_dc", "badArgument"],
    ["verb=ListRecords&metadataPrefix=oai_dc&colour=red", "badArgument"],
    ["verb=ListRecords&metadataPrefix=oai_dc&set=", "badArgument"],
    ["verb=ListRecords&metadataPrefix=oai_dc&resumptionToken=a.b", "badArgument"],
    ["verb=ListRecords&metadataPrefix=oai_dc&from=2026-02-30", "badArgument"],
    ["verb=ListRecords&metadataPrefix=oai_dc&from=2026", "badArgument"],
    ["verb=ListRecords&metadataPrefix=oai_dc&from=2026-11-21T12:00Z", "badArgument"],
    ["verb=ListRecords&metadataPrefix=oai_dc&from=2026-11-21&until=2026-11-21T12:00:00Z", "badArgument"],
    ["verb=ListRecords&metadataPrefix=oai_dc&from=2026-11-22&until=2026-11-21", "badArgument"],
    ["verb=ListRecords&metadataPrefix=oai_dc&set=books!2f", "badArgument"],
    ["verb=ListRecords&metadataPrefix=mods", "cannotDisseminateFormat"],
    ["verb=GetRecord&identifier=oai:books.example:OL1M&metadataPrefix=mods", "cannotDisseminateFormat"],
    ["verb=GetRecord&identifier=oai:books.example:OL77M&metadataPrefix=oai_dc", "idDoesNotExist"],
    ["verb=GetRecord&identifier=oai:elsewhere.example:OL1M&metadataPrefix=oai_dc", "idDoesNotExist"],
    ["verb=GetRecord&identifier=oai:books.example:OL1A&metadataPrefix=oai_dc", "idDoesNotExist"],
    ["verb=ListMetadataFormats&identifier=OL1M", "idDoesNotExist"],
    ["verb=ListIdentifiers&metadataPrefix=oai_dc&from=2030-01-01", "noRecordsMatch"],
    ["verb=ListIdentifiers&metadataPrefix=oai_dc&until=0000-01-01", "noRecordsMatch"],
    ["verb=ListIdentifiers&metadataPrefix=oai_dc&set=magazines", "noRecordsMatch"],
    ["verb=ListSets&resumptionToken=x", "badResumptionToken"],
  ])("refuses %s with %s", async (query, code) => {
    expect(await errorOf(service, query)).toBe(code);
  });

  it("repeats valid arguments only", async () => {
    const request = async (query: string) => named(await ask(service, query), "request")[0];
    const asked = await request("verb=GetRecord&identifier=x&metadataPrefix=oai_dc");
    expect(textIn(asked)).toBe("https://books.example/oai");
    expect(asked?.attributes.map(({ name, value }) => [name, value])).toEqual([
      ["verb", "GetRecord"],
      ["identifier", "x"],
      ["metadataPrefix", "oai_dc"],
    ]);
    for (const query of ["verb=Records&set=books", "verb=ListRecords&metadataPrefix=oai_dc&until=x"]) {
      expect((await request(query))?.attributes).toEqual([]);
    }
  });

  it("answers rate-limited harvesters with 503 and Retry-After", async () => {
    const limited = testService({ RATE_LIMIT_PER_MINUTE: "2" });
    const init = { headers: { "CF-Connecting-IP": "192.0.2.1" } };
    const seen = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const response = await limited.fetch("/oai?verb=Identify", init);
      seen.push([response.status, response.headers.get("Retry-After")]);
    }
    expect(seen).toEqual([
      [200, null],
      [200, null],
      [503, "30"],
    ]);
  });
});

describe("lists of records", () => {
  it("include deleted and merged records in the order of changes", async () => {
    const { records } = await harvest(service, "verb=ListRecords&metadataPrefix=oai_dc");
    expect(records.map(([id, { datestamp, isDeleted }]) => [id.slice(18), datestamp, isDeleted])).toEqual([
      ["OL1M", FIRST, false],
      ["OL2M", FIRST, false],
      ["OL1W", FIRST, false],
      ["OL2W", FIRST, false],
      ["OL4W", FIRST, false],
      ["OL3M", SECOND, false],
      ["OL9M", SECOND, true],
      ["OL3W", SECOND, true],
    ]);
    expect(records.filter(([, { metadata, isDeleted }]) => (metadata === "") !== isDeleted)).toEqual([]);
  });

  it("select by inclusive dates, in days and seconds", async () => {
    const second = ["OL3M", "OL9M", "OL3W"];
    expect(await numbers(`&from=${SECOND}`)).toEqual(second);
    expect(await numbers(`&from=${SECOND}&until=${SECOND}`)).toEqual(second);
    expect(await numbers("&from=2026-11-21T12:01:01Z")).toEqual(second);
    expect(await numbers("&until=2026-11-21T12:05:59Z")).toHaveLength(5);
    expect(await numbers("&from=2026-11-21&until=2026-11-21")).toHaveLength(8);
    expect(await numbers("&from=0001-01-01")).toHaveLength(8);
    expect(await errorOf(service, "verb=ListRecords&metadataPrefix=oai_dc&until=2026-11-20")).toBe(
      "noRecordsMatch",
    );
  });

  it("show a change after a minute, which is its date (Q592)", async () => {
    const early = testService({ BASE_URL: "https://books.example" });
    early.now = service.now;
    await early.load(work(50));
    const from = new Date(early.now).toISOString().replace(/\.\d+/, "");
    const query = `verb=ListIdentifiers&metadataPrefix=oai_dc&from=${from}`;
    expect(await errorOf(early, query)).toBe("noRecordsMatch");
    early.now += MINUTE + 1;
    const { records } = await listPart(early, query);
    expect(records).toMatchObject([["oai:books.example:OL50W", { datestamp: "2026-11-21T12:11:00Z" }]]);
    await early.load(deleted("/works/OL50W", 2));
  });
});

describe("sets", () => {
  it("are books, works, languages, frequent subjects, lists and series", async () => {
    const root = await ask(service, "verb=ListSets");
    const [, , sets] = root.children.filter((child) => typeof child !== "string");
    expect(named(sets ?? root, "set").map((set) => named(set, "setSpec").map(textIn)[0])).toEqual([
      "books",
      "works",
      "languages~eng",
      "languages~ger",
      "subjects~place!3Ariver_thames",
      "people~jane~lists~OL1L",
      "series~OL5L",
    ]);
    expect(textIn(sets)).toContain("languages~eng English");
  });

  it("have their records, and deleted records by kind", async () => {
    expect(await numbers("&set=books")).toEqual(["OL1M", "OL2M", "OL3M", "OL9M"]);
    expect(await numbers("&set=works")).toEqual(["OL1W", "OL2W", "OL4W", "OL3W"]);
    expect(await numbers("&set=languages~eng")).toEqual(["OL1M", "OL3M"]);
    expect(await numbers(`&set=languages~eng&from=${SECOND}`)).toEqual(["OL3M"]);
    expect(await numbers("&set=languages~eng&until=2026-11-21T12:05:59Z")).toEqual(["OL1M"]);
    expect(await numbers("&set=subjects~place!3Ariver_thames")).toEqual(["OL1W", "OL2W"]);
    expect(await numbers("&set=people~jane~lists~OL1L")).toEqual(["OL9M", "OL2W"]);
    expect(await numbers("&set=series~OL5L")).toEqual(["OL4W"]);
  });

  it("are named by their records", async () => {
    const { records } = await harvest(
      service,
      "verb=ListRecords&metadataPrefix=marc21&set=subjects~place!3Ariver_thames",
    );
    expect(records.map(([, { sets }]) => sets)).toEqual([
      ["works", "subjects~place!3Ariver_thames"],
      ["works", "subjects~place!3Ariver_thames"],
    ]);
  });
});
