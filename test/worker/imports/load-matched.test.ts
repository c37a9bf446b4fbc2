import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ImportRecord } from "../../../src/import/record.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { emptyCatalog, query, stored } from "../../support/worker/desk.ts";
import { LANGUAGES, outcome } from "../../support/worker/importing.ts";
import { losing } from "../../support/worker/queues.ts";
import { edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
beforeEach(async () => {
  await emptyCatalog();
  await service.loadUnindexed(...LANGUAGES);
});

const lang = (...codes: string[]) => codes.map((code) => ({ key: `/languages/${code}` }));
const MATCHED = "/books/OL1M matched, /works/OL1W matched";

describe("what a matched book gets (13 to 17, 21)", () => {
  const BOOK = { title: "Test item", isbn_10: ["1250144051"], source_records: ["non-marc:test"] };
  const text = (value: string) => ({ type: "/type/text", value });
  const put = (members: object, ofWork: object = {}) =>
    service.loadUnindexed(
      work(1, { title: "Test item", ...ofWork }),
      edition(1, { ...BOOK, work: 1, ...members }),
    );

  it("the description of the edition goes to the work", async () => {
    await put({ description: text("A genuinely enjoyable read.") });
    expect(await outcome(BOOK)).toBe("/books/OL1M matched, /works/OL1W modified");
    expect(await stored(workKey(1))).toMatchObject({ description: text("A genuinely enjoyable read.") });
    expect(await stored(editionKey(1))).toMatchObject({ revision: 1 });
    expect(await outcome(BOOK)).toBe(MATCHED);
  });

  it("subjects are compared without case", async () => {
    await put({}, { subjects: ["granite", "GRANITE", "Straße", "ΠΑΡΆΔΕΙΣΟΣ"] });
    const subjects = ["granite", "Granite", "SANDSTONE", "sandstone", "strasse", "παράδεισος"];
    expect(await outcome({ ...BOOK, subjects })).toBe("/books/OL1M matched, /works/OL1W modified");
    expect(await stored(workKey(1))).toMatchObject({
      subjects: ["granite", "Straße", "ΠΑΡΆΔΕΙΣΟΣ", "SANDSTONE"],
    });
  });

  it("numbers and sources are compared without case", async () => {
    await put({ lccn: ["agr25000003"] });
    const record = {
      ...BOOK,
      lccn: ["AGR25000003", "AGR25-3"],
      source_records: ["NON-MARC:TEST", "ia:someid"],
    };
    expect(await outcome(record)).toBe("/books/OL1M modified, /works/OL1W matched");
    expect(await stored(editionKey(1))).toMatchObject({
      lccn: ["agr25000003"],
      source_records: ["non-marc:test", "ia:someid"],
    });
  });

  it("identifiers are added", async () => {
    await put({});
    const identifiers = { goodreads: ["1234"], librarything: ["5678"] };
    expect(await outcome({ ...BOOK, identifiers })).toBe("/books/OL1M modified, /works/OL1W matched");
    expect(await stored(editionKey(1))).toMatchObject({ identifiers });
    expect(await catalogFaults()).toEqual([]);
  });

  it("a description goes to edition and work", async () => {
    await put({});
    expect(await outcome({ ...BOOK, description: "An added description" })).toBe(
      "/books/OL1M modified, /works/OL1W modified",
    );
    expect(await stored(workKey(1))).toMatchObject({ description: text("An added description") });
  });

  it("a cover is fetched later, and only for a book without one", async () => {
    await put({});
    const cover = "https://covers.openlibrary.org/b/id/1-L.jpg";
    // Of what is fetched other tests tell.
    await losing(async () => {
      expect(await outcome({ ...BOOK, cover })).toBe("/books/OL1M modified, /works/OL1W modified");
    });
    const rows = await query("SELECT id, olid, source_url, author FROM cover");
    expect(rows).toEqual([
      { id: expect.any(Number), olid: "OL1M", source_url: cover, author: "/people/ImportBot" },
    ]);
    expect(await stored(editionKey(1))).toMatchObject({ covers: [rows[0]?.["id"]] });
    expect(await stored(workKey(1))).toMatchObject({ covers: [rows[0]?.["id"]] });
    expect(await outcome({ ...BOOK, cover })).toBe(MATCHED);
    expect(await query("SELECT count(*) AS covers FROM cover")).toEqual([{ covers: 1 }]);
  });

  it("a cover on another host is none, which is logged", async () => {
    await put({});
    const logged = vi.spyOn(console, "log").mockImplementation(() => undefined);
    expect(await outcome({ ...BOOK, cover: "https://user:word@example.com/1.jpg" })).toBe(MATCHED);
    const refusals = logged.mock.calls.map(String).filter((line) => line.includes("import-cover-refused"));
    logged.mockRestore();
    expect(refusals.map((line) => JSON.parse(line))).toEqual([
      { level: "info", event: "import-cover-refused", source: "non-marc:test", host: "example.com" },
    ]);
    expect(await query("SELECT id FROM cover WHERE source_url LIKE '%example.com%'")).toEqual([]);
  });
});

describe("a book that was only announced (18)", () => {
  const PROMISE = { title: "A promise", isbn_13: ["9780141439662"], source_records: ["promise:bwb_daily"] };
  const MARC: ImportRecord = {
    title: "The book itself",
    isbn_13: ["9780141439662"],
    ocaid: "promised",
    dewey_decimal_class: ["823.7"],
    publishers: ["Gallimard"],
    publish_date: "2017",
    translated_from: ["yid"],
    source_records: ["ia:promised"],
  };

  it("is overwritten by a MARC record, and keeps its work", async () => {
    await service.loadUnindexed(work(1), edition(1, { ...PROMISE, work: 1 }));
    expect(await outcome(MARC, { fromMarc: true })).toBe("/books/OL1M modified, /works/OL1W matched");
    expect(await stored(editionKey(1))).toMatchObject({
      title: "The book itself",
      publishers: ["Gallimard"],
      translated_from: lang("yid"),
      source_records: ["promise:bwb_daily", "ia:promised"],
      works: [{ key: workKey(1) }],
      revision: 2,
    });
    expect(await query("SELECT kind, comment FROM change ORDER BY id DESC LIMIT 1")).toEqual([
      { kind: "edit-book", comment: "overwrite existing edition" },
    ]);
    expect(await catalogFaults()).toEqual([]);
  });

  it.each([
    ["its revision is not the first", { revision: 2 }, true],
    ["its source is another", { source_records: ["bwb:9780141439662"] }, true],
    ["it has no source", { source_records: undefined }, true],
    ["the record is not from MARC", {}, false],
  ])("stays when %s", async (_when, members, fromMarc) => {
    await service.loadUnindexed(work(1), edition(1, { ...PROMISE, work: 1, ...members }));
    expect(await outcome(MARC, { fromMarc })).toBe("/books/OL1M modified, /works/OL1W matched");
    expect(await stored(editionKey(1))).toMatchObject({ title: "A promise" });
  });
});
