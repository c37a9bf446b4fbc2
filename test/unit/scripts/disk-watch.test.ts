import { mkdtemp, readdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchDisk } from "../../../scripts/lib/disk-watch.ts";

const MEGABYTE = 1_000_000;
let state = "";
let free = 0;
let database: DatabaseSync;
let stop: (() => Promise<void>) | undefined;

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "log").mockImplementation(() => {});
  state = await mkdtemp(path.join(os.tmpdir(), "carrel-disk-test-"));
  database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE service_state (name TEXT PRIMARY KEY, value TEXT, changed TEXT, by TEXT)");
});
afterEach(async () => {
  await stop?.();
  vi.restoreAllMocks();
});

const catalog = {
  prepare: (sql: string) => ({
    bind: (...values: unknown[]) => ({
      run: async () => database.prepare(sql).run(...(values as string[])),
    }),
  }),
};
const mode = (): unknown => database.prepare("SELECT value, by FROM service_state").get();
const watch = async (): Promise<void> => {
  stop = await watchDisk(state, { catalog: () => catalog, freeBytes: async () => free, everyMs: 5 });
};

it("makes the service read-only while the disk is full, and frees the reserve", async () => {
  free = 100 * MEGABYTE;
  await watch();
  expect(await readdir(state)).toEqual(["reserve"]);
  expect(mode()).toBeUndefined();
  free = 0;
  await vi.waitFor(() => expect(mode()).toEqual({ value: "on", by: "a full disk" }));
  expect(await readdir(state)).toEqual([]);
  // As much as the reserve was is not room again.
  free = 3 * MEGABYTE;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(mode()).toMatchObject({ value: "on" });
  free = 100 * MEGABYTE;
  await vi.waitFor(() => expect(mode()).toEqual({ value: "off", by: null }));
  expect(await readdir(state)).toEqual(["reserve"]);
});

it("ends the state of an earlier service, but not an administrator's decision", async () => {
  free = 100 * MEGABYTE;
  database.exec("INSERT INTO service_state VALUES ('read_only', 'on', '', 'a full disk')");
  await watch();
  expect(mode()).toEqual({ value: "off", by: null });
  database.exec("UPDATE service_state SET value = 'on', by = '/people/ann'");
  free = 0;
  await vi.waitFor(async () => expect(await readdir(state)).toEqual([]));
  free = 100 * MEGABYTE;
  await vi.waitFor(async () => expect(await readdir(state)).toEqual(["reserve"]));
  expect(mode()).toEqual({ value: "on", by: "/people/ann" });
});
