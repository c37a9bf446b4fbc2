import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { ImportFailure } from "../../../src/import/failure.ts";
import type { ImportRecord } from "../../../src/import/record.ts";
import { ItemLost } from "../../../src/worker/imports/import-record.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { emptyCatalog, query, stored } from "../../support/worker/desk.ts";
import { IMPORTER, LANGUAGES, imported, outcome } from "../../support/worker/importing.ts";
import { claimedItem } from "../../support/worker/load-attempt.ts";
import { losing } from "../../support/worker/queues.ts";
import { author, authorKey, edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";

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
    expect(await outcome({ ...ITEM, languages: ["wol"] })).toBe(CREATED);
    await service.loadUnindexed({ key: "/languages/wol", type: "/type/language", name: "Wolof" });
    expect(await outcome({ ...ITEM, languages: ["Wolof"] })).toContain("/books/OL1M modified");
  });
});

describe("covers of a record", () => {
  const KNOWN = { title: "Test item", isbn_10: ["1250144051"], source_records: ["non-marc:test"] };
  beforeEach(() => service.loadUnindexed(work(1, { title: "Test item" }), edition(1, { ...KNOWN, work: 1 })));

  it("are stored to be fetched, for a book without one", async () => {
    const cover = "https://covers.openlibrary.org/b/id/1-L.jpg";
    await losing(async () => {
      expect(await outcome({ ...KNOWN, cover })).toBe("/books/OL1M modified, /works/OL1W modified");
    });
    const rows = await query("SELECT id, olid, source_url, author FROM cover");
    expect(rows).toEqual([
      { id: expect.any(Number), olid: "OL1M", source_url: cover, author: "/people/ImportBot" },
    ]);
    expect(await stored(editionKey(1))).toMatchObject({ covers: [rows[0]?.["id"]] });
    expect(await stored(workKey(1))).toMatchObject({ covers: [rows[0]?.["id"]] });
    expect(await outcome({ ...KNOWN, cover })).toBe(MATCHED);
    expect(await query("SELECT count(*) AS covers FROM cover")).toEqual([{ covers: 1 }]);
  });

  it("are refused from other hosts, which is logged", async () => {
    const logged = vi.spyOn(console, "log").mockImplementation(() => undefined);
    expect(await outcome({ ...KNOWN, cover: "https://user:word@example.com/1.jpg" })).toBe(MATCHED);
    const refusals = logged.mock.calls.map(String).filter((line) => line.includes("import-cover-refused"));
    logged.mockRestore();
    expect(refusals.map((line) => JSON.parse(line))).toEqual([
      { level: "info", event: "import-cover-refused", source: "non-marc:test", host: "example.com" },
    ]);
    expect(await query("SELECT id FROM cover WHERE source_url LIKE '%example.com%'")).toEqual([]);
  });

  it("are shown by a preview without being stored", async () => {
    const cover = "https://covers.openlibrary.org/b/id/1-L.jpg";
    const before = await query("SELECT id FROM cover");
    const { edits } = await imported({ ...KNOWN, source_records: ["y:1"], cover }, { preview: true });
    expect(edits).toMatchObject([
      { key: editionKey(1), source_records: ["non-marc:test", "y:1"], covers: [-2] },
      { key: workKey(1), covers: [-2] },
    ]);
    expect(await query("SELECT id FROM cover")).toEqual(before);
  });
});

const recordOf = (searched: CatalogRecord) => ({
  title: "A book",
  authors: [searched],
  source_records: ["marc:file:0:100"],
});
const years = (birth: string, death: string) => ({ birth_date: birth, death_date: death });

/** Key of the author that a record with this one gets; those that were there have numbers up to 9. */
async function foundFor(searched: CatalogRecord, ...there: TestRecord[]): Promise<string | undefined> {
  await service.loadUnindexed(author(9, { name: "The last one" }), ...there);
  const { authors } = await imported(recordOf(searched));
  const [first] = authors ?? [];
  return first?.status === "created" ? "new" : first?.key;
}

