import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { reserveNumbers } from "../../../src/db/editing/numbers.ts";
import type { ImportRequest, ImportResult } from "../../../src/db/imports/import-request.ts";
import { setServiceState } from "../../../src/db/service/service-state.ts";
import type { ImportDesk } from "../../../src/durable/import-desk.ts";
import { prepareRecord } from "../../../src/import/records/prepare.ts";
import type { ImportRecord } from "../../../src/import/record.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { done, emptyCatalog, query, save, user } from "../../support/worker/desk.ts";
import { IMPORTED, IMPORTER, LANGUAGES, imported } from "../../support/worker/importing.ts";
import { attemptedLoad, claimedItem } from "../../support/worker/load-attempt.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { randomFrom } from "../../support/worker/random.ts";
import { author, authorKey, edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

// Many writers at once; how long that takes says nothing.
vi.setConfig({ testTimeout: 120_000 });
const service = testService();
beforeEach(async () => {
  await emptyCatalog();
  await service.loadUnindexed(...LANGUAGES);
});

const BOOK: ImportRecord = {
  title: "A book that many have",
  authors: [{ name: "Ann Author" }],
  publishers: ["Press"],
  publish_date: "1999",
  languages: ["eng"],
  source_records: ["marc:file:0:100"],
};
const ISBN = "9780141439662";
const OTHER_ISBN = "9780888643513";
const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_one, index) => make(index));

const requestOf = (record: ImportRecord): ImportRequest => ({
  record: prepareRecord(record, { year: 2026 }),
  author: IMPORTER,
  bot: true,
  ip: null,
  fromMarc: false,
  coverHosts: [],
  now: IMPORTED,
});

/** Imports at one of several desks, as during a move to another machine. */
function atDesk(record: ImportRecord, name: string): Promise<ImportResult> {
  // The stub's own type is too deep for the compiler.
  const desk = env.IMPORT_DESK.getByName(name) as unknown as Pick<ImportDesk, "importRecord">;
  return desk.importRecord(requestOf(record));
}

/** Counts the records of each kind. */
async function counts(): Promise<string> {
  const rows = await query(
    `SELECT type, count(*) AS count FROM record
     WHERE type IN ('/type/edition', '/type/work', '/type/author') GROUP BY type ORDER BY type`,
  );
  return rows.map(({ type, count }) => `${String(count)} ${String(type).slice("/type/".length)}`).join(", ");
}

/** Sources of the only edition. */
async function sources(): Promise<unknown[]> {
  const [row] = await query(
    "SELECT document->'$.source_records' AS sources FROM record WHERE type = '/type/edition'",
  );
  return JSON.parse(String(row?.["sources"]));
}

