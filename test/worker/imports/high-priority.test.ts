import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openBatch } from "../../../src/db/imports/batches.ts";
import { addItems } from "../../../src/db/imports/items.ts";
import { setServiceState } from "../../../src/db/service/service-state.ts";
import { isPostgres } from "../../support/worker/postgres.ts";
import { emptyQueues } from "../../support/worker/queues.ts";
import { TIME, testService } from "../../support/worker/service.ts";

const AFFILIATE = "http://affiliate.test";
const service = testService({ AFFILIATE_URL: "" });
const asking = testService({ AFFILIATE_URL: AFFILIATE });

interface Row {
  readonly ia_id: string;
  readonly status: string;
  readonly error: string | null;
  readonly ol_key: string | null;
  readonly batch: string;
}
const items = async (): Promise<Row[]> => {
  const sql = `SELECT ia_id, status, error, ol_key, name AS batch FROM import_item i
               JOIN import_batch b ON b.id = i.batch_id ORDER BY i.id`;
  return (await env.CATALOG.prepare(sql).all<Row>()).results;
};
const lookups = async (): Promise<unknown[]> =>
  (await env.CATALOG.prepare("SELECT identifier, priority FROM lookup ORDER BY identifier").all()).results;

const stage = async (id: string, data: object | string | null, status: "staged" | "pending" = "staged") => {
  const { batch } = await openBatch(env.CATALOG, { name: "amz", now: TIME });
  const text = typeof data === "object" && data !== null ? JSON.stringify(data) : data;
  await addItems(env.CATALOG, [{ ia_id: id, status, data: text }], { batch: batch.id, now: TIME });
};
let books = 0;
/** Returns a book that no other test uses. */
function newBook() {
  books += 1;
  const nine = String(140_000_000 + books);
  const body = `978${nine.padStart(9, "0")}`;
  const sum = [...body].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  const isbn13 = body + ((10 - (sum % 10)) % 10);
  const ten = [...nine].reduce((total, digit, index) => total + Number(digit) * (index + 1), 0) % 11;
  const isbn10 = nine + (ten === 10 ? "X" : ten);
  const title = `Wanted now ${books}`;
  const record = {
    title,
    authors: [{ name: `Author of ${title}` }],
    publishers: ["House"],
    publish_date: "2001",
    source_records: [`amazon:${isbn10}`],
    isbn_10: [isbn10],
  };
  return { title, isbn10, isbn13, record };
}
const ask = async (of: typeof service, keys: string, more = "&high_priority=true") =>
  Object(await of.json(`/api/books.json?jscmd=data&bibkeys=${keys}${more}`));

/** Fakes the affiliate; returns the requested addresses. */
function affiliate(answers: Readonly<Record<string, unknown>>): string[] {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = String(input).replace(`${AFFILIATE}/isbn/`, "");
    asked.push(url);
    const answer = answers[url.replace(/\?.*/, "")];
    return answer === undefined ? new Response("", { status: 500 }) : Response.json(answer);
  });
  return asked;
}

beforeAll(() =>
  service.load({ key: "/languages/eng", type: "/type/language", code: "eng", name: "English" }),
);
beforeEach(async () => {
  await emptyQueues();
  await env.CATALOG.batch(
    ["lookup", "import_item"].map((table) => env.CATALOG.prepare(`DELETE FROM ${table}`)),
  );
});
afterEach(() => vi.restoreAllMocks());

