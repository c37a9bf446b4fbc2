// A running service with patrons, loans, covers and imports is backed up, changed and backed up again, with a kill in
// each; a service that is restored from it beside answers the same to its owner, to others and to an administrator.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, cp, mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { knownToken } from "../../scripts/lib/local-state.ts";
import { ROOT } from "../../scripts/lib/paths.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";
import { pngImage } from "../support/covers/real-images.ts";

/** A file that is larger than a request may be. */
const LARGE = { address: "/system/items/large-item/large.bin", bytes: 34 * 1024 * 1024 };
/** Answers that are compared at a time. */
const COMPARED = 8;
const PATRONS = ["patron", "reader", "librarian"];

let folder = "";
const services: ServiceProcess[] = [];
const at = (name: string): string => path.join(folder, name);

async function start(name: string, ...flags: string[]): Promise<string> {
  const service = ServiceProcess.start([...flags, "--state", at(name)]);
  services.push(service);
  return service.ready(180);
}

afterAll(() => {
  for (const service of services) service.kill();
});

/** Runs a command, and kills it after some time if that is given. Returns its output and exit code. */
async function run(
  args: readonly string[],
  killAfter?: number,
): Promise<{ text: string; code: number | null }> {
  const [name = "", ...rest] = args;
  const child = spawn(process.execPath, [path.join(ROOT, `scripts/${name}.ts`), ...rest], { cwd: ROOT });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += String(part)));
  const ended = once(child, "close");
  if (killAfter !== undefined) {
    await Promise.race([ended, sleep(killAfter)]);
    child.kill("SIGKILL");
  }
  const [code] = (await ended) as [number | null];
  return { text, code };
}
/** Calls an operator's route of a service. */
async function operate(name: string, address: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...init.headers, Authorization: `Bearer ${await knownToken(at(name))}` };
  return fetch((await readFile(at(`${name}/carrel.url`), "utf8")).trim() + address, { ...init, headers });
}

const backUp = (killAfter?: number) =>
  run(["backup", "--to", at("backup"), "--state", at("source")], killAfter);
const restore = (target: string, killAfter?: number) =>
  run(["restore", at("backup"), "--state", at(target)], killAfter);

/** A person who is logged in at a service. */
class Person {
  readonly #url: string;
  #cookie = "";

  constructor(url: string) {
    this.#url = url;
  }

