import { beforeEach, describe, expect, it } from "vitest";
import type { ImportRecord } from "../../../src/import/record.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { emptyCatalog, query, stored } from "../../support/worker/desk.ts";
import { LANGUAGES, imported, outcome, refused } from "../../support/worker/importing.ts";
import {
  author,
  authorKey,
  edition,
  editionKey,
  redirected,
  work,
  workKey,
} from "../../support/worker/records.ts";
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
const role = (id: number) => ({ type: { key: "/type/author_role" }, author: { key: authorKey(id) } });
const CREATED = "/books/OL1M created, /works/OL1W created";
const MATCHED = "/books/OL1M matched, /works/OL1W matched";

describe("a record that comes again", () => {
  it("is matched by its scan", async () => {
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

  it("adds languages", async () => {
    await imported(ITEM);
    expect(await outcome({ ...ITEM, languages: ["fre", "eng"] })).toBe(
      "/books/OL1M modified, /works/OL1W matched",
    );
    expect(await stored(editionKey(1))).toMatchObject({ revision: 2, languages: lang("eng", "fre") });
    expect(await query("SELECT kind, comment FROM change ORDER BY id DESC LIMIT 1")).toEqual([
      { kind: "edit-book", comment: "import existing book" },
    ]);
  });

  it("brings the first language", async () => {
    const { languages: _none, ...silent } = ITEM;
    await imported(silent);
    expect(await outcome(ITEM)).toBe("/books/OL1M modified, /works/OL1W matched");
    expect(await stored(editionKey(1))).toMatchObject({ languages: lang("eng") });
  });

  it("adds its source", async () => {
    await imported(ITEM);
    const again = { ...ITEM, source_records: ["test:1234567890"], lc_classifications: ["PQ2671.A58"] };
    expect(await outcome(again)).toBe("/books/OL1M modified, /works/OL1W matched");
    expect(await stored(editionKey(1))).toMatchObject({
      source_records: ["ia:test_item", "test:1234567890"],
      lc_classifications: ["PQ2671.A58"],
    });
  });
});

describe("authors of a new book (6 to 9)", () => {
  const smith = { name: "John Smith" };

  it("are listed once", async () => {
    const { authors } = await imported({ ...ITEM, authors: [smith, smith] });
    expect(authors).toEqual([{ key: authorKey(1), name: "John Smith", status: "created" }]);
  });

  it("are found again, however the name is turned", async () => {
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
    const third = {
      ...ITEM,
      ocaid: "test_item2",
      source_records: ["ia:test_item2"],
      authors: [{ name: "James Smith" }],
    };
    expect(await imported(third)).toEqual({
      success: true,
      authors: [{ key: authorKey(2), name: "James Smith", status: "created" }],
      edition: { key: editionKey(3), status: "created" },
      work: { key: workKey(3), status: "created" },
    });
    expect(await catalogFaults()).toEqual([]);
  });

  it("take the place of those that were redirected to them", async () => {
    await service.loadUnindexed(
      author(10, { name: "John Smith" }),
      redirected(authorKey(9), authorKey(10), 1),
      edition(1, {
        title: "Test item HATS",
        publishers: ["TestPub"],
        publish_date: "1994",
        authors: [{ key: authorKey(9) }],
      }),
    );
    const record = {
      title: "Test item HATS",
      publishers: ["TestPub"],
      publish_date: "1994",
      authors: [smith],
      source_records: ["ia:test_item_hats"],
    };
    expect(await outcome(record)).toBe("/books/OL1M modified, /works/OL1W created");
    expect(await stored(editionKey(1))).toMatchObject({
      authors: [{ key: authorKey(10) }],
      works: [{ key: workKey(1) }],
    });
    expect(await stored(workKey(1))).toMatchObject({ authors: [role(10)] });
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("works and scores (10 to 12, 19)", () => {
  it.each([{}, { subtitle: "the ongoing saga!" }])(
    "the work of an author is found by its title, %j",
    async (more) => {
      await service.loadUnindexed(
        author(16, { name: "John Smith" }),
        work(16, { title: "Finding existing works", authors: [16] }),
      );
      const record = {
        title: "Finding Existing Works",
        ...more,
        authors: [{ name: "John Smith" }],
        publishers: ["Black Spot"],
        publish_date: "Jan 09, 2011",
        isbn_10: ["1250144051"],
        source_records: ["non-marc:test"],
      };
      expect(await imported(record)).toMatchObject({
        authors: [{ key: authorKey(16), status: "matched" }],
        edition: { key: editionKey(1), status: "created" },
        work: { key: workKey(16), status: "matched" },
      });
      expect(await stored(editionKey(1))).toMatchObject({ works: [{ key: workKey(16) }] });
    },
  );

  it("the edition that agrees best enough is matched, not another of the work", async () => {
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

  it("an edition without a date is another one than one with it", async () => {
    await service.loadUnindexed(
      author(21, { name: "Jane Austen" }),
      work(21, { title: "Sense and Sensibility", authors: [21] }),
      edition(21, {
        title: "Sense and Sensibility",
        publishers: ["Penguin Classics"],
        isbn_13: ["9780141439662"],
        authors: [{ key: authorKey(21) }],
        work: 21,
      }),
    );
    const record = {
      title: "Sense and Sensibility",
      publishers: ["Penguin Classics"],
      authors: [{ name: "Jane Austen" }],
      publish_date: "1913",
      source_records: ["marc:test"],
    };
    expect(await imported(record)).toMatchObject({
      authors: [{ key: authorKey(21), status: "matched" }],
      edition: { key: editionKey(22), status: "created" },
      work: { key: workKey(21), status: "matched" },
    });
  });

  it("the title alone is not enough", async () => {
    await service.loadUnindexed(work(1), edition(1, { title: "Test item", lccn: ["123"], work: 1 }));
    const record = { title: "Test item", lccn: ["234"], source_records: ["ia:test_item"] };
    expect(await outcome(record)).toBe("/books/OL2M created, /works/OL2W created");
  });
});

describe("records from Wikisource (20)", () => {
  const PAGE: ImportRecord = {
    title: "Test item",
    isbn_13: ["9780141439662"],
    identifiers: { wikisource: ["en:Test item"] },
    source_records: ["wikisource:en:Test item"],
  };

  it("are matched by their page alone", async () => {
    await service.loadUnindexed(
      work(1, { title: "Test item" }),
      edition(1, { title: "Test item", isbn_13: ["9780141439662"], source_records: ["x:1"], work: 1 }),
    );
    expect(await outcome(PAGE)).toBe("/books/OL2M created, /works/OL2W created");
    expect(await outcome({ ...PAGE, title: "Another title" })).toBe(
      "/books/OL2M matched, /works/OL2W matched",
    );
  });
});

describe("what is wrong with a record (22, 23)", () => {
  it.each([
    [{ source_records: ["x:1"] }, "missing-required-field: missing required field(s): title"],
    [{ title: "A" }, "missing-required-field: missing required field(s): source_records"],
    [{ ...ITEM, languages: ["wtf"] }, "invalid-language: invalid language code: 'wtf'"],
    [{ ...ITEM, series: [{ key: "/series/OL7L" }] }, "bad-request: notfound"],
  ])("%j is told", async (record, message) => {
    expect(await refused(record)).toContain(message);
    expect(await query("SELECT key FROM record WHERE key LIKE '/books/%'")).toEqual([]);
    expect(await query("SELECT name FROM sequence WHERE name LIKE 'type_%'")).toEqual([]);
  });

  it("languages are known by code, name and key", async () => {
    await imported({ ...ITEM, languages: ["ENG", "fre", "German", "Deutsch", "es"] });
    expect(await stored(editionKey(1))).toMatchObject({ languages: lang("eng", "fre", "ger", "spa") });
  });

  it("a name that two languages have is none", async () => {
    await service.loadUnindexed(
      { key: "/languages/gez", type: "/type/language", name: "Shared" },
      { key: "/languages/gei", type: "/type/language", name: "shared" },
    );
    expect(await refused({ ...ITEM, languages: ["Shared"] })).toContain("invalid language code: 'shared'");
  });

  it("a language that is new is known at once", async () => {
    expect(await refused({ ...ITEM, languages: ["wol"] })).toContain("invalid-language");
    await service.loadUnindexed({ key: "/languages/wol", type: "/type/language", name: "Wolof" });
    expect(await outcome({ ...ITEM, languages: ["Wolof"] })).toBe(CREATED);
  });
});

describe("records of MARC files (24, 25)", () => {
  const PENSIONS: ImportRecord = {
    title: "A separate pension plan for Alberta",
    subtitle: "analysis and discussion",
    publish_date: "2000",
    publish_country: "abc",
    publishers: ["University of Alberta Press"],
    isbn_10: ["0888643519"],
    lccn: ["00690881"],
    authors: [{ name: "Paul Michael Boothe", birth_date: "1954", entity_type: "person" }],
    languages: ["eng"],
    subjects: ["Pensions"],
    source_records: ["marc:v39.i34.records.utf8:186503:1413"],
  };

  it("are created, matched, and modified by the next file", async () => {
    const [first, second] = [
      "marc:v38.i37.records.utf8:16478504:1254",
      "marc:v39.i28.records.utf8:5362776:1764",
    ];
    expect(await outcome({ ...PENSIONS, source_records: [first] }, { fromMarc: true })).toBe(CREATED);
    expect(await outcome({ ...PENSIONS, source_records: [first] }, { fromMarc: true })).toBe(MATCHED);
    expect(await outcome({ ...PENSIONS, source_records: [second] }, { fromMarc: true })).toBe(
      "/books/OL1M modified, /works/OL1W matched",
    );
  });

  it("name no authors of a book that has some", async () => {
    await service.loadUnindexed(
      author(1, { name: "Paul Michael Boothe" }),
      work(1, { title: "A separate pension plan for Alberta", authors: [1] }),
      edition(1, {
        title: "A separate pension plan for Alberta",
        isbn_13: ["9780888643513"],
        source_records: ["ia:aseparatepensionplan"],
        authors: [{ key: authorKey(1) }],
        work: 1,
      }),
    );
    const answer = await imported(PENSIONS, { fromMarc: true });
    expect(answer).toEqual({
      success: true,
      edition: { key: editionKey(1), status: "modified" },
      work: { key: workKey(1), status: "modified" },
    });
    expect(await stored(editionKey(1))).toMatchObject({ authors: [{ key: authorKey(1) }] });
    expect(await stored(workKey(1))).toMatchObject({ authors: [role(1)] });
  });
});
