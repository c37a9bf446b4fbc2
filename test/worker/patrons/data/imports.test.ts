import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { IMPORT_NOTE_LENGTH } from "../../../../src/catalog/patrons/library-rows.ts";
import {
  endImport,
  noteImport,
  touchImport,
  readDueImports,
} from "../../../../src/db/patrons/patron-jobs.ts";
import { PatronImports } from "../../../../src/durable/patron/imports.ts";
import { StateTable } from "../../../../src/durable/storage.ts";
import { systemSources } from "../../../../src/worker/http/bindings.ts";
import { jobsOf } from "../../../../src/worker/http/queue.ts";
import { IMPORTED_ROWS, continueImports } from "../../../../src/worker/patrons/data/own-import-job.ts";
import { loggedIn } from "../../../support/worker/logged-in.ts";
import { settleActivity, settleIndexQueue } from "../../../support/worker/queues.ts";
import { author, edition, work } from "../../../support/worker/records.ts";
import { testService } from "../../../support/worker/service.ts";
import { uploadLibrary } from "../../../support/worker/upload-library.ts";

const service = testService();
const HEADER = "Book Id,Title,Author,ISBN,ISBN13,My Rating,Date Read,Exclusive Shelf,My Review\n";
const LINES = [
  '1,Rivers,"Writer, A.","=""0451526538""",,5,2024/03/07,read,Good',
  '2,Hills,B. Writer,,"=""9780140328721""",0,,to-read,',
  '3,Unknown,C. Writer,"=""0306406152""",,0,,read,',
  "4,Nameless,D. Writer,,,0,,read,",
  '5,Dropped,E. Writer,"=""0747532699""",,0,,did-not-finish,',
];
const NO_DETAILS = {
  keepsShelf: false,
  work: null,
  edition: null,
  stars: null,
  events: [],
  lists: [],
  observations: [],
};
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

describe("POST /account/import/goodreads", () => {
  it("shows the books without a change", async () => {
    const who = await loggedIn(service, "looker");
    const response = await uploadLibrary(who, "/account/import/goodreads", FILE);
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

    const page = await uploadLibrary(who, "/account/import/goodreads", FILE.replace("Rivers", "<b>"), {
      accept: "text/html",
    });
    const html = await page.text();
    expect(html).toContain("&lt;b&gt;");
    expect(html).not.toContain("<b>");
  });

  it("refuses other files and callers without a session", async () => {
    const who = await loggedIn(service, "looker");
    const response = await uploadLibrary(who, "/account/import/goodreads", "<html></html>");
    expect([response.status, await response.json()]).toMatchObject([400, { error: "bad_data" }]);
    const anonymous = await service.fetch("/account/import/goodreads", { method: "POST", body: "csv=x" });
    expect(anonymous.status).toBe(401);
  });
});

