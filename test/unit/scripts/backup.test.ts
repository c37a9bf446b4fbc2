import { mkdtemp, readFile, readdir, rm, truncate, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { backUp, restore } from "../../../scripts/lib/change-log.ts";
import { BACKUP_TABLES } from "../../../src/db/service/backup-tables.ts";
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

/** Tables that the log of changes fills, or that are made again from it. */
const OF_THE_LOG =
  "change change_data record revision property identifier edition_language projection expectation index_backfill";
/** Tables that are made again from objects or from other tables. */
const DERIVED =
  "work_count work_count_version patron_work patron_follow patron_like work_day observation_count like_count check_in_id " +
  "unsaved_patron store_expectation";
/** Tables of short-lived data, or data that can be requested again. */
const LEFT_OUT = "dump dump_file dump_member lookup account_link outbox dead_letter";

it.each(["catalog", "patrons"] as const)(
  "every table of %s is in a backup, or known to be derived",
  async (store) => {
    const folderOf = path.join(ROOT, "migrations", store);
    const texts = await Promise.all(
      (await readdir(folderOf)).toSorted().map((name) => readFile(path.join(folderOf, name), "utf8")),
    );
    const tables = new Set<string>();
    for (const [, made, gone, from, to] of texts
      .join("\n")
      .matchAll(/^(?:CREATE TABLE (\w+)|DROP TABLE (\w+)|ALTER TABLE (\w+) RENAME TO (\w+))/gm)) {
      if (made !== undefined) tables.add(made);
      tables.delete(gone ?? from ?? "");
      if (to !== undefined) tables.add(to);
    }
    const known = new Set([
      ...Object.keys(BACKUP_TABLES[store]),
      ...`${OF_THE_LOG} ${DERIVED} ${LEFT_OUT}`.split(" "),
    ]);
    expect([...tables].filter((name) => !known.has(name))).toEqual([]);
    expect(Object.keys(BACKUP_TABLES[store]).filter((name) => !tables.has(name))).toEqual([]);
  },
);
