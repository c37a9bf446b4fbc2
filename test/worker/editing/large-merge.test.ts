import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { MergeKind } from "../../../src/catalog/editing/merge-rules.ts";
import {
  type MergeContext,
  continueMerges,
  merge as mergeRecords,
} from "../../../src/worker/editing/merge.ts";
import type { MergeTask } from "../../../src/worker/editing/merge-step.ts";
import { saveAs } from "../../../src/worker/editing/edit-desk.ts";
import { systemSources } from "../../../src/worker/http/bindings.ts";
import { type BudgetedJobs, jobsOf } from "../../../src/worker/http/queue.ts";
import { breakingDatabase } from "../../support/worker/breaking.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { query, save, stored, user } from "../../support/worker/desk.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, authorKey, edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { type TestService, dumpLine, testService } from "../../support/worker/service.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
// Three pages, and more than one change may have.
const WORKS = 1000;
const EDITIONS = 510;

let librarian: LoggedIn;
const service = testService();

beforeAll(async () => {
  librarian = await loggedIn(service, "libby", { groups: ["librarians"] });
  const works = Array.from({ length: WORKS }, (_one, index) => work(index + 1, { authors: [2] }));
  const editions = Array.from({ length: EDITIONS }, (_one, index) =>
    edition(index + 1, { authors: [{ key: authorKey(2) }, { key: authorKey(9) }] }),
  );
  await service.loadText([author(1), author(2), author(3), author(9), ...works].map(dumpLine).join("\n"));
  await service.loadText(editions.map(dumpLine).join("\n"));
});

/** A service with the same stores whose clock advances at every look. */
function slowService(seconds: number): TestService {
  const slow = testService();
  let now = Date.parse("2026-11-21T11:00:00Z");
  Object.defineProperty(slow, "now", { get: () => (now += seconds * 1000) });
  return slow;
}

const merge = (on: Pick<TestService, "fetch">, master: number, ...duplicates: number[]): Promise<Response> =>
  on.fetch("/authors/merge.json", {
    method: "POST",
    headers: { ...librarian.headers, "Content-Type": "application/json" },
    body: JSON.stringify({ master: authorKey(master), duplicates: duplicates.map(authorKey) }),
  });
const naming = async (id: number): Promise<number> => {
  const sql =
    "SELECT count(DISTINCT record_id) AS count FROM property WHERE name LIKE 'authors%' AND value = ?1";
  return (await env.CATALOG.prepare(sql).bind(authorKey(id)).first<number>("count")) ?? 0;
};
const typeOf = async (id: number): Promise<unknown> => (await stored(authorKey(id)))?.["type"];
const sweepAt = (now: number): BudgetedJobs => ({
  ...jobsOf(env),
  sources: { ...systemSources, now: () => now },
});
const jobs = (): Promise<Record<string, unknown>[]> =>
  query("SELECT id, state, problem, master FROM merge_job ORDER BY id");

describe("POST /authors/merge.json with 1,510 references", () => {
  it("merges page by page, including references added meanwhile", async () => {
    const slow = slowService(12);
    const first = await merge(slow, 1, 2);
    expect([first.status, await first.json()]).toEqual([
      400,
      {
        detail: {
          error: "bad_data",
          message: "too many records: the merge continues in the background as job 1",
          job: 1,
        },
      },
    ]);
    expect([await naming(1), await naming(2)]).toEqual([500, 1010]);
    expect(await typeOf(2)).toEqual({ key: "/type/author" });

    // Others go on working on the same author.
    await service.load(edition(5000, { authors: [{ key: authorKey(2) }] }));
    const other = await merge(service, 3, 2);
    expect(await other.json()).toMatchObject({
      detail: { error: "bad_data", message: "Another merge of these records is running as job 1", job: 1 },
    });

    expect((await merge(slow, 1, 2)).status).toBe(400);
    // The job is recent at first, and then idle.
    service.now += 60_000;
    expect(await continueMerges(sweepAt(service.now - 3_600_000))).toBe(false);
    expect(await continueMerges(sweepAt(service.now))).toBe(true);
    expect(await continueMerges(sweepAt(service.now))).toBe(false);
    const last = await merge(service, 1, 2);
    expect([last.status, await last.json()]).toEqual([200, []]);
    expect([await naming(1), await naming(2)]).toEqual([1511, 0]);
    expect(await typeOf(2)).toEqual({ key: "/type/redirect" });
    expect(await stored(editionKey(1))).toMatchObject({
      authors: [{ key: authorKey(1) }, { key: authorKey(9) }],
    });
    const changes = await query("SELECT data, changes FROM change WHERE kind = 'merge-authors' ORDER BY id");
    expect(changes).toHaveLength(3);
    const data = JSON.stringify({ master: authorKey(1), duplicates: [authorKey(2)], job: 1 });
    expect(changes.every((change) => change["data"] === data)).toBe(true);
    const ending = String(changes.at(-1)?.["changes"]);
    expect(ending).toContain(`{"key":"${authorKey(2)}","revision":2}`);
    expect(await jobs()).toEqual([{ id: 1, state: "done", problem: null, master: authorKey(1) }]);
  });

  it("fails jobs whose records cannot be saved or whose author is gone, with the reason", async () => {
    const sql = `INSERT INTO merge_job (kind, master, duplicates, author, request, created, updated)
                 VALUES ('author', ?1, ?2, ?3, '{"mrid":null,"olids":"","comment":null}', '2026', '2026')`;
    const add = (master: number, duplicate: number, by: string) =>
      env.CATALOG.prepare(sql)
        .bind(authorKey(master), JSON.stringify([authorKey(duplicate)]), by)
        .run();
    await add(2, 9, librarian.key);
    await add(3, 9, "/people/gone");
    for (let run = 0; run < 2; run += 1) expect(await continueMerges(sweepAt(service.now))).toBe(true);
    expect((await jobs()).slice(-2)).toMatchObject([
      { state: "failed", problem: "expected /type/author, found /type/redirect" },
      { state: "failed", problem: "its author no longer has permission to merge records" },
    ]);
  });
});

