import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, open, readFile, readdir, rm, truncate, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../../scripts/lib/config.ts";
import { checkStores, noteStores } from "../../../scripts/lib/store-files.ts";

const config = await readConfig();
const DATABASES = "d1/miniflare-D1DatabaseObject";
const BUCKETS = "r2/miniflare-R2BucketObject";
/** The runtime's name for CATALOG. */
const CATALOG = `${DATABASES}/a36f84ea60804f30bb0c7f7cad9f5336a6cca0165abdab8b9241d93dbf0b6006.sqlite`;
const SEARCH = `${DATABASES}/3dd27f64a8e6b7092b4dc42ea2a5f93d01d65d27a0f4927b2e4bc344a6a2f6f6.sqlite`;
const PATRONS = `${DATABASES}/374ae31b0276edfb52cf0c3fe3f8b1712cac94c97c4f163773aedbe6cbf2938e.sqlite`;
const OTHER = `${BUCKETS}/00.sqlite`;

let state = "";
const file = (name: string): string => path.join(state, name);
const check = (canRecreate = false): Promise<void> => checkStores(state, { config, canRecreate });

beforeEach(async () => {
  state = await mkdtemp(path.join(os.tmpdir(), "carrel-stores-test-"));
  for (const folder of [DATABASES, BUCKETS]) await mkdir(file(folder), { recursive: true });
  for (const name of [CATALOG, SEARCH, PATRONS, OTHER]) {
    const database = new DatabaseSync(file(name));
    database.exec("CREATE TABLE record (key TEXT PRIMARY KEY, document TEXT)");
    const insert = database.prepare("INSERT INTO record VALUES (?, ?)");
    for (let number = 0; number < 200; number += 1) insert.run(String(number), "x".repeat(500));
    database.close();
  }
  await writeFile(file("seeded.json"), "{}");
});

describe("a state whose store file is gone", () => {
  it("is refused with the file, its store and the solutions", async () => {
    await noteStores(state);
    await expect(check()).resolves.toBeUndefined();
    await rm(file(SEARCH));
    // By the service, while it still runs.
    await noteStores(state);
    await expect(check()).rejects.toThrow(
      new RegExp(
        `SEARCH: \\S+${SEARCH}\n.*copy of the state folder.*\n.*--recreate-missing.*remove ${state}`,
      ),
    );
  });

  it("is refused for a bucket and for an empty file", async () => {
    await noteStores(state);
    await rm(file(OTHER));
    await truncate(file(CATALOG), 0);
    await expect(check()).rejects.toThrow(new RegExp(`CATALOG: .*\n.*${OTHER}`));
  });

  it("is refused if a version without a list of files filled it", async () => {
    await rm(file(PATRONS));
    await expect(check()).rejects.toThrow(/PATRONS: /);
  });

  it("is accepted before it was filled", async () => {
    await rm(file("seeded.json"));
    await rm(file(CATALOG));
    await expect(check()).resolves.toBeUndefined();
  });

  it("is filled again on request", async () => {
    await noteStores(state);
    await rm(file(CATALOG));
    await expect(check(true)).resolves.toBeUndefined();
    expect(await readdir(state)).not.toContain("seeded.json");
    expect(existsSync(file("seeded.json.started"))).toBe(true);
  });
});

it.each([
  ["is not filled again if it was begun bare", JSON.stringify({ bare: true })],
  ["is not filled again if a version that noted no choice began it bare", undefined],
])("a state whose store file is gone %s", async (_title, marker) => {
  await noteStores(state);
  await rm(file("seeded.json"));
  if (marker !== undefined) await writeFile(file("seeded.json"), marker);
  await rm(file(CATALOG));
  await check(true);
  expect(existsSync(file("seeded.json.started"))).toBe(false);
  expect(await readFile(file("seeded.json"), "utf8")).toBe(JSON.stringify({ bare: true }));
});

it("a state of a newer version is refused with its migrations", async () => {
  const database = new DatabaseSync(file(SEARCH));
  database.exec(
    "CREATE TABLE d1_migrations (name TEXT); INSERT INTO d1_migrations VALUES ('0002_index.sql')",
  );
  await expect(check()).resolves.toBeUndefined();
  database.exec("INSERT INTO d1_migrations VALUES ('9001_shelves.sql')");
  database.close();
  await expect(check(true)).rejects.toThrow(
    /^A newer version .* SEARCH: .* 9001_shelves\.sql\. Start the newer/,
  );
});

describe("a damaged store file", () => {
  it.each([
    ["its beginning", 0, /CATALOG is damaged: \S+\.sqlite: it is not a database/],
    ["its middle", 8192, /CATALOG is damaged: .*(?:page|malformed)/],
  ])("is reported when %s is overwritten", async (_part, at, message) => {
    const bytes = new Uint8Array(16_384).fill(0xa5);
    const handle = await open(file(CATALOG), "r+");
    await handle.write(bytes, 0, bytes.length, at);
    await handle.close();
    await expect(check()).rejects.toThrow(message);
  });

  it("is reported when its end is missing", async () => {
    await truncate(file(CATALOG), 40_960);
    await expect(check()).rejects.toThrow(/CATALOG is damaged: .*its end is missing/);
  });

  it("is accepted while its log holds the newest pages", async () => {
    const database = new DatabaseSync(file(CATALOG));
    database.exec(
      "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; DELETE FROM record WHERE key > '5'",
    );
    await cp(state, `${state}-copy`, { recursive: true });
    database.close();
    state = `${state}-copy`;
    await expect(check()).resolves.toBeUndefined();
  });

  it("is accepted if a kill interrupted a checkpoint that had written the first page", async () => {
    const database = new DatabaseSync(file(CATALOG));
    database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
    const insert = database.prepare("INSERT INTO record VALUES (?, ?)");
    for (let number = 200; number < 400; number += 1) insert.run(String(number), "x".repeat(500));
    await cp(state, `${state}-copy`, { recursive: true });
    database.exec("PRAGMA wal_checkpoint(FULL)");
    const checkpointed = await readFile(file(CATALOG));
    database.close();
    state = `${state}-copy`;
    const handle = await open(file(CATALOG), "r+");
    await handle.write(checkpointed, 0, checkpointed.readUInt16BE(16), 0);
    await handle.close();
    await expect(check()).resolves.toBeUndefined();
    await rm(file(`${CATALOG}-wal`));
    await expect(check()).rejects.toThrow(/its end is missing/);
  });
});
