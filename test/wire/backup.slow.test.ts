// A running service is backed up, changed and backed up again; an empty one that the backup is restored into answers
// the same.
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../scripts/lib/paths.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";

/** Answers that are compared at a time. */
const COMPARED = 8;

let folder = "";
const services: ServiceProcess[] = [];
let [source, target, cookie] = ["", "", ""];
const at = (name: string): string => path.join(folder, name);

async function start(name: string, ...flags: string[]): Promise<string> {
  const service = ServiceProcess.start([...flags, "--state", at(name)]);
  services.push(service);
  return service.ready(180);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "carrel-backup-"));
  [source = "", target = ""] = await Promise.all([start("source"), start("target", "--bare")]);
  const login = await fetch(`${source}/account/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: "openlibrary", password: "openlibrary" }),
  });
  const cookies = login.headers.getSetCookie().map((text) => text.split(";")[0] ?? "");
  cookie = cookies.find((text) => text.startsWith("session=")) ?? "";
  expect(cookie).not.toBe("");
}, 400_000);

afterAll(() => {
  for (const service of services) service.kill();
});

async function put(key: string, document: object): Promise<void> {
  const headers = { "Content-Type": "application/json", Cookie: cookie };
  const response = await fetch(`${source}${key}.json`, {
    method: "PUT",
    headers,
    body: JSON.stringify(document),
  });
  if (!response.ok) throw new Error(`${key}: ${response.status} ${await response.text()}`);
}

/** What a script prints, or the error that it ends with. */
async function script(name: string, ...args: string[]): Promise<string> {
  const file = path.join(ROOT, `scripts/${name}.ts`);
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
    cwd: ROOT,
    timeout: 120_000,
  });
  return stdout;
}
const backUp = (): Promise<string> => script("backup", "--to", at("backup"), "--url", source);
const restore = (from: string): Promise<string> =>
  script("restore", at(from), "--url", target, "--state", at("target"));

/** Addresses of all records and revisions in the log. */
async function revisions(url: string): Promise<string[]> {
  const found = new Set<string>();
  for (let since = 0; ;) {
    const response = await fetch(`${url}/changes.json?since=${since}&limit=200`);
    const { changes, cursor } = (await response.json()) as {
      changes: { changes: { key: string; revision: number }[] }[];
      cursor: number;
    };
    if (changes.length === 0) return [...found];
    for (const { key, revision } of changes.flatMap((one) => one.changes))
      found.add(`${key}.json?v=${revision}`);
    since = cursor;
  }
}

async function same(addresses: readonly string[]): Promise<void> {
  // Some answers name the address that was asked.
  const answer = async (url: string, address: string): Promise<unknown[]> => {
    const response = await fetch(url + address);
    return [address, response.status, (await response.text()).replaceAll(url, "")];
  };
  const compare = async (address: string): Promise<void> => {
    const [ours, theirs] = await Promise.all([answer(source, address), answer(target, address)]);
    expect(theirs).toEqual(ours);
  };
  for (let from = 0; from < addresses.length; from += COMPARED) {
    await Promise.all(addresses.slice(from, from + COMPARED).map(compare));
  }
}

it("a backup in parts makes a service that answers the same", { timeout: 300_000 }, async () => {
  const type = { key: "/type/work" };
  await put("/works/OL101W", {
    type,
    title: "Pride “and” Prejudice\u2028",
    authors: [{ author: { key: "/authors/OL101A" } }],
  });
  expect(await backUp()).toMatch(/all changes up to \d+, in \d+ files/);
  const first = await readdir(at("backup"));
  await put("/works/OL102W", { type: { key: "/type/redirect" }, location: "/works/OL101W" });
  await put("/works/OL103W", { type: { key: "/type/delete" } });
  await put("/works/OL101W", { type, title: "Pride", description: "x".repeat(300_000) });
  await backUp();
  const second = await readdir(at("backup"));
  expect(second).toHaveLength(first.length + 1);
  expect(second).toEqual(expect.arrayContaining(first));
  // Nothing is new: nothing is added.
  await backUp();
  expect(await readdir(at("backup"))).toEqual(second);

  // The restore is stopped after the first part, and run again twice.
  await mkdir(at("part"));
  for (const name of first) await copyFile(path.join(at("backup"), name), path.join(at("part"), name));
  await restore("part");
  expect(await restore("backup")).toMatch(/3 of them stored now/);
  expect(await restore("backup")).toMatch(/ 0 of them stored now/);
  // Of a log that is shorter than that of the service nothing is taken.
  await expect(restore("part")).rejects.toThrow(/has changes that the backup does not have/);

  // What is lent is not in the log of changes: the operator has the file.
  const holdings = path.join(ROOT, "starter/items.jsonl");
  await script("load", "--holdings", holdings, "--url", target, "--state", at("target"));

  const all = await revisions(source);
  expect(all.length).toBeGreaterThan(2000);
  expect(await revisions(target)).toEqual(all);
  await same(all.filter((_, index) => index % 5 === 0));
  await same(["/works/OL101W.json", "/works/OL102W.json", "/works/OL103W.json?v=1", "/works/OL103W.json"]);
  await same(["/works/OL101W.json?m=history", "/recentchanges.json?limit=1000", "/languages.json?limit=50"]);
  await same(["/authors/OL101A/works.json?limit=100", "/query.json?type=/type/edition&limit=1000&*="]);
  const fields = "fields=key,title,author_name,edition_count,subject";
  await same(
    ["emma", "penguin", "*:*"].map((words) => `/search.json?q=${words}&sort=new&limit=100&${fields}`),
  );
});