describe("30 concurrent imports of one book", () => {
  it.each([
    ["with an ISBN", { isbn_13: [ISBN] }],
    ["without a number: title, author and date agree", {}],
  ])("%s make one edition, one work, one author", async (_how, members) => {
    const answers = await Promise.all(
      times(30, (n) => imported({ ...BOOK, ...members, source_records: [`marc:file:${n}:100`] })),
    );
    const statuses = Map.groupBy(answers, ({ edition: { status } }) => status);
    expect(statuses.get("created")).toHaveLength(1);
    expect(statuses.get("modified")).toHaveLength(29);
    expect(await counts()).toBe("1 author, 1 edition, 1 work");
    expect(new Set(await sources()).size).toBe(30);
    expect(await catalogFaults()).toEqual([]);
  });

  it("make one edition by one of two ISBNs", async () => {
    const answers = await Promise.all(
      times(30, (n) =>
        imported({
          ...BOOK,
          title: n % 2 === 0 ? "A book" : "The same under another title",
          isbn_13: n % 2 === 0 ? [ISBN] : [OTHER_ISBN, ISBN],
          source_records: [`marc:file:${n}:100`],
        }),
      ),
    );
    expect(new Set(answers.map(({ edition: { key } }) => key)).size).toBe(1);
    expect(await counts()).toBe("1 author, 1 edition, 1 work");
    expect(new Set(await sources()).size).toBe(30);
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("concurrent imports of different books", () => {
  it("make a common author and a common work once", async () => {
    const answers = await Promise.all(
      times(20, (n) =>
        imported({
          ...BOOK,
          title: `Book ${n >> 1}`,
          isbn_13: [`97801414396${String(n).padStart(2, "0")}`],
          source_records: [`marc:file:${n}:100`],
        }),
      ),
    );
    const authors = answers.flatMap((answer) => answer.authors ?? []);
    expect(authors.filter(({ status }) => status === "created")).toHaveLength(1);
    expect(new Set(authors.map(({ key }) => key)).size).toBe(1);
    expect(await counts()).toBe("1 author, 20 edition, 10 work");
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("two desks at once", () => {
  it.each([
    ["one ISBN", { isbn_13: [ISBN] }],
    ["one title", {}],
  ])("with %s make one edition, one work, one author", async (_how, members) => {
    const results = await Promise.all(
      times(24, (n) =>
        atDesk({ ...BOOK, ...members, source_records: [`marc:file:${n}:100`] }, `desk ${n % 2}`),
      ),
    );
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(await counts()).toBe("1 author, 1 edition, 1 work");
    expect(new Set(await sources()).size).toBe(24);
    expect(await catalogFaults()).toEqual([]);
  });

  it("make a new author of different books once", async () => {
    const results = await Promise.all(
      times(12, (n) => atDesk({ ...BOOK, title: `Book ${n}` }, `desk ${n % 3}`)),
    );
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(await counts()).toBe("1 author, 12 edition, 12 work");
    expect(await catalogFaults()).toEqual([]);
  });

  it("import random records without duplicates", async () => {
    const random = randomFrom(6);
    const records = times(60, (n): ImportRecord => {
      const [isbn, title, name] = [random.below(6), random.below(6), random.below(3)];
      return {
        ...BOOK,
        title: `Title ${title}`,
        authors: [{ name: `Name ${name}` }],
        isbn_13: [`978014143966${isbn}`],
        source_records: [`marc:file:${n}:100`],
      };
    });
    const results = await Promise.all(records.map((record, n) => atDesk(record, `desk ${n % 2}`)));
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    const doubled = await query(
      `SELECT name, value, count(*) AS count FROM (
         SELECT 'isbn' AS name, value FROM identifier WHERE kind = 'isbn'
         UNION ALL SELECT name, value FROM property WHERE name = 'author_title'
         UNION ALL SELECT p.name, p.value FROM property p JOIN record r ON r.id = p.record_id
           WHERE p.name = 'name' AND r.type = '/type/author')
       GROUP BY 1, 2 HAVING count(*) > 1`,
    );
    expect(doubled).toEqual([]);
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("a desk with too many requests", () => {
  it("refuses further requests, and does the waiting ones", async () => {
    const request = { ...requestOf(BOOK), record: { ...BOOK, notes: "x".repeat(1_100_000) } };
    // Inside the object, so that all come at the same instant.
    const results = await runInDurableObject(env.IMPORT_DESK.getByName("busy"), (desk: ImportDesk) =>
      Promise.all(times(30, () => desk.importRecord(request))),
    );
    const told = Map.groupBy(results, (result) => (result.ok ? "ok" : result.why));
    expect([...told].map(([what, { length }]) => [what, length])).toEqual([
      ["refused", 22],
      ["busy", 8],
    ]);
    expect(await atDesk(BOOK, "busy")).toMatchObject({ ok: true });
  });
});

describe("concurrent imports and other writes", () => {
  const KNOWN = { ...BOOK, isbn_13: [ISBN] };
  const load = () =>
    service.loadUnindexed(
      author(1, { name: "Ann Author" }),
      work(1, { title: BOOK["title"], authors: [1] }),
      edition(1, { title: BOOK["title"], isbn_13: [ISBN], authors: [{ key: authorKey(1) }], work: 1 }),
    );

  it("lose no edits of the same records", async () => {
    await load();
    const ann = { writer: user("ann") };
    const type = { key: "/type/work" };
    const edits = times(20, (n) =>
      save([{ key: workKey(1), type, title: BOOK["title"], notes: `Note ${n}` }], ann),
    );
    const imports = times(20, (n) =>
      imported({ ...KNOWN, subjects: [`Subject ${n}`], source_records: [`marc:file:${n}:100`] }),
    );
    const results = await Promise.all(edits);
    results.forEach(done);
    await Promise.all(imports);
    expect(new Set(await sources()).size).toBe(20);
    const titles = await query(
      `SELECT DISTINCT document->>'notes' AS notes FROM (
         SELECT document FROM revision WHERE document->>'key' = '/works/OL1W'
         UNION ALL SELECT document FROM record WHERE key = '/works/OL1W') WHERE document->>'notes' IS NOT NULL`,
    );
    expect(titles).toHaveLength(20);
    expect(await catalogFaults()).toEqual([]);
  });

  it("leave no reference to merged records", async () => {
    const librarian = await loggedIn(service, "MergingOne", { groups: ["super-librarians"] });
    await load();
    await service.loadUnindexed(work(2, { title: BOOK["title"], authors: [1] }));
    const merge = librarian.fetch("/works/merge.json", {
      method: "POST",
      body: JSON.stringify({ master: workKey(2), duplicates: [workKey(1)] }),
      headers: { "Content-Type": "application/json" },
    });
    const imports = times(20, (n) =>
      imported({
        ...BOOK,
        isbn_13: [n % 2 === 0 ? ISBN : `97801414396${String(n).padStart(2, "0")}`],
        publish_date: String(1900 + n),
        source_records: [`marc:file:${n}:100`],
      }),
    );
    await Promise.all(imports);
    expect((await merge).status).toBe(200);
    const gone = await query(
      `SELECT p.value FROM property p JOIN record w ON w.key = p.value
       WHERE p.name = 'works' AND w.type <> '/type/work'`,
    );
    expect(gone).toEqual([]);
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("an import overtaken between its read and write", () => {
  const switchOn = () => setServiceState(env.CATALOG, { value: "on", changed: "", by: null });
  const typed = (type: string) => ({ key: `/type/${type}` });
  const NEW: ImportRecord = { ...BOOK, isbn_13: [ISBN] };
  const KNOWN: ImportRecord = { ...BOOK, title: "Known", isbn_13: [OTHER_ISBN], source_records: ["x:1"] };
  const put = () =>
    service.loadUnindexed(
      author(1, { name: "Ann Author" }),
      author(2, { name: "Nobody" }),
      work(1, { title: "Known", authors: [1] }),
      edition(1, { title: "Known", isbn_13: [OTHER_ISBN], work: 1 }),
    );

  it.each<[string, ImportRecord, () => Promise<unknown>]>([
    ["the same book is imported", NEW, () => imported(NEW)],
    [
      "an edition with the number is created",
      NEW,
      () => service.loadUnindexed(edition(9, { isbn_13: [ISBN] })),
    ],
    [
      "a book of the title is created",
      NEW,
      () => service.loadUnindexed(edition(9, { title: BOOK["title"] })),
    ],
    ["an author of the name is created", NEW, () => service.loadUnindexed(author(9, { name: "Ann Author" }))],
    [
      "a work of the author and title is created",
      NEW,
      () => service.loadUnindexed(work(9, { title: BOOK["title"], authors: [1] })),
    ],
    [
      "the author is deleted",
      NEW,
      () =>
        save([
          { key: authorKey(2), type: typed("delete") },
          { key: workKey(1), type: typed("work"), title: "Known" },
          { key: authorKey(1), type: typed("delete") },
        ]),
    ],
    ["the language is deleted", NEW, () => save([{ key: "/languages/eng", type: typed("delete") }])],
    [
      "the matched edition changes",
      KNOWN,
      () => save([{ key: editionKey(1), type: typed("edition"), title: "Known", isbn_13: [OTHER_ISBN] }]),
    ],
    [
      "its work becomes another",
      KNOWN,
      () => save([{ key: workKey(1), type: typed("redirect"), location: "/works/OL2W" }]),
    ],
    ["the service becomes read-only", NEW, switchOn],
    ["a number is given out", NEW, () => reserveNumbers(env.CATALOG, new Map([["type_work_seq", 1]]))],
  ])("is decided again when %s", async (_what, record, between) => {
    await put();
    const { outcome } = await attemptedLoad(record, { between });
    expect(outcome).toBe("conflict");
    expect(await catalogFaults()).toEqual([]);
  });

  it("does not end an item claimed by another", async () => {
    const item = await claimedItem();
    const take = () =>
      env.CATALOG.prepare("UPDATE import_item SET claim = 'other' WHERE id = ?").bind(item.id).run();
    expect((await attemptedLoad(NEW, { item, between: take })).outcome).toBe("conflict");
    expect((await attemptedLoad(NEW, { item })).outcome).toEqual({ ok: false, why: "item-lost" });
    expect(await query("SELECT key FROM record WHERE type = '/type/edition'")).toEqual([]);
    expect(await query(`SELECT status, claim FROM import_item WHERE id = ${item.id}`)).toEqual([
      { status: "processing", claim: "other" },
    ]);
  });

  it("is done when another record changes", async () => {
    await put();
    const between = () => save([{ key: authorKey(2), type: typed("author"), name: "Nobody else" }]);
    expect((await attemptedLoad(NEW, { between })).outcome).toMatchObject({ ok: true });
  });
});
