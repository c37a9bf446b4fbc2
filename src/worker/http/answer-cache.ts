import { FORMAT_NAMES } from "../../export/formats.ts";
import { wantsHtml } from "./accept.ts";
import {
  mergeHeaders,
  isUnmodified,
  modifiedTime,
  notModifiedHeaders,
  replyHeaders,
  respond,
  writeReply,
} from "./answer.ts";
import { bodyInRoom } from "./answer-room.ts";
import { SESSION_COOKIE, cookieValue, denyJsonp } from "./cookie.ts";
import type { CachedAnswer } from "./isolate-cache.ts";
import { type CachePolicy, type RequestContext, isRead } from "./operation.ts";
import { FLASH_COOKIE } from "./pages/flash.ts";
import { preferredLanguage } from "./pages/reader.ts";
import type { WrittenReply } from "./pages/write-page.ts";
import { percentDecode } from "./paths.ts";
import { type Reply, headerText } from "./reply.ts";

const encoder = new TextEncoder();
/** Longest `Accept` header in a cache key, in characters; answers to requests with a longer one are not cached. */
const ACCEPT_LENGTH = 200;

/**
 * Returns the cache key of a request's answer; undefined if the answer must not come from a cache: methods other than
 * GET and HEAD, clients that have just written and must see their write, and pages that show a reader's own data.
 */
export function cacheKeyOf({ request, bookmark, bearer }: RequestContext): string | undefined {
  if (bookmark !== undefined || !isRead(request.method)) return undefined;
  if (denyJsonp(request)) return undefined;
  const accept = request.headers.get("Accept");
  if (accept === null || accept === "*/*") return request.url;
  if (accept.length > ACCEPT_LENGTH) return undefined;
  // A URL has no blank. The word before the header keeps the two forms apart for any header.
  if (!wantsHtml(request)) return `${request.url} data ${accept}`;
  return bearer !== undefined || hasReaderCookie(request)
    ? undefined
    : `${request.url} page ${preferredLanguage(request) ?? "any"} ${accept}`;
}

function hasReaderCookie({ headers }: Request): boolean {
  const cookies = headers.get("Cookie");
  return [SESSION_COOKIE, FLASH_COOKIE].some((name) => (cookieValue(cookies, name) ?? "") !== "");
}

/**
 * Headers of a response from a cached answer, without those that differ from request to request. `key`: the part that
 * comes from the request, as JSON.
 */
interface BuiltHeaders {
  readonly key: string;
  readonly headers: Headers;
}

const built = {
  200: new WeakMap<CachedAnswer, BuiltHeaders>(),
  304: new WeakMap<CachedAnswer, BuiltHeaders>(),
};

async function respondInRoom(answer: CachedAnswer, context: RequestContext): Promise<Response> {
  if (isUnmodified(context.request, answer)) return respondFromCache(answer, context, null);
  return respondFromCache(answer, context, await bodyInRoom(answer.body, context));
}

/**
 * Creates the response to a request from a cached answer. Its headers are built once and then copied: building them from
 * texts takes longer than all else here.
 */
export function respondFromCache(
  answer: CachedAnswer,
  { request, headers }: RequestContext,
  body: BodyInit | null = answer.body,
): Response {
  const isKnown = isUnmodified(request, answer);
  const status = isKnown ? 304 : answer.status;
  const { "X-Request-Id": id, RateLimit: rate, ...common } = headers;
  const key = JSON.stringify(common);
  const builtHeaders = isKnown ? built[304] : built[200];
  let own = builtHeaders.get(answer);
  if (own?.key !== key) {
    const texts = isKnown ? notModifiedHeaders(answer.headers, common) : mergeHeaders(answer.headers, common);
    own = { key, headers: new Headers(texts) };
    builtHeaders.set(answer, own);
  }
  const isEmpty = isKnown || request.method === "HEAD" || answer.body.byteLength === 0;
  const response = new Response(isEmpty ? null : body, { status, headers: own.headers });
  if (id !== undefined) response.headers.set("X-Request-Id", id);
  if (rate !== undefined) response.headers.set("RateLimit", rate);
  return response;
}

/** Most records an answer in the edge cache may show: their keys are stored in a header. */
const EDGE_RECORDS = 100;

/**
 * Answers a request of a cacheable route: from the in-memory cache if the answer is large (others were found before
 * routing) or the edge cache, else by running the operation, and caches the result.
 */