describe("POST /account/import", () => {
  it("reports a status that is not understood, and puts its book on no shelf", async () => {
    const who = await loggedIn(service, "lender");
    const file =
      "Title,Status,Date Started,ISBN 13\n" +
      "Rivers,Lent out,2024-01-05,9780451526533\nHills,Lent out,,9780140328721\n";
    const preview = await uploadLibrary(who, "/account/import/goodreads", file, { accept: "text/html" });
    expect(await preview.text()).toContain("The status “<bdi>Lent out</bdi>” of 2 books wasn’t recognized.");
    const response = await uploadLibrary(who, "/account/import", file);
    expect(await response.json()).toMatchObject({ unknown_statuses: { "Lent out": 2 } });
    await settleActivity();
    expect(await who.json("/account/import.json")).toMatchObject({
      imported: 1,
      missing: [{ title: "Hills", problem: "unknown-shelf" }],
    });
    for (const shelf of ["want-to-read", "currently-reading", "already-read"]) {
      expect(await who.json(`/people/lender/books/${shelf}.json`)).toMatchObject({ numFound: 0 });
    }
  });

  it("adds shelves, ratings, dates and notes, and lists the remaining books", async () => {
    const who = await loggedIn(service, "Reader");
    const response = await uploadLibrary(who, "/account/import", FILE);
    expect([response.status, await response.json()]).toMatchObject([202, { status: "running", total: 5 }]);
    await settleActivity();
    expect(await who.json("/account/import.json")).toMatchObject({
      status: "done",
      done: 5,
      imported: 3,
      missing: [
        { position: 3, title: "Unknown", isbn: "0306406152", problem: "not-found" },
        { position: 5, title: "Nameless", isbn: null, problem: "no-isbn" },
      ],
    });
    const own = env.PATRON.getByName("reader");
    expect(await own.shelves.entry(1)).toMatchObject({ shelf: 3, edition: 11 });
    expect(await own.shelves.entry(2)).toMatchObject({ shelf: 1, edition: 12 });
    expect(await own.shelves.entry(5)).toMatchObject({ shelf: 4, edition: 15 });
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
    expect(await page.text()).toContain("Not in the catalog");
  });

  it("is idempotent and keeps notes that exist", async () => {
    const who = await loggedIn(service, "Reader");
    const own = env.PATRON.getByName("reader");
    await own.notes.set({ work: 1, edition: null, text: "my own words", now: 5 });
    await uploadLibrary(who, "/account/import", FILE);
    await settleActivity();
    expect(await who.json("/account/import.json")).toMatchObject({ status: "done", imported: 3 });
    expect(await own.diary.checkIns(1)).toHaveLength(1);
    expect(await own.notes.of(1)).toMatchObject([{ text: "my own words" }]);
    expect(await own.shelves.sizes()).toMatchObject({ 1: 1, 3: 1, 4: 1 });
  });

  it("leaves books where they are if the file has no shelves", async () => {
    const who = await loggedIn(service, "Sorter");
    const own = env.PATRON.getByName("sorter");
    await own.shelves.put({ work: 1, edition: undefined, shelf: 3, keep: true, now: 5 });
    await uploadLibrary(who, "/account/import", "0451526538\n9780140328721\n");
    await settleActivity();
    expect(await own.shelves.entry(1)).toMatchObject({ shelf: 3 });
    expect(await own.shelves.entry(2)).toMatchObject({ shelf: 1 });
  });

  it("redirects people to the page, and explains a refusal", async () => {
    const who = await loggedIn(service, "person");
    const done = await uploadLibrary(who, "/account/import", FILE, { accept: "text/html" });
    expect([done.status, done.headers.get("Location")]).toEqual([303, "/account/import"]);
    await settleActivity();
    const refused = await uploadLibrary(who, "/account/import", "<html>", { accept: "text/html" });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("Choose the columns"),
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
        // The test calls only this method.
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
          ...NO_DETAILS,
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
    const book = { title: "Book", author: "X", shelf: 3 as const, note: "", ...NO_DETAILS };
    const unknown = Array.from({ length: 2 * IMPORTED_ROWS + 5 }, () => ({ ...book, isbn: null }));
    // State after a crash before the message was sent.
    await noteImport(env.PATRONS, { patron: "patient", id: "first" }, service.now);
    await own.imports.begin({
      id: "first",
      rows: [{ ...book, isbn: "0451526538" }, ...unknown],
      now: service.now,
    });
    expect(await who.json("/account/import.json")).toMatchObject({ status: "running", done: 0, total: 206 });
    const second = await uploadLibrary(who, "/account/import", FILE);
    expect([second.status, await second.json()]).toEqual([
      409,
      { detail: "Another import is running. Wait until it has finished." },
    ]);

    const sources = { ...systemSources, now: () => service.now + 3_600_000 };
    await continueImports({ ...jobsOf(env), sources });
    // Rows that are searched by title need another message.
    await settleActivity();
    expect(await who.json("/account/import.json")).toMatchObject({
      id: "first",
      status: "done",
      imported: 1,
    });
    expect(await own.shelves.sizes()).toEqual({ 3: 1 });
  });
});

