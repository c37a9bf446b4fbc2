import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { randomFrom } from "../../support/worker/random.ts";
import { author, work } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";

const WORKS = 230;
const AUTHORS = 30;
const LISTS = 24;
/** Small enough for several pages. */
const LIMIT = 7;
const service = testService();

beforeAll(async () => {
  await service.load(...records());
  await indexAll();
});

function records(): TestRecord[] {
  const random = randomFrom(5);
  const numbers = (count: number): number[] => Array.from({ length: count }, (_empty, at) => at + 1);
  return [
    ...numbers(AUTHORS).map((at) =>
      author(at, {
        name: `Frank ${random.pick(["Herbert", "Herb", "Zoë"])}`,
        birth_date: random.pick(["1920", "1921", ""]),
      }),
    ),
    ...numbers(WORKS).map((at) =>
      work(at, {
        title: random.pick(["Dune", "The Dune", "Dune of deserts", `Desert dune ${at}`, "A house"]),
        subtitle: random.pick(["dune", "a dune"]),
        authors: [1 + random.below(AUTHORS)],
        subjects: [`Sand ${random.below(20)}`, "Dunes"],
      }),
    ),
    ...numbers(LISTS).map((at) => ({
      key: `/people/reader/lists/OL${at}L`,
      type: "/type/list",
      name: `Dune ${random.pick(["list", "books"])}`,
      seeds: numbers(2 + random.below(3)).map((seed) => ({ key: `/works/OL${seed}W` })),
      modified: random.pick(["2026-11-02T00:00:00.000000", "2026-11-03T00:00:00.000000"]),
    })),
  ];
}

interface Answer {
  readonly numFound: number;
  readonly docs: readonly { readonly key: string }[];
}

async function answer(path: string, query: string): Promise<Answer> {
  const response = await service.fetch(`${path}?${query}`);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response.json<Answer>();
}

/** Pages through everything, and compares the pages with one answer that has it all. */
async function expectPartition(path: string, query: string, count: number): Promise<void> {
  const whole = await answer(path, `${query}&limit=1000`);
  const all = whole.docs.map(({ key }) => key);
  expect(whole.numFound).toBe(count);
  expect(all).toHaveLength(whole.numFound);
  expect(new Set(all).size).toBe(all.length);
  const paged: string[] = [];
  for (let page = 1; paged.length < all.length; page += 1) {
    const window = page % 2 === 0 ? `page=${page}` : `offset=${(page - 1) * LIMIT}`;
    const { numFound, docs } = await answer(path, `${query}&limit=${LIMIT}&${window}`);
    expect(numFound).toBe(whole.numFound);
    if (docs.length === 0) break;
    paged.push(...docs.map(({ key }) => key));
  }
  expect(paged).toEqual(all);
  expect(await answer(path, `${query}&limit=${LIMIT}&offset=${all.length}`)).toMatchObject({ docs: [] });
}

describe("pages of other documents partition the results", () => {
  it.each(["", "work_count desc", "name", "birth_date asc", "birth_date desc", "random_1", "random_1 desc"])(
    "authors by %s",
    async (sort) => {
      await expectPartition("/search/authors.json", `q=frank&sort=${sort}`, AUTHORS);
    },
  );

  it("subjects", () => expectPartition("/search/subjects.json", "q=sand", 20));

  it.each(["", "name asc", "last_modified", "last_modified asc", "seed_count", "seed_count asc", "random_1"])(
    "lists by %s",
    async (sort) => {
      await expectPartition("/search/lists.json", `q=dune&api=next&sort=${sort}`, LISTS);
    },
  );
});