  async login(username: string): Promise<this> {
    const response = await this.post("/account/login", { username, password: username });
    this.#cookie =
      response.headers
        .getSetCookie()
        .find((text) => text.startsWith("session="))
        ?.split(";")[0] ?? "";
    expect(this.#cookie).not.toBe("");
    return this;
  }

  get(address: string): Promise<Response> {
    return fetch(this.#url + address, { headers: { Cookie: this.#cookie }, redirect: "manual" });
  }

  async post(
    address: string,
    body: object | URLSearchParams | FormData,
    method: "POST" | "PUT" = "POST",
  ): Promise<Response> {
    const isForm = body instanceof URLSearchParams || body instanceof FormData;
    const response = await fetch(this.#url + address, {
      method,
      headers: {
        Cookie: this.#cookie,
        Origin: this.#url,
        ...(!isForm && { "Content-Type": "application/json" }),
      },
      body: isForm ? body : JSON.stringify(body),
      redirect: "manual",
    });
    if (response.status >= 400) throw new Error(`${address}: ${response.status} ${await response.text()}`);
    return response;
  }
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields);

/** Puts works on shelves, with ratings, notes and check-ins, and sets a goal. */
async function read(person: Person, works: readonly number[], stars: string): Promise<void> {
  for (const [index, number] of works.entries()) {
    const work = `/works/OL${number}W`;
    await person.post(`${work}/bookshelves.json`, form({ bookshelf_id: String((index % 3) + 1) }));
    await person.post(`${work}/ratings.json`, form({ rating: stars }));
    await person.post(`${work}/notes.json`, form({ notes: `A note\n\u2028on “${number}”` }));
    await person.post(`${work}/check-ins.json`, { event_type: 3, year: 2026, month: 1, day: 2 });
  }
  await person.post("/reading-goal.json", form({ goal: "12", year: "2026" }));
}

async function cover(person: Person, book: number): Promise<void> {
  const fields = new FormData();
  fields.append("file", new Blob([pngImage(30 + book, 40)], { type: "image/png" }), "cover.png");
  fields.append("upload", "submit");
  await person.post(`/books/OL${book}M/-/add-cover`, fields);
}

/** Waits until nothing is under way: projections and imports follow what was written. */
async function settle(person: Person): Promise<void> {
  const behind = async (): Promise<unknown> => {
    const status = (await (await person.get("/admin/status.json")).json()) as { projections?: object };
    return Object.values(status.projections ?? {}).filter((one: { behind: number }) => one.behind > 0);
  };
  await expect.poll(behind, { timeout: 60_000 }).toEqual([]);
  await sleep(1500);
}

/** Addresses of everything that the log and the patrons have. */
async function addresses(anyone: Person): Promise<string[]> {
  const keys = new Set<string>();
  for (let since = 0; ;) {
    const part = (await (await anyone.get(`/changes.json?since=${since}&limit=200`)).json()) as {
      changes: { changes: { key: string; revision: number }[] }[];
      cursor: number;
    };
    if (part.changes.length === 0) break;
    for (const { key, revision } of part.changes.flatMap((one) => one.changes))
      keys.add(`${key}.json?v=${revision}`);
    since = part.cursor;
  }
  const works = [101, 102, 103, 104, 105, 106, 107].map((number) => `/works/OL${number}W`);
  return [
    ...[...keys].filter((_key, index) => index % 8 === 0),
    ...works.flatMap((work) =>
      ["bookshelves", "ratings", "notes", "check-ins", "observations", "editions"].map(
        (name) => `${work}/${name}.json`,
      ),
    ),
    ...PATRONS.flatMap((name) => [
      ...["want-to-read", "currently-reading", "already-read"].map(
        (shelf) => `/people/${name}/books/${shelf}.json`,
      ),
      `/people/${name}/lists.json`,
      `/people/${name}/follows.json`,
      `/people/${name}.json`,
    ]),
    "/reading-goal.json?year=2026",
    "/account/loans.json",
    "/recentchanges.json?limit=100",
    "/stats/readinglog.json",
    "/query.json?type=/type/edition&limit=200&*=",
    "/languages.json?limit=50",
    "/merges.json",
    "/admin/imports.json",
    "/admin/people.json",
    "/b/id/100000001.json",
    "/b/id/100000001.jpg",
    "/b/id/100000002.json",
    ...["emma", "penguin", "*:*"].map(
      (words) => `/search.json?q=${words}&sort=new&fields=key,title,edition_count`,
    ),
  ];
}

interface Place {
  readonly url: string;
  readonly people: readonly Person[];
}

async function enter(url: string): Promise<Place> {
  const people = ["patron", "reader", "openlibrary"].map((name) => new Person(url).login(name));
  return { url, people: [new Person(url), ...(await Promise.all(people))] };
}

/** Members of answers that say when something was last looked at, and the service's own names. */
const OWN = /"(?:last_login|seen|last_used|updated|time|now|requestId|counted)":\s*(?:"[^"]*"|\d+|null)/g;

async function same(left: Place, right: Place, all: readonly string[]): Promise<number> {
  let successes = 0;
  const answer = async ({ url, people }: Place, who: number, address: string): Promise<unknown[]> => {
    const response = await people[who]!.get(address);
    if (response.status === 200) successes += 1;
    return [address, who, response.status, (await response.text()).replaceAll(url, "").replaceAll(OWN, "")];
  };
  const pairs = all.flatMap((address) => left.people.map((_person, who) => [address, who] as const));
  for (let from = 0; from < pairs.length; from += COMPARED) {
    await Promise.all(
      pairs.slice(from, from + COMPARED).map(async ([address, who]) => {
        const [ours, theirs] = await Promise.all([answer(left, who, address), answer(right, who, address)]);
        expect(theirs).toEqual(ours);
      }),
    );
  }
  return successes;
}

let source: Place;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "carrel-backup-"));
  source = await enter(await start("source"));
}, 400_000);

