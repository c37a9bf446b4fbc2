import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { attempted } from "../../support/worker/attempt.ts";
import {
  NOW,
  create,
  done,
  emptyCatalog,
  query,
  refusals,
  save,
  saved,
  stored,
  user,
} from "../../support/worker/desk.ts";
import { isPostgres } from "../../support/worker/postgres.ts";
import { author, authorKey, edition, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
beforeEach(emptyCatalog);

const typed = (type: string) => ({ key: `/type/${type}` });
const page = (key: string, title: string) => ({ key, type: typed("page"), title });
const workDocument = (id: number, title: string, more: object = {}) => ({
  key: workKey(id),
  type: typed("work"),
  title,
  ...more,
});

const authorDocument = (id: number, name: string) => ({ key: authorKey(id), type: typed("author"), name });

describe("EditDesk.save", () => {
  it("stores revisions, history, log, index rows and sequences together", async () => {
    const first = await saved([workDocument(7, "First"), page("/about", "About")], {
      kind: "edit-book",
      comment: "two of them",
      data: '{"a":1}',
      writer: user("ann", { authority: "service", bot: true }),
    });
    expect(first).toEqual({
      ok: true,
      change: 1,
      saved: [
        { key: "/works/OL7W", revision: 1 },
        { key: "/about", revision: 1 },
      ],
      keys: ["/works/OL7W", "/about"],
      affected: ["/works/OL7W", "/about"],
      bookmark: expect.any(String),
    });
    const later = "2026-11-21T13:00:00.000000";
    await saved([workDocument(7, "Second")], { now: later });
    expect(await query("SELECT * FROM change")).toEqual([
      {
        id: 1,
        kind: "edit-book",
        author: "/people/ann",
        comment: "two of them",
        bot: 1,
        ip: "203.0.113.7",
        created: NOW,
        changes: '[{"key":"/works/OL7W","revision":1},{"key":"/about","revision":1}]',
        data: '{"a":1}',
      },
      expect.objectContaining({ id: 2, author: null, created: later }),
    ]);
    expect(await stored("/works/OL7W")).toEqual({
      key: "/works/OL7W",
      type: typed("work"),
      title: "Second",
      revision: 2,
      latest_revision: 2,
      created: { type: "/type/datetime", value: NOW },
      last_modified: { type: "/type/datetime", value: later },
    });
    expect(await service.json("/works/OL7W.json?v=1")).toMatchObject({ title: "First", revision: 1 });
    expect(await query("SELECT name, value FROM property WHERE name = 'title' ORDER BY value")).toEqual([
      { name: "title", value: "about" },
      { name: "title", value: "second" },
    ]);
    expect(await query("SELECT name, value FROM sequence WHERE name NOT IN ('record', 'cover')")).toEqual([
      { name: "type_work_seq", value: 7 },
    ]);
    expect(await query("SELECT * FROM expectation")).toEqual([]);
  });

  it("is never older than the previous change, and keeps the time of creation", async () => {
    await saved([workDocument(1, "One")]);
    await saved([workDocument(1, "Two")], { now: "2026-11-21T11:00:00.000000" });
    expect(await query("SELECT DISTINCT created FROM change")).toEqual([{ created: NOW }]);
    await saved([workDocument(1, "Three")], { now: "2026-11-22T00:00:00.000000" });
    expect(await stored(workKey(1))).toMatchObject({
      created: { value: NOW },
      last_modified: { value: "2026-11-22T00:00:00.000000" },
    });
  });

  it("reports old and new references as affected, and updates their index rows", async () => {
    await service.load(author(1), author(2), author(3), work(1, { authors: [1, 2] }));
    const roles = [2, 3].map((id) => ({ author: { key: authorKey(id) } }));
    const { affected } = await saved([workDocument(1, "Work 1", { authors: roles })]);
    expect(affected.toSorted()).toEqual([authorKey(1), authorKey(2), authorKey(3), workKey(1)]);
    expect(await query("SELECT value FROM property WHERE name = 'authors.author' ORDER BY value")).toEqual([
      { value: authorKey(2) },
      { value: authorKey(3) },
    ]);
  });

  it("takes two round trips when no number has to be reserved", async () => {
    await service.load(author(1), work(1));
    const roles = { authors: [{ author: { key: authorKey(1) } }] };
    const { attempt, trips } = await attempted([workDocument(1, "New", roles), workDocument(2, "Two")]);
    expect(attempt).toMatchObject({ result: { ok: true, change: 2 } });
    expect(trips).toBe(2);
  });
});

describe.skipIf(isPostgres)("rows read by a change", () => {
  it("do not grow with the catalog", async () => {
    await saved([authorDocument(1, "Ann"), workDocument(1, "One")]);
    const small = await attempted([workDocument(1, "Another")]);
    await saved(Array.from({ length: 300 }, (_, index) => authorDocument(index + 2, `Author ${index}`)));
    await saved(Array.from({ length: 300 }, (_, index) => workDocument(index + 2, `Work ${index}`)));
    const large = await attempted([workDocument(1, "And another")]);
    expect(large.attempt).toMatchObject({
      result: { ok: true, saved: [{ key: "/works/OL1W", revision: 3 }] },
    });
    expect(large.rowsRead).toBeLessThanOrEqual(small.rowsRead + 10);
  });
});

describe("an expected revision", () => {
  it.each([
    [1, "409 Document update conflict"],
    [3, "409 Document update conflict"],
    [0, "409 Document update conflict"],
    [2, undefined],
  ])("%i of a record at revision 2 gives %s", async (revision, refusal) => {
    await saved([workDocument(1, "One")]);
    await saved([workDocument(1, "Two")]);
    const result = await save([workDocument(1, "Three")], { expected: { [workKey(1)]: revision } });
    expect(refusals(result)[0]).toBe(refusal);
    if (!result.ok) expect(result.failures[0]).toMatchObject({ error: "conflict", key: workKey(1) });
  });

  it("may be of another record, or 0 for a missing record", async () => {
    await saved([workDocument(1, "One")]);
    const both = { [workKey(1)]: 1, [workKey(9)]: 0 };
    expect((await save([workDocument(2, "Two")], { expected: both })).ok).toBe(true);
    expect(refusals(await save([workDocument(2, "x")], { expected: { [workKey(1)]: 0 } }))).toHaveLength(1);
  });
});

describe("deleting an author", () => {
  const tombstone = { key: authorKey(1), type: typed("delete") };

  it("is refused while records name the author, with their number and first keys", async () => {
    const works = Array.from({ length: 22 }, (_one, index) => work(index + 1, { authors: [1] }));
    await service.load(author(1), ...works, edition(1, { authors: [{ key: authorKey(1) }] }));
    const result = await save([tombstone]);
    const [message = ""] = refusals(result);
    expect(message).toMatch(/^400 .*23 records refer to \/authors\/OL1A: (\/\w+\/OL\d+[MW], ){20}\.\.\.$/);
    const redirect = { key: authorKey(1), type: typed("redirect"), location: authorKey(2) };
    expect(refusals(await save([redirect]))[0]).toContain("Changing type of author pages is not allowed.");
  });

  it("needs all references to change in the same change", async () => {
    await service.load(author(1), author(2), work(1, { authors: [1] }), work(2, { authors: [1] }));
    const role = (id: number) => ({ authors: [{ author: { key: authorKey(id) } }] });
    const redirect = { key: authorKey(1), type: typed("redirect"), location: authorKey(2) };
    const half = [redirect, workDocument(1, "Work 1", role(2)), workDocument(2, "Work 2", role(1))];
    expect(refusals(await save(half)).join()).toContain("1 record refers to /authors/OL1A: /works/OL2W");
    await saved([redirect, workDocument(1, "Work 1", role(2)), workDocument(2, "Work 2", role(2))]);
    expect(await stored(authorKey(1))).toMatchObject({ type: typed("redirect") });
  });

  it("succeeds without references", async () => {
    await service.load(author(1), work(1));
    expect((await save([tombstone])).ok).toBe(true);
  });
});

describe("new records", () => {
  it("get the next numbers of their type, in order", async () => {
    await service.load(work(40), { key: "/series/OL8L", type: "/type/series", name: "S" });
    const types = ["work", "edition", "author", "work", "series", "tag", "publisher", "list"];
    const documents = types.map((type) => ({ type: typed(type), title: "T", name: "N", key: "/ignored" }));
    const { keys, saved: made } = done(
      await create(documents, { writer: user("ann", { authority: "service" }) }),
    );
    expect(keys).toEqual([
      "/works/OL41W",
      "/books/OL1M",
      "/authors/OL1A",
      "/works/OL42W",
      "/series/OL9L",
      "/tags/OL1T",
      "/publishers/OL1P",
      "/people/ann/lists/OL10L",
    ]);
    expect(made).toEqual(keys.map((key) => ({ key, revision: 1 })));
  });

  it("skip existing keys that the sequence does not know", async () => {
    await service.load(work(1), work(2));
    await env.CATALOG.prepare("DELETE FROM sequence").run();
    const documents = [1, 2, 3].map((id) => ({ type: typed("work"), title: `New ${id}` }));
    const { keys } = done(await create(documents));
    expect(new Set(keys).size).toBe(3);
    expect(keys).toContain("/works/OL3W");
    expect(await stored(workKey(1))).toMatchObject({ title: "Work 1" });
  });

  it("may refer to each other in one change with edits", async () => {
    await service.load(author(1), work(1));
    const documents = [
      { type: typed("work"), title: "W" },
      { type: typed("edition"), title: 'Says "/__new__/0"', works: [{ key: "/__new__/0" }] },
    ];
    const edits = [workDocument(1, "Work 1", { other_titles: ["edited"] })];
    const result = done(await create(documents, { edits, expected: { [workKey(1)]: 1 } }));
    expect(result.keys).toEqual(["/works/OL2W", "/books/OL1M"]);
    expect(result.saved).toEqual([
      { key: "/works/OL2W", revision: 1 },
      { key: "/books/OL1M", revision: 1 },
      { key: "/works/OL1W", revision: 2 },
    ]);
    expect(await stored("/books/OL1M")).toMatchObject({
      title: 'Says "/__new__/0"',
      works: [{ key: "/works/OL2W" }],
    });
  });
});

describe("size limits of a change", () => {
  it("allow 1,000 documents of 8 MiB in all", async () => {
    const text = "x".repeat(8 * 1024);
    const documents = Array.from({ length: 1000 }, (_one, index) =>
      workDocument(index + 1, `Work ${index}`, { description: text }),
    );
    const { saved: made } = await saved(documents);
    expect(made).toHaveLength(1000);
    expect((await saved(documents.map((one) => ({ ...one, subtitle: "again" })))).saved[999]).toEqual({
      key: workKey(1000),
      revision: 2,
    });
    expect(await query("SELECT count(*) AS count, sum(revision) AS sum FROM record")).toEqual([
      { count: 1000, sum: 2000 },
    ]);
  });

  it.runIf(isPostgres)("allow 1,000 documents while PostgreSQL assumes an empty table", async () => {
    const text = "x".repeat(12 * 1024);
    const documents = Array.from({ length: 1000 }, (_one, index) =>
      workDocument(index + 1, `Work ${index}`, { description: text }),
    );
    await saved(documents);
    await query("DELETE FROM record");
    await query("ANALYZE record");
    for (const subtitle of ["first", "again"]) await saved(documents.map((one) => ({ ...one, subtitle })));
    expect(await query("SELECT count(*) AS count, sum(revision) AS sum FROM record")).toEqual([
      { count: 1000, sum: 2000 },
    ]);
  });

  it("apply to comment and data", async () => {
    const large = { comment: "x".repeat(10_001), data: JSON.stringify({ x: "x".repeat(262_144) }) };
    const refused = [
      "413 A comment can have at most 10000 characters",
      "413 The data of a change can have at most 262144 characters",
    ];
    expect(refusals(await save([workDocument(1, "x")], large))).toEqual(refused);
    expect(refusals(await create([{ type: typed("work"), title: "x" }], large))).toEqual(refused);
  });

  it.each([
    ["a document above 1 MiB", [workDocument(1, "x".repeat(1024 * 1024))], 413],
    ["a key above 512 characters", [page(`/${"x".repeat(512)}`, "x")], 400],
    ["10,001 documents", Array.from({ length: 10_001 }, (_one, id) => workDocument(id, "x")), 413],
  ])("refuse %s", async (_what, documents, status) => {
    const result = await save(documents);
    expect(result.ok ? 200 : result.failures[0]?.status).toBe(status);
  });
});