describe("an interrupted merge", () => {
  const limits = { records: 12, bytes: 1e6, pageRecords: 5, pageBytes: 1e6 };
  const task = (kind: MergeKind, master: string, duplicate: string): MergeTask => ({
    kind,
    master,
    duplicates: [duplicate],
    author: librarian.key,
    ip: null,
    note: { mrid: null, olids: "", comment: null },
  });

  const brokenOff = (error: unknown): undefined => {
    expect(String(error)).toContain("on purpose");
  };

  it("resumes wherever the database failed", async () => {
    const ids = Array.from({ length: 30 }, (_one, index) => 6001 + index);
    await service.load(work(6001), work(6002), ...ids.map((id) => edition(id, { work: 6002 })));
    const writer = { author: librarian.key, bot: false, ip: null, authority: "user" } as const;
    const done = { isDone: true };
    let interruptions = 0;
    let outcome;
    for (; outcome === undefined; interruptions += 1) {
      const broken = breakingDatabase(env.CATALOG);
      // Each attempt breaks one call later than the one before, and before or after it was saved.
      broken.failsAt = (interruptions % 5) + 3;
      const saving: MergeContext["save"] = async (request) => {
        const result = await saveAs(writer, sweepAt(service.now), request);
        if (interruptions % 3 === 1) throw new Error("broken on purpose");
        return result;
      };
      const merging = {
        catalog: broken.database,
        prefix: "OL",
        save: saving,
        now: () => service.now,
        limits,
      };
      outcome = await mergeRecords(
        { ...merging, isOver: () => false },
        task("work", workKey(6001), workKey(6002)),
      ).catch(brokenOff);
    }
    expect(outcome).toMatchObject(done);
    const saved = outcome?.isDone === true ? outcome.saved : [];
    expect(new Set(saved.map(({ key }) => key)).size).toBe(ids.length + 2);
    expect(interruptions).toBeGreaterThan(3);
    for (const id of ids)
      expect(await stored(editionKey(id))).toMatchObject({ works: [{ key: workKey(6001) }], revision: 2 });
    expect(await stored(workKey(6002))).toMatchObject({ location: workKey(6001), revision: 2 });
    expect(await stored(workKey(6001))).toMatchObject({ other_titles: ["Work 6002"], revision: 2 });
    expect((await jobs()).at(-1)).toMatchObject({ state: "done", master: workKey(6001) });
  });
});

describe("concurrent merges and edits", () => {
  const ids = Array.from({ length: 12 }, (_one, index) => 7001 + index);
  const people = [7001, 7002, 7003, 7004];

  it("lose no edit and no reference", async () => {
    await service.load(
      ...people.map((id) => author(id, { name: `Name ${id}` })),
      ...ids.map((id, index) => work(id, { authors: [people[index % 4]!, people[(index + 1) % 4]!] })),
    );
    const edit = async (id: number, subject: string): Promise<void> => {
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const before = await stored(workKey(id));
        if (before === undefined) throw new Error("no work");
        const subjects = [...((before["subjects"] ?? []) as string[]), subject];
        const result = await save([{ ...before, subjects } as never], {
          writer: user("ann"),
          expected: { [workKey(id)]: Number(before["revision"]) },
        });
        if (result.ok) return;
      }
      throw new Error("never saved");
    };
    const added = edition(7001, { authors: [{ key: authorKey(7002) }] });
    const [one, two] = await Promise.all([
      merge(service, 7001, 7002, 7003),
      merge(service, 7004, 7003),
      ...ids.flatMap((id) => [edit(id, "a"), edit(id, "b")]),
      service.load(added),
    ]);
    expect([200, 400]).toContain(one.status);
    expect([200, 400]).toContain(two.status);
    for (const id of ids) {
      const document = await stored(workKey(id));
      expect(new Set(document?.["subjects"] as string[])).toEqual(new Set(["a", "b"]));
    }
    // The later merge may have found redirected records, which merges follow.
    for (const [master, ...rest] of [
      [7001, 7002],
      [7004, 7001, 7003],
    ] as const)
      await merge(service, master, ...rest);
    expect(await Promise.all(people.map(naming))).toEqual([0, 0, 0, ids.length + 1]);
    expect((await stored(authorKey(7004)))?.["alternate_names"]).toEqual(
      expect.arrayContaining(["Name 7001", "Name 7002"]),
    );
    expect(await catalogFaults()).toEqual([]);
  });
});
