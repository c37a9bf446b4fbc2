// A second instance follows the first one's feed through mixed changes, and ends byte-identical.
import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../scripts/lib/paths.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";
import { randomFrom } from "../../bench/lib/random.ts";

/** More than the mirror reads of the log at a time, which is 500. */
const CHANGES = 520;
const WRITERS = 8;
/** Answers that are compared at a time. */
const COMPARED = 8;
const random = randomFrom(7);

let folder = "";
let services: ServiceProcess[] = [];
let [source, target, cookie] = ["", "", ""];

async function start(name: string, flag: string): Promise<string> {
  const service = ServiceProcess.start([flag, "--state", path.join(folder, name)]);
  services.push(service);
  return service.ready(180);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "carrel-mirror-"));
  [source = "", target = ""] = await Promise.all([start("source", "--empty"), start("mirror", "--bare")]);
  const login = await fetch(`${source}/account/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: "openlibrary", password: "openlibrary" }),
  });
  cookie =
    login.headers
      .getSetCookie()
      .find((text) => text.startsWith("session="))
      ?.split(";")[0] ?? "";
  expect(cookie).not.toBe("");
}, 400_000);

afterAll(() => {
  for (const service of services) service.kill();
});

/** Keys of works that the writers have made. */
const made: string[] = [];

async function write(method: string, at: string, body: unknown): Promise<unknown> {
  const response = await fetch(source + at, {
    method,
    headers: { "Content-Type": "application/json", Cookie: cookie },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${at}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** One change of a random kind: a new record, an edit, a batch, a deletion, a redirect, a revival. */
async function change(number: number): Promise<void> {
  const type = { key: "/type/work" };
  const work = { type, title: `Mirrored "work" ${number} – ü\u2028`, subjects: [`Copy ${number % 13}`] };
  const known = made[Math.floor(random() * made.length)];
  const kind = random();
  if (known === undefined || kind < 0.3) {
    made.push(String(await write("POST", "/api/new", work)));
  } else if (kind < 0.7) {
    await write("PUT", `${known}.json`, { key: known, ...work, _comment: `edit ${number}` });
  } else if (kind < 0.85) {
    const keys = new Set([known, ...made.slice(0, 3)]);
    await write(
      "POST",
      "/api/save_many",
      [...keys].map((key) => ({ key, ...work })),
    );
  } else if (kind < 0.93) {
    await write("PUT", `${known}.json`, { key: known, type: { key: "/type/delete" } });
  } else {
    const location = made[0] === known ? "/works/OL1W" : made[0];
    await write("PUT", `${known}.json`, { key: known, type: { key: "/type/redirect" }, location });
  }
}

async function follow(...more: string[]): Promise<string> {
  const script = path.join(ROOT, "scripts/mirror.ts");
  const args = [script, source, "--url", target, "--state", path.join(folder, "mirror"), "--once", ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: 120_000 });
  return stdout;
}

interface Feed {
  readonly changes: readonly {
    readonly id: number | string;
    readonly changes: { key: string; revision: number }[];
  }[];
  readonly cursor: number | string;
}

/** The feed as text, and every key and revision in it. */
async function readFeed(url: string): Promise<{ texts: string[]; revisions: Set<string> }> {
  const texts: string[] = [];
  const revisions = new Set<string>();
  for (let since: number | string = 0; ;) {
    const text = await (await fetch(`${url}/changes.json?since=${since}&limit=100`)).text();
    const { changes, cursor } = JSON.parse(text) as Feed;
    if (changes.length === 0) return { texts, revisions };
    texts.push(text);
    for (const { key, revision } of changes.flatMap((one) => one.changes))
      revisions.add(`${key}.json?v=${revision}`);
    since = cursor;
  }
}

/** Both services answer with the same. */
async function same(addresses: readonly string[]): Promise<void> {
  const compare = async (at: string): Promise<void> => {
    const [ours, theirs] = await Promise.all([fetch(source + at), fetch(target + at)]);
    expect([at, theirs.status, await theirs.text()]).toEqual([at, ours.status, await ours.text()]);
  };
  for (let from = 0; from < addresses.length; from += COMPARED) {
    await Promise.all(addresses.slice(from, from + COMPARED).map(compare));
  }
}

it(
  `follows ${CHANGES} mixed changes, in parts and while they are made, and ends byte-identical`,
  { timeout: 240_000 },
  async () => {
    let next = 0;
    const writers = Array.from({ length: WRITERS }, async () => {
      while (next < CHANGES) await change((next += 1));
    });
    // A part of the feed while it is being written, then the rest, then nothing.
    await follow();
    await Promise.all(writers);
    await follow();
    await follow();
    const [ours, theirs] = [await readFeed(source), await readFeed(target)];
    expect(ours.texts.length).toBeGreaterThan(4);
    expect(theirs.texts).toEqual(ours.texts);
    expect(theirs.revisions).toEqual(ours.revisions);
    await same([...ours.revisions].slice(-400));
    await same(made.flatMap((key) => [`${key}.json`, `${key}.json?m=history&limit=1000`]));
    await same([0, 200, 400].map((offset) => `/recentchanges.json?limit=300&offset=${offset}`));
    await same(["/query.json?type=/type/work&limit=1000&*="]);
  },
);
