import { mkdtemp, readFile, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { backUp, restore } from "../../../scripts/lib/change-log.ts";
import { LOG_TABLES, OTHER_TABLES, asideOf, exportTables } from "../../../scripts/lib/backup-tables.ts";
import { ROOT } from "../../../scripts/lib/paths.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "carrel-backup-test-"));
});

/** A service with so many changes, which sends two at a time. */
function serviceWith(changes: number, name = "one") {
  const received: string[] = [];
  const log = Array.from({ length: changes }, (_, index) => ({
    id: index + 1,
    kind: name,
    timestamp: "t",
    author: null,
  }));
  const send = async (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(String(address));
    if (init?.method === "POST") {
      received.push(String(init.body));
      return Response.json({ stored: JSON.parse(String(init.body)).changes.length });
    }
    const since = Number(url.searchParams.get("since") ?? 0);
    const limit = Math.min(2, Number(url.searchParams.get("limit")));
    const found = log.slice(since, since + limit);
    return Response.json({ since, changes: found, cursor: since + found.length, end: log.length });
  };
  return { fetch: send as typeof fetch, received };
}
const names = async (): Promise<string[]> => (await readdir(folder)).toSorted();
const target = (service: ReturnType<typeof serviceWith>) => ({
  url: "http://x",
  token: "t",
  fetch: service.fetch,
});

describe("a backup", () => {
  it("holds the answers of the feed unchanged and without a gap", async () => {
    const service = serviceWith(5);
    expect(await backUp("http://x", folder, service)).toEqual({ cursor: 5, files: 3 });
    expect(await names()).toEqual([
      "changes-000000000000-000000000002.json.gz",
      "changes-000000000002-000000000004.json.gz",
      "changes-000000000004-000000000005.json.gz",
    ]);
    const text = gunzipSync(await readFile(path.join(folder, (await names())[1]!))).toString();
    expect(text).toBe(await (await service.fetch("http://x/?since=2&limit=2")).text());
  });

  it("is extended by the next backup, and unchanged without news", async () => {
    await backUp("http://x", folder, serviceWith(3));
    const before = await names();
    await backUp("http://x", folder, serviceWith(3));
    expect(await names()).toEqual(before);
    expect(await backUp("http://x", folder, serviceWith(4))).toEqual({ cursor: 4, files: 3 });
    expect((await names()).slice(0, 2)).toEqual(before);
  });

  it("is not mixed with a backup of another service", async () => {
    await backUp("http://x", folder, serviceWith(4));
    const before = await names();
    await expect(backUp("http://x", folder, serviceWith(6, "other"))).rejects.toThrow(/another log/);
    await expect(backUp("http://x", folder, serviceWith(2))).rejects.toThrow(/another log/);
    expect(await names()).toEqual(before);
  });

  it("never shows incomplete files", async () => {
    await writeFile(path.join(folder, "changes-000000000000-000000000002.json.gz.new"), "half");
    expect(await backUp("http://x", folder, serviceWith(2))).toEqual({ cursor: 2, files: 1 });
  });
});

describe("a restore", () => {
  it("sends all parts in order, and continues after the last known one", async () => {
    await backUp("http://x", folder, serviceWith(5));
    const empty = serviceWith(0);
    expect(await restore(folder, target(empty))).toEqual({ stored: 5, end: 5 });
    expect(empty.received.map((text) => JSON.parse(text).since)).toEqual([0, 2, 4]);
    const partly = serviceWith(4);
    await restore(folder, target(partly));
    expect(partly.received.map((text) => JSON.parse(text).since)).toEqual([2, 4]);
  });

  it.each([
    ["with a gap", async () => rm(path.join(folder, (await names())[1]!)), /from 2 to 4 are missing/],
    ["that is damaged", async () => truncate(path.join(folder, (await names())[1]!), 20), /is damaged/],
    [
      "that is empty",
      async () => Promise.all((await names()).map((name) => rm(path.join(folder, name)))),
      /no backup/,
    ],
  ])("of a backup %s is refused", async (_name, damage, problem) => {
    await backUp("http://x", folder, serviceWith(5));
    await damage();
    await expect(restore(folder, target(serviceWith(0)))).rejects.toThrow(problem);
  });

  it("is refused before sending if the service has more changes", async () => {
    await backUp("http://x", folder, serviceWith(3));
    const other = serviceWith(4);
    await expect(restore(folder, target(other))).rejects.toThrow(/does not have/);
    expect(other.received).toEqual([]);
  });
});

