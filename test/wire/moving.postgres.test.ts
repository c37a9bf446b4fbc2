// The catalog of a service moves from D1 to PostgreSQL, and on into a new D1, while it is written to: the new place
// follows the old one as a mirror, gets what is not in the log, and takes over.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, readdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/lib/paths.ts";
import { setUpPostgres } from "../../scripts/lib/postgres-setup.ts";
import { postgresPrograms, startPostgres } from "../../scripts/lib/postgres.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";
import { reportSkip } from "../support/node/skips.ts";

const WRITERS = 4;
const TIMEOUT_MS = 300_000;
const isHere = postgresPrograms() !== undefined;
if (!isHere) reportSkip("postgres");

let folder = "";
let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
const services: ServiceProcess[] = [];

/** Returns the folder of Wrangler's state for the configuration with this name. */
const stateOf = (name: string): string => path.join(folder, name, ".wrangler/state/v3");

interface Place {
  readonly name: string;
  readonly url: string;
  readonly process: ServiceProcess;
}

async function start(name: string, ...more: string[]): Promise<Place> {
  await mkdir(stateOf(name), { recursive: true });
  await copyFile(path.join(ROOT, "wrangler.toml"), path.join(folder, name, "wrangler.toml"));
  const service = ServiceProcess.start(["--state", stateOf(name), ...more]);
  services.push(service);
  return { name, url: await service.ready(180), process: service };
}

async function run(script: string, ...args: string[]): Promise<string> {
  const file = path.join(ROOT, `scripts/${script}.ts`);
  return (await promisify(execFile)(process.execPath, [file, ...args], { cwd: ROOT })).stdout;
}

const followOnce = (source: Place, { name, url }: Place): Promise<string> =>
  run("mirror", source.url, "--url", url, "--state", stateOf(name), "--once");

async function sent(at: string, init: RequestInit & { readonly cookie?: string }): Promise<Response> {
  const { cookie = "", ...rest } = init;
  return fetch(at, { ...rest, headers: { "Content-Type": "application/json", Cookie: cookie } });
}

async function login(url: string): Promise<string> {
  const body = JSON.stringify({ username: "openlibrary", password: "openlibrary" });
  const response = await sent(`${url}/account/login`, { method: "POST", body });
  const cookies = response.headers.getSetCookie().map((text) => text.split(";")[0] ?? "");
  return cookies.find((text) => text.startsWith("session=")) ?? "";
}

async function setReadOnly({ url }: Place, cookie: string, isOn: boolean): Promise<void> {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", Cookie: cookie, Origin: url };
  const body = `read_only=${isOn}`;
  const response = await fetch(`${url}/admin/read-only`, {
    method: "POST",
    headers,
    body,
    redirect: "manual",
  });
  expect(response.status).toBeLessThan(400);
}

