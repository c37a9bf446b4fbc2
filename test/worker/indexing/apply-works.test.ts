import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { readHealth } from "../../../src/db/search/embedded-engine.ts";
import { type StoredWorkRow, restoreWork } from "../../../src/search/indexing/packed-work.ts";
import {
  type StoredEditionRow,
  readEditionsStatement,
  readWorksStatement,
} from "../../../src/db/search/read-works.ts";
import { createWorkSource } from "../../../src/db/search/work-pages.ts";
import { restoreEditionOfRow, worksByKey } from "../../../src/search/engine/search-works.ts";
import { batchRows, rows } from "../../../src/db/statement.ts";
import { quoteTokenPhrase } from "../../../src/search/indexing/filter-token.ts";
import {
  applyTo,
  at,
  clearGeneration,
  matches,
  searchRows,
  testWork,
} from "../../support/worker/index-documents.ts";

beforeEach(async () => {
  await clearGeneration("a");
  await clearGeneration("b");
});

async function stored(id: number) {
  const [row] = await rows<StoredWorkRow>(env.SEARCH, readWorksStatement("a", [id]));
  return row === undefined ? undefined : await restoreWork(row);
}

it("finds a work by words, exact values and editions", async () => {
  const work = testWork({
    number: 7,
    members: { title: "Running libraries", subjects: ["Science Fiction"] },
    editions: [{ title: "Laufen", languages: [{ key: "/languages/ger" }], isbn_13: ["9780306406157"] }],
    authors: [3],
  });
  await applyTo("a", { works: [at(1, work)] });
  expect(await matches("work_text_a", 'title:"run"')).toEqual([7]);
  expect(await matches("work_text_a", 'alternative_title:"laufen"')).toEqual([7]);
  expect(await matches("work_text_a", quoteTokenPhrase("l=ger"))).toEqual([7]);
  expect(await matches("work_text_a", quoteTokenPhrase("sk=science_5ffiction"))).toEqual([7]);
  expect(await matches("work_text_a", quoteTokenPhrase("ak=_4f_4c3_41"))).toEqual([7]);
  expect(await matches("work_text_a", quoteTokenPhrase("t=running_libraries"))).toEqual([7]);
  expect(await matches("edition_text_a", quoteTokenPhrase("l=ger"))).toEqual([7 * 8192]);
  expect(await searchRows("SELECT work, rowid >> 13 AS w, rowid & 8191 AS rank FROM edition_text_a")).toEqual(
    [{ work: 7, w: 7, rank: 0 }],
  );
  expect(await searchRows("SELECT term FROM spelling_a ORDER BY term")).toEqual(
    ["author", "laufen", "libraries", "running"].map((term) => ({ term })),
  );
});

it("returns a work and its editions as built, without hidden fields", async () => {
  const work = testWork({
    number: 8,
    members: { title: "The Hobbit", subtitle: "There and back again", other_titles: ["Hidden"] },
    editions: [{ title: "One" }, { title: "Two", covers: [5] }],
    authors: [3],
    counts: { ratings: [0, 1, 0, 0, 2], wantToRead: 4 },
  });
  await applyTo("a", { works: [at(1, work)] });
  const { alternative_title: _a, title_sort: _t, editions, ...members } = work;
  const trending = { hourlySum: 0, zScore: 0, slots: undefined };
  const read = await stored(8);
  expect(read).toEqual({ ...members, trending });
  if (read === undefined) return;
  const [editionRows = []] = await batchRows(env.SEARCH, [readEditionsStatement("a", [8], 10)]);
  // Rows of the statement.
  const found = (editionRows as StoredEditionRow[]).map((row) => restoreEditionOfRow(row, read));
  expect(found).toEqual(editions.map(({ alternative_title: _title, ...edition }) => edition));
  // The second one has a cover, so it comes first when there is no room for both.
  const [best = []] = await batchRows(env.SEARCH, [readEditionsStatement("a", [8], 1)]);
  expect((best as StoredEditionRow[]).map(({ position }) => position)).toEqual([1]);
});

