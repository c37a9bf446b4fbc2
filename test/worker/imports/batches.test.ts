import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { openBatch } from "../../../src/db/imports/batches.ts";
import { addItems } from "../../../src/db/imports/items.ts";
import {
  BATCH_BYTES,
  BATCH_ERRORS_MAX,
  BATCH_LINES,
  SUBMITTED_WAITING_MAX,
} from "../../../src/worker/imports/new-batch.ts";
import type { Submitted } from "../../../src/worker/imports/schemas.ts";
import { type MarcParts, joined, marcBytes, marcXml } from "../../support/marc/build-marc.ts";
import {
  bookOf,
  emptyImports,
  linesOf,
  loadLanguages,
  statuses,
  storedItems,
  submit,
} from "../../support/worker/import-queue.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { losing, settleImports } from "../../support/worker/queues.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const HTML = { headers: { Accept: "text/html" } };
let boss: LoggedIn;
let jane: LoggedIn;

beforeAll(async () => {
  boss = await loggedIn(service, "batch_boss", { groups: ["admin"] });
  jane = await loggedIn(service, "batch_jane");
  await loadLanguages(service);
});
beforeEach(emptyImports);

async function submitted(...[who, fields]: Parameters<typeof submit>): Promise<Submitted> {
  const response = await submit(who, fields);
  expect(response.status).toBe(200);
  return response.json();
}

async function errorsOf(file: string | Uint8Array) {
  const response = await submit(jane, { file });
  expect(response.status).toBe(400);
  const { errors } = await response.json<{ errors: { line_number: number; error_message: string }[] }>();
  return errors;
}

