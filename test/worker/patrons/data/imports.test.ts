import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { IMPORT_NOTE_LENGTH } from "../../../../src/catalog/patrons/goodreads.ts";
import {
  endImport,
  noteImport,
  touchImport,
  readDueImports,
} from "../../../../src/db/patrons/patron-jobs.ts";
import { PatronImports } from "../../../../src/durable/patron/imports.ts";
import { StateTable } from "../../../../src/durable/storage.ts";
import { storesOf, systemSources } from "../../../../src/worker/http/bindings.ts";
import { settingsOf } from "../../../../src/worker/http/settings.ts";
import { IMPORTED_ROWS, continueImports } from "../../../../src/worker/patrons/data/goodreads-import.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { settleActivity } from "../../../support/worker/queues.ts";
import { edition, work } from "../../../support/worker/records.ts";
import { testService } from "../../../support/worker/service.ts";

const service = testService();
const HEADER = "Book Id,Title,Author,ISBN,ISBN13,My Rating,Date Read,Exclusive Shelf,My Review\n";
const LINES = [
  '1,Rivers,"Writer, A.","=""0451526538""",,5,2024/03/07,read,Good',
  '2,Hills,B. Writer,,"=""9780140328721""",0,,to-read,',
  '3,Unknown,C. Writer,"=""0306406152""",,0,,read,',
  "4,Nameless,D. Writer,,,0,,read,",
  '5,Dropped,E. Writer,"=""0747532699""",,0,,did-not-finish,',
];
const FILE = HEADER + LINES.join("\n");

beforeAll(async () => {
  await service.load(
    work(1),
    work(2),
    work(5),
    edition(11, { work: 1, isbn_13: ["9780451526533"] }),
    edition(12, { work: 2, isbn_13: ["9780140328721"] }),
    edition(15, { work: 5, isbn_10: ["0747532699"] }),
  );
});

const upload = (
  who: LoggedIn,
  path: string,
  text: string,
  accept = "application/json",
): Promise<Response> => {
  const boundary = "----boundary";
  const body = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="csv"; filename="books.csv"',
    "Content-Type: text/csv",
    "",
    text,
    `--${boundary}--`,
    "",
  ].join("\r\n");
  return who.fetch(path, {
    method: "POST",
    body,
    headers: {
      "Content-Type": `multipart/form-data; boundary=${boundary}`,
      "Content-Length": String(new TextEncoder().encode(body).length),
      Accept: accept,
    },
  });
};

describe("POST /account/import/goodreads", () => {
  it("shows the books without a change", async () => {
    const who = await loggedIn(service, "looker");
    const response = await upload(who, "/account/import/goodreads", FILE);
    expect(response.status).toBe(200);
    const { books, without_isbn } = await response.json<Record<string, Record<string, string>[]>>();
    expect(books?.map((book) => book["ISBN"])).toEqual([
      "0451526538",
      "9780140328721",
      "0306406152",
      "0747532699",
    ]);
    expect(without_isbn?.map((book) => book["Title"])).toEqual(["Nameless"]);
    expect(await who.json("/account/import.json")).toBe(null);

    const page = await upload(who, "/account/import/goodreads", FILE.replace("Rivers", "<b>"), "text/html");
    const html = await page.text();
    expect(html).toContain("&lt;b&gt;");
    expect(html).not.toContain("<b>");
  });

  it("refuses other files and callers without a session", async () => {
    const who = await loggedIn(service, "looker");
    const response = await upload(who, "/account/import/goodreads", "<html></html>");
    expect([response.status, await response.json()]).toMatchObject([400, { error: "bad_data" }]);
    const anonymous = await service.fetch("/account/import/goodreads", { method: "POST", body: "csv=x" });
    expect(anonymous.status).toBe(401);
  });
});