/** Writers that go on until the service takes nothing more; resolves to the last revision of each work that it acknowledged. */
async function write({ url }: Place, cookie: string, title: string): Promise<Map<string, number>> {
  const acknowledged = new Map<string, number>();
  const one = async (_empty: unknown, writer: number): Promise<void> => {
    for (let count = 0; ; count += 1) {
      const key = `/works/OL${900 + writer * 10 + (count % 7)}W`;
      const body = JSON.stringify({ key, type: { key: "/type/work" }, title: `${title} ${count}\u2028 'É'` });
      const response = await sent(`${url}${key}.json`, { method: "PUT", body, cookie });
      if (response.status === 503) return;
      expect([key, response.status]).toEqual([key, 200]);
      acknowledged.set(key, (acknowledged.get(key) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, one));
  return acknowledged;
}

async function lastChange({ url }: Place): Promise<number> {
  const { end } = (await (await fetch(`${url}/changes.json?limit=1`)).json()) as { end: number };
  return end;
}

/** Digests of the files of a place's dump, by name. */
async function dumpOf({ name, url }: Place): Promise<Record<string, string>> {
  const to = path.join(folder, name, "dump");
  await run("dump", "--url", url, "--state", stateOf(name), "--to", to);
  const files = (await readdir(to)).toSorted();
  const digest = async (file: string): Promise<[string, string]> => [
    file,
    createHash("sha256")
      .update(await readFile(path.join(to, file)))
      .digest("hex"),
  ];
  return Object.fromEntries(await Promise.all(files.map(digest)));
}

/** Digests of all parts of a place's log. */
async function logOf({ url }: Place): Promise<string[]> {
  const digests: string[] = [];
  for (let since = 0; ;) {
    const text = await (await fetch(`${url}/changes.json?since=${since}&limit=200`)).text();
    const { cursor } = JSON.parse(text) as { cursor: number };
    digests.push(createHash("sha256").update(text).digest("hex"));
    if (cursor === since) return digests;
    since = cursor;
  }
}

const backUp = ({ name, url }: Place, to: string): Promise<string> =>
  run("backup", "--to", to, "--catalog-only", "--url", url, "--state", stateOf(name));

/** Rows of the tables that are not in the log, by table, but for those that the service has changed since. */
async function tableLines(backup: string): Promise<Record<string, string>> {
  const tables = [
    "item",
    "cover",
    "merge_request",
    "merge_job",
    "import_batch",
    "import_item",
    "removed_revision",
  ];
  const texts = tables.map(async (table): Promise<[string, string]> => {
    const packed = await readFile(path.join(backup, `tables/catalog.${table}.jsonl.gz`));
    return [table, gunzipSync(packed).toString()];
  });
  return Object.fromEntries(await Promise.all(texts));
}

/** A place follows another one that is written to, until that takes nothing more and both have the same. */
async function takeOver(
  from: Place,
  to: Place,
  { cookie, title }: { readonly cookie: string; readonly title: string },
): Promise<Map<string, number>> {
  const writing = write(from, cookie, title);
  await followOnce(from, to);
  await followOnce(from, to);
  await setReadOnly(from, cookie, true);
  const acknowledged = await writing;
  await followOnce(from, to);
  expect(await lastChange(to)).toBe(await lastChange(from));
  return acknowledged;
}

beforeAll(async () => {
  if (!isHere) return;
  folder = await mkdtemp(path.join(os.tmpdir(), "carrel-moving-"));
  postgres = await startPostgres();
  await setUpPostgres(postgres.url);
}, TIMEOUT_MS);

afterAll(async () => {
  for (const service of services) service.kill();
  await postgres?.stop();
});

test.runIf(isHere)(
  "moves under writes, there and back, and loses nothing",
  { timeout: TIMEOUT_MS },
  async () => {
    const catalog = postgres?.url ?? "";
    const old = await start("old");
    const follower = await start("follower", "--bare", "--catalog", catalog);
    const cookie = await login(old.url);
    const acknowledged = await takeOver(old, follower, { cookie, title: "Before" });
    expect(acknowledged.size).toBeGreaterThan(WRITERS);
    const dump = await dumpOf(old);
    expect(await dumpOf(follower)).toEqual(dump);
    const back = await start("back", "--bare");
    await followOnce(follower, back);
    expect(await dumpOf(back)).toEqual(dump);

    const [before, after] = [path.join(folder, "before"), path.join(folder, "after")];
    await backUp(old, before);
    await run(
      "restore",
      before,
      "--catalog-only",
      "--no-index",
      "--url",
      follower.url,
      "--state",
      stateOf("follower"),
    );
    await backUp(follower, after);
    const lines = await tableLines(before);
    expect(Object.values(lines).join("").length).toBeGreaterThan(200);
    expect(await tableLines(after)).toEqual(lines);
    await follower.process.stop("SIGTERM");

    // The service itself, with its accounts and its index, goes on with the other catalog.
    await old.process.stop("SIGTERM");
    const now = await start("old", "--catalog", catalog);
    for (const [key, revision] of acknowledged) {
      const record = (await (await fetch(`${now.url}${key}.json`)).json()) as { revision: number };
      expect([key, record.revision]).toEqual([key, revision]);
    }
    await setReadOnly(now, cookie, false);
    const more = await takeOver(now, back, { cookie, title: "Afterwards" });
    const found = async (): Promise<unknown> =>
      (await (await fetch(`${now.url}/search.json?q=title:Afterwards&fields=key`)).json()) as unknown;
    await expect.poll(found, { timeout: 60_000 }).toMatchObject({ numFound: more.size });
    expect(await logOf(back)).toEqual(await logOf(now));
  },
);
