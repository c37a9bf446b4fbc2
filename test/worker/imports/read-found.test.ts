import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { NumberPool } from "../../../src/db/editing/numbers.ts";
import { unchangedCondition } from "../../../src/db/imports/commit-import.ts";
import { readLanguageIndex } from "../../../src/db/imports/language-index.ts";
import { importPrepared } from "../../../src/db/imports/import-record.ts";
import { FOUND_AUTHORS_MAX, FOUND_EDITIONS_MAX, numberLookups } from "../../../src/db/imports/lookup-sql.ts";
import {
  FOUND_BYTES,
  FOUND_BYTES_BESIDE,
  foundStatementOf,
  readFound,
} from "../../../src/db/imports/read-found.ts";
import { prepare } from "../../../src/db/statement.ts";
import { type RecordLookup, type RecordLookups, lookupNameOf } from "../../../src/import/records/snapshot.ts";
import { prepareRecord } from "../../../src/import/records/prepare.ts";
import { lookupsOf } from "../../../src/import/records/record-lookups.ts";
import { emptyCatalog } from "../../support/worker/desk.ts";
import { IMPORTED, IMPORTER, imported, outcome } from "../../support/worker/importing.ts";
import { isPostgres } from "../../support/worker/postgres.ts";
import {
  author,
  authorKey,
  edition,
  editionKey,
  redirected,
  work,
  workKey,
} from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";

const service = testService();
beforeEach(emptyCatalog);

const TITLE: RecordLookup = { table: "property", name: "title", value: "poems" };
const ISBN: RecordLookup = { table: "identifier", name: "isbn", value: "9780141439662" };
const NAME: RecordLookup = { table: "property", name: "name", value: "annauthor" };
const KEY: RecordLookup = { table: "key", name: "", value: editionKey(1) };
const ORIGIN: RecordLookup = { table: "identifier", name: "source", value: "x:1", titled: "poems" };
const WANTED: RecordLookups = { editions: [TITLE, ISBN, KEY, ORIGIN], authors: [NAME], workTitle: "poems" };
const many = <Value>(count: number, make: (n: number) => Value): Value[] =>
  Array.from({ length: count }, (_one, n) => make(n + 1));
const loadAll = async (records: readonly TestRecord[], page = 400): Promise<void> => {
  for (let at = 0; at < records.length; at += page) {
    await service.loadUnindexed(...records.slice(at, at + page));
  }
};

