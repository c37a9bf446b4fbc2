import { isolateCache } from "../../answers/isolate-cache.ts";
import { type RequestContext, type Sources, settingsOf, storesOf, systemSources } from "../../context.ts";
import { newTrace } from "../../metrics/trace.ts";
import { type Actor, readActor } from "../../sessions/actor.ts";
import { SESSION_COOKIE, cookieValue } from "../../sessions/cookie.ts";
import { type Session, readSession } from "../../sessions/session.ts";

/** Cookie in which services pass on who they work for: the value of the main site's session (records.md 8, Q173). */
export const TOKEN_COOKIE = "infobase_auth_token";
/** What a client that named no address is counted as. */
const NO_ADDRESS = "local";
const ADDRESS = /^[\da-f.:]{2,45}$/i;

/** With what a listener was started, and what tests decide. */
export interface Surroundings {
  readonly env: Env;
  readonly sources?: Sources;
  waitUntil(promise: Promise<unknown>): void;
}

/**
 * The context of a request of another service: it works for whom the token names, at the address in `X-REMOTE-IP`. It is
 * believed both, so nobody else must get here (records.md 8).
 */
export function callerContext(request: Request, surroundings: Surroundings): RequestContext {
  const { env, sources = systemSources } = surroundings;
  const own = withToken(request);
  const requestId = sources.newRequestId();
  let session: Promise<Session | undefined> | undefined;
  let actor: Promise<Actor> | undefined;
  const context: RequestContext = {
    sources,
    cache: isolateCache,
    routes: [],
    request: own,
    requestId,
    now: sources.now(),
    settings: settingsOf(env),
    stores: storesOf(env),
    url: new URL(request.url),
    client: addressOf(request.headers.get("X-REMOTE-IP")),
    bookmark: undefined,
    headers: { "X-Request-Id": requestId },
    cookies: [],
    trace: newTrace(),
    session: () => (session ??= readSession(context)),
    actor: () => (actor ??= readActor(context)),
    waitUntil: (promise) => surroundings.waitUntil(promise),
  };
  return context;
}

/** Headers of an answer: among them the token, when one was given or taken away. */
export function answerHeaders({ headers, cookies }: RequestContext): Readonly<Record<string, string>> {
  const start = `${SESSION_COOKIE}=`;
  const cookie = cookies.findLast((text) => text.startsWith(start));
  if (cookie === undefined) return headers;
  return { ...headers, "Set-Cookie": `${TOKEN_COOKIE}=${cookie.slice(start.length)}` };
}

/** The request with the token as its session. */
function withToken(request: Request): Request {
  const cookies = request.headers.get("Cookie");
  const token = cookieValue(cookies, TOKEN_COOKIE) ?? cookieValue(cookies, SESSION_COOKIE);
  const headers = new Headers(request.headers);
  headers.delete("Cookie");
  if (token !== undefined) headers.set("Cookie", `${SESSION_COOKIE}=${token}`);
  return new Request(request, { headers });
}

function addressOf(header: string | null): string {
  const address = header?.trim() ?? "";
  return ADDRESS.test(address) ? address : NO_ADDRESS;
}