describe("books without an ISBN", () => {
  const LIST = "Emma by Jane Austen\nLove and Friendship\n";

  it("are found by title and author, and left to the patron if in doubt", async () => {
    await service.load(
      author(1, { name: "Jane Austen" }),
      author(2, { name: "Jane Miller" }),
      work(21, { title: "Emma", authors: [1] }),
      work(22, { title: "Love and Friendship", authors: [1] }),
      work(23, { title: "Love and Friendship", authors: [2] }),
    );
    await settleIndexQueue();
    const who = await loggedIn(service, "lister");
    const own = env.PATRON.getByName("lister");
    await uploadLibrary(who, "/account/import", LIST);
    await settleActivity();
    const choices = await who.json("/account/import.json");
    expect(choices).toMatchObject({
      status: "done",
      imported: 1,
      missing: [{ position: 2, problem: "doubtful" }],
    });
    expect(await own.shelves.entry(21)).toMatchObject({ shelf: 1, edition: null });
    const { missing } = choices as { missing: { candidates: { work: number }[] }[] };
    expect(missing[0]?.candidates.map((candidate) => candidate.work).sort()).toEqual([22, 23]);
    const page = await who.fetch("/account/import", { headers: { Accept: "text/html" } });
    expect(await page.text()).toContain('action="/account/import/choose"');

    const choose = (position: number, chosen: number) =>
      who.fetch("/account/import/choose", {
        method: "POST",
        body: new URLSearchParams({ position: String(position), work: String(chosen) }),
        headers: { Accept: "application/json" },
      });
    expect((await choose(2, 21)).status).toBe(400);
    expect((await choose(2, 23)).status).toBe(200);
    expect((await choose(2, 22)).status).toBe(400);
    await settleActivity();
    expect(await who.json("/account/import.json")).toMatchObject({
      status: "done",
      imported: 2,
      missing: [],
    });
    expect(await own.shelves.entries([22, 23])).toMatchObject([{ work: 23, shelf: 1 }]);

    // A choice holds when the file comes again.
    await uploadLibrary(who, "/account/import", LIST);
    await settleActivity();
    expect(await who.json("/account/import.json")).toMatchObject({ imported: 2, missing: [] });
    expect(await own.shelves.sizes()).toMatchObject({ 1: 2 });
  });
});

describe("numbers of works and editions in a file", () => {
  it("count only if the title is that of the book", async () => {
    await service.load(
      work(31, { title: "The Mill on the Floss" }),
      edition(131, { work: 31, title: "Die Mühle am Floss" }),
      work(32, { title: "Middlemarch" }),
      edition(132, { work: 32, title: "Middlemarch" }),
    );
    const who = await loggedIn(service, "numberer");
    const file =
      "Title,Author,Exclusive Shelf,Work ID,Edition ID\n" +
      "The Mill on the Floss,George Eliot,read,OL31W,OL131M\n" +
      // Row of another site's export, where the ID means another book.
      "Zettels Traum,Arno Schmidt,read,OL32W,OL132M\n" +
      "Die Mühle am Floss,George Eliot,read,,OL131M\n";
    await uploadLibrary(who, "/account/import", file);
    await settleActivity();
    expect(await who.json("/account/import.json")).toMatchObject({
      status: "done",
      imported: 2,
      missing: [{ position: 2, title: "Zettels Traum", problem: "no-isbn" }],
    });
    const own = env.PATRON.getByName("numberer");
    expect(await own.shelves.entries([31, 32])).toMatchObject([{ work: 31, shelf: 3, edition: 131 }]);
  });
});

describe("a file that is not recognized", () => {
  it("lets people choose its columns", async () => {
    const who = await loggedIn(service, "chooser");
    const file = "Buch,Wer,Wann\nRivers,A. Writer,2024";
    const refused = await uploadLibrary(who, "/account/import/goodreads", file, { accept: "text/html" });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('name="title_column"'),
    ]);
    const preview = await who.fetch("/account/import/goodreads", {
      method: "POST",
      body: new URLSearchParams({ csv: file, title_column: "Buch", author_column: "Wer", isbn_column: "-" }),
      headers: { Accept: "application/json" },
    });
    expect(await preview.json()).toMatchObject({
      books: [],
      without_isbn: [{ Buch: "Rivers" }],
      format: "table",
    });
  });
});