describe("the tables beside the log", () => {
  it("are all tables of the catalog outside the log", async () => {
    const files = await readdir(path.join(ROOT, "migrations/catalog"));
    const texts = await Promise.all(
      files.map((name) => readFile(path.join(ROOT, "migrations/catalog", name), "utf8")),
    );
    const tables = texts.flatMap((text) =>
      [...text.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = ""]) => name),
    );
    const gone = texts.flatMap((text) => [
      ...text.matchAll(/^(?:DROP TABLE|ALTER TABLE) (\w+)(?: RENAME TO)?;?$/gm),
    ]);
    expect(gone).toEqual([]);
    expect([...LOG_TABLES, ...OTHER_TABLES].toSorted()).toEqual([...new Set(tables)].toSorted());
  });

  it("are exported by wrangler with accounts; the higher number of two is kept", async () => {
    const calls: string[] = [];
    const [cover, logged] = [
      `INSERT INTO "cover" ("id") VALUES(1);`,
      `INSERT INTO "cover_log" ("id") VALUES(1);`,
    ];
    const row = `INSERT INTO "item" ("ocaid") VALUES('INSERT INTO "sequence" (\u2028\r');`;
    const wrangler = async (args: string[]) => {
      calls.push(args.join(" "));
      const number = `INSERT INTO "sequence" ("name","value") VALUES('cover',7);`;
      await writeFile(args.at(-1)!, [number, row, cover, logged, cover, ""].join("\n"));
      return { status: 0, stdout: "", stderr: "" };
    };
    expect(await exportTables(folder, { wrangler, config: "c.toml" })).toEqual([
      { file: "patrons.sql", left: 0 },
      { file: "catalog-tables.sql", left: 0 },
    ]);
    const elsewhere = await exportTables(folder, { wrangler, config: "c.toml", isCatalogElsewhere: true });
    expect(elsewhere).toEqual([{ file: "patrons.sql", left: 0 }]);
    expect((await stat(path.join(folder, "patrons.sql"))).mode & 0o777).toBe(0o600);
    expect(calls[0]).toMatch(/^d1 export PATRONS --remote .* --output \S+\/patrons\.sql\.raw$/);
    expect(calls[1]).toMatch(/^d1 export CATALOG --remote .*--no-schema --table sequence .*--table item /);
    expect(await readFile(path.join(folder, "catalog-tables.sql"), "utf8")).toBe(
      [
        `INSERT INTO "sequence" ("name","value") VALUES('cover',7) ON CONFLICT (name) DO UPDATE SET value = max(sequence.value, excluded.value);`,
        row,
        cover,
        cover,
        `DELETE FROM "cover_log";`,
        logged,
        "",
      ].join("\n"),
    );
    expect((await names()).filter((name) => !name.endsWith(".sql"))).toEqual([]);
  });

  it("omit rows that D1 would refuse", async () => {
    const row = (length: number): string =>
      `INSERT INTO "import_item" ("data") VALUES('${"x".repeat(length)}');`;
    const [short, long] = [row(99_900), row(100_000)];
    const wrangler = async (args: string[]) => {
      await writeFile(args.at(-1)!, [short, long, short, ""].join("\n"));
      return { status: 0, stdout: "", stderr: "" };
    };
    const [, tables] = await exportTables(folder, { wrangler, config: "c.toml" });
    expect(tables).toEqual({ file: "catalog-tables.sql", left: 1 });
    const text = (name: string): Promise<string> => readFile(path.join(folder, name), "utf8");
    expect(await text("catalog-tables.sql")).toBe(`${short}\n${short}\n`);
    expect(await text(asideOf("catalog-tables.sql"))).toBe(`${long}\n`);
  });

  it("are not exported if wrangler fails", async () => {
    const failing = async () => ({ status: 1, stdout: "", stderr: "away" });
    await expect(exportTables(folder, { wrangler: failing, config: "c" })).rejects.toThrow(/away/);
  });
});
