import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { NUMBERS_AHEAD_MAX, NumberPool, reserveNumbers } from "../../../src/db/editing/numbers.ts";
import { emptyCatalog } from "../../support/worker/desk.ts";
import { countedDatabase } from "../../support/worker/statements.ts";

beforeEach(emptyCatalog);

const BOOK = new Map([
  ["type_work_seq", 1],
  ["type_author_seq", 2],
]);

it("NumberPool takes the needed numbers if no import waits", async () => {
  const pool = new NumberPool();
  expect((await pool.take(env.CATALOG, BOOK, { waiting: 0 })).numbers).toEqual(
    new Map([
      ["type_work_seq", [1]],
      ["type_author_seq", [1, 2]],
    ]),
  );
  expect(await reserveNumbers(env.CATALOG, BOOK)).toEqual(
    new Map([
      ["type_work_seq", [2]],
      ["type_author_seq", [3, 4]],
    ]),
  );
});

it("NumberPool reserves numbers for waiting imports, and gives each once", async () => {
  const [pool, other] = [new NumberPool(), new NumberPool()];
  const { database, statements } = countedDatabase(env.CATALOG);
  const taken: number[] = [];
  const take = async (from: NumberPool) => {
    const { numbers } = await from.take(database, BOOK, { waiting: 100 });
    expect([...numbers.values()].map(({ length }) => length)).toEqual([1, 2]);
    taken.push(...(numbers.get("type_author_seq") ?? []));
  };
  await Promise.all([take(pool), take(pool), take(other), take(pool)]);
  for (let n = 0; n < 20; n += 1) await take(n % 4 === 0 ? other : pool);
  expect(new Set(taken).size).toBe(48);
  expect(statements.length).toBeLessThan(8);
  pool.drop();
  const before = Math.max(...taken);
  const [first] = (await pool.take(database, BOOK, { waiting: 0 })).numbers.get("type_author_seq") ?? [];
  expect(first).toBeGreaterThan(before);
  expect(first).toBeLessThan(before + 8 * NUMBERS_AHEAD_MAX);
});

it("NumberPool leaves it to an import to raise the sequences if no other waits", async () => {
  const pool = new NumberPool();
  const { database, statements } = countedDatabase(env.CATALOG);
  const current = new Map([["type_author_seq", 7]]);
  expect(await pool.take(database, BOOK, { waiting: 0, current })).toEqual({
    numbers: new Map([
      ["type_work_seq", [1]],
      ["type_author_seq", [8, 9]],
    ]),
    raised: [
      { name: "type_work_seq", from: 0, to: 1 },
      { name: "type_author_seq", from: 7, to: 9 },
    ],
  });
  expect(statements).toEqual([]);
});
