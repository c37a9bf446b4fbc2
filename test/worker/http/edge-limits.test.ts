import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type LimitMode, inInvocation } from "../../../src/db/edge-limits.ts";
import { PLATFORM } from "../../../src/db/platform-limits.ts";
import { testService } from "../../support/worker/service.ts";
import { type Stores, storesOf } from "../../../src/worker/http/bindings.ts";

const {
  D1_BOUND_VALUES_MAX,
  D1_QUERIES_MAX,
  D1_RESULT_BYTES,
  D1_STATEMENT_BYTES,
  D1_VALUE_BYTES,
  MESSAGE_BYTES,
  SEND_BATCH_MAX,
  SUBREQUESTS_MAX,
} = PLATFORM;
const stores = storesOf(env);
const run = <Result>(mode: LimitMode, work: () => Result) => inInvocation(mode, () => "test", work);
const times = (count: number) => Array.from({ length: count });
const text = (length: number) => "x".repeat(length);
/** Two bytes each. */
const accents = (count: number) => "é".repeat(count);
const select = (value: string) => stores.search.prepare("SELECT ? AS a").bind(value).all();
const long = (length: number) =>
  stores.search.prepare(`SELECT 1 /* ${text(length - "SELECT 1 /*  */".length)} */`).all();
const bound = (count: number) =>
  stores.search
    .prepare(`SELECT ${times(count).fill("?").join(", ")}`)
    .bind(...times(count).fill(1))
    .all();

afterEach(() => vi.restoreAllMocks());

type Work = (stores: Stores) => Promise<unknown>;
/** Uses at a limit and beyond it. The local runtime enforces some of the limits itself. */
const LIMITS: readonly (readonly [limit: string, allowed: Work, refused: Work, problem: RegExp])[] = [
  [
    "calls",
    ({ cache }) => Promise.all(times(SUBREQUESTS_MAX).map(() => cache.get("none"))),
    ({ cache }) => Promise.all(times(SUBREQUESTS_MAX + 1).map(() => cache.get("none"))),
    /Too many subrequests/,
  ],
  [
    "statements, also those of batches",
    ({ search }) => search.batch(times(D1_QUERIES_MAX).map(() => search.prepare("SELECT 1"))),
    async ({ search }) => {
      await search.batch(times(D1_QUERIES_MAX).map(() => search.prepare("SELECT 1")));
      await search.prepare("SELECT 1").first();
    },
    /Too many API requests/,
  ],
  [
    "bytes of a bound value",
    () => select(accents(D1_VALUE_BYTES / 2)),
    () => select(accents(D1_VALUE_BYTES / 2 + 1)),
    /string or blob too big: SQLITE_TOOBIG/,
  ],
  [
    "bytes of a value in a result",
    ({ search }) => search.prepare(`SELECT hex(zeroblob(${D1_VALUE_BYTES / 2}))`).all(),
    ({ search }) => search.prepare(`SELECT hex(zeroblob(${D1_VALUE_BYTES / 2 + 1}))`).all(),
    /string or blob too big: SQLITE_TOOBIG/,
  ],
  [
    "bytes of the results of a batch",
    ({ search }) => search.batch(rowsOf(search, D1_RESULT_BYTES / 2 ** 20)),
    ({ search }) => search.batch(rowsOf(search, D1_RESULT_BYTES / 2 ** 20 + 1)),
    /result is too large/,
  ],
  ["bytes of a statement", () => long(D1_STATEMENT_BYTES), () => long(D1_STATEMENT_BYTES + 1), /TOOBIG/],
  [
    "bound values",
    () => bound(D1_BOUND_VALUES_MAX),
    () => bound(D1_BOUND_VALUES_MAX + 1),
    /too many SQL variables/,
  ],
  [
    "bytes of a message",
    ({ dumpJobs }) => dumpJobs.send(text(MESSAGE_BYTES - 100)),
    ({ dumpJobs }) => dumpJobs.send(text(MESSAGE_BYTES + 1)),
    /Internal Error/,
  ],
  [
    "messages of a batch",
    ({ dumpJobs }) => dumpJobs.sendBatch(times(SEND_BATCH_MAX).map(() => ({ body: 1 }))),
    ({ dumpJobs }) => dumpJobs.sendBatch(times(SEND_BATCH_MAX + 1).map(() => ({ body: 1 }))),
    /Internal Error/,
  ],
  [
    "writes of a key of KV",
    ({ cache }) => Promise.all([cache.put("limit:1", ""), cache.put("limit:2", "")]),
    ({ cache }) => Promise.all([cache.put("limit:3", ""), cache.delete("limit:3")]),
    /429 Too Many Requests/,
  ],
  [
    "writes of a key of R2",
    ({ archive }) => Promise.all([archive.put("limit:1", ""), archive.put("limit:2", "")]),
    ({ archive }) => Promise.all([archive.put("limit:3", ""), archive.put("limit:3", "")]),
    /429 Too Many Requests/,
  ],
];

