// A service that reads at a replica of its PostgreSQL: writers see their own writes, however far behind the replica is.
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUpPostgres } from "../../scripts/lib/postgres-setup.ts";
import { postgresPrograms, startPostgres } from "../../scripts/lib/postgres.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";
import { reportSkip } from "../support/node/skips.ts";

const TIMEOUT_MS = 120_000;
const KEY = "/works/OL900W";
const isHere = postgresPrograms() !== undefined;
if (!isHere) reportSkip("postgres");

const closing: (() => unknown)[] = [];
let replica: Client | undefined;
let [url, cookie] = ["", ""];

beforeAll(async () => {
  if (!isHere) return;
  const primary = await startPostgres();
  closing.push(primary.stop);
  await setUpPostgres(primary.url);
  const near = await startPostgres({ follows: primary.url });
  closing.push(near.stop);
  const client = new Client({ connectionString: near.url });
  await client.connect();
  replica = client;
  closing.push(() => client.end());
  const state = path.join(await mkdtemp(path.join(os.tmpdir(), "carrel-replica-")), "state");
  const catalog = ["--catalog", primary.url, "--catalog-near", near.url];
  const service = ServiceProcess.start(["--empty", "--state", state, ...catalog]);
  closing.push(() => service.stop("SIGTERM"));
  url = await service.ready(180);
  const body = JSON.stringify({ username: "openlibrary", password: "openlibrary" });
  const headers = { "Content-Type": "application/json" };
  const login = await fetch(`${url}/account/login`, { method: "POST", headers, body });
  cookie = login.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}, TIMEOUT_MS);

afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** Saves the work; the bookmark that its writer gets. */
async function save(title: string): Promise<string> {
  const response = await fetch(`${url}${KEY}.json`, {
    method: "PUT",
    headers: { "Content-Type": "application/json", Cookie: cookie },
    body: JSON.stringify({ key: KEY, type: { key: "/type/work" }, title }),
  });
  expect(response.status).toBe(200);
  return response.headers.get("X-Carrel-Bookmark") ?? "";
}

let limit = 1;

/** The answer to an address that nothing has in a cache. */
async function read(at: string, bookmark?: string): Promise<unknown> {
  const address = `${url}${at}${at.includes("?") ? "&" : "?"}limit=${(limit += 1)}`;
  const headers: Record<string, string> = bookmark === undefined ? {} : { "X-Carrel-Bookmark": bookmark };
  return (await fetch(address, { headers })).json();
}

async function titleOf(at: string, bookmark?: string): Promise<unknown> {
  return ((await read(at, bookmark)) as { title?: string }).title;
}

test.runIf(isHere)("who has written sees it while the replica lags", { timeout: TIMEOUT_MS }, async () => {
  await save("First");
  await expect.poll(() => titleOf(`${KEY}.json`), { timeout: 30_000 }).toBe("First");
  await replica?.query("SELECT pg_wal_replay_pause()");
  const query = `/query.json?type=/type/work&key=${KEY}&title=`;
  for (const title of ["Second", "Third"]) {
    const bookmark = await save(title);
    expect(bookmark).toMatch(/^\d+$/);
    expect(await titleOf(`${KEY}.json`, bookmark)).toBe(title);
    expect(await read(query, bookmark)).toEqual([{ key: KEY, title }]);
    // Everybody else may see what was there before.
    expect(await read(query)).toEqual([{ key: KEY, title: "First" }]);
  }
  await replica?.query("SELECT pg_wal_replay_resume()");
  await expect.poll(() => read(query), { timeout: 30_000 }).toEqual([{ key: KEY, title: "Third" }]);
  expect(await titleOf(`${KEY}.json`)).toBe("Third");
});