describe("POST /import/batch/new", () => {
  it("imports the records of administrators at once", async () => {
    const answer = await submitted(boss, { file: linesOf(bookOf(1), bookOf(2)) });
    expect(answer).toMatchObject({
      total_submitted: 2,
      total_queued: 2,
      total_skipped: 0,
      items_skipped: [],
      needs_review: false,
      batch: { name: expect.stringMatching(/^batch-[0-9a-f]{20}$/) },
    });
    await settleImports();
    const items = await storedItems(answer.batch.id);
    expect(items.map(({ ia_id: id, status, data, claim }) => [id, status, data, claim])).toEqual([
      ["test:1", "created", null, null],
      ["test:2", "created", null, null],
    ]);
    const edition = await service.json(`${items[0]?.ol_key}.json`);
    expect(edition).toMatchObject({ title: "Book number 1", source_records: ["test:1"] });
    const history = await service.json(`${items[0]?.ol_key}.json?m=history`);
    expect(history).toMatchObject([{ author: "/people/ImportBot" }]);
  });

  it("names a batch by its bytes, and skips known and repeated items", async () => {
    const file = linesOf(bookOf(11), bookOf(12), bookOf(11));
    const [first, again] = await losing(async () => [
      await submitted(boss, { file }),
      await submitted(boss, { text: file }),
    ]);
    expect(first).toMatchObject({ total_submitted: 3, total_queued: 2, total_skipped: 1 });
    expect(first?.items_skipped).toEqual(["test:11"]);
    expect(again).toMatchObject({ batch: first?.batch, total_submitted: 3, total_queued: 0 });
    expect(again?.items_skipped).toEqual(["test:11", "test:12"]);
    const other = await losing(() => submitted(boss, { file: linesOf(bookOf(12), bookOf(13)) }));
    expect(other.batch.id).not.toBe(first?.batch.id);
    expect(other).toMatchObject({ total_queued: 1, items_skipped: ["test:12"] });
  });

  it("stores the object of a line with sorted members", async () => {
    await losing(() =>
      submitted(jane, { file: '{"title":"Z","source_records":["s:1"],"isbn_10":["x"],"a":{"c":1,"b":2}}' }),
    );
    const [item] = await storedItems();
    expect(item?.data).toBe('{"a":{"b":2,"c":1},"isbn_10":["x"],"source_records":["s:1"],"title":"Z"}');
    expect(item).toMatchObject({ place: 1, status: "needs_review" });
  });

  it("reports all errors, and queues nothing", async () => {
    const file = [
      "# a comment",
      JSON.stringify(bookOf(1)),
      "",
      "{",
      JSON.stringify(bookOf(2, { authors: [{ name: "" }], publishers: [] })),
      JSON.stringify(bookOf(3, { publish_date: "2999" })),
      JSON.stringify(bookOf(4, { source_records: ["promise:x:1"], publish_date: "3000" })),
      JSON.stringify(bookOf(5, { source_records: ["bwb:1"], publish_date: "1300" })),
      JSON.stringify(bookOf(6, { publishers: ["Independently Published"] })),
      JSON.stringify(bookOf(7, { source_records: ["amazon:123"] })),
      "[1]",
      "",
      "",
    ].join("\r\n");
    const errors = await errorsOf(file);
    expect(errors.map(({ line_number: line }) => line)).toEqual([3, 4, 5, 5, 6, 7, 8, 9, 10, 11]);
    expect(errors.slice(2).map(({ error_message: message }) => message)).toEqual([
      "authors, 0, name field: String should have at least 1 character. (Type: string_too_short)",
      "publishers field: List should have at least 1 item after validation, not 0. (Type: too_short)",
      "published in future year: 2999",
      "published in future year: 3000",
      "publication year is too old (i.e. earlier than 1400): 1300",
      "book is independently published",
      "this source needs an ISBN",
      "The record is not a JSON object",
    ]);
    expect(await storedItems()).toEqual([]);
  });

  it("splits lines at LF and CRLF only", async () => {
    const answer = await submitted(jane, { file: linesOf(bookOf(1, { title: "A\u2028B\u0085C" })) });
    expect(answer.total_queued).toBe(1);
  });

  it("refuses files that are not UTF-8, empty, too long or too large", async () => {
    expect(await errorsOf(new Uint8Array([0x7b, 0xff, 0x7d]))).toEqual([
      { line_number: 1, error_message: "The file isn’t UTF-8. Save it as UTF-8 and try again." },
    ]);
    expect(await errorsOf("# only this\n")).toEqual([
      { line_number: 1, error_message: "The file has no records." },
    ]);
    const long = await errorsOf("#\n".repeat(BATCH_LINES + 1));
    expect(long.map(({ line_number: line }) => line)).toEqual([BATCH_LINES + 1]);
    const large = await submit(jane, { file: "#".repeat(BATCH_BYTES + 1) });
    expect(large.status).toBe(413);
    const nothing = await submit(jane, { file: "" });
    expect([nothing.status, await nothing.json()]).toMatchObject([400, { errors: [{ line_number: 1 }] }]);
  });

  it("reports a bounded number of errors, and how many more there are", async () => {
    const line = JSON.stringify({ publishers: Array(100).fill("") });
    const lines = Math.ceil(BATCH_ERRORS_MAX / 100) + 1;
    const errors = await errorsOf(`${line}\n`.repeat(lines));
    expect(errors).toHaveLength(BATCH_ERRORS_MAX + 1);
    expect(errors.at(-1)).toEqual({
      line_number: lines,
      error_message: "100 more errors from this line on",
    });
  });

  it("limits the waiting batches of a patron", async () => {
    const now = formatDatetime(service.now);
    for (let n = 1; n < SUBMITTED_WAITING_MAX; n += 1) {
      const submitter = jane.username;
      const { batch } = await openBatch(env.CATALOG, { name: `waiting ${n}`, submitter, now });
      const item = { ia_id: `test:${300 + n}`, data: JSON.stringify(bookOf(300 + n)) };
      await addItems(env.CATALOG, [{ ...item, submitter, status: "needs_review" }], { batch: batch.id, now });
    }
    await submitted(jane, { text: linesOf(bookOf(300)) });
    const more = await submit(jane, { text: linesOf(bookOf(399)) });
    expect([more.status, await more.text()]).toEqual([403, expect.stringContaining("waiting for approval")]);
    expect(await submitted(boss, { text: linesOf(bookOf(399)) })).toMatchObject({ total_queued: 1 });
    const [first] = await storedItems();
    await boss.fetch(`/import/batch/approve/${first?.batch_id}`, { method: "POST" });
    expect(await submitted(jane, { text: linesOf(bookOf(398)) })).toMatchObject({ total_queued: 1 });
    await settleImports();
  });

  it("takes a plain form, and shows a page", async () => {
    const body = new URLSearchParams({ batchImportText: linesOf(bookOf(1, { title: "<b>" })) });
    const response = await jane.fetch("/import/batch/new", { method: "POST", body, ...HTML });
    const html = await response.text();
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect(html).toContain("Submitted for review");
    const wrong = await submit(jane, { text: '{"<i>"' }, { path: "/import/batch/new", ...HTML });
    const page = await wrong.text();
    expect(wrong.status).toBe(400);
    expect(page).not.toContain("<i>");
  });
});

