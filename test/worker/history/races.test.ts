import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createDocuments } from "../../../src/db/editing/create.ts";
import { reserveNumbers } from "../../../src/db/editing/numbers.ts";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import type { SaveResult } from "../../../src/db/editing/request.ts";
import { setServiceState } from "../../../src/db/service/service-state.ts";
import type { EditDesk } from "../../../src/durable/edit-desk.ts";
import { attempted } from "../../support/worker/attempt.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import {
  NOW,
  create,
  done,
  editDesk,
  emptyCatalog,
  query,
  refusals,
  requestOf,
  save,
  stored,
  user,
} from "../../support/worker/desk.ts";
import { randomFrom } from "../../support/worker/random.ts";
import { author, authorKey, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";

// Many writers at once; how long that takes says nothing.
vi.setConfig({ testTimeout: 60_000 });
const service = testService();
beforeEach(emptyCatalog);

const ann = { writer: user("ann") };
const typed = (type: string) => ({ key: `/type/${type}` });
const workDocument = (id: number, title: string, authors: readonly number[] = []) => ({
  key: workKey(id),
  type: typed("work"),
  title,
  authors: authors.map((one) => ({ author: { key: authorKey(one) } })),
});
const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_one, index) => make(index));
/** Two desks at once, as when an object moves. */
const desks = () => [editDesk(), editDesk("another")];

describe("numbers of new records", () => {
  const keysOfNew = async (desk = editDesk()) =>
    done(await create([{ type: typed("work"), title: "New" }], {}, desk)).keys;

  it("follow the numbers that other desks have reserved", async () => {
    const [first, second] = desks();
    const keys = [];
    for (const desk of [first, second, first, first, second]) keys.push(...(await keysOfNew(desk)));
    expect(keys).toEqual(times(5, (n) => workKey(n + 1)));
    await reserveNumbers(env.CATALOG, new Map([["type_work_seq", 2]]));
    expect(await keysOfNew(second)).toEqual([workKey(8)]);
    await service.load(work(9), work(20));
    expect(await keysOfNew(second)).toEqual([workKey(21)]);
    expect(await catalogFaults()).toEqual([]);
  });

  it("need no statement of their own from the second change on", async () => {
    const counted = countedDatabase(env.CATALOG);
    const desk = {
      catalog: counted.database,
      prefix: "OL",
      time: () => NOW,
      lastNumbers: new Map<string, number>(),
      mayRaise: true,
    };
    const { documents: _, ...request } = requestOf([]);
    const trips = async () => {
      const before = roundTrips(counted);
      const documents = [{ type: typed("work"), title: "New" }];
      done(await createDocuments(desk, { documents, edits: [] }, request));
      return roundTrips(counted) - before;
    };
    expect([await trips(), await trips(), await trips()]).toEqual([3, 2, 2]);
  });
});

