import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { ACCEPTANCE } from "../../support/worker/acceptance.ts";
import { addItem } from "../../support/worker/holdings.ts";
import { edition, redirected, work } from "../../support/worker/records.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";
import { countedDatabase } from "../../support/worker/statements.ts";

const { database, statements } = countedDatabase(env.CATALOG);
const service = testService({ CATALOG: database });

interface Volume {
  records: Record<string, Record<string, unknown>>;
  items: Record<string, unknown>[];
}
const single = async (path: string): Promise<Volume> => Object(await service.json(`/api/volumes/${path}`));
const multi = async (req: string, more = ""): Promise<Record<string, Volume>> =>
  Object(await service.json(`/api/volumes/full/json/${encodeURIComponent(req)}.json${more}`));
const summary = ({ items }: Volume) =>
  items.map(({ "ol-edition-id": id, match, status, publishDate }) => [id, match, status, publishDate]);

beforeAll(async () => {
  await addItem("foo00bar", ["inlibrary"]);
  await addItem("open1950", ["opensource"]);
  await addItem("open1940", []);
  await addItem("open", ["opensource"]);
  await addItem("lend1960", ["inlibrary"]);
  await addItem("lend1970", ["inlibrary", "printdisabled"]);
  await addItem("lend", ["inlibrary"]);
  await addItem("shut1990", ["printdisabled"]);
  await addItem("alone", ["opensource"]);
  const of20 = (id: number, ocaid: string, date?: string) =>
    edition(id, { work: 20, ocaid, ...(date === undefined ? {} : { publish_date: date }) });
  await service.load(
    ...ACCEPTANCE,
    work(20, { title: "Many" }),
    of20(21, "lend1960", "June 1960"),
    of20(22, "open1950", "October 1, 1950"),
    of20(23, "open", "undated"),
    of20(24, "lend1970", "1970"),
    of20(25, "shut1990", "1990"),
    of20(26, "lend"),
    of20(27, "open1940", "1940-01-02"),
    of20(28, "unknown", "2000"),
    edition(29, { work: 20, isbn_10: ["0451526538"], isbn_13: ["9780451526533"], publish_date: "1999" }),
    edition(30, { ocaid: "alone", publish_date: "1901", covers: [3] }),
    redirected("/books/OL31M", "/books/OL1M", 1),
  );
});

describe("acceptance vectors", () => {
  it("returns one record and one lendable item", async () => {
    const volume = await single("brief/isbn/0140328726.json");
    expect(Object.keys(volume.records)).toEqual(["/books/OL1M"]);
    expect(volume.items).toEqual([
      {
        enumcron: false,
        match: "exact",
        status: "lendable",
        fromRecord: "/books/OL1M",
        "ol-edition-id": "OL1M",
        "ol-work-id": "OL1W",
        publishDate: "",
        contributor: "",
        itemURL: `${ORIGIN}/books/OL1M/Foo_a_bar_(2nd_ed.)/borrow`,
        cover: {
          small: `${ORIGIN}/b/id/7-S.jpg`,
          medium: `${ORIGIN}/b/id/7-M.jpg`,
          large: `${ORIGIN}/b/id/7-L.jpg`,
        },
      },
    ]);
  });

  it("labels the books of a multi-request", async () => {
    const found = await multi("id:1;isbn:999;lccn:sa64009056|olid:OL9M");
    expect(Object.keys(found)).toEqual(["1"]);
    expect(Object.keys(found["1"]!.records)).toEqual(["/books/OL1M"]);
  });
});

describe("the record of a volume", () => {
  it("holds identifiers, data and details of the matched edition", async () => {
    const { records } = await single("full/olid/OL29M.json");
    const books = async (form: string) =>
      Object(await service.json(`/api/books.json?bibkeys=olid:OL29M&jscmd=${form}`))["olid:OL29M"];
    expect(records).toEqual({
      "/books/OL29M": {
        isbns: ["0451526538", "9780451526533"],
        issns: [],
        lccns: [],
        oclcs: [],
        olids: ["OL29M"],
        publishDates: ["1999"],
        recordURL: `${ORIGIN}/books/OL29M/Edition_29`,
        data: await books("data"),
        details: await books("details"),
      },
    });
  });

  it.each([
    ["isbn/9780140328721", "/books/OL1M"],
    ["lccn/sa%2064009056", "/books/OL1M"],
    ["olid/ol1m", "/books/OL1M"],
    ["olid/OL31M", "/books/OL1M"],
    ["issn/1234-5678", undefined],
    ["olid/OL1W", undefined],
  ])("is found by %s", async (path, key) => {
    for (const suffix of ["", ".json"]) {
      const answer = await service.json(`/api/volumes/brief/${path}${suffix}`);
      if (key === undefined) expect(answer).toEqual([]);
      else expect(Object.keys(Object(answer).records)).toEqual([key]);
    }
  });
});

