import { beforeEach, describe, expect, it } from "vitest";
import { commitChange } from "../../../src/db/editing/commit.ts";
import { type Store, batchRows, firstValue, rows, run } from "../../../src/db/statement.ts";
import { ownPostgres } from "../../support/worker/postgres.ts";
import { testService } from "../../support/worker/service.ts";

const CHANGE = {
  entry: {
    kind: "update",
    author: null,
    comment: null,
    bot: false,
    ip: null,
    created: "2026-11-01T00:00:00.000000",
    changes: "[]",
    data: "{}",
  },
  writes: [],
  sequences: new Map<string, number>(),
};
/** An address without a server. */
const NOWHERE = { connectionString: "postgres://nobody:x@127.0.0.1:9/nothing" } as Hyperdrive;

let store = ownPostgres();
beforeEach(() => {
  store = ownPostgres();
});

const statement = (sql: string, ...values: (string | number)[]) => ({ sql, values });
const changesOf = (of: Store) => firstValue<number>(of, statement("SELECT count(*) FROM change"));

describe("a catalog in PostgreSQL", () => {
  it("returns numbers for every numeric type, and texts as stored", async () => {
    const sql = `SELECT count(*) AS count, sum(n) AS sum, max(n) AS max, CAST(?1 AS TEXT) AS text, 1 = 1 AS truth
      FROM (SELECT 1 AS n UNION ALL SELECT 2 AS n) t`;
    expect(await rows(store, statement(sql, '{"a": 1}'))).toEqual([
      { count: 2, sum: 3, max: 2, text: '{"a": 1}', truth: 1 },
    ]);
  });

  it("commits all statements of a batch or none", async () => {
    const insert = "INSERT INTO sequence (name, value) VALUES (?1, ?2)";
    const batch = [
      statement(insert, "batch", 1),
      statement(insert, "other", 1),
      statement(insert, "batch", 2),
    ];
    await expect(batchRows(store, batch)).rejects.toThrow(/duplicate key/);
    expect(
      await rows(store, statement("SELECT name FROM sequence WHERE name IN ('batch', 'other')")),
    ).toEqual([]);
    expect(await run(store, statement(insert, "batch", 1))).toBe(1);
  });

  it("reports failed guards and conditions as conflicts without using a number", async () => {
    const before = (await changesOf(store)) ?? 0;
    const session = store.withSession("first-primary");
    const guards = [statement("INSERT INTO expectation (met) SELECT 0")];
    expect(await commitChange(session, { ...CHANGE, guards })).toBe("conflict");
    const condition = { sql: "?10 = 'y'", value: "x" };
    expect(await commitChange(session, { ...CHANGE, condition })).toBe("conflict");
    expect(session.getBookmark()).toBeNull();
    const id = await commitChange(session, CHANGE);
    expect(session.getBookmark()).toBe(String(id));
    expect(await changesOf(store)).toBe(before + 1);
  });

  it("numbers concurrent changes without gaps", async () => {
    const before = (await firstValue<number | null>(store, statement("SELECT max(id) FROM change"))) ?? 0;
    const numbers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const own = ownPostgres().withSession("first-primary");
        const given: (number | "conflict")[] = [];
        for (let count = 0; count < 5; count += 1) given.push(await commitChange(own, CHANGE));
        return given;
      }),
    );
    for (const given of numbers) expect(given).toEqual(given.toSorted((a, b) => Number(a) - Number(b)));
    expect(numbers.flat().toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 40 }, (_, index) => before + index + 1),
    );
  });

  it("reads one snapshot in a batch", async () => {
    const slow = "SELECT count(*) AS count, pg_sleep(0.3) FROM change";
    const counts = "SELECT count(*) AS count FROM change";
    const reading = batchRows(store, [statement(counts), statement(slow), statement(counts)]);
    await commitChange(ownPostgres(), CHANGE);
    const [first, , last] = await reading;
    expect(first).toEqual(last);
  });

  it("reads near without a bookmark, and writes to the primary", async () => {
    const catalog = ownPostgres({ CATALOG_NEAR: NOWHERE });
    const one = statement("SELECT 1");
    await expect(rows(catalog.withSession("first-unconstrained"), one)).rejects.toThrow(
      /^POSTGRES_UNAVAILABLE/,
    );
    const ofD1 = "00000001-00000001-00004e61-0123456789abcdef0123456789abcdef";
    for (const from of ["first-primary", "17", ofD1, "not-a-bookmark"])
      expect(await rows(catalog.withSession(from), one)).toHaveLength(1);
    expect(await commitChange(catalog.withSession("first-unconstrained"), CHANGE)).toBeTypeOf("number");
  });

  it("answers 503 with Retry-After when it is down", async () => {
    const service = testService({ CATALOG_POSTGRES: NOWHERE });
    const response = await service.fetch("/works/OL1W.json");
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("5");
  });
});
