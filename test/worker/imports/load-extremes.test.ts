import { beforeEach, describe, expect, it } from "vitest";
import type { ImportRecord } from "../../../src/import/record.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { emptyCatalog, query } from "../../support/worker/desk.ts";
import { LANGUAGES, imported, outcome } from "../../support/worker/importing.ts";
import { author, authorKey, edition, work } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";

const service = testService();
beforeEach(async () => {
  await emptyCatalog();
  await service.loadUnindexed(...LANGUAGES);
});

const ISBN = { isbn_10: ["1250144051"] };
const BOOK: ImportRecord = { title: "A book", ...ISBN, source_records: ["x:1"] };
const keys = (...all: string[]) => all.map((key) => ({ key }));
const MATCHED = "/books/OL1M matched, /works/OL1W matched";

describe("very large imports", () => {
  it("have up to 250 authors, which are all found again", async () => {
    const authors = Array.from({ length: 250 }, (_, index) => ({
      name: `Writer ${index}`,
      birth_date: "1901",
      death_date: "1980",
      alternate_names: [`Also ${index}`, `Too ${index}`],
      remote_ids: { viaf: `${index}` },
    }));
    const first = await imported({ ...BOOK, authors });
    expect(new Set(first.authors?.map(({ key }) => key)).size).toBe(250);
    const other = await imported({ ...BOOK, isbn_10: ["0140328726"], title: "Another book", authors });
    expect(other.authors?.map(({ key, status }) => [key, status])).toEqual(
      first.authors?.map(({ key }) => [key, "matched"]),
    );
    const more = await imported({ ...BOOK, authors: [...authors, { name: "Last" }] });
    expect(more.warnings).toMatchObject([{ field: "authors" }]);
  });

  it("are found again by titles of any length", async () => {
    const title = "All the words of the world ".repeat(4000).trim();
    const record = { title, authors: [{ name: "Ann Author" }], source_records: ["x:1"] };
    expect(await outcome(record)).toBe("/books/OL1M created, /works/OL1W created");
    expect(await outcome(record)).toBe(MATCHED);
    expect(await outcome({ ...record, publish_date: "1999", source_records: ["y:1"] })).toBe(
      "/books/OL2M created, /works/OL1W matched",
    );
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("an import with preview", () => {
  const there: TestRecord[] = [
    author(1, { name: "John Smith" }),
    work(1, { title: "A book", authors: [1] }),
    edition(1, { ...BOOK, work: 1 }),
    edition(2, { title: "Orphan", isbn_10: ["0140328726"], authors: keys(authorKey(1)) }),
    edition(3, { title: "Promised", isbn_10: ["0452269571"], source_records: ["promise:1"], work: 1 }),
  ];
  const more = {
    subjects: ["a"],
    publish_date: "1999",
    languages: ["eng"],
    authors: [{ name: "Smith, John" }],
  };

  it.each<[string, ImportRecord]>([
    ["a known book", BOOK],
    ["a known book with something new", { ...BOOK, ...more, source_records: ["y:1"] }],
    ["a book without a work", { title: "Orphan", isbn_10: ["0140328726"], ...more, source_records: ["y:1"] }],
    ["a promised book", { title: "Here it is", isbn_10: ["0452269571"], ...more, source_records: ["ia:y"] }],
    ["a new edition of a work", { ...BOOK, ...more, isbn_10: ["0888643519"], source_records: ["y:1"] }],
    ["a new book", { title: "New", source_records: ["y:1"], authors: [{ name: "Ann Author" }] }],
  ])("returns the result of the import after it for %s", async (_what, record) => {
    await service.loadUnindexed(...there);
    const shown = await imported(record, { preview: true, fromMarc: true });
    const before = await query("SELECT max(id) AS last FROM change");
    const made = await imported(record, { fromMarc: true });
    // New records have other keys in a preview, and nothing else differs.
    const names = new Map([
      [shown.edition.key, made.edition.key],
      [shown.work.key, made.work.key],
      ...(shown.authors ?? []).map(({ key }, index) => [key, made.authors?.[index]?.key ?? ""] as const),
    ]);
    const renamed = JSON.parse(
      [...names].reduce((text, [from, to]) => text.replaceAll(`"${from}"`, `"${to}"`), JSON.stringify(shown)),
    );
    const { preview: _preview, edits, ...reply } = renamed;
    expect(reply).toEqual(made);
    const saved = await query(
      `SELECT document FROM record WHERE change_id > ${String(before[0]?.["last"])} ORDER BY key`,
    );
    const documents = saved.map(({ document }) => {
      const {
        revision: _r,
        latest_revision: _l,
        created: _c,
        last_modified: _m,
        ...members
      } = JSON.parse(String(document));
      return members;
    });
    expect(edits.toSorted((a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1))).toEqual(
      documents,
    );
  });
});
