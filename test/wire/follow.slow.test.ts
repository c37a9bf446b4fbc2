// A second instance follows the first one by its public interface, is killed, and goes on; what it edited stays.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../scripts/lib/paths.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";

const WORKS = 230;
const WRITERS = 10;
const TODAY = new Date().toISOString().slice(0, 10);

let folder = "";
const services: ServiceProcess[] = [];
let [source, target] = ["", ""];

async function start(name: string, ...more: string[]): Promise<string> {
  const service = ServiceProcess.start(["--empty", "--state", path.join(folder, name), ...more]);
  services.push(service);
  return service.ready(180);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "carrel-follow-"));
  [source = "", target = ""] = await Promise.all([start("source"), start("copy")]);
}, 400_000);

afterAll(() => {
  for (const service of services) service.kill();
});

/** Writes into one of them as an administrator. */
async function writer(url: string) {
  const login = await fetch(`${url}/account/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: "openlibrary", password: "openlibrary" }),
  });
  const cookies = login.headers.getSetCookie().map((text) => text.split(";")[0]);
  return async (method: string, at: string, body: unknown): Promise<unknown> => {
    const headers = { "Content-Type": "application/json", Cookie: cookies.join("; ") };
    const response = await fetch(url + at, { method, headers, body: JSON.stringify(body) });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${at}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
}

function following(...more: string[]): { child: ChildProcess; done: Promise<string> } {
  const own = ["--url", target, "--state", path.join(folder, "copy"), "--since", TODAY, "--rate", "500"];
  const args = [path.join(ROOT, "scripts/follow.ts"), source, ...own, ...more];
  const child = spawn(process.execPath, args, { cwd: ROOT });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
  const done = new Promise<string>((resolve) => child.once("exit", (code) => resolve(`${output}(${code})`)));
  return { child, done };
}

const type = { key: "/type/work" };
const text = async (url: string, key: string) => (await fetch(`${url}${key}.json`)).text();

it("is equal where nothing was edited, over a kill, and leaves what was", { timeout: 180_000 }, async () => {
  const [there, here] = [await writer(source), await writer(target)];
  const keys: string[] = [];
  const write = async (n: number) =>
    String(await there("POST", "/api/new", { type, title: `Followed "${n}" – ü` }));
  for (let n = 0; n < WORKS; n += WRITERS) {
    keys.push(...(await Promise.all(Array.from({ length: WRITERS }, (_empty, at) => write(n + at)))));
  }
  const killed = following();
  setTimeout(() => killed.child.kill("SIGKILL"), 300);
  await killed.done;
  expect(await following().done).toMatch(/caught up\n\(0\)$/);
  const [first = "", second = "", third = "", fourth = ""] = keys;

  await there("PUT", `${first}.json`, { key: first, type, title: "Edited there" });
  await there("PUT", `${second}.json`, { key: second, type: { key: "/type/delete" } });
  await there("PUT", `${third}.json`, { key: third, type: { key: "/type/redirect" }, location: first });
  await here("PUT", `${fourth}.json`, { key: fourth, type, title: "Edited here" });
  await there("PUT", `${fourth}.json`, { key: fourth, type, title: "Edited there, too" });
  await there("PUT", `${fourth}.json`, { key: fourth, type, title: "Edited there again" });
  const said = await following("--history").done;
  expect(said).toMatch(new RegExp(`kept, because it was edited here: ${fourth} \\(revision 3 there`));

  for (const key of keys.filter((one) => one !== fourth))
    expect([key, await text(target, `${key}`)]).toEqual([key, await text(source, `${key}`)]);
  expect(JSON.parse(await text(target, fourth))).toMatchObject({ title: "Edited here", revision: 2 });
  const before = await (await fetch(`${target}/changes.json?limit=0`)).json();
  expect(await following().done).toMatch(/caught up/);
  expect(await (await fetch(`${target}/changes.json?limit=0`)).json()).toEqual(before);
});