describe("POST /account/import", () => {
  it("adds shelves, ratings, dates and notes, and lists the remaining books", async () => {
    const who = await loggedIn(service, "Reader");
    const response = await upload(who, "/account/import", FILE);
    expect([response.status, await response.json()]).toMatchObject([202, { status: "running", total: 5 }]);
    await settleActivity();
    expect(await who.json("/account/import.json")).toMatchObject({
      status: "done",
      done: 5,
      imported: 2,
      missing: [
        { position: 3, title: "Unknown", isbn: "0306406152", problem: "not-found" },
        { position: 4, title: "Dropped", isbn: "0747532699", problem: "unknown-shelf" },
        { position: 5, title: "Nameless", isbn: null, problem: "no-isbn" },
      ],
    });
    const own = env.PATRON.getByName("reader");
    expect(await own.shelves.entry(1)).toMatchObject({ shelf: 3, edition: 11 });
    expect(await own.shelves.entry(2)).toMatchObject({ shelf: 1, edition: 12 });
    expect((await own.shelves.rating(1))?.stars).toBe(5);
    expect(await own.diary.checkIns(1)).toMatchObject([{ type: 3, date: "2024-03-07", edition: 11 }]);
    expect(await own.notes.of(1)).toMatchObject([{ text: "Good", edition: null }]);
    const owner = "SELECT count(*) AS numbers FROM check_in_id WHERE patron = 'reader'";
    expect(await env.PATRONS.prepare(owner).first("numbers")).toBe(1);
    expect(await env.PATRONS.prepare("SELECT count(*) AS jobs FROM import_job").first("jobs")).toBe(0);
    await settleActivity();
    const read = await service.json("/works/OL1W/bookshelves.json");
    expect(read).toMatchObject({ counts: { already_read: 1 } });

    const page = await who.fetch("/account/import", { headers: { Accept: "text/html" } });
    expect(await page.text()).toContain("ISBN not in the catalog");
  });

  it("is idempotent and keeps notes that exist", async () => {
    const who = await loggedIn(service, "Reader");
    const own = env.PATRON.getByName("reader");
    await own.notes.set({ work: 1, edition: null, text: "my own words", now: 5 });
    await upload(who, "/account/import", FILE);
    await settleActivity();
    expect(await who.json("/account/import.json")).toMatchObject({ status: "done", imported: 2 });
    expect(await own.diary.checkIns(1)).toHaveLength(1);
    expect(await own.notes.of(1)).toMatchObject([{ text: "my own words" }]);
    expect(await own.shelves.sizes()).toMatchObject({ 1: 1, 3: 1 });
  });

  it("redirects people to the page, and explains a refusal", async () => {
    const who = await loggedIn(service, "person");
    const done = await upload(who, "/account/import", FILE, "text/html");
    expect([done.status, done.headers.get("Location")]).toEqual([303, "/account/import"]);
    await settleActivity();
    const refused = await upload(who, "/account/import", "nothing", "text/html");
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("isn’t a Goodreads export"),
    ]);
  });

  it("bounds the length of a stored value", async () => {
    const longest = await runInDurableObject(
      env.PATRON.getByName("writer"),
      (_object, { storage: { sql } }) => {
        const lengths: number[] = [];
        const exec = (text: string, ...values: SqlStorageValue[]) => {
          lengths.push(...values.map((value) => String(value).length));
          return sql.exec(text, ...values);
        };
        // Only this is asked of it.
        const counting = { exec } as SqlStorage;
        const core = {
          sql: counting,
          state: new StateTable(sql),
          transact: <R>(run: () => R) => run(),
          change: <R>(run: () => R) => run(),
          markChanged: () => {},
        };
        const row = {
          title: "Book",
          author: "X",
          isbn: null,
          shelf: 3 as const,
          stars: null,
          finished: null,
        };
        const note = "a".repeat(IMPORT_NOTE_LENGTH);
        const rows = Array.from({ length: 50 }, () => ({ ...row, note }));
        expect(new PatronImports(core).begin({ id: "long", rows, now: 1 })).toBe(true);
        return Math.max(...lengths);
      },
    );
    expect(longest).toBe(IMPORT_NOTE_LENGTH);
    expect(await env.PATRON.getByName("writer").imports.state()).toMatchObject({ total: 50, done: 0 });
  });

  it("leaves the job of a newer import alone", async () => {
    const job = { patron: "successor", id: "newer" };
    await noteImport(env.PATRONS, job, 1000);
    await touchImport(env.PATRONS, { ...job, id: "older" }, 2000);
    expect(await readDueImports(env.PATRONS, 1000, 1)).toEqual([job]);
    await touchImport(env.PATRONS, job, 2000);
    expect(await readDueImports(env.PATRONS, 1000, 1)).toEqual([]);
    await endImport(env.PATRONS, job);
  });

  it("is resumed by the sweep, and blocks a second import", async () => {
    const who = await loggedIn(service, "patient");
    const own = env.PATRON.getByName("patient");
    const book = { title: "Book", author: "X", shelf: 3 as const, stars: null, finished: null, note: "" };
    const unknown = Array.from({ length: 2 * IMPORTED_ROWS + 5 }, () => ({ ...book, isbn: null }));
    // As a crash leaves it that comes before the message is sent.
    await noteImport(env.PATRONS, { patron: "patient", id: "first" }, service.now);
    await own.imports.begin({
      id: "first",
      rows: [{ ...book, isbn: "0451526538" }, ...unknown],
      now: service.now,
    });
    expect(await who.json("/account/import.json")).toMatchObject({ status: "running", done: 0, total: 206 });
    const second = await upload(who, "/account/import", FILE);
    expect([second.status, await second.json()]).toEqual([409, { detail: "Another import is running." }]);

    const sources = { ...systemSources, now: () => service.now + 3_600_000 };
    await continueImports({ stores: storesOf(env), settings: settingsOf(env), sources });
    expect(await who.json("/account/import.json")).toMatchObject({
      id: "first",
      status: "done",
      imported: 1,
    });
    expect(await own.shelves.sizes()).toEqual({ 3: 1 });
  });
});