it("keeps two works apart that share an edition", async () => {
  const shared = { key: "/books/OL77M", title: "Shared", languages: [{ key: "/languages/fre" }] };
  const first = testWork({ number: 1, editions: [shared] });
  const second = testWork({ number: 2, editions: [shared] });
  await applyTo("a", { works: [at(1, first), at(1, second)] });
  await applyTo("a", { works: [at(2, testWork({ number: 1 }))] });
  expect(await matches("edition_text_a", quoteTokenPhrase("l=fre"))).toEqual([2 * 8192]);
});

it("deletes works, which older messages do not restore", async () => {
  const work = at(1, testWork({ number: 4, members: { subjects: ["Cats"] }, editions: [{}] }));
  await applyTo("a", { works: [work] });
  await applyTo("a", { deletes: [{ key: "/works/OL4W", version: 2 }] });
  await applyTo("a", { works: [work] });
  expect(await stored(4)).toBeUndefined();
  for (const table of ["work_text_a", "edition_text_a", "edition_a", "work_document_a", "subject_a"]) {
    expect(await searchRows(`SELECT count(*) AS n FROM ${table}`), table).toEqual([{ n: 0 }]);
  }
  await applyTo("a", { works: [at(3, testWork({ number: 4 }))] });
  expect((await stored(4))?.title).toBe("Book 4");
  expect(await searchRows("SELECT key FROM tombstone_a")).toEqual([]);
  await applyTo("a", { deletes: [{ key: "/works/OL4W", version: 2 }] });
  expect((await stored(4))?.title).toBe("Book 4");
});

it("stores works that are too large for a value", async () => {
  const editions = Array.from({ length: 2000 }, (_edition, index) => ({
    title: `Edition number ${index} ${"x".repeat(40)}`,
    publishers: [`Publisher of edition ${index}`],
    isbn_10: [String(1_000_000_000 + index)],
    table_of_contents: Array.from(
      { length: 5 },
      (_entry, entry) => `Chapter ${entry} of ${index} about something`,
    ),
  }));
  const work = testWork({ number: 6, editions });
  await applyTo("a", { works: [at(1, work)] });
  const read = await stored(6);
  expect(read?.chapter).toHaveLength(10_000);
  expect(read?.edition_key).toHaveLength(2000);
  const index = { database: env.SEARCH, generation: "a", prefix: "OL" } as const;
  const { documents } = await worksByKey(createWorkSource(index), [work.key], {
    withEditions: false,
    fields: ["edition_key"],
  });
  expect(documents[0]?.["edition_key"]).toHaveLength(2000);
  const [row] = await searchRows<{ plain: number; packed: number; json: number }>(
    "SELECT length(document) AS plain, length(packed) AS packed, json_valid(document) AS json FROM work_document_a",
  );
  expect(row?.plain).toBeLessThanOrEqual(400_000);
  expect(row?.packed).toBeLessThan(1_800_000);
  expect(row?.json).toBe(1);
  expect(await matches("work_text_a", quoteTokenPhrase("i=1000001999"))).toEqual([6]);
  expect(await matches("edition_text_a", quoteTokenPhrase("i=1000001999"))).toHaveLength(1);
});

it("writes many works in bounded batches", async () => {
  // A batch has 500 of them.
  const works = Array.from({ length: 510 }, (_work, index) =>
    at(1, testWork({ number: index + 1, editions: [{ title: `Title ${index}` }], authors: [index % 7] })),
  );
  await applyTo("a", { works }, { aggregates: false });
  expect((await readHealth(env.SEARCH, "a")).documents.work).toBe(510);
  expect(await matches("work_text_a", 'alternative_title:"titl 509"')).toEqual([510]);
  expect(await searchRows("SELECT doc FROM work_term_a WHERE term = 'ak=_4f_4c0_41'")).toEqual([{ doc: 73 }]);
});

it("keeps trending, and copies it to the other generation", async () => {
  const work = at(1, testWork({ number: 3 }));
  await applyTo("a", { works: [work] });
  await env.SEARCH.exec("UPDATE work_a SET trending_score_hourly_sum = 7, trending_z_score = 1.5");
  await applyTo("a", { works: [at(2, testWork({ number: 3 }))] });
  await applyTo("b", { works: [work] });
  for (const table of ["work_a", "work_b"]) {
    expect(
      await searchRows(`SELECT trending_score_hourly_sum AS sum, trending_z_score AS z FROM ${table}`),
    ).toEqual([{ sum: 7, z: 1.5 }]);
  }
});
