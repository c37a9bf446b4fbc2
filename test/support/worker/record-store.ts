import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { systemSources } from "../../../src/worker/http/bindings.ts";
import { createRecordStore } from "../../../src/worker/listeners/record-store.ts";
import type { LoggedIn } from "./logged-in.ts";
import type { TestService } from "./service.ts";

/** The record store of a service under test, with its clock. */
export interface TestStore {
  /** Calls `/<site><path>`, or what is not below a site when the path says so by `//`. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Calls it and returns status and parsed body. */
  answer(path: string, init?: RequestInit): Promise<{ status: number; body: unknown }>;
}

export function testStore(service: TestService): TestStore {
  const site = createRecordStore("OL", { ...systemSources, now: () => service.now });
  const call = async (path: string, init?: RequestInit): Promise<Response> => {
    const context = createExecutionContext();
    const request = new Request(`http://store.test/openlibrary.org${path}`, init);
    const response = await site.fetch(request, env, context);
    await waitOnExecutionContext(context);
    return response;
  };
  return {
    call,
    answer: async (path, init) => {
      const response = await call(path, init);
      const text = await response.text();
      return { status: response.status, body: text === "" ? "" : JSON.parse(text) };
    },
  };
}

/** Headers with which a service works for a patron. */
export function onBehalfOf(patron: LoggedIn, address = "203.0.113.9"): Record<string, string> {
  const token = patron.headers.Cookie.slice("session=".length);
  return { Cookie: `infobase_auth_token=${token}`, "X-REMOTE-IP": address };
}

/** A form; values that are no texts are sent as JSON. */
export function form(fields: Record<string, unknown>, headers: Record<string, string> = {}): RequestInit {
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return {
    method: "POST",
    body: new URLSearchParams(texts).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
  };
}

/** A JSON body. */
export function raw(
  method: "POST" | "PUT",
  value: unknown,
  headers: Record<string, string> = {},
): RequestInit {
  return { method, body: typeof value === "string" ? value : JSON.stringify(value), headers };
}