export async function respondCached(
  policy: CachePolicy,
  context: RequestContext,
  run: () => Promise<Reply> | Reply,
): Promise<Response> {
  const { cache, settings, sources, url } = context;
  const key = cacheKeyOf(context);
  if (key === undefined) return respond(await run(), context);
  const started = sources.now();
  const recent = cache.get(key, started);
  if (recent !== undefined) return respondInRoom(recent, context);
  const usesEdge = settings.EDGE_CACHE && policy.edge !== 0;
  const atEdge = { origin: url.origin, now: started, seconds: policy.edge };
  const stored = usesEdge ? await readEdge(key, atEdge) : undefined;
  // A record may have been written in this isolate since the entry was stored.
  if (stored !== undefined && !cache.isOutdated(stored.records, stored.expires - policy.edge * 1000)) {
    context.trace.source = "edge";
    cache.set(key, { ...stored, expires: Math.min(stored.expires, started + policy.isolate * 1000) });
    return respondInRoom(stored, context);
  }
  context.trace.source = "made";
  const reply = await writeReply(await run(), context);
  if (!isCacheable(reply)) return respond(reply, context);
  const answer = toCachedAnswer(reply, started + policy.isolate * 1000);
  // A record may have been written in this isolate while the answer was produced.
  if (!cache.isOutdated(answer.records, started)) {
    cache.set(key, answer);
    // The age of an entry counts from the start of the operation.
    if (usesEdge && answer.records.length <= EDGE_RECORDS) context.waitUntil(writeEdge(key, answer, atEdge));
  }
  return respondInRoom(answer, context);
}

/** Returns true if the service may cache a reply, which `no-store` forbids. */
function isCacheable({ status, cacheControl = "", isVolatile = false }: Reply): boolean {
  return status === 200 && !isVolatile && !cacheControl.includes("no-store");
}

function toCachedAnswer(reply: WrittenReply, expires: number): CachedAnswer {
  const { status, body, etag, records = [] } = reply;
  if (body instanceof ReadableStream) throw new Error("a stream cannot be kept");
  return {
    status,
    body: body === null ? new Uint8Array() : encoder.encode(body),
    headers: replyHeaders(reply),
    etag,
    modified: modifiedTime(reply),
    expires,
    records,
  };
}

/** Headers of edge cache entries. Their age follows our own clock, which tests can set. */
const STORED = "X-Carrel-Stored";
const RECORDS = "X-Carrel-Records";
const CONTROL = "X-Carrel-Cache-Control";
const CACHED_HEADERS = [
  "Content-Type",
  "ETag",
  "Last-Modified",
  "Vary",
  "Link",
  "Location",
  "X-Carrel-Expanded",
  // Pages from the cache keep their protection.
  "Content-Security-Policy",
  "Referrer-Policy",
];

interface EdgeOptions {
  origin: string;
  /** Current time for reads, start of the operation for writes, in milliseconds since the epoch. */
  now: number;
  seconds: number;
}

function cacheRequest(origin: string, key: string): Request {
  return new Request(`${origin}/.answers/${encodeURIComponent(key)}`);
}

/** Returns an entry no older than `seconds`, with its remaining time as expiry; undefined if there is none. */
async function readEdge(key: string, { origin, now, seconds }: EdgeOptions) {
  const response = await caches.default.match(cacheRequest(origin, key));
  if (response === undefined) return undefined;
  const expires = Number(response.headers.get(STORED)) + seconds * 1000;
  if (!(expires > now)) return undefined;
  return {
    status: response.status,
    body: new Uint8Array(await response.arrayBuffer()),
    headers: restoredHeaders(response.headers),
    etag: response.headers.get("ETag")?.slice(1, -1),
    modified: Date.parse(response.headers.get("Last-Modified") ?? ""),
    expires,
    records: (response.headers.get(RECORDS) ?? "").split(" ").filter(Boolean).map(percentDecode),
  };
}

async function writeEdge(
  key: string,
  { status, body, headers: answerHeaders, records }: CachedAnswer,
  { origin, now, seconds }: EdgeOptions,
): Promise<void> {
  const headers = new Headers(answerHeaders);
  headers.set(STORED, String(now));
  headers.set(RECORDS, records.map(headerText).join(" "));
  headers.set(CONTROL, answerHeaders["Cache-Control"] ?? "");
  headers.set("Cache-Control", `public, max-age=${seconds}`);
  await caches.default.put(cacheRequest(origin, key), new Response(body, { status, headers }));
}

function restoredHeaders(stored: Headers): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of CACHED_HEADERS) {
    const value = stored.get(name);
    if (value !== null) headers[name] = value;
  }
  const control = stored.get(CONTROL);
  if (control !== null && control !== "") headers["Cache-Control"] = control;
  return headers;
}

const RECORD_ENDINGS = [".json", "", ".rdf", ".yml", ...FORMAT_NAMES.map((name) => `.${name}`)];

/** Addresses that one request deletes from the edge cache: calls of an invocation are limited. */
const EDGE_DELETES_MAX = 500;

/**
 * Deletes the answers of records from this data centre's cache, for the known addresses: those without `Accept`. With
 * many records the rarer formats are left to expire.
 */
export async function deleteFromEdge(keys: readonly string[], origin: string): Promise<void> {
  const names = RECORD_ENDINGS.flatMap((ending) => keys.map((key) => `${origin}${key}${ending}`));
  const deleted = names.slice(0, EDGE_DELETES_MAX);
  await Promise.all(deleted.map((name) => caches.default.delete(cacheRequest(origin, name))));
}
