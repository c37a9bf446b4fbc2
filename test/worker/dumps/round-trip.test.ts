import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { checksums, downloaded, dumpAll, linesOfFile } from "../../support/worker/dumps.ts";
import { emptyStores, indexRows, sequences } from "../../support/worker/stored.ts";
import { readParquet } from "../../support/worker/parquet.ts";
import { CHANGING_CATALOG } from "../../support/worker/changing-catalog.ts";
import { type TestRecord, type TestService, testService } from "../../support/worker/service.ts";

const DATE = "2026-11-21";
/** So low that the records below fill several chunks and row groups. */
const LIMITS = { chunkBytes: 4000, rowGroupBytes: 8000 };
const long = (length: number): string =>
  `ä long text with 🐋 and \u2028 in it. ${"text ".repeat(length / 5)}`;

/** Records of every kind, some of them odd. */
const ODD: readonly TestRecord[] = [
  { key: "/about", type: "/type/page", body: "tab\tand\nline \u0001\u001f \ud800 end", title: "About" },
  { key: "/about/deep/er", type: "/type/page", nested: { 2: ["x", { b: null }], 1: 0.1, "": [] } },
  { key: "/css/site.css", type: "/type/rawtext", body: "h1 { }" },
  { key: "/type/work", type: "/type/type", properties: [] },
  { key: "/languages/eng", type: "/type/language", code: "eng", name: "English" },
  { key: "/usergroup/admin", type: "/type/usergroup", members: [] },
  { key: "/config/edition", type: "/type/object", roles: ["Author"] },
  { key: "/lists/OL9L", type: "/type/list", name: "Everybody's", seeds: ["subject:sea"] },
  { key: "/people/jané doe/lists/OL8L", type: "/type/list", name: "Hers", seeds: [] },
  { key: "/works/OL77W", type: "/type/thing", title: "Of no usual type" },
  edition(7, { title: "日本語 עברית 🐋", table_of_contents: ["One"], title_prefix: "The", ocaid: "x" }),
  ...Array.from({ length: 12 }, (_, n) => work(100 + n, { description: long(1000 + n) })),
  // Nearly the largest document there can be.
  work(200, { description: long(1_000_000) }),
];

async function loadCatalog(service: TestService): Promise<void> {
  for (const records of CHANGING_CATALOG) await service.loadUnindexed(...records);
  await service.loadUnindexed(...ODD);
  await service.loadUnindexed(redirected("/about/deep/er", "/about"), deleted("/lists/OL9L", 2));
}

/** Loads lines as `npm run load` does it: in parts. */
async function loadLines(service: TestService, lines: readonly string[]): Promise<void> {
  let part: string[] = [];
  let length = 0;
  const send = async (): Promise<void> => {
    const answer = await (await service.loadText(part.join("\n"))).json<{ rejected: unknown[] }>();
    expect(answer.rejected).toEqual([]);
    [part, length] = [[], 0];
  };
  for (const line of lines) {
    part.push(line);
    length += line.length;
    if (part.length === 1000 || length > 600_000) await send();
  }
  if (part.length > 0) await send();
}

/** Names of files by those that `checksums` gives them. */
const names = (stems: readonly string[]) =>
  stems.map((stem) => {
    const [table, suffix = "txt.gz"] = stem.split(".");
    return `${table}_${DATE}.${suffix}`;
  });

describe("a dump loaded into an empty instance", () => {
  it.each([
    ["ol_cdump", 15, () => true],
    ["ol_dump", 14, (stem: string) => stem !== "ol_cdump"],
  ])("%s restores the same records, whose dump has the same bytes", async (stem, count, isSame) => {
    await emptyStores();
    const source = testService();
    await loadCatalog(source);
    const made = await dumpAll(source, LIMITS);
    expect(made).toMatchObject({ state: "published", stage: "done", problem: null });
    const before = await checksums(source);
    const stems = Object.keys(before).filter(isSame);
    const files = await Promise.all(names(stems).map((name) => downloaded(source, name)));
    const lines = await linesOfFile(source, `${stem}_${DATE}.txt.gz`);
    const stored = await storedRecords(stem === "ol_cdump");

    await emptyStores();
    const copy = testService();
    await loadLines(copy, lines);
    expect(await storedRecords(stem === "ol_cdump")).toEqual(stored);
    await dumpAll(copy, LIMITS);
    const after = await checksums(copy);
    expect(stems).toHaveLength(count);
    for (const one of stems) expect([one, after[one]]).toEqual([one, before[one]]);
    const again = await Promise.all(names(stems).map((name) => downloaded(copy, name)));
    expect(again.every((bytes, index) => equal(bytes, files[index]))).toBe(true);
  });

  it.each(["editions", "works", "authors"])("has %s as a table", async (table) => {
    const service = testService();
    const lines = await linesOfFile(service, `ol_dump_${table}_${DATE}.txt.gz`);
    const { metadata, rows } = await readParquet(
      await downloaded(service, `ol_dump_${table}_${DATE}.parquet`),
    );
    expect(rows.map(({ json }) => json)).toEqual(lines.map((line) => line.split("\t")[4]));
    expect(rows.map(({ key }) => key)).toEqual(lines.map((line) => line.split("\t")[1]));
    expect(metadata.row_groups.length > 1).toBe(table === "works");
  });

  it("is made of several gzip members", async () => {
    expect(await countMembers(testService())).toBeGreaterThan(3);
  });
});

/** All that is stored of records but the numbers of changes: to the letter, with their index. */
async function storedRecords(withHistory: boolean): Promise<unknown> {
  const statements = [
    "SELECT key, type, revision, flags, created, last_modified, document FROM record ORDER BY key",
    ...(withHistory
      ? [
          `SELECT r.key, v.revision, v.last_modified, v.document FROM revision v JOIN record r ON r.id = v.record_id
           ORDER BY 1, 2`,
        ]
      : []),
  ];
  const found = await env.CATALOG.batch(statements.map((sql) => env.CATALOG.prepare(sql)));
  return [...found.map(({ results }) => results), await indexRows(), await sequences()];
}

function equal(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return one.length === other?.length && one.every((byte, index) => byte === other[index]);
}

/** Counts the gzip members of the dump: each begins with the same nine bytes. */
async function countMembers(service: TestService): Promise<number> {
  const bytes = await downloaded(service, `ol_dump_${DATE}.txt.gz`);
  let members = 0;
  for (let at = bytes.indexOf(0x1f); at !== -1; at = bytes.indexOf(0x1f, at + 1)) {
    const head = bytes.subarray(at, at + 9);
    if (head.every((byte, index) => byte === bytes[index])) members += 1;
  }
  return members;
}
