import type { Database } from "../../../db/statement.ts";
import { type Sources, storesOf, systemSources } from "../../http/bindings.ts";
import { bodyText } from "../../http/bytes.ts";
import { SESSION_COOKIE, cookieValue } from "../../http/cookie.ts";
import { badData } from "../../http/errors.ts";
import { isolateCache } from "../../http/isolate-cache.ts";
import { newTrace } from "../../http/metrics.ts";
import type { Actor, RequestContext, Session } from "../../http/operation.ts";
import { readActor, readSession } from "../../http/session.ts";
import { type Settings, settingsOf } from "../../http/settings.ts";

/** Largest form, in bytes: JSON is nearly doubled by what a form makes of it. */
const FORM_BYTES = 16 * 1024 * 1024;

/** What a call of the record store works with. */
export interface StoreCall {
  /** As on the main site: the session is that of the caller's token. */
  readonly context: RequestContext;
  /** The primary: services read what they have just written. */
  readonly database: Database;
  readonly patrons: D1Database;
  readonly settings: Settings;
  /** Parts of the path that the route names. */
  readonly parts: readonly string[];
  /** An argument of the query or the form; a missing one is a 400. */
  argument(name: string): string;
  optional(name: string): string | undefined;
  /** All arguments, by name; the last of each counts. */
  arguments(): Record<string, string>;
}

/** Makes a call out of a request; the body is read when it is a form. */
export async function storeCall(
  context: RequestContext,
  { path, takesForm }: { readonly path: RegExp; readonly takesForm: boolean },
): Promise<StoreCall> {
  const { stores, settings, url } = context;
  const form = new URLSearchParams(takesForm ? await bodyText(context.request, FORM_BYTES) : "");
  const given = new Map([...url.searchParams, ...form]);
  return {
    context,
    settings,
    database: stores.catalog,
    patrons: stores.patrons,
    parts: (path.exec(url.pathname) ?? []).slice(1),
    optional: (name) => given.get(name),
    argument(name) {
      const value = given.get(name);
      if (value === undefined) throw badData(`Missing argument: '${name}'`);
      return value;
    },
    arguments: () => Object.fromEntries(given),
  };
}

/** A key out of the path, which may be percent-encoded; 400 when that is broken. */
export function decodedKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) throw badData(`Bad key: '${text}'`);
    throw error;
  }
}

/** Cookie in which services pass on who they work for: the value of the main site's session (Q173). */
const TOKEN_COOKIE = "infobase_auth_token";
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
 * believed both, so nobody else must get here.
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