describe("40 concurrent changes of one record", () => {
  it("make a revision each", async () => {
    await service.load(work(1));
    const results = await Promise.all(times(40, (n) => save([workDocument(1, `Title ${n}`)], ann)));
    const revisions = results.map((result) => done(result).saved[0]?.revision ?? 0);
    expect(revisions.toSorted((a, b) => a - b)).toEqual(times(40, (n) => n + 2));
    const titles = await query(
      "SELECT document->>'title' AS title FROM revision UNION SELECT document->>'title' FROM record",
    );
    expect(titles).toHaveLength(41);
    expect(await catalogFaults()).toEqual([]);
  });

  it("succeed once for each expected revision", async () => {
    await service.load(work(1, { title: "0" }));
    const increase = async (): Promise<number> => {
      for (let refused = 0; ; refused += 1) {
        const before = await stored(workKey(1));
        const title = String(Number(before?.["title"]) + 1);
        const expected = { [workKey(1)]: Number(before?.["revision"]) };
        const result = await save([workDocument(1, title)], { ...ann, expected });
        if (result.ok) return refused;
        expect(refusals(result)).toEqual(["409 Document update conflict"]);
      }
    };
    const refused = await Promise.all(times(8, increase));
    expect(refused.some((count) => count > 0)).toBe(true);
    expect(await stored(workKey(1))).toMatchObject({ title: "8", revision: 9 });
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("24 concurrent changes of overlapping records", () => {
  it.each([
    ["at one desk", 1],
    ["at two desks during a move", 2],
  ])("are whole and serial %s", async (_where, count) => {
    const random = randomFrom(count);
    await service.load(...times(8, (n) => work(n + 1)));
    const wanted = times(24, (n) => random.shuffled([1, 2, 3, 4, 5, 6, 7, 8]).slice(0, 2 + (n % 4)));
    const results: SaveResult[] = await Promise.all(
      wanted.map((ids, n) =>
        save(
          ids.map((id) => workDocument(id, `Change ${n}`)),
          ann,
          desks()[n % count],
        ),
      ),
    );
    // Every change wrote all its records, and each of its revisions holds what it wanted.
    for (const [n, result] of results.entries()) {
      const { change, saved } = done(result);
      expect(saved.map(({ key }) => key)).toEqual(wanted[n]?.map(workKey));
      const rows = await query(
        `SELECT document->>'title' AS title FROM revision WHERE change_id = ${change}
         UNION ALL SELECT document->>'title' FROM record WHERE change_id = ${change}`,
      );
      expect(rows).toEqual(saved.map(() => ({ title: `Change ${n}` })));
    }
    // With no gap and in one order for all records (`catalogFaults`), the order of the log is the serial one.
    expect(await catalogFaults()).toEqual([]);
  });

  it("keep an invariant with expected revisions", async () => {
    await service.load(...times(4, (n) => work(n + 1, { title: "10" })));
    const move = async (n: number): Promise<void> => {
      const ids = [1 + (n % 4), 1 + ((n + 1 + (n % 3)) % 4)] as const;
      for (;;) {
        const [from, to] = await Promise.all(ids.map((id) => stored(workKey(id))));
        const title = (record: typeof from, add: number) => String(Number(record?.["title"]) + add);
        const documents = [workDocument(ids[0], title(from, -1)), workDocument(ids[1], title(to, 1))];
        const expected = {
          [workKey(ids[0])]: Number(from?.["revision"]),
          [workKey(ids[1])]: Number(to?.["revision"]),
        };
        if ((await save(documents, { ...ann, expected }, desks()[n % 2])).ok) return;
      }
    };
    await Promise.all(times(10, move));
    const sum = await query(
      "SELECT sum(CAST(document->>'title' AS BIGINT)) AS sum, sum(revision) AS revisions FROM record",
    );
    expect(sum).toEqual([{ sum: 40, revisions: 4 + 2 * 10 }]);
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("concurrent creations", () => {
  it.each([
    [60, 1],
    [20, 2],
  ])("give each of %i records a number of its own at %i desks", async (creations, count) => {
    const types = ["work", "author", "tag", "series"];
    const made = await Promise.all(
      times(creations, (n) => {
        const document = { type: typed(types[n % 4]!), title: `${n}`, name: `${n}` };
        return create([document], {}, desks()[n % count]);
      }),
    );
    const keys = made.flatMap((result) => done(result).keys);
    expect(new Set(keys).size).toBe(creations);
    const records = await query(
      "SELECT key, coalesce(document->>'title', document->>'name') AS n FROM record",
    );
    expect(new Map(records.map(({ key, n }) => [key, Number(n)]))).toEqual(
      new Map(keys.map((key, n) => [key, n])),
    );
    expect(await query("SELECT count(*) AS count FROM change")).toEqual([{ count: creations }]);
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("concurrent changes and loads of the same records", () => {
  it("are all stored", async () => {
    await service.load(...times(6, (n) => work(n + 1)));
    const loads = times(8, (n) =>
      service.load(...times(3, (m) => work(20 + ((n + m) % 12), { title: `Loaded ${n} ${m}` }))),
    );
    const edits = times(24, (n) =>
      save([workDocument(1 + (n % 6), `Edit ${n}`), workDocument(20 + (n % 12), `Edit ${n}`)]),
    );
    const creations = times(12, (n) => create([{ type: typed("work"), title: `New ${n}` }]));
    await Promise.all(loads);
    const results = await Promise.all([...edits, ...creations]);
    expect(results.flatMap(refusals)).toEqual([]);
    // Some of the new ones were edited by their numbers.
    const titles = await query(
      `SELECT document->>'title' AS title FROM (SELECT document FROM record UNION SELECT document FROM revision)
       WHERE document->>'title' LIKE 'New %' AND CAST(document->>'revision' AS BIGINT) = 1`,
    );
    expect(titles).toHaveLength(12);
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("concurrent deletions of authors and references to them", () => {
  it("never leave a reference to a deleted author", async () => {
    await service.load(...times(16, (n) => author(n + 1)), ...times(16, (n) => work(n + 1)));
    const results = await Promise.all(
      times(32, (n) => {
        const id = 1 + (n >> 1);
        const desk = desks()[(n >> 2) % 2 === 0 ? 0 : n % 2];
        const deletion = { key: authorKey(id), type: typed("delete") };
        return save([n % 2 === (n >> 1) % 2 ? deletion : workDocument(id, "Named", [id])], {}, desk);
      }),
    );
    // Of each pair exactly one is too late.
    for (let n = 0; n < 32; n += 2)
      expect([results[n]?.ok, results[n + 1]?.ok].toSorted()).toEqual([false, true]);
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("a change overtaken between its read and write", () => {
  const switchOn = () => setServiceState(env.CATALOG, { value: "on", changed: "", by: null });
  const role = { authors: [{ author: { key: authorKey(1) } }] };
  const gone = { key: authorKey(1), type: typed("delete") };

  it.each<[string, CatalogRecord, () => Promise<unknown>]>([
    ["the record is saved", workDocument(1, "Mine"), () => save([workDocument(1, "Theirs")])],
    [
      "a load replaces the revision under its number",
      workDocument(1, "Mine"),
      () => service.load(work(1, { title: "Theirs", modified: "2026-11-20T00:00:00.000000" })),
    ],
    ["the record is created", workDocument(9, "Mine"), () => save([workDocument(9, "Theirs")])],
    ["an expected record changes", workDocument(1, "Mine"), () => save([workDocument(2, "Theirs")])],
    ["an author is deleted whom it names", { ...workDocument(1, "Mine"), ...role }, () => save([gone])],
    ["the author it deletes is named", gone, () => save([{ ...workDocument(2, "Theirs"), ...role }])],
    ["the service becomes read-only", workDocument(1, "Mine"), switchOn],
  ])("is decided again when %s", async (_what, document, between) => {
    await service.load(author(1), work(1), work(2));
    const { attempt } = await attempted([document], { expected: { [workKey(2)]: 1 }, between });
    expect(attempt).toEqual({ taken: [] });
    expect(await query("SELECT id FROM record WHERE document->>'title' = 'Mine'")).toEqual([]);
    expect(await stored(authorKey(1))).toMatchObject({ revision: expect.any(Number) });
    expect(await catalogFaults()).toEqual([]);
  });

  it("is saved when another record changes", async () => {
    await service.load(author(1), work(1), work(2));
    const between = () => save([workDocument(2, "Theirs")]);
    const { attempt } = await attempted([{ ...workDocument(1, "Mine"), ...role }], { between });
    expect(attempt).toMatchObject({ result: { ok: true } });
  });
});

describe("a desk with too many requests", () => {
  it("refuses further requests, and does the waiting ones", async () => {
    const large = requestOf([workDocument(1, "x".repeat(1_100_000))]);
    // Inside the object, so that all come at the same instant.
    const results = await runInDurableObject(env.EDIT_DESK.getByName("busy"), (desk: EditDesk) =>
      Promise.all(times(30, () => desk.save(large))),
    );
    const failures = results.flatMap((result) => (result.ok ? [] : result.failures));
    const told = Map.groupBy(failures, ({ status, error }) => `${status} ${error}`);
    expect([...told].map(([what, { length }]) => [what, length])).toEqual([
      ["413 too_large", 22],
      ["503 busy", 8],
    ]);
    expect((await save([workDocument(1, "Small")], {}, editDesk("busy"))).ok).toBe(true);
  });
});
