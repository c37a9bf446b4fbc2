import { beforeEach, describe, expect, it } from "vitest";
import { randomFrom } from "../../support/worker/random.ts";
import { author, deleted, edition, language, redirected, work } from "../../support/worker/records.ts";
import { type TestRecord, documentOf, testService } from "../../support/worker/service.ts";
import { emptyStores, indexRows, revisionsOf, sequences } from "../../support/worker/stored.ts";

const service = testService();
beforeEach(emptyStores);

const at = (second: number): { modified: string } => ({
  modified: `2026-11-02T00:00:${String(second).padStart(2, "0")}.000000`,
});
const titles = async (key: string): Promise<string[]> => {
  const history = Object(await service.json(`${key}.json?m=history&limit=1000`));
  const found = [];
  for (const { revision } of history)
    found.push(Object(await service.json(`${key}.json?v=${revision}`)).title);
  return found;
};

const HISTORY: TestRecord[] = [
  work(1, { revision: 1, ...at(1), title: "One", authors: [1] }),
  work(1, { revision: 2, ...at(2), title: "Two", authors: [1, 2] }),
  deleted("/works/OL1W", 3, at(3)),
  work(1, { revision: 4, ...at(4), title: "Four", authors: [2] }),
  edition(1, { revision: 1, ...at(1), work: 1, isbn_10: ["0451526538"] }),
  edition(1, {
    revision: 2,
    ...at(5),
    work: 1,
    isbn_10: ["0140328726"],
    languages: [{ key: "/languages/eng" }],
  }),
  edition(1, { revision: 5, ...at(9), work: 2, isbn_10: ["080442957X"], ocaid: "scan" }),
  author(1, { revision: 1, ...at(1) }),
  { ...redirected("/authors/OL1A", "/authors/OL2A", 2), ...at(6) },
  author(2, { revision: 1, ...at(2), name: "Ann" }),
  language("eng", "English", at(1)),
  { key: "/people/jane", type: "/type/user", displayname: "Jane", ...at(1) },
  { key: "/people/jane", type: "/type/user", displayname: "Jane B.", revision: 2, ...at(7) },
];
const KEYS = [...new Set(HISTORY.map(({ key }) => key))];
const LATEST = KEYS.map((key) => HISTORY.findLast((record) => record.key === key)!);

const state = async () => ({
  revisions: await revisionsOf(service, KEYS),
  index: await indexRows(),
  sequences: await sequences(),
});

describe("lines in any order", () => {
  it("give the same records, histories and indexes", async () => {
    await service.load(...HISTORY);
    const expected = await state();
    // One line a load, and several.
    for (const most of [1, 4, 8]) {
      await emptyStores();
      const random = randomFrom(most);
      const lines = random.shuffled(HISTORY);
      for (let start = 0; start < lines.length;) {
        const size = 1 + random.below(most);
        await service.load(...lines.slice(start, start + size));
        start += size;
      }
      expect(await state(), `up to ${most} lines a load`).toEqual(expected);
    }
  });

  it("without history give the same latest state", async () => {
    await service.load(...HISTORY);
    const [index, marks] = [await indexRows(), await sequences()];
    await emptyStores();
    await service.load(...LATEST);
    expect(await indexRows()).toEqual(index);
    expect(await sequences()).toEqual(marks);
    for (const record of LATEST) {
      expect(await service.json(`${record.key}.json`)).toEqual(documentOf(record));
      expect(await service.json(`${record.key}.json?m=history`)).toHaveLength(1);
    }
  });

  it("can fill in a history later", async () => {
    await service.load(...HISTORY);
    const expected = await state();
    await emptyStores();
    await service.load(...LATEST);
    expect(await service.load(...HISTORY)).toMatchObject({ created: 0, unchanged: LATEST.length });
    expect(await state()).toEqual(expected);
  });
});

describe("two lines of one revision", () => {
  const old = edition(1, { revision: 2, ...at(2), title: "Old", isbn_10: ["0451526538"] });
  const corrected = edition(1, { revision: 2, ...at(3), title: "New", isbn_10: ["0140328726"] });
  const first = edition(1, { revision: 1, ...at(1), title: "First" });
  const later = edition(1, { revision: 3, ...at(9), title: "Later", isbn_10: ["080442957X"] });

  it("are ordered by last_modified", async () => {
    expect(await service.load(old)).toMatchObject({ created: 1 });
    expect(await service.load(corrected)).toMatchObject({ updated: 1, kept: 0 });
    expect(await service.load(old)).toMatchObject({ updated: 0, kept: 1 });
    expect(await service.json("/books/OL1M.json")).toEqual(documentOf(corrected));
    expect((await service.fetch("/isbn/0451526538")).status).toBe(404);
    expect((await service.fetch("/isbn/0140328726")).status).toBe(302);
  });

  it("are ordered by last_modified in the history, too", async () => {
    await service.load(first, old, later);
    const before = await indexRows();
    expect(await service.load(corrected)).toMatchObject({ updated: 1 });
    expect(await titles("/books/OL1M")).toEqual(["Later", "New", "First"]);
    expect(await service.load(old)).toMatchObject({ kept: 1 });
    expect(await titles("/books/OL1M")).toEqual(["Later", "New", "First"]);
    expect(await indexRows()).toEqual(before);
    expect(await service.json("/books/OL1M.json")).toEqual(documentOf(later));
  });

  it("may come with the revision that supersedes them", async () => {
    for (const lines of [
      [corrected, later],
      [later, corrected],
    ]) {
      await emptyStores();
      await service.load(first, old);
      await service.load(...lines);
      expect(await titles("/books/OL1M")).toEqual(["Later", "New", "First"]);
      expect(await service.json("/books/OL1M.json")).toEqual(documentOf(later));
      expect(
        (await indexRows()).filter((row) => row.includes('"isbn"')).map((row) => JSON.parse(row).value),
      ).toEqual(["080442957X", "9780804429573"]);
    }
  });
});