describe("the page for a batch of records", () => {
  const PAGE = { Accept: "text/html,*/*;q=0.1" };
  const book = (title: string): MarcParts => ({
    fields: [`001 ocm-${title}`, `245 10‡a${title}`, "260   ‡aLondon‡bPress‡c1999"],
  });
  const open = (title: string): MarcParts => ({ fields: ["001 x", `500   ‡a${title}`] });
  const submitOnPage = async (fields: Parameters<typeof submit>[1]) => {
    const response = await submit(boss, fields, { path: "/import/batch/new", headers: PAGE });
    return { status: response.status, text: await response.text() };
  };

  it.each([
    ["MARC", () => joined([marcBytes(book("First")), marcBytes(open("Bad")), marcBytes(book("Second"))])],
    [
      "MARCXML",
      () =>
        `<collection xmlns="http://www.loc.gov/MARC21/slim">${[book("First"), open("Bad"), book("Second")].map(marcXml).join("")}</collection>`,
    ],
    [
      "JSON Lines",
      () =>
        [
          "{",
          JSON.stringify(bookOf(61, { title: "First" })),
          JSON.stringify(bookOf(62, { title: "Second" })),
        ].join("\n"),
    ],
  ])("takes the good records of %s, and lists the others with their reasons", async (_format, file) => {
    const { status, text } = await submitOnPage({ file: file() });
    expect(status).toBe(200);
    expect(text).toContain("Left out: 1");
    expect(text).toMatch(/<cite dir="auto">First<\/cite>[^]*<cite dir="auto">Second<\/cite>/);
    await settleImports();
    const items = await storedItems();
    expect(items.map(({ status: itemStatus }) => itemStatus)).toEqual(["created", "created"]);
    const [, batch = ""] = /href="(\/import\/batch\/\d+)"/.exec(text) ?? [];
    const page = await (await service.fetch(batch, { headers: PAGE })).text();
    expect(page).toContain(`<a href="${items[0]?.ol_key}">First</a>`);
  });

  it("keeps what was pasted if nothing can be imported", async () => {
    const { status, text } = await submitOnPage({ text: "no record <" });
    expect(status).toBe(400);
    expect(text).toContain("no record &lt;</textarea>");
  });

  it.each([
    ["a picture", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1])],
    ["broken XML", "<collection><record>"],
  ])("refuses %s with a reason", async (_name, file) => {
    const { status, text } = await submitOnPage({ file });
    expect(status).toBe(400);
    expect(text).toContain("Not imported");
  });
});

