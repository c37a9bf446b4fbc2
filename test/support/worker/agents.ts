import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Site } from "../../../src/worker/http/site.ts";
import type { LoggedIn } from "./logged-in.ts";
import { ORIGIN, type TestService } from "./service.ts";

/** Tokens of patrons. One that may only read is refused by routes that write. */
const tokens = new Map<string, { cookie: string; mayWrite: boolean }>();

/** Makes a token of a patron for services with `takeTokens`. */
export function tokenOf(
  { username, headers }: LoggedIn,
  { mayWrite = true }: { mayWrite?: boolean } = {},
): string {
  const token = `${username}-${mayWrite ? "writes" : "reads"}`;
  tokens.set(token, { cookie: headers.Cookie, mayWrite });
  return token;
}

/** Lets a bearer token count as the session of its patron, also in calls of the site's own routes. */
export function takeTokens(site: Site): void {
  const { fetch } = site;
  site.fetch = (request, env, execution) => {
    const token = tokens.get(/^Bearer (.*)$/.exec(request.headers.get("Authorization") ?? "")?.[1] ?? "");
    if (token === undefined) return fetch(request, env, execution);
    const isOwn = new URL(request.url).pathname === "/mcp";
    if (!token.mayWrite && request.method !== "GET" && !isOwn) {
      const headers = { "WWW-Authenticate": 'Bearer error="insufficient_scope", scope="shelves"' };
      return Response.json({ detail: "The token lacks the scope shelves" }, { status: 403, headers });
    }
    const headers = new Headers(request.headers);
    headers.set("Cookie", token.cookie);
    return fetch(new Request(request, { headers }), env, execution);
  };
}

/** Revisions of the protocol: with a handshake, and without one. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;

export interface Agent {
  readonly client: Client;
  call(tool: string, input?: Record<string, unknown>): Promise<CallToolResult>;
  /** Calls a tool that must succeed and returns its content, after a check that its text is the same. */
  read(tool: string, input?: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/** Connects the client of the official SDK to a service under test. */
export async function connectAgent(
  service: TestService,
  { era = "2026-07-28", token }: { era?: (typeof ERAS)[number]; token?: string } = {},
): Promise<Agent> {
  const mode = era === "2026-07-28" ? "auto" : "legacy";
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const headers = new Headers(token === undefined ? [] : [["Authorization", `Bearer ${token}`]]);
  const transport = new StreamableHTTPClientTransport(new URL(`${ORIGIN}/mcp`), {
    requestInit: { headers },
    fetch: (url, init) => service.fetch(new URL(url).pathname, init),
  });
  await client.connect(transport);
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<CallToolResult> =>
    (await client.callTool({ name, arguments: input })) as CallToolResult;
  return {
    client,
    call,
    async read(tool, input) {
      const result = await call(tool, input);
      const text = textOf(result);
      if (result.isError === true) throw new Error(text);
      if (JSON.stringify(result.structuredContent) !== text) throw new Error("text and content differ");
      return JSON.parse(text) as Record<string, unknown>;
    },
  };
}

export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
