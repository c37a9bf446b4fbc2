import { beforeAll, describe, expect, it } from "vitest";
import { tokenOf } from "../../support/worker/agents.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { work } from "../../support/worker/records.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();
let reader: LoggedIn;

beforeAll(async () => {
  reader = await loggedIn(service, "reader");
  await service.load(work(1));
});

const HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const message = (method: string, params: object = {}, id = 1) => ({ jsonrpc: "2.0", id, method, params });
const calling = (name: string, input: object = {}) => message("tools/call", { name, arguments: input });

function send(
  body: unknown,
  headers: Record<string, string> = {},
  at: Pick<typeof service, "fetch"> = service,
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return at.fetch("/mcp", { method: "POST", body: text, headers: { ...HEADERS, ...headers } });
}

const METADATA = `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp"`;

describe("POST /mcp without the right token (Q844)", () => {
  it.each([
    ["my_shelves", {}, "read"],
    ["my_lists", {}, "read"],
    ["put_on_shelf", { work: "OL1W", shelf: "already-read" }, "shelves"],
    ["record_reading", { work: "OL1W", event: "finished", date: "2026" }, "shelves"],
    ["add_to_list", { list: "/people/reader/lists/OL1L", items: ["OL1W"] }, "lists"],
    ["propose_change", { key: "OL1W", revision: 1, changes: { title: "x" }, comment: "x" }, "read"],
  ])("answers %s with 401 and the place to sign in", async (tool, input, scope) => {
    const response = await send(calling(tool, input));
    expect([response.status, response.headers.get("WWW-Authenticate")]).toEqual([
      401,
      `Bearer scope="${scope}", ${METADATA}`,
    ]);
  });

  it("says that a token is not valid", async () => {
    const response = await send(calling("my_lists"), { Authorization: "Bearer unknown" });
    expect([response.status, response.headers.get("WWW-Authenticate")]).toEqual([
      401,
      `Bearer error="invalid_token", scope="read", ${METADATA}`,
    ]);
  });

  it("names the scope that a token lacks", async () => {
    const token = await tokenOf(reader, ["read"]);
    const headers = { Authorization: `Bearer ${token}` };
    const response = await send(calling("put_on_shelf", { work: "OL1W", shelf: "already-read" }), headers);
    expect([response.status, response.headers.get("WWW-Authenticate")]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="shelves", ${METADATA}`,
    ]);
    expect((await send(calling("my_lists"), headers)).status).toBe(200);
  });

  it("does not count the cookie of a session", async () => {
    const response = await send(calling("my_lists"), reader.headers);
    expect([response.status, response.headers.get("Set-Cookie")]).toEqual([401, null]);
    const input = { work: "OL1W", shelf: "already-read" };
    expect((await send(calling("put_on_shelf", input), reader.headers)).status).toBe(401);
  });
});

describe("POST /mcp", () => {
  it.each<[string, unknown, Record<string, string>, number, unknown]>([
    ["a ping as JSON", message("ping"), {}, 200, { jsonrpc: "2.0", id: 1, result: {} }],
    [
      "a notification without a body",
      { jsonrpc: "2.0", method: "notifications/initialized" },
      {},
      202,
      undefined,
    ],
    ["what is no JSON", "{", {}, 400, { error: { code: -32700 } }],
    ["a message of no kind", { a: 1 }, {}, 400, { error: {} }],
    ["an unknown method", message("tools/burn"), {}, 200, { error: { code: -32601 } }],
    ["an unknown tool", calling("burn"), {}, 200, { error: { code: -32602 } }],
    ["an older batch", [message("ping"), message("ping", {}, 2)], {}, 200, [{ id: 1 }, { id: 2 }]],
    [
      "eleven messages",
      Array.from({ length: 11 }, (_, id) => message("ping", {}, id)),
      {},
      400,
      { error: { code: -32600 } },
    ],
    ["a body of another type", message("ping"), { "Content-Type": "text/plain" }, 415, { error: {} }],
    ["a client that takes no JSON", message("ping"), { Accept: "text/html" }, 406, {}],
    [
      "a version that does not exist",
      message("ping"),
      { "MCP-Protocol-Version": "1999-01-01" },
      400,
      { error: {} },
    ],
    ["a body over its limit", " ".repeat(262_145), {}, 413, { error: "too_large" }],
    [
      "arguments of too many values",
      calling("lookup_books", { ids: Array(6000).fill("x") }),
      {},
      200,
      { result: { isError: true } },
    ],
  ])("answers %s", async (_what, body, headers, status, answer) => {
    const response = await send(body, headers);
    const text = await response.text();
    expect([response.status, response.headers.get("Mcp-Session-Id")]).toEqual([status, null]);
    if (answer === undefined) expect(text).toBe("");
    else expect(JSON.parse(text)).toMatchObject(answer as object);
  });

  it("holds no subscription open", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { _meta: meta, notifications: { toolsListChanged: true } };
    const headers = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen" };
    const response = await send(message("subscriptions/listen", params), headers);
    expect(await response.json()).toMatchObject({ error: { code: -32603 } });
  });

  it("counts calls of routes as requests", async () => {
    const few = testService({ RATE_LIMIT_PER_MINUTE: "2" });
    const answers = [
      await send(calling("get_record", { key: "OL1W" }), {}, few),
      await send(message("ping"), {}, few),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
  });
});

describe("hosts and origins of /mcp (Q843)", () => {
  const at = (host: string, headers: Record<string, string>, settings: Partial<Cloudflare.Env>) => {
    const named = testService(settings);
    const fetch = (path: string, init?: RequestInit) => named.fetch(host + path, init);
    return send(message("ping"), headers, { fetch });
  };
  it.each<[string, string, Record<string, string>, Partial<Cloudflare.Env>, number]>([
    ["its own machine", "http://localhost:8080", {}, {}, 200],
    ["another page of its machine", "http://localhost:8080", { Origin: "http://localhost:6274" }, {}, 200],
    ["another name for its machine", "http://evil.example", {}, {}, 403],
    ["a page of another site", "http://localhost:8080", { Origin: "http://evil.example" }, {}, 403],
    ["a page without an origin", "http://localhost:8080", { Origin: "null" }, {}, 403],
    ["its own name", "https://books.example", {}, { BASE_URL: "https://books.example" }, 200],
    [
      "any page, once it is deployed",
      "https://books.example",
      { Origin: "https://agent.example" },
      { ENVIRONMENT: "production" },
      200,
    ],
  ])("a request of %s", async (_what, host, headers, settings, status) => {
    expect((await at(host, headers, settings)).status).toBe(status);
  });
});

describe("other methods of /mcp", () => {
  it.each(["GET", "DELETE", "HEAD"])("%s is 405", async (method) => {
    const response = await service.fetch("/mcp", { method, headers: { Accept: "text/event-stream" } });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toContain("POST");
  });
});