describe("the author of an imported book", () => {
  const VIAF = [author(3, { name: "Somebody", remote_ids: { viaf: "12345678" } })];

  it("is found by an identifier", async () => {
    const searched = { name: "Another name", remote_ids: { viaf: "12345678" } };
    expect(await foundFor(searched, ...VIAF)).toBe(authorKey(3));
  });

  const NUMBERS = [
    ["isni", "0000 0001 2162 2683", "0000000121622683"],
    ["isni", "0000000121622683", "https://isni.org/isni/0000000121622683"],
    ["viaf", "https://viaf.org/viaf/987654321", "(viaf)987654321"],
    ["gnd", "118503782", "http://d-nb.info/gnd/118503782"],
    ["gnd", "(DE-588)4079163-4", "40791634"],
    ["lc_naf", "n 79021164", "http://id.loc.gov/authorities/names/n79021164"],
    ["wikidata", "http://www.wikidata.org/entity/Q42", "q42"],
  ] as const;

  it.each(NUMBERS)("is found by a number of %s in another spelling: %s, %s", async (scheme, there, text) => {
    const known = author(3, { name: "Somebody", remote_ids: { [scheme]: there, imdb: "nm1" } });
    const searched = { name: "Another name", remote_ids: { imdb: "nm1", [scheme]: text } };
    expect(await foundFor(searched, known)).toBe(authorKey(3));
    const alone = { ...recordOf({ name: "Third name", remote_ids: { [scheme]: text } }), title: "Other" };
    expect(Object(await imported(alone)).authors[0].key).toBe(authorKey(3));
    // Records of earlier versions have rows of numbers as they were typed only.
    await query(`DELETE FROM property WHERE name = 'remote_ids.${scheme}' AND value <> '${there}'`);
    expect(Object(await imported({ ...alone, title: "Third" })).authors[0].key).toBe(authorKey(3));
  });

  it("is stored with its numbers in their normal form", async () => {
    expect(await foundFor({ name: "New", remote_ids: { VIAF: "viaf.org/viaf/1", imdb: " nm1 " } })).toBe(
      "new",
    );
    expect(await stored(authorKey(10))).toMatchObject({ remote_ids: { viaf: "1", imdb: "nm1" } });
  });

  it.each([
    { name: "Fyodor Dostoevsky" },
    { name: "Somebody else", alternate_names: ["Dostoevsky, Fyodor"] },
  ])("is found by alternate names and years: %j", async (searched) => {
    const there = [
      author(4, { name: "Фёдор", alternate_names: ["Fyodor Dostoevsky"] }),
      author(5, { name: "Фёдор Д.", alternate_names: ["Fyodor Dostoevsky"], ...years("1821", "1881") }),
    ];
    expect(await foundFor({ ...searched, ...years("1821", "1881") }, ...there)).toBe(authorKey(5));
  });

  it("is found by last name and years", async () => {
    const known = author(3, { name: "William Brewer", ...years("September 14th, 1829", "11/2/1910") });
    const searched = { name: "Mr. William H. brewer", ...years("1829-09-14", "November 1910") };
    expect(await foundFor(searched, known)).toBe(authorKey(3));
  });

  it("is found by a name longer than the index's titles", async () => {
    const name = "Committee on the History of Very Long Names, Subcommittee";
    const there = [author(3, { name: `${name} on Titles` }), author(4, { name: `${name} on Authors` })];
    expect(await foundFor({ name: `${name} on Authors`, entity_type: "org" }, ...there)).toBe(authorKey(4));
  });

  it("is found in works with old keys", async () => {
    await service.loadUnindexed(author(3, { name: "John Smith" }), {
      ...work(1, { title: "A book" }),
      authors: [{ author: { key: "/a/OL3A" } }],
    });
    expect(await imported(recordOf({ name: "John Smith" }))).toMatchObject({
      work: { key: workKey(1), status: "matched" },
    });
  });
});