describe("/import/batch/approve/{id}", () => {
  async function waiting(n: number): Promise<number> {
    return (await submitted(jane, { file: linesOf(bookOf(n), bookOf(n + 1)) })).batch.id;
  }

  it("imports the waiting records of patrons", async () => {
    const id = await waiting(100);
    await settleImports();
    expect(await statuses()).toEqual({ "test:100": "needs_review", "test:101": "needs_review" });
    expect(await service.json("/import/batch/pending.json")).toMatchObject({
      batches: [{ batch_id: id, status: "needs_review", submitter: "batch_jane", comments: null }],
      next: null,
    });
    const page = await service.fetch("/import/batch/pending", HTML);
    expect(await page.text()).toContain(`/import/batch/${id}`);

    const approved = await boss.fetch(`/import/batch/approve/${id}`, { method: "POST" });
    expect([approved.status, approved.headers.get("Location")]).toEqual([302, `/import/batch/${id}`]);
    await settleImports();
    expect(await statuses()).toEqual({ "test:100": "created", "test:101": "created" });
    expect(await service.json("/import/batch/pending.json")).toMatchObject({ batches: [] });
    const again = await boss.json(`/import/batch/approve/${id}`, {
      method: "POST",
      headers: { Accept: "application/json" },
    });
    expect(again).toEqual({ batch: id, approved: 0 });
  });

  it("needs an administrator on the same site", async () => {
    const id = await waiting(110);
    const path = `/import/batch/approve/${id}`;
    const refusals: [Pick<LoggedIn, "fetch">, RequestInit, number][] = [
      [service, {}, 403],
      [jane, {}, 403],
      [jane, { method: "POST" }, 403],
      [boss, { headers: { "Sec-Fetch-Site": "cross-site" } }, 403],
      [boss, { headers: { "Sec-Fetch-Site": "same-site" } }, 403],
      [boss, { headers: { Referer: "https://elsewhere.example/" } }, 403],
      // A browser that keeps to itself where it comes from.
      [boss, HTML, 403],
      [boss, { headers: { "Sec-Fetch-Site": "same-origin", "Sec-Purpose": "prefetch" } }, 403],
      [boss, { method: "HEAD" }, 405],
    ];
    for (const [who, init, status] of refusals) expect((await who.fetch(path, init)).status).toBe(status);
    expect((await boss.fetch("/import/batch/approve/987654")).status).toBe(404);
    expect(new Set(Object.values(await statuses()))).toEqual(new Set(["needs_review"]));
    const approved = await boss.fetch(path, { headers: { "Sec-Fetch-Site": "same-origin" } });
    expect(approved.status).toBe(302);
    await settleImports();
    expect(new Set(Object.values(await statuses()))).toEqual(new Set(["created"]));
  });
});

describe("GET /import/batch/{id}", () => {
  it("shows a batch, its counts and a page of its items", async () => {
    const books = Array.from({ length: 12 }, (_, index) => bookOf(200 + index, { isbn_10: [String(index)] }));
    const { batch } = await submitted(jane, { file: linesOf(...books) });
    const path = `/import/batch/${batch.id}`;
    const view = await service.json(`${path}.json`);
    expect(view).toMatchObject({
      batch: { id: batch.id, name: batch.name, submitter: "batch_jane", state: "ready", format: null },
      counts: { needs_review: 12 },
      total: 12,
      page: 1,
      limit: 10,
      sort: "added_time asc",
    });
    const [, second] = await storedItems(batch.id);
    for (const [query, ids, sort] of [
      ["page=2", ["test:210", "test:211"], "added_time asc"],
      ["sort=added_time+desc&limit=2", ["test:211", "test:210"], "added_time desc"],
      ["sort=+added_time%20%20desc+&limit=1", ["test:211"], "added_time desc"],
      ["sort=data+asc&limit=1", ["test:200"], "added_time asc"],
      ["sort=added_time+desc;&limit=1", ["test:200"], "added_time asc"],
      ["status=failed", [], "added_time asc"],
      ["status=needs_review&sort=added_time+desc&limit=1", ["test:211"], "added_time desc"],
      ["status=needs_review&sort=import_time+desc&limit=1", ["test:211"], "added_time desc"],
      [`status=needs_review&after=${second?.id}&limit=1`, ["test:202"], "added_time asc"],
    ] as const) {
      const found = await service.json(`${path}.json?${query}`);
      expect(found).toMatchObject({ sort, items: ids.map((id) => ({ ia_id: id })) });
      expect(Object(found).items).toHaveLength(ids.length);
    }

    const page = await service.fetch(path);
    const html = await page.text();
    expect(page.headers.get("Content-Type")).toContain("text/html");
    expect(html).toContain("waiting for approval: 12");
    expect(html).not.toContain("Approve 12");
    expect(await (await boss.fetch(path)).text()).toContain("Approve 12 records");
    const program = await service.fetch(path, { headers: { Accept: "application/json" } });
    expect(await program.json()).toMatchObject({ total: 12 });
  });

  it("answers 404 for an unknown batch", async () => {
    for (const id of ["987654", "x", "1e3", "9".repeat(40)]) {
      expect((await service.fetch(`/import/batch/${id}.json`)).status).toBe(404);
    }
  });
});

it("GET /import/batch/new returns the limits", async () => {
  expect(await service.json("/import/batch/new.json")).toEqual({
    max_bytes: BATCH_BYTES,
    max_lines: BATCH_LINES,
  });
});
