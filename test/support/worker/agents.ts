import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { env } from "cloudflare:workers";
import type { Scope } from "../../../src/catalog/scopes.ts";
import { sealBearer } from "../../../src/worker/http/bearer.ts";
import { systemSources } from "../../../src/worker/http/bindings.ts";
import type { LoggedIn } from "./logged-in.ts";
import { ORIGIN, type TestService } from "./service.ts";

/** Makes a personal token of a patron with some scopes. */
export async function tokenOf({ username }: LoggedIn, scopes: readonly Scope[]): Promise<string> {
  const { newSecret, now } = systemSources;
  const grant = newSecret().slice(0, 11);
  const source = { username, scopes, grant, secret: newSecret(), now: now() };
  const { text, id } = await sealBearer("pat", source, env.SESSION_SECRET);
  const expires = Date.parse("2200-01-01");
  await env.PATRON.getByName(username.toLowerCase()).tokens.add(
    { id: grant, client: null, name: "agent", place: "", scopes: scopes.join(" "), created: now(), expires },
    { id, kind: "use", expires },
    null,
  );
  return text;
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
