import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ImportRecord } from "../../../src/import/record.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { emptyCatalog, query, stored } from "../../support/worker/desk.ts";
import { LANGUAGES, imported, outcome, refused } from "../../support/worker/importing.ts";
import { losing } from "../../support/worker/queues.ts";
import { author, authorKey, edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
beforeEach(async () => {
  await emptyCatalog();
  await service.loadUnindexed(...LANGUAGES);
});

const ITEM: ImportRecord = {
  ocaid: "test_item",
  source_records: ["ia:test_item"],
  title: "Test item",
  languages: ["eng"],
};
const lang = (...codes: string[]) => codes.map((code) => ({ key: `/languages/${code}` }));
const CREATED = "/books/OL1M created, /works/OL1W created";
const MATCHED = "/books/OL1M matched, /works/OL1W matched";

describe("an imported record", () => {
  it("is created, and then matched by its scan", async () => {
    expect(await imported(ITEM)).toEqual({
      success: true,
      edition: { key: "/books/OL1M", status: "created" },
      work: { key: "/works/OL1W", status: "created" },
    });
    expect(await stored(editionKey(1))).toEqual({
      type: { key: "/type/edition" },
      title: "Test item",
      ocaid: "test_item",
      source_records: ["ia:test_item"],
      languages: lang("eng"),
      works: [{ key: workKey(1) }],
      key: editionKey(1),
      revision: 1,
      latest_revision: 1,
      created: expect.anything(),
      last_modified: expect.anything(),
    });
    expect(await query("SELECT kind, author, bot, comment FROM change ORDER BY id DESC LIMIT 1")).toEqual([
      { kind: "add-book", author: "/people/ImportBot", bot: 1, comment: "import new book" },
    ]);
    expect(await outcome(ITEM)).toBe(MATCHED);
    expect(await stored(editionKey(1))).toMatchObject({ revision: 1 });
    expect(await catalogFaults()).toEqual([]);
  });

  it("adds its languages to the known book", async () => {
    await imported(ITEM);
    expect(await outcome({ ...ITEM, languages: ["fre", "eng"] })).toBe(
      "/books/OL1M modified, /works/OL1W matched",
    );
    expect(await stored(editionKey(1))).toMatchObject({ revision: 2, languages: lang("eng", "fre") });
    expect(await query("SELECT kind, comment FROM change ORDER BY id DESC LIMIT 1")).toEqual([
      { kind: "edit-book", comment: "import existing book" },
    ]);
  });
});

describe("authors of a new book", () => {
  it("are found again by the inverted name", async () => {
    const first = { ...ITEM, authors: [{ name: "John Döe" }] };
    expect((await imported(first)).authors).toEqual([
      { key: authorKey(1), name: "John Döe", status: "created" },
    ]);
    const other = {
      ...ITEM,
      ocaid: "other_item",
      source_records: ["ia:other_item"],
      title: "Another item",
      authors: [{ name: "Döe, John", entity_type: "person" }],
    };
    expect(await imported(other)).toEqual({
      success: true,
      authors: [{ key: authorKey(1), name: "John Döe", status: "matched" }],
      edition: { key: editionKey(2), status: "created" },
      work: { key: workKey(2), status: "created" },
    });
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("a record without a known number", () => {
  it("matches the edition with the best score", async () => {
    const book = { title: "Finding Existing", subtitle: "sub", publishers: ["Black Spot"], work: 16 };
    const authors = [{ key: authorKey(16) }];
    await service.loadUnindexed(
      author(16, { name: "John Smith" }),
      work(16, { title: "Finding Existing", authors: [16] }),
      edition(16, { ...book, authors, isbn_10: ["1250144051"] }),
      edition(17, { ...book, authors, publish_date: "Jan 09, 2011", publish_country: "usa" }),
    );
    const record = {
      title: "Finding Existing",
      subtitle: "sub",
      authors: [{ name: "John Smith" }],
      publishers: ["Black Spot substring match"],
      publish_date: "Jan 09, 2011",
      publish_country: "usa",
      isbn_10: ["1250144052"],
      source_records: ["non-marc:test"],
    };
    expect(await outcome(record)).toBe("/books/OL17M modified, /works/OL16W matched");
  });
});

describe("languages of a record", () => {
  it("are known as soon as they exist", async () => {
    expect(await refused({ ...ITEM, languages: ["wol"] })).toContain("invalid-language");
    await service.loadUnindexed({ key: "/languages/wol", type: "/type/language", name: "Wolof" });
    expect(await outcome({ ...ITEM, languages: ["Wolof"] })).toBe(CREATED);
  });
});

describe("covers of a record", () => {
  const BOOK = { title: "Test item", isbn_10: ["1250144051"], source_records: ["non-marc:test"] };
  beforeEach(() => service.loadUnindexed(work(1, { title: "Test item" }), edition(1, { ...BOOK, work: 1 })));

  it("are stored to be fetched, for a book without one", async () => {
    const cover = "https://covers.openlibrary.org/b/id/1-L.jpg";
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

  it("are refused from other hosts, which is logged", async () => {
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