/** Statements that return a MiB each. */
function rowsOf(database: D1Database, count: number) {
  return times(count).map(() => database.prepare("SELECT hex(zeroblob(524288))"));
}

describe("EDGE_LIMITS=enforce", () => {
  it.each(LIMITS)("fails beyond the limit of %s", async (_limit, allowed, refused, problem) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    // Without the results, which would be printed.
    const failure = (work: Work) => run("enforce", async () => void (await work(stores)));
    await expect(failure(allowed)).resolves.toBe(undefined);
    await expect(failure(refused)).rejects.toThrow(problem);
  });

  it("counts each call of an object anew, and checks what it stores", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const patron = stores.patron.getByName("limits");
    await patron.setPreferences({ text: text(1000) });
    const large = patron.setPreferences({ text: text(D1_VALUE_BYTES + 1) }).then(() => "stored");
    await expect(large).rejects.toThrow("SQLITE_TOOBIG");
  });
});

describe("EDGE_LIMITS=report", () => {
  it("logs what an invocation uses, and which limits it breaks", async () => {
    const lines: unknown[] = [];
    const note = (line: string) => void lines.push(JSON.parse(line));
    vi.spyOn(console, "log").mockImplementation(note);
    vi.spyOn(console, "error").mockImplementation(note);
    const reported = storesOf({ ...env, EDGE_LIMITS: "report" });
    const { search, cache } = reported;
    await run("report", async () => {
      await search.batch([search.prepare("SELECT 1"), search.prepare("SELECT ?").bind(accents(4))]);
      await Promise.all([cache.put("limit:4", ""), cache.put("limit:4", "")]);
    });
    const none = { rows_read: 0, rows_written: 0 };
    expect(lines).toEqual([
      expect.objectContaining({ event: "edge-limit", kind: "test", limit: "KEY_WRITES_MAX" }),
      {
        level: "info",
        event: "invocation",
        kind: "test",
        late: false,
        calls: 3,
        statements: 2,
        largest: { D1_VALUE_BYTES: 8, D1_STATEMENT_BYTES: 8, D1_RESULT_BYTES: 12 },
        usage: {
          "search.batch": { calls: 1, items: 2, ...none },
          "cache.put": { calls: 2, items: 2, ...none },
        },
      },
    ]);
  });

  it("logs what streams use after the answer", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const service = testService({ EDGE_LIMITS: "report" });
    await service.load({ key: "/works/OL1W", type: "/type/work", title: "A" });
    log.mockClear();
    const { body } = await service.fetch("/changes/stream?since=0");
    const parts = body?.getReader();
    for (let events = 0; events < 2; events += 1) await parts?.read();
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
    expect(lines).toContainEqual(expect.objectContaining({ kind: "request changesStream", late: true }));
    await parts?.cancel();
  });
});