it("a backup in parts makes a service that answers the same to everybody", { timeout: 400_000 }, async () => {
  const [, patron, reader, admin] = source.people as [Person, Person, Person, Person];
  await read(patron, [101, 102, 103, 104], "5");
  await cover(admin, 101);
  const listed = await patron.post("/people/patron/lists.json", {
    name: "A list",
    seeds: [{ key: "/works/OL101W" }],
  });
  const list = ((await listed.json()) as { key: string }).key;
  await patron.post("/books/OL135M/x/borrow", form({ action: "borrow" }));
  const sent = {
    method: "PUT",
    headers: { "Content-Type": "application/marc" },
    body: Buffer.alloc(LARGE.bytes, 7),
  };
  expect((await operate("source", LARGE.address, sent)).status).toBe(200);
  await settle(admin);
  // The first backup is killed on its way, and goes on.
  await backUp(900);
  const first = await backUp();
  expect([first.code, first.text]).toEqual([
    0,
    expect.stringMatching(/tables, patrons, loans and files are copied/),
  ]);
  const before = await readdir(at("backup/patrons"));

  await read(reader, [104, 105, 106], "3");
  await cover(admin, 102);
  await reader.post("/people/reader/follows.json", form({ publisher: "patron", state: "0" }));
  await reader.post("/books/OL135M/x/borrow", form({ action: "join-waitinglist" }));
  await patron.post(`${list}/seeds.json`, { add: [{ key: "/works/OL102W" }] });
  await admin.post(
    "/works/OL107W.json",
    { key: "/works/OL107W", type: { key: "/type/redirect" }, location: "/works/OL106W" },
    "PUT",
  );
  await admin.post("/api/import", {
    title: "An imported book",
    authors: [{ name: "An Author" }],
    publishers: ["P"],
    publish_date: "2001",
    source_records: ["x:1"],
  });
  await settle(admin);
  await backUp(700);
  expect((await backUp()).code).toBe(0);
  const files = await readdir(at("backup/patrons"));
  expect(files.length).toBeGreaterThan(before.length);
  // Only those who have changed something are read again.
  const latest = gunzipSync(await readFile(at(`backup/patrons/${files.at(-1)}`))).toString();
  expect(latest.match(/^\{"name":"[^"]+"/gm)).not.toContain('{"name":"librarian"');

  const verified = await run(["backup", "--to", at("backup"), "--verify", "--state", at("source")]);
  expect([verified.code, verified.text]).toEqual([0, expect.stringMatching(/files are whole/)]);
  await cp(at("backup"), at("damaged"), { recursive: true });
  await appendFile(at("damaged/tables/patrons.account.jsonl.gz"), "x");
  const damaged = await run(["backup", "--to", at("damaged"), "--verify", "--state", at("source")]);
  expect([damaged.code, damaged.text]).toEqual([1, expect.stringMatching(/patrons\.account\.jsonl\.gz/)]);

  // Of an encrypted backup, the next one needs no secret key.
  const identity = await generateIdentity();
  await writeFile(at("key.txt"), `# a comment\n${identity}\n`);
  const secret = ["backup", "--to", at("secret"), "--state", at("source")];
  const recipient = await identityToRecipient(identity);
  for (const _time of [1, 2]) expect((await run([...secret, "--recipient", recipient])).code).toBe(0);
  expect((await run([...secret, "--verify"])).text).toMatch(/is encrypted: --identity FILE/);
  expect((await run([...secret, "--verify", "--identity", at("key.txt")])).code).toBe(0);

  const url = await start("target", "--bare");
  await restore("target", 1500);
  const restored = await restore("target");
  expect([restored.code, restored.text]).toEqual([
    0,
    expect.stringMatching(/0 of them repaired[^]*: 0 repaired/),
  ]);
  const large = await operate("target", "/system/backup/files/archive/items/large-item/large.bin");
  expect(large.headers.get("Content-Type")).toBe("application/marc");
  expect(Buffer.from(await large.arrayBuffer()).equals(Buffer.alloc(LARGE.bytes, 7))).toBe(true);
  const target = await enter(url);
  await settle(target.people[3]!);
  const all = await addresses(source.people[0]!);
  expect(all.length).toBeGreaterThan(300);
  expect(await same(source, target, all)).toBeGreaterThan(all.length);
});
