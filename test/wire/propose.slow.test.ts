// Corrections made in a copy go back to the source it follows: listed, sent as proposals over a kill, accepted, followed.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../scripts/lib/paths.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";

const WORKS = 8;
const TODAY = new Date().toISOString().slice(0, 10);
const type = { key: "/type/work" };
const password = "openlibrary";

let folder = "";
const services: ServiceProcess[] = [];
let [source, copy] = ["", ""];

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "carrel-propose-"));
  for (const name of ["source", "copy"])
    services.push(ServiceProcess.start(["--empty", "--state", path.join(folder, name)]));
  [source = "", copy = ""] = await Promise.all(services.map((service) => service.ready(180)));
}, 400_000);

afterAll(() => {
  for (const service of services) service.kill();
});

interface Service {
  send(method: string, at: string, body?: unknown): Promise<unknown>;
  /** Changes members of a record. */
  edit(key: string, members: object): Promise<unknown>;
}

/** Logs in as the administrator of a service. */
async function logIn(url: string): Promise<Service> {
  const json = { Accept: "application/json", "Content-Type": "application/json" };
  const body = JSON.stringify({ username: "openlibrary", password });
  const login = await fetch(`${url}/account/login`, { method: "POST", headers: json, body });
  const cookies = login.headers.getSetCookie().map((text) => text.split(";")[0]);
  const send: Service["send"] = async (method, at, value) => {
    const headers = { ...json, Cookie: cookies.join("; ") };
    const sent = value === undefined ? {} : { body: JSON.stringify(value) };
    const response = await fetch(url + at, { method, headers, ...sent });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${at}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    send,
    edit: async (key, members) =>
      send("PUT", `${key}.json`, { ...((await send("GET", `${key}.json`)) as object), ...members }),
  };
}

function run(name: string, ...more: string[]): { child: ChildProcess; done: Promise<string> } {
  const own = ["--url", copy, "--state", path.join(folder, "copy"), ...more];
  const child = spawn(process.execPath, [path.join(ROOT, `scripts/${name}.ts`), ...own], { cwd: ROOT });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
  const done = new Promise<string>((resolve) => child.once("exit", (code) => resolve(`${output}(${code})`)));
  return { child, done };
}

const follow = async (): Promise<string> => run("follow", source, "--since", TODAY, "--rate", "500").done;
const propose = async (...more: string[]): Promise<string> =>
  run("propose", "--to", source, "--rate", "500", ...more).done;

it("gives corrections back, over a kill, and ends equal", { timeout: 180_000 }, async () => {
  const [there, here] = await Promise.all([logIn(source), logIn(copy)]);
  const keys: string[] = [];
  for (let n = 0; n < WORKS; n += 1)
    keys.push(String(await there.send("POST", "/api/new", { type, title: `Work ${n}`, subjects: ["Love"] })));
  expect(await follow()).toMatch(/caught up\n\(0\)$/);
  expect(await propose()).toBe("nothing was edited here\n(0)");

  const [first = "", second = "", third = ""] = keys;
  for (const key of keys) await here.edit(key, { subjects: ["Love", "War"] });
  await there.edit(first, { subjects: ["Love", "Peace"] });
  await here.edit(second, { title: "Corrected here" });
  await there.edit(second, { title: "Corrected there" });
  const own = String(
    await here.send("POST", "/api/new", { type: { key: "/type/author" }, name: "Made here" }),
  );
  const listed = await propose();
  expect(listed).toContain(`${second}: differs (revision 3 here, 2 there)\n  title, conflict\n`);
  expect(listed).toContain(`${own}: new here (revision 1 here, none there)`);
  expect(listed).toContain(`\n${WORKS} differs, 1 new here\n`);
  expect(await propose()).toBe(listed);

  const { token } = (await there.send("POST", "/account/tokens", {
    name: "copy",
    scope: ["read", "edit"],
    password,
  })) as {
    token: string;
  };
  const asProposals = ["--send", "--all", "--to-token", token];
  const open = async (): Promise<{ id: number; key: string }[]> =>
    ((await there.send("GET", "/proposals.json?limit=100")) as { entries: { id: number; key: string }[] })
      .entries;
  const killed = run("propose", "--to", source, "--rate", "5", ...asProposals);
  while ((await open()).length < 2) await sleep(20);
  killed.child.kill("SIGKILL");
  await killed.done;
  expect((await open()).length).toBeLessThan(WORKS);
  expect(await propose(...asProposals)).toContain(`${WORKS} differs`);
  const proposals = await open();
  expect(proposals.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
  expect(await propose(...asProposals)).toContain(`${WORKS} differs, ${WORKS} known, 1 new here`);
  expect(await open()).toEqual(proposals);

  // One is outdated before it is decided: it is withdrawn, and another one sent.
  await there.edit(third, { description: "Added there" });
  expect(await propose(...asProposals)).toContain(`${WORKS - 1} known, 1 new here, 1 sent`);
  const current = await open();
  expect(current).toHaveLength(WORKS);
  for (const { id } of current) await there.send("POST", `/proposals/${id}.json`, { decision: "accept" });
  const left = await propose(...asProposals);
  expect(left).toContain(`${second}: conflict`);
  expect(left).toContain(`1 conflict, 1 new here, ${WORKS - 1} source has it`);

  const pair = (await there.send("POST", "/account/api-key", { password })) as {
    access: string;
    secret: string;
  };
  const asEdit = ["--send", "--key", second, "--access", pair.access, "--secret", pair.secret];
  expect(await propose(...asEdit)).toContain("1 conflict");
  expect(await propose(...asEdit, "--prefer", "ours")).toContain(`sent: saved ${source}${second}`);
  expect(await propose(...asEdit, "--prefer", "ours")).toContain("1 source has it");

  expect(await follow()).toMatch(/caught up\n\(0\)$/);
  for (const key of keys)
    expect(await here.send("GET", `${key}.json`)).toEqual(await there.send("GET", `${key}.json`));
  expect(await propose()).toContain("1 new here");
});