describe("readFound", () => {
  it("reads what lookups find, with their works, authors and redirect targets", async () => {
    await service.loadUnindexed(
      author(1, { name: "Ann Author" }),
      author(2, { name: "Another" }),
      redirected(authorKey(3), authorKey(2), 1),
      redirected(workKey(3), workKey(2), 1),
      redirected(editionKey(1), editionKey(2), 1),
      work(1, { title: "Poems", authors: [1] }),
      work(2, { title: "Letters", authors: [3] }),
      work(4, { title: "Unrelated", authors: [1] }),
      edition(2, { title: "Other", isbn_13: ["9780141439662"], work: 3 }),
      edition(3, { title: "Poems" }),
    );
    const { found, isComplete } = await readFound(env.CATALOG, { lookups: WANTED });
    expect(isComplete).toBe(true);
    expect(Object.fromEntries(found.hits)).toEqual({
      [lookupNameOf(TITLE)]: [editionKey(3)],
      [lookupNameOf(ISBN)]: [editionKey(2)],
      [lookupNameOf(KEY)]: [editionKey(1)],
      [lookupNameOf(NAME)]: [authorKey(1)],
    });
    expect([...found.records.keys()].toSorted()).toEqual(
      [1, 2, 3].map(authorKey).concat([1, 2, 3].map(editionKey), [1, 2, 3].map(workKey)),
    );
    expect(Object.fromEntries(found.worksOf)).toEqual({ [authorKey(1)]: [workKey(1)] });
  });

  it("ends in a cycle of redirects", async () => {
    await service.loadUnindexed(
      redirected(editionKey(1), editionKey(2), 1),
      redirected(editionKey(2), editionKey(1), 1),
    );
    const { found } = await readFound(env.CATALOG, { lookups: WANTED });
    expect([...found.records.keys()].toSorted()).toEqual([1, 2].map(editionKey));
  });

  it("reads the lowest numbers of very many", async () => {
    await loadAll([
      ...many(FOUND_EDITIONS_MAX + 20, (n) => edition(n, { title: "Poems" })),
      ...many(FOUND_AUTHORS_MAX + 20, (n) => author(n, { name: "Ann Author" })),
      ...many(FOUND_EDITIONS_MAX + 20, (n) => work(n, { title: "Poems", authors: [1] })),
    ]);
    const { found } = await readFound(env.CATALOG, { lookups: WANTED });
    expect(found.hits.get(lookupNameOf(TITLE))).toEqual(many(FOUND_EDITIONS_MAX, editionKey));
    expect(found.hits.get(lookupNameOf(NAME))).toEqual(many(FOUND_AUTHORS_MAX, authorKey));
    expect(found.worksOf.get(authorKey(1))).toEqual(many(FOUND_EDITIONS_MAX, workKey));
  });

  it("finds the exact title and the record's own edition among very many like titles", async () => {
    const last = FOUND_EDITIONS_MAX + 20;
    const begin = "Annual report of the Commissioner";
    const source_records = ["marc:file:0:100"];
    await loadAll([
      ...many(last, (n) => edition(n, { title: `${begin} ${n}` })),
      ...many(last, (n) => edition(n + last, { title: "Poems", publishers: ["P"], source_records: ["x:1"] })),
      edition(2 * last + 1, { title: "Poems", publishers: ["P"], source_records }),
      edition(2 * last + 2, { title: "Other poems", publishers: ["P"], source_records }),
    ]);
    const long = lookupsOf({ title: `${begin} ${last}`, source_records: ["y:1"] });
    const reports = await readFound(env.CATALOG, { lookups: long });
    expect([...reports.found.hits.values()]).toContainEqual([editionKey(last)]);
    const again = { title: "Poems", publishers: ["P"], source_records };
    const poems = await readFound(env.CATALOG, { lookups: lookupsOf(again) });
    expect([...poems.found.hits.values()]).toEqual([
      many(FOUND_EDITIONS_MAX, (n) => editionKey(n + last)),
      [editionKey(2 * last + 1)],
    ]);
    // It gets the work that it lacks.
    expect(await outcome(again)).toMatch(`${editionKey(2 * last + 1)} modified`);
    expect(await outcome(again)).toMatch(`${editionKey(2 * last + 1)} matched`);
    const date = { publish_date: "1999", authors: [{ name: "Board of Health" }] };
    const dated = await imported({ ...date, title: `${begin} of all ships`, source_records: ["y:2"] });
    await loadAll(many(last, (n) => edition(n + 3000, { title: `${begin} ${n}` })));
    expect(await outcome({ ...date, title: `${begin} of all ships`, source_records: ["y:3"] })).toMatch(
      `${dated.edition.key} modified`,
    );
  });

  it("refuses too many bytes, and reads many bytes one import at a time", async () => {
    const notes = "x".repeat(FOUND_BYTES_BESIDE / 4);
    await loadAll(
      many(5, (n) => edition(n * 100, { title: "Poems", notes })),
      5,
    );
    const alone = vi.fn<() => void>();
    const load = (title: string, foundBytes = FOUND_BYTES) =>
      importPrepared(
        {
          catalog: env.CATALOG,
          languages: readLanguageIndex,
          numbers: (database, counts) => new NumberPool().take(database, counts, { waiting: 0 }),
          alone(compare) {
            alone();
            return compare();
          },
          time: (now) => now,
        },
        {
          record: prepareRecord({ title, source_records: ["x:1"] }, { year: 2026 }),
          foundBytes,
          prefix: "OL",
          now: IMPORTED,
          author: IMPORTER,
          bot: true,
          ip: null,
          fromMarc: false,
          coverHosts: [],
        },
      );
    expect(await load("Prose")).toMatchObject({ ok: true });
    expect(alone).not.toHaveBeenCalled();
    expect(await load("Poems")).toMatchObject({ ok: true });
    expect(alone).toHaveBeenCalledOnce();
    await expect(load("Poems", FOUND_BYTES_BESIDE + 1)).rejects.toThrow("too_large");
    // Without a bound of its own, a record is compared with no more than this.
    expect(foundStatementOf(numberLookups(WANTED)).values.at(-1)).toBe(FOUND_BYTES);
  });
});

// As D1 says.
describe.skipIf(isPostgres)("the statements of readFound", () => {
  const plan = async (sql: string, values: readonly (string | number | null)[]): Promise<string[]> => {
    const { results } = await prepare(env.CATALOG, { sql: `EXPLAIN QUERY PLAN ${sql}`, values }).all<{
      detail: string;
    }>();
    return results.map(({ detail }) => detail);
  };
  /** Tables that are scanned, except `change`, of which the newest row is read. */
  const walked = (details: readonly string[]): string[] =>
    details.filter((detail) => /^SCAN (?:record|property|identifier|import_item|r|p|i|t|a|x)\b/.test(detail));

  it("scan no table", async () => {
    await service.loadUnindexed(author(1, { name: "Ann Author" }), work(1, { title: "Poems", authors: [1] }));
    const { sql, values } = foundStatementOf(numberLookups(WANTED));
    const reading = await plan(sql, values);
    expect(reading.some((detail) => detail.includes("SEARCH p USING PRIMARY KEY"))).toBe(true);
    expect(walked(reading)).toEqual([]);
    const read = await readFound(env.CATALOG, { lookups: WANTED });
    const condition = unchangedCondition(read, {
      types: [["/languages/eng", "/type/language"]],
      raised: [{ name: "type_work_seq", from: 1, to: 2 }],
    });
    const asking = await plan(`SELECT ${condition.sql.replaceAll("?10", "?1")} AS holds`, [condition.value]);
    expect(walked(asking)).toEqual([]);
  });

  it("read few rows in a catalog of any size", async () => {
    const rowsRead = async (): Promise<number> => {
      const { sql, values } = foundStatementOf(numberLookups(WANTED));
      return (
        await env.CATALOG.prepare(sql)
          .bind(...values)
          .all()
      ).meta.rows_read;
    };
    await service.loadUnindexed(
      author(1, { name: "Ann Author" }),
      edition(1, { title: "Poems", work: 1 }),
      work(1),
    );
    const before = await rowsRead();
    await loadAll([
      ...many(1000, (n) => edition(n + 10, { title: `Prose ${n}` })),
      ...many(500, (n) => author(n + 10)),
    ]);
    expect(await rowsRead()).toBe(before);
    expect(before).toBeLessThan(120);
  });
});