describe("the items of a volume", () => {
  it("are the scans of all editions of the work, open ones first", async () => {
    expect(summary(await single("brief/olid/OL29M.json"))).toEqual([
      ["OL27M", "similar", "full access", "1940"],
      ["OL22M", "similar", "full access", "1950"],
      ["OL23M", "similar", "full access", ""],
      ["OL24M", "similar", "lendable", "1970"],
      ["OL21M", "similar", "lendable", "1960"],
      ["OL26M", "similar", "lendable", ""],
    ]);
  });

  it.each([
    ["", 6],
    ["?show_all_items=false", 6],
    ["?show_all_items=true", 7],
    ["?show_all_items=1", 7],
  ])("include restricted scans on request only: %s", async (search, count) => {
    expect((await single(`brief/olid/OL29M.json${search}`)).items).toHaveLength(count);
    expect((await multi("olid:OL29M", search))["olid:OL29M"]!.items).toHaveLength(count);
  });

  it("link to where they can be read or borrowed", async () => {
    const { items } = await single("brief/olid/OL29M.json");
    expect(items[0]).toMatchObject({
      itemURL: "https://archive.org/stream/open1940",
      fromRecord: "/books/OL29M",
    });
    expect(items[3]).toMatchObject({
      itemURL: `${ORIGIN}/books/OL24M/Edition_24/borrow`,
      "ol-work-id": "OL20W",
    });
  });

  it("follow from the subjects of the work unless DERIVE_HOLDINGS is off", async () => {
    await service.load(
      edition(40, { work: 40, ocaid: "derived" }),
      work(40, { subjects: ["Accessible book"] }),
    );
    expect(summary(await single("brief/olid/OL40M.json"))).toEqual([["OL40M", "exact", "full access", ""]]);
    const undecided = testService({ DERIVE_HOLDINGS: "off" });
    expect(Object(await undecided.json("/api/volumes/brief/olid/OL40M.json")).items).toEqual([]);
  });
});

describe("multi-requests", () => {
  it.each([
    ["olid:OL1M|olid:OL30M", ["olid:OL1M", "olid:OL30M"]],
    ["isbn:999;olid:OL1M", ["isbn:999;olid:OL1M"]],
    ["id:7;olid:OL1M|id:5;olid:OL30M", ["7", "5"]],
    ["olid:OL99M|", []],
    ["id:1", []],
    ["debug|olid:OL1M", ["olid:OL1M"]],
    ["0140328726", ["0140328726"]],
  ])("%s", async (req, labels) => {
    const text = await (await service.fetch(`/api/volumes/brief/json/${encodeURIComponent(req)}`)).text();
    const found: Record<string, Volume> = JSON.parse(text);
    expect(Object.keys(found).toSorted()).toEqual(labels.toSorted());
    // Labels that look like numbers stand where they were asked for.
    const order = labels.map((label) => text.indexOf(`${JSON.stringify(label)}:{"records"`));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it("use the first key of a book that has an edition", async () => {
    const found = await multi("id:x;olid:OL99M;olid:OL30M;olid:OL1M");
    expect(Object.keys(found["x"]!.records)).toEqual(["/books/OL30M"]);
    expect(found["x"]!.records["/books/OL30M"]!["details"]).toMatchObject({ bib_key: "olid:OL30M" });
  });

  it("are limited to 1,000 keys", async () => {
    const keys = (count: number) =>
      Array.from({ length: count }, (_, index) => `OL${index + 5000}M`).join(";");
    expect(await multi(keys(1000))).toEqual({});
    const response = await service.fetch(`/api/volumes/brief/json/${keys(1001)}.json`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ type: "too_long", loc: ["path", "req"] }] });
  });

  it("take a fixed number of statements", async () => {
    const cost = async (req: string): Promise<number> => {
      statements.length = 0;
      await multi(req);
      return statements.length;
    };
    const ids = Array.from({ length: 50 }, (_, index) => 6000 + index);
    await service.load(
      ...ids.map((id) => edition(id, { work: id, ocaid: `scan${id}` })),
      ...ids.map((id) => work(id, { authors: [1] })),
    );
    const one = await cost("OL6000M");
    expect(one).toBeLessThanOrEqual(4);
    expect(await cost(ids.map((id) => `OL${id}M`).join("|"))).toBe(one);
  });
});

describe("parameters of /api/volumes", () => {
  it.each([
    ["/api/volumes/short/isbn/1.json", "brief_or_full", "Input should be 'brief' or 'full'"],
    ["/api/volumes/brief/asin/1.json", "idtype", /^Input should be 'oclc', 'lccn', .* or 'recordnumber'$/],
  ])("%s: 422", async (path, name, msg) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [{ type: "literal_error", loc: ["path", name], msg: expect.stringMatching(msg) }],
    });
  });

  it.each(["show_all_items=maybe", "callback=a(b"])("refuse %s with 422", async (search) => {
    expect((await service.fetch(`/api/volumes/brief/olid/OL1M.json?${search}`)).status).toBe(422);
    expect((await service.fetch(`/api/volumes/brief/json/OL1M.json?${search}`)).status).toBe(422);
  });

  it.each(["olid/OL1M", "json/olid:OL1M", "isbn/1111111111"])(
    "%s comes as a script on request",
    async (path) => {
      const response = await service.fetch(`/api/volumes/brief/${path}.json?callback=a.b`);
      expect(response.headers.get("Content-Type")).toBe("application/javascript");
      const [, body = ""] = /^a\.b\((.*)\);$/s.exec(await response.text()) ?? [];
      expect(JSON.parse(body)).toEqual(await service.json(`/api/volumes/brief/${path}.json`));
    },
  );
});
