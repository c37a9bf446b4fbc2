import { once } from "node:events";
import http from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOST } from "../../../scripts/lib/runtime.ts";
import { parseProxies } from "../../../scripts/lib/serve/arguments.ts";
import { Front } from "../../../scripts/lib/serve/front.ts";

let isReady = true;
let healthChecks = 0;
/** Answers that wait until a test lets them end. */
const held: http.ServerResponse[] = [];

/** Stands for the runtime: repeats what arrives. */
const behind = http.createServer(async (request, response) => {
  const { method, url, headers } = request;
  if (url === "/status.json") healthChecks += 1;
  if (url === "/status.json") return response.writeHead(isReady ? 200 : 503).end();
  if (url === "/broken") return response.socket?.destroy();
  if (url === "/too-large") return response.writeHead(413).end("too large");
  if (url === "/stream")
    return response.writeHead(200, { "Content-Type": "text/event-stream" }).write("retry: 1\n\n");
  if (url === "/held") return held.push(response);
  let body = "";
  for await (const chunk of request.setEncoding("latin1")) body += String(chunk);
  return response
    .writeHead(200, { "Set-Cookie": ["a=1", "b=2"], Location: "/x" })
    .end(`${method} ${url} ${headers["cf-connecting-ip"]} ${headers["x-forwarded-proto"]} ${body.length}`);
});

let unanswered = 0;
const createFront = ({ prefix = "", port = 0 }: { prefix?: string | undefined; port?: number } = {}) =>
  new Front({
    host: HOST,
    port,
    managementPort: 0,
    prefix,
    trusted: parseProxies("loopback"),
    protocol: "https",
    identity: { names: [], secret: "" },
    metrics: {
      token: "operator",
      text: () => Promise.resolve("carrel 1\n"),
      countUnanswered: () => (unanswered += 1),
    },
  });

const behindUrl = (): Promise<URL> =>
  Promise.resolve(new URL(`http://${HOST}:${Object(behind.address()).port}`));

async function openFront(prefix?: string) {
  const front = createFront({ prefix });
  await front.listen();
  const [main, management] = front.ports.map((port) => `http://${HOST}:${port}`);
  return { front, main: main ?? "", management: management ?? "" };
}

beforeAll(async () => {
  await once(behind.listen(0, HOST), "listening");
});

afterAll(() => {
  behind.close();
  behind.closeAllConnections();
});

describe("a front", () => {
  let world: Awaited<ReturnType<typeof openFront>>;
  beforeAll(async () => {
    world = await openFront("/catalog");
    world.front.open(behindUrl);
  });
  afterAll(() => world.front.close(0));

  it.each([
    ["a page", "/catalog/works/OL1W?a=b", {}, "GET /works/OL1W?a=b 127.0.0.1 https 0"],
    ["a body", "/catalog/x", { method: "POST", body: "a".repeat(100_000) }, "POST /x 127.0.0.1 https 100000"],
    ["the folder alone", "/catalog", {}, "GET / 127.0.0.1 https 0"],
    [
      "a forwarded address",
      "/catalog/x",
      { headers: { "X-Forwarded-For": "192.0.2.1" } },
      "GET /x 192.0.2.1 https 0",
    ],
  ])("passes on %s", async (_what, path, init, expected) => {
    const response = await fetch(world.main + path, init);
    expect(await response.text()).toBe(expected);
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it.each([
    ["what is outside of the folder", "/works/OL1W", {}, 404, "This site begins at /catalog/."],
    ["what the runtime does not answer", "/catalog/broken", {}, 502, "does not answer"],
    [
      "what is refused early",
      "/catalog/too-large",
      { method: "POST", body: "a".repeat(5_000_000) },
      413,
      "too large",
    ],
  ])("fails %s", async (_what, path, init, status, text) => {
    const response = await fetch(world.main + path, init);
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)]);
  });

  it("counts what the runtime does not answer", () => {
    expect(unanswered).toBe(1);
  });

  it.each([
    ["/metrics", {}, 401],
    ["/metrics", { Authorization: "Bearer other" }, 401],
    ["/metrics", { Authorization: "Bearer operator" }, 200],
    ["/health", {}, 200],
    ["/ready", {}, 200],
  ])("answers %s with %o by %i", async (path, headers, status) => {
    const response = await fetch(world.main + path, { headers });
    expect(response.status).toBe(status);
  });

  it("serves measurements to this machine without a token", async () => {
    const response = await fetch(`${world.management}/metrics`);
    expect(await response.text()).toBe("carrel 1\n");
    expect((await fetch(`${world.management}/works/OL1W`)).status).toBe(404);
  });

  it("is not ready while the service fails, but alive", async () => {
    isReady = false;
    const readiness = async (): Promise<number> => (await fetch(`${world.main}/ready`)).status;
    await expect.poll(readiness, { timeout: 5000 }).toBe(503);
    expect((await fetch(`${world.main}/health`)).status).toBe(200);
    isReady = true;
  });
});

describe("the start and the end of a front", () => {
  it("answers 503 until the service is open", async () => {
    const { front, main } = await openFront();
    const states = await Promise.all(["/works/OL1W", "/ready", "/health"].map((path) => fetch(main + path)));
    expect(states.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(states[0]?.headers.get("Retry-After")).toBe("2");
    await front.close(0);
  });

  it("asks the runtime once for many health checks", async () => {
    const { front, main } = await openFront();
    front.open(behindUrl);
    healthChecks = 0;
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${main}/ready`)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(healthChecks).toBe(1);
    await front.close(0);
  });

  it("lets requests under way end, ends streams, and takes no new ones", async () => {
    const { front, main } = await openFront();
    front.open(behindUrl);
    const underWay = fetch(`${main}/held`);
    const stream = await fetch(`${main}/stream`);
    const ended = stream.text().catch(() => "ended");
    await expect.poll(() => held.length).toBe(1);
    const closed = front.close(10_000);
    expect(await ended).toBe("ended");
    await expect(fetch(`${main}/works/OL1W`)).rejects.toThrow();
    held.pop()?.end("whole");
    const response = await underWay;
    expect([await response.text(), response.headers.get("connection")]).toEqual(["whole", "close"]);
    await closed;
  });

  it("gives up requests that take too long", async () => {
    const { front, main } = await openFront();
    front.open(behindUrl);
    const underWay = fetch(`${main}/held`).then(
      () => "answered",
      () => "given up",
    );
    await expect.poll(() => held.length).toBe(1);
    await front.close(10);
    expect(await underWay).toBe("given up");
    held.pop()?.end();
  });

  it("names a port that is in use", async () => {
    const { front, main } = await openFront();
    const port = Number(new URL(main).port);
    await expect(createFront({ port }).listen()).rejects.toThrow(`Port ${port} is in use`);
    await front.close(0);
  });
});