describe("GET /api/books.json?high_priority=true with a staged book", () => {
  it.each(["isbn10", "isbn13"] as const)("imports and returns it by %s", async (form) => {
    const book = newBook();
    await stage(`amazon:${book.isbn10}`, book.record);
    const key = `ISBN:${book[form]}`;
    expect((await ask(service, key))[key]).toMatchObject({ title: book.title });
    const [row] = await items();
    expect(row).toMatchObject({ status: "created", ol_key: expect.stringMatching(/^\/books\/OL\d+M$/) });
    const history = Object(await service.json(`${row?.ol_key}.json?m=history`));
    expect(history[0]).toMatchObject({ author: "/people/ImportBot", action: "add-book" });
  });

  it("imports it once for concurrent requests", async () => {
    const book = newBook();
    await stage(`amazon:${book.isbn10}`, book.record);
    await stage(`google_books:${book.isbn13}`, { ...book.record, title: "Another title" });
    const answers = await Promise.all(
      [book.isbn10, book.isbn13, book.isbn10].map((isbn) => ask(service, isbn)),
    );
    expect(answers.filter((answer) => Object.keys(answer).length > 0).length).toBeGreaterThan(0);
    expect((await items()).map(({ status }) => status)).toContain("created");
    const editions = await env.CATALOG.prepare(
      "SELECT count(*) AS n FROM identifier WHERE kind = 'isbn' AND value = ?1",
    )
      .bind(book.isbn13)
      .first<{ n: number }>();
    expect(editions?.n).toBe(1);
    expect((await ask(service, book.isbn10))[book.isbn10]?.title).toBeDefined();
  });

  it("releases its other rows", async () => {
    const book = newBook();
    await stage(`amazon:${book.isbn10}`, book.record);
    await stage(`google_books:${book.isbn13}`, book.record);
    await ask(service, book.isbn13);
    expect((await items()).map(({ status }) => status)).toEqual(["created", "staged"]);
  });

  // By a trigger of SQLite.
  it.skipIf(isPostgres)("leaves a row that was claimed meanwhile", async () => {
    const { isbn10, record } = newBook();
    await stage(`amazon:${isbn10}`, record);
    const told = ["log", "warn", "error"] as const;
    const logs = told.map((level) => vi.spyOn(console, level).mockImplementation(() => undefined));
    await env.CATALOG.prepare(
      `CREATE TRIGGER taken AFTER UPDATE OF claim ON import_item WHEN NEW.claim <> 'other'
       BEGIN UPDATE import_item SET claim = 'other' WHERE id = NEW.id; END`,
    ).run();
    try {
      expect(await ask(service, isbn10)).toEqual({});
    } finally {
      await env.CATALOG.prepare("DROP TRIGGER taken").run();
    }
    expect(await items()).toMatchObject([{ status: "processing", error: null, ol_key: null }]);
    expect(JSON.stringify(logs.flatMap(({ mock }) => mock.calls))).not.toContain("not claimed");
  });

  it("imports a pending item by its ASIN", async () => {
    const { record, title } = newBook();
    const own = (asin: string) => ({
      ...record,
      source_records: [`amazon:${asin}`],
      identifiers: { amazon: [asin] },
    });
    await stage("amazon:B0PENDING1", own("B0PENDING1"), "pending");
    await stage("idb:B0PENDING1", own("B0PENDING1"), "pending");
    expect(await ask(service, "B0PENDING1", "")).toEqual({});
    expect((await ask(service, "B0PENDING1"))["B0PENDING1"]).toMatchObject({ title });
    const rows = await env.CATALOG.prepare("SELECT status, sent, claim FROM import_item ORDER BY id").all();
    expect(rows.results).toMatchObject([
      { status: "created", claim: null },
      // The message of this one may be gone: the sweep sends another.
      { status: "pending", sent: "", claim: null },
    ]);
  });

  it("leaves a pending item with an ISBN to the queue", async () => {
    const book = newBook();
    await stage(`amazon:${book.isbn10}`, book.record, "pending");
    expect(await ask(service, book.isbn10)).toEqual({});
    expect(await items()).toMatchObject([{ status: "pending" }]);
  });

  it.each<[string, object | string | null, string]>([
    ["incomplete", { title: "Nothing else" }, "invalid-value"],
    ["invalid", "{]}", "invalid-json"],
    ["missing", null, "invalid-value"],
  ])("fails with the error if its data is %s", async (_what, data, error) => {
    const { isbn10 } = newBook();
    await stage(`amazon:${isbn10}`, data);
    expect(await ask(service, isbn10)).toEqual({});
    const code = data === null ? expect.any(String) : error;
    expect(await items()).toMatchObject([{ status: "failed", error: code, ol_key: null }]);
  });

  it("does not import it without high_priority", async () => {
    const book = newBook();
    await stage(`amazon:${book.isbn10}`, book.record);
    expect(await ask(service, book.isbn10, "")).toEqual({});
    expect((await service.fetch(`/isbn/${book.isbn10}?high_priority=true`)).status).toBe(404);
    expect(await items()).toMatchObject([{ status: "staged" }]);
    await ask(service, book.isbn10);
    const response = await service.fetch(`/isbn/${book.isbn10}.json?high_priority=true&a=b`);
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toMatch(/^\/books\/OL\d+M\.json\?a=b$/);
  });

  it("does not import it while the service is read-only", async () => {
    const book = newBook();
    await stage(`amazon:${book.isbn10}`, book.record);
    await setServiceState(env.CATALOG, { value: "on", changed: TIME, by: null });
    expect(await ask(service, book.isbn10)).toEqual({});
    await setServiceState(env.CATALOG, { value: "off", changed: TIME, by: null });
    expect(await items()).toMatchObject([{ status: "staged" }]);
  });

  it("imports at most ten books per request", async () => {
    const wanted = Array.from({ length: 12 }, newBook);
    for (const { isbn10, record } of wanted) await stage(`amazon:${isbn10}`, record);
    const found = await ask(service, wanted.map(({ isbn10 }) => isbn10).join(","));
    expect(Object.keys(found)).toHaveLength(10);
  });
});

