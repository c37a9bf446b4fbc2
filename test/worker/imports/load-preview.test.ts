import { beforeEach, describe, expect, it } from "vitest";
import { emptyCatalog, query } from "../../support/worker/desk.ts";
import { LANGUAGES, imported, refused } from "../../support/worker/importing.ts";
import { author, edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
beforeEach(async () => {
  await emptyCatalog();
  await service.loadUnindexed(...LANGUAGES);
});

const BOOK = { title: "A", authors: [{ name: "John Smith" }], source_records: ["x:1"] };
const preview = { preview: true };
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const newKey = (folder: string) => expect.stringMatching(new RegExp(`^/${folder}/__new__${UUID}$`));
const typed = (type: string) => ({ key: `/type/${type}` });

describe("an import with preview", () => {
  it("shows author, work and edition of a new book, and stores nothing", async () => {
    const before = await query("SELECT * FROM sequence ORDER BY name");
    const answer = await imported(BOOK, preview);
    const [by, of, book] = answer.edits ?? [];
    expect([by, of, book]).toEqual([
      { type: typed("author"), name: "John Smith", source_records: ["x:1"], key: newKey("authors") },
      {
        type: typed("work"),
        title: "A",
        authors: [{ type: typed("author_role"), author: { key: by?.["key"] } }],
        key: newKey("works"),
      },
      {
        type: typed("edition"),
        title: "A",
        source_records: ["x:1"],
        authors: [{ key: by?.["key"] }],
        works: [{ key: of?.["key"] }],
        key: newKey("books"),
      },
    ]);
    expect({ ...answer, edits: [] }).toEqual({
      success: true,
      preview: true,
      edits: [],
      authors: [{ key: by?.["key"], name: "John Smith", status: "created" }],
      edition: { key: book?.["key"], status: "created" },
      work: { key: of?.["key"], status: "created" },
    });
    expect(await query("SELECT * FROM sequence ORDER BY name")).toEqual(before);
    expect(await query("SELECT count(*) AS count FROM record WHERE type = '/type/edition'")).toEqual([
      { count: 0 },
    ]);
  });

  it("shows the changes of a known book", async () => {
    await service.loadUnindexed(
      author(1, { name: "John Smith" }),
      work(1, { title: "A", authors: [1] }),
      edition(1, { title: "A", isbn_10: ["1250144051"], source_records: ["x:1"], work: 1 }),
    );
    const isbn = { isbn_10: ["1250144051"] };
    expect(await imported({ ...BOOK, ...isbn }, preview)).toMatchObject({
      edition: { status: "matched" },
      edits: [],
    });
    const cover = "https://covers.openlibrary.org/b/id/1-L.jpg";
    const answer = await imported({ ...BOOK, ...isbn, source_records: ["y:1"], cover }, preview);
    expect(answer.edits).toMatchObject([
      { key: editionKey(1), source_records: ["x:1", "y:1"], covers: [-2] },
      { key: workKey(1), covers: [-2] },
    ]);
    expect(await query("SELECT id FROM cover")).toEqual([]);
  });

  it("fails as the import would", async () => {
    const record = { ...BOOK, weight: { no: "text" } };
    expect(await refused(record, preview)).toBe(await refused(record));
    expect(await refused(record)).toContain("bad-request");
  });
});
