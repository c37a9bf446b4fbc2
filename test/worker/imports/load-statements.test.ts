import { beforeEach, describe, expect, it } from "vitest";
import { NumberPool } from "../../../src/db/editing/numbers.ts";
import { emptyCatalog, query } from "../../support/worker/desk.ts";
import { LANGUAGES } from "../../support/worker/importing.ts";
import { attemptedLoad, claimedItem } from "../../support/worker/load-attempt.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
beforeEach(async () => {
  await emptyCatalog();
  await service.loadUnindexed(...LANGUAGES);
});

const BOOK = {
  title: "A new book: its subtitle",
  authors: [{ name: "Ann Author", birth_date: "1850", death_date: "1910" }, { name: "Body of Authors" }],
  isbn_13: ["9780141439662"],
  lccn: ["00690881"],
  oclc_numbers: ["123456"],
  languages: ["eng"],
  publishers: ["Press"],
  publish_date: "1999",
  subjects: ["Books"],
  source_records: ["marc:file:0:100"],
};
const COVER = "https://covers.openlibrary.org/b/id/1-L.jpg";

/** Most statements of one import. */
const STATEMENTS_MAX = 8;

describe("statements and round trips", () => {
  it("of a queued new book with new authors", async () => {
    const { outcome, statements, trips } = await attemptedLoad(BOOK, { item: await claimedItem() });
    expect(outcome).toMatchObject({ ok: true, reply: { edition: { status: "created" } } });
    expect(statements).toHaveLength(STATEMENTS_MAX);
    expect(trips).toBe(2);
    expect(
      await query("SELECT status, ol_key, data, claim FROM import_item ORDER BY id DESC LIMIT 1"),
    ).toEqual([{ status: "created", ol_key: "/books/OL1M", data: null, claim: null }]);
  });

  it("of a new book of a known author with a cover", async () => {
    await attemptedLoad(BOOK);
    const other = { ...BOOK, title: "Another book", isbn_13: ["9780888643513"], lccn: ["agr25000003"] };
    const { outcome, statements, trips } = await attemptedLoad({
      ...other,
      oclc_numbers: ["654321"],
      cover: COVER,
    });
    expect(outcome).toMatchObject({
      ok: true,
      reply: { edition: { status: "created" }, authors: [{ status: "matched" }, { status: "matched" }] },
      cover: expect.any(Number),
    });
    expect(statements).toHaveLength(STATEMENTS_MAX);
    expect(trips).toBe(2);
  });

  it("of imports that share reserved numbers", async () => {
    const wait = { pool: new NumberPool(), waiting: 5 };
    await attemptedLoad(BOOK, wait);
    const other = {
      ...BOOK,
      title: "Another book",
      authors: [{ name: "Another Author" }],
      isbn_13: ["9780888643513"],
      lccn: ["agr25000003"],
      oclc_numbers: ["654321"],
    };
    const { outcome, statements, trips } = await attemptedLoad(other, { ...wait, item: await claimedItem() });
    expect(outcome).toMatchObject({ ok: true, reply: { edition: { status: "created" } } });
    expect([statements.length, trips]).toEqual([7, 2]);
    const covered = {
      ...other,
      title: "A third",
      isbn_13: [],
      lccn: [],
      oclc_numbers: ["777"],
      cover: COVER,
    };
    const third = await attemptedLoad(covered, { ...wait, item: await claimedItem() });
    // The first cover of all: its number comes with those for others.
    expect([third.statements.length, third.trips]).toEqual([9, 3]);
    const fourth = { ...covered, title: "A fourth", oclc_numbers: ["888"] };
    const last = await attemptedLoad(fourth, { ...wait, item: await claimedItem() });
    expect([last.statements.length, last.trips]).toEqual([STATEMENTS_MAX, 2]);
  });

  it("of an unchanged known book", async () => {
    await attemptedLoad(BOOK);
    const { outcome, statements, trips } = await attemptedLoad(BOOK);
    expect(outcome).toMatchObject({ ok: true, reply: { edition: { status: "matched" } }, saved: null });
    expect([statements.length, trips]).toEqual([1, 1]);
    const ofQueue = await attemptedLoad(BOOK, { item: await claimedItem() });
    expect([ofQueue.statements.length, ofQueue.trips]).toEqual([2, 2]);
    expect(await query("SELECT status, ol_key FROM import_item ORDER BY id DESC LIMIT 1")).toEqual([
      { status: "matched", ol_key: "/books/OL1M" },
    ]);
  });

  it("of a known book with a new source and subject", async () => {
    await attemptedLoad(BOOK);
    const more = { ...BOOK, source_records: ["marc:other:0:100"], subjects: ["More books"] };
    const { outcome, statements, trips } = await attemptedLoad(more, { item: await claimedItem() });
    expect(outcome).toMatchObject({
      ok: true,
      reply: { edition: { status: "modified" }, work: { status: "modified" } },
    });
    expect(statements.length).toBeLessThanOrEqual(STATEMENTS_MAX);
    expect(trips).toBe(2);
  });
});