describe("GET /api/books.json?high_priority=true with the affiliate", () => {
  it("looks up, stages, imports and returns a book", async () => {
    const book = newBook();
    const asked = affiliate({ [book.isbn10]: { status: "success", hit: book.record } });
    expect((await ask(asking, book.isbn13))[book.isbn13]).toMatchObject({ title: book.title });
    expect(asked).toEqual([`${book.isbn10}?high_priority=true&stage_import=true`]);
    expect(await items()).toMatchObject([
      { ia_id: `amazon:${book.isbn10}`, status: "created", batch: "amz" },
    ]);
    expect(await lookups()).toEqual([]);
  });

  it("stages a hit of Google Books in another batch", async () => {
    const book = newBook();
    const hit = { ...book.record, source_records: [`google_books:${book.isbn13}`] };
    affiliate({ [book.isbn10]: { status: "success", hit } });
    await ask(asking, book.isbn10);
    expect(await items()).toMatchObject([{ ia_id: `google_books:${book.isbn13}`, batch: "google" }]);
  });

  it("accepts a book staged by the affiliate", async () => {
    const book = newBook();
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
      await stage(`google_books:${book.isbn13}`, book.record);
      return Response.json({ status: "success" });
    });
    expect((await ask(asking, book.isbn13))[book.isbn13]).toMatchObject({ title: book.title });
  });

  it("does not queue a book unknown to the affiliate", async () => {
    const { isbn10 } = newBook();
    const asked = affiliate({ [isbn10]: { status: "not found" } });
    expect(await ask(asking, isbn10)).toEqual({});
    expect(asked).toHaveLength(1);
    expect(await lookups()).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["fails", undefined],
    ["has queued it", { status: "submitted", queue: 1 }],
  ])("queues a lookup when the affiliate %s", async (_what, answer) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { isbn10, isbn13 } = newBook();
    affiliate({ [isbn10]: answer });
    const withOwnQueue = testService({ AFFILIATE_URL: AFFILIATE });
    expect(await ask(withOwnQueue, isbn10)).toEqual({});
    await expect.poll(lookups, { timeout: 50_000 }).toEqual([{ identifier: isbn13, priority: "high" }]);
  });

  it("looks up neither unknown ASINs nor anything when lookups are off", async () => {
    const asked = affiliate({});
    await ask(asking, "B0UNHEARD1");
    const { isbn10 } = newBook();
    await ask(testService({ AFFILIATE_URL: AFFILIATE, AFFILIATE_LOOKUP: "off" }), isbn10);
    expect(asked).toEqual([]);
    await stage("amazon:B0HEARDOF1", null, "pending");
    vi.spyOn(console, "error").mockImplementation(() => {});
    await ask(asking, "B0HEARDOF1");
    expect(asked).toEqual(["B0HEARDOF1?high_priority=true&stage_import=true"]);
  });

  it("looks up a book once for both of its ISBNs", async () => {
    const { isbn10, isbn13 } = newBook();
    const asked = affiliate({ [isbn10]: { status: "not found" } });
    await ask(asking, `${isbn10},${isbn13}`);
    expect(asked).toHaveLength(1);
  });

  it("does not cache a miss", async () => {
    const book = newBook();
    affiliate({ [book.isbn10]: { status: "not found" } });
    expect(await ask(asking, book.isbn10)).toEqual({});
    await stage(`amazon:${book.isbn10}`, book.record);
    expect(await ask(asking, book.isbn10)).toHaveProperty(book.isbn10);
  });
});