const BOOK = { title: "A", isbn_10: ["1250144051"], source_records: ["x:1"] };

async function failure(...call: Parameters<typeof imported>): Promise<unknown> {
  return imported(...call).then(
    (answer) => answer,
    (error: unknown) => error,
  );
}

describe("a refused import", () => {
  it("returns the desk's failure without reserving numbers", async () => {
    const record = { ...BOOK, works: [{ key: "/works/OL9999999W" }] };
    const error = await failure(record);
    expect(error).toBeInstanceOf(ImportFailure);
    const { code, message, extra } = error as ImportFailure;
    expect([code, message]).toEqual(["bad-request", "notfound"]);
    expect(await failure(record, { preview: true })).toMatchObject({ code, message });
    expect(extra).toMatchObject({
      message: expect.stringContaining("OL9999999W"),
      at: { key: "/books/__new__" },
    });
    expect(await query("SELECT name FROM sequence WHERE name LIKE 'type_%'")).toEqual([]);
  });

  it("ends its item once when requested twice at once", async () => {
    const item = await claimedItem();
    const answers = await Promise.all([failure(BOOK, { item }), failure(BOOK, { item })]);
    expect(answers.filter((answer) => answer instanceof ItemLost)).toHaveLength(1);
    expect(await query("SELECT count(*) AS count FROM record WHERE key LIKE '/books/%'")).toEqual([
      { count: 1 },
    ]);
  });

  it("changes no protected record", async () => {
    const permission = { key: "/permission/staff" };
    await service.loadUnindexed(
      { key: "/permission/staff", type: "/type/permission", writers: [{ key: "/usergroup/staff" }] },
      work(1),
      edition(1, { title: "A", isbn_10: ["1250144051"], source_records: ["x:1"], work: 1, permission }),
    );
    const more = { ...BOOK, source_records: ["y:1"] };
    expect(await failure(more)).toMatchObject({
      code: "bad-request",
      message: "permission_denied",
      extra: { at: { key: editionKey(1) } },
    });
    expect(await stored(editionKey(1))).toMatchObject({ revision: 1 });
    await service.loadUnindexed({
      key: "/usergroup/staff",
      type: "/type/usergroup",
      members: [{ key: IMPORTER }],
    });
    expect(await outcome(more)).toBe("/books/OL1M modified, /works/OL1W matched");
  });

  it("creates nothing in a closed folder", async () => {
    await service.loadUnindexed(
      { key: "/permission/staff", type: "/type/permission", writers: [{ key: "/usergroup/staff" }] },
      { key: "/books", type: "/type/page", child_permission: { key: "/permission/staff" } },
    );
    expect(await failure(BOOK)).toMatchObject({ code: "bad-request", message: "permission_denied" });
  });
});

describe("ITEM_NOTICE_URL", () => {
  const SCAN = { ...BOOK, ocaid: "ascan", source_records: ["ia:ascan"] };

  it("receives the edition of a scan, and may fail", async () => {
    const asked: [string, unknown][] = [];
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async (address, init) => {
      asked.push([String(address), JSON.parse(String(init?.body))]);
      return new Response("no", { status: 500 });
    });
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const settings = { ITEM_NOTICE_URL: "https://items.test/notice" };
    expect(await imported(SCAN, {}, settings)).toMatchObject({ success: true });
    expect(await imported(SCAN)).toMatchObject({ success: true });
    expect(await imported({ ...BOOK, isbn_10: ["0888643519"] }, {}, settings)).toMatchObject({
      success: true,
    });
    const told = { ocaid: "ascan", edition: "/books/OL1M", work: "/works/OL1W" };
    expect(asked).toEqual([["https://items.test/notice", told]]);
    expect(logged.mock.calls.join(" ")).toContain("item-notice");
    fetched.mockRestore();
    logged.mockRestore();
  });
});
