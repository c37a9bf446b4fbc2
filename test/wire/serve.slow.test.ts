// Carrel as its users meet it, by `npm run serve`: emails by SMTP, cookies of HTTPS, a kill, an orderly end.
import { mkdtemp, readFile, readdir, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";
import { startMailServer } from "../support/node/mail-server.ts";

const READY_SECONDS = 180;
const ANN = { username: "ann", email: "ann@example.org", password: "a-long-enough-pass" };

let state = "";
let mail: Awaited<ReturnType<typeof startMailServer>>;
let service: ServiceProcess | undefined;
let url = "";
let cookie = "";

async function start(): Promise<void> {
  const options = [
    "--base-url",
    "https://books.test",
    "--port",
    "0",
    "--trust-proxy",
    "loopback",
    "--starter",
  ];
  service = ServiceProcess.serve([...options, "--state", state], {
    SMTP_URL: mail.url,
    MAIL_FROM: "books@example.org",
  });
  url = await service.ready(READY_SECONDS);
}

/** Sends a request as the proxy does for a browser at an address. */
const fetchAs = (address: string, target: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url + target, {
    redirect: "manual",
    ...init,
    headers: { "X-Forwarded-For": address, "X-Forwarded-Proto": "https", ...Object(init.headers) },
  });

const post = (target: string, form: Record<string, string>): Promise<Response> =>
  fetchAs("192.0.2.1", target, {
    method: "POST",
    body: new URLSearchParams(form),
    headers: { Cookie: cookie, Accept: "application/json" },
  });

const shelfOf = async (): Promise<unknown> => {
  const response = await fetchAs("192.0.2.1", "/people/ann/books/want-to-read.json", {
    headers: { Cookie: cookie },
  });
  const { reading_log_entries: entries } = (await response.json()) as {
    reading_log_entries: { work: { key: string } }[];
  };
  return entries.map(({ work }) => work.key);
};

beforeAll(async () => {
  state = path.join(await mkdtemp(path.join(os.tmpdir(), "carrel-serve-")), "state");
  mail = await startMailServer();
  await start();
}, 400_000);

afterAll(() => {
  service?.kill();
  mail.close();
});

it("logs in lines of JSON", () => {
  const lines = service?.log.trim().split("\n") ?? [];
  expect(lines.map((line) => Object.keys(JSON.parse(line)).slice(0, 3))).toEqual(
    lines.map(() => ["time", "level", "event"]),
  );
});

it("keeps its secrets to its own user", async () => {
  const modes = await Promise.all(
    (await readdir(state))
      .filter((name) => /-(?:secret|token)$/.test(name))
      .map(async (name) => (await stat(path.join(state, name))).mode & 0o777),
  );
  expect(modes).toEqual([0o600, 0o600, 0o600]);
  expect((await stat(state)).mode & 0o777).toBe(0o700);
});

it.each([
  ["the outbox of developers", "/development/outbox.json", {}, 404],
  [
    "accounts of developers",
    "/account/login.json",
    { method: "POST", body: '{"access":"foo","secret":"foo"}' },
    400,
  ],
  ["operations without the operator's token", "/system/status.json", {}, 401],
  ["measurements without it", "/metrics", {}, 401],
])("has no %s", async (_what, address, init, status) => {
  expect((await fetchAs("192.0.2.1", address, init)).status).toBe(status);
});

it("redirects clients without encryption", async () => {
  const headers = { "X-Forwarded-Proto": "http" };
  const response = await fetchAs("192.0.2.1", "/works/OL101W.json", { headers });
  expect([response.status, response.headers.get("Location")]).toEqual([
    308,
    "https://127.0.0.1/works/OL101W.json",
  ]);
});

it("registers readers by an email, and logs them in with cookies of HTTPS", async () => {
  const created = await post("/account/create", { ...ANN, displayname: "Ann" });
  expect(created.status, await created.text()).toBeLessThan(400);
  const text = mail.received.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  const [, t = ""] = /https:\/\/books\.test\/account\/verify\?t=(\w+)/.exec(text) ?? [];
  const verified = await post("/account/verify", { t, password: ANN.password });
  expect(verified.status, await verified.text()).toBeLessThan(400);
  const login = await post("/account/login", { username: ANN.email, password: ANN.password });
  expect(login.status, await login.text()).toBeLessThan(400);
  const session = login.headers.getSetCookie().find((one) => one.startsWith("session=")) ?? "";
  expect(session).toMatch(/; HttpOnly.*; Secure|; Secure.*; HttpOnly/);
  cookie = session.split(";")[0] ?? "";
  const added = await post("/works/OL101W/bookshelves.json", { action: "add", bookshelf_id: "1" });
  expect(added.status).toBe(200);
  expect(await shelfOf()).toEqual(["/works/OL101W"]);
});

it("measures requests by operation, projections, databases and memory", async () => {
  const token = (await readFile(path.join(state, "load-token"), "utf8")).trim();
  const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
  const text = await response.text();
  for (const line of [
    /^carrel_requests_total\{operation="login",method="POST",status="303",source="none"\} 1$/m,
    /^carrel_projection_behind_changes\{projection="search"\} \d+$/m,
    /^carrel_database_bytes\{database="catalog"\} \d{6,}$/m,
    /^carrel_dependency_up\{dependency="patrons"\} 1$/m,
    /^carrel_status\{status="ok"\} 1$/m,
    /^carrel_runtime_resident_memory_bytes \d{8,}$/m,
  ]) {
    expect(text).toMatch(line);
  }
});

it("keeps what it acknowledged when its runtime is killed", { timeout: 120_000 }, async () => {
  service?.killRuntime();
  await expect.poll(shelfOf, { timeout: 60_000 }).toEqual(["/works/OL101W"]);
  const readiness = async (): Promise<number> => (await fetch(`${url}/ready`)).status;
  await expect.poll(readiness, { timeout: 60_000 }).toBe(200);
});

it("ends in order, and starts again with the same sessions", { timeout: 400_000 }, async () => {
  await service?.stop("SIGTERM");
  await start();
  expect(service?.log).not.toContain("applied");
  expect(await shelfOf()).toEqual(["/works/OL101W"]);
});
