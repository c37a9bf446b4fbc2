import { datetimeMilliseconds } from "../../catalog/datetime.ts";
import { AnswerTooLarge, utf8Length } from "../../catalog/bytes.ts";
import { wantsHtml } from "./accept.ts";
import { isUnmodified } from "./conditional.ts";
import { SESSION_COOKIE, cookieValue, getsNoScript } from "./cookie.ts";
import { fromEdge, toEdge } from "./edge-cache.ts";
import { FLASH_COOKIE } from "./pages/flash.ts";
import type { KeptAnswer } from "./isolate-cache.ts";
import { pageLanguage } from "./pages/language.ts";
import type { Keep, RequestContext } from "./operation.ts";
import type { Reply } from "./reply.ts";
import { type Written, written } from "./pages/written.ts";

const encoder = new TextEncoder();
/**
 * Largest answer that is not a stream, in bytes: documents of `READ_DOCUMENT_BYTES`, of which the last may only begin
 * within that limit, and the text around them.
 */
const ANSWER_BYTES = 10 * 1024 * 1024;
const POLICY = "Content-Security-Policy";
/** Longest `Accept` header in a cache key, in characters; answers to requests with a longer one are not cached. */
const ACCEPT_LENGTH = 200;

/**
 * Returns the cache key of a request's answer; undefined if the answer must not come from a cache: methods other than
 * GET and HEAD, clients that have just written and must see their write, and pages that show a reader's own data.
 */
export function answerName({ request, bookmark }: RequestContext): string | undefined {
  if (bookmark !== undefined || (request.method !== "GET" && request.method !== "HEAD")) return undefined;
  if (getsNoScript(request)) return undefined;
  const accept = request.headers.get("Accept");
  if (accept === null || accept === "*/*") return request.url;
  if (accept.length > ACCEPT_LENGTH) return undefined;
  // A URL has no blank. The word before the header keeps the two forms apart for any header.
  if (!wantsHtml(request)) return `${request.url} data ${accept}`;
  return hasOwnCookie(request) ? undefined : `${request.url} page ${pageLanguage(request)} ${accept}`;
}

/** Returns true if the reader has a session, or a pending message about a previous action. */
function hasOwnCookie({ headers }: Request): boolean {
  const cookies = headers.get("Cookie");
  return [SESSION_COOKIE, FLASH_COOKIE].some((name) => (cookieValue(cookies, name) ?? "") !== "");
}

/** Converts a reply into a cache entry. */
function keptAnswer(reply: Written, expires: number): KeptAnswer {
  const { body } = reply;
  if (body instanceof ReadableStream) throw new Error("a stream cannot be kept");
  return {
    status: reply.status,
    body: body === null ? new Uint8Array() : encoder.encode(body),
    headers: replyHeaders(reply),
    etag: reply.etag,
    modified: reply.lastModified === undefined ? Number.NaN : datetimeMilliseconds(reply.lastModified),
    expires,
    records: reply.records ?? [],
  };
}

/** Returns the headers that belong to the answer itself. */
function replyHeaders(reply: Reply): Record<string, string> {
  const isPage = reply.contentType?.startsWith("text/html") === true;
  // Set here so that no page can omit it.
  const headers: Record<string, string> = {
    ...(isPage && { "Referrer-Policy": "same-origin" }),
    ...reply.headers,
  };
  if (reply.contentType !== undefined) headers["Content-Type"] = reply.contentType;
  if (reply.cacheControl !== undefined) headers["Cache-Control"] = reply.cacheControl;
  if (reply.etag !== undefined) headers["ETag"] = `"${reply.etag}"`;
  if (reply.lastModified !== undefined) {
    headers["Last-Modified"] = new Date(datetimeMilliseconds(reply.lastModified)).toUTCString();
  }
  return headers;
}

/**
 * Headers of a 304 (RFC 9110, 15.4.5), and the policy of a page: browsers apply the policy of the 304 to the page that
 * they have.
 */
const NOT_MODIFIED_HEADERS = ["ETag", "Cache-Control", "Last-Modified", "Vary", POLICY];

/** Sends a cached answer. */
export function respondKept(answer: KeptAnswer, { request, headers }: RequestContext): Response {
  if (isUnmodified(request, answer)) return notModified(answer.headers, headers);
  const { status, body } = answer;
  return new Response(request.method === "HEAD" || body.byteLength === 0 ? null : body, {
    status,
    headers: sentHeaders(answer.headers, headers),
  });
}

/** Merges headers: those of the request override those of the answer, except for the content security policy. */
function sentHeaders(
  own: Readonly<Record<string, string>>,
  common: Readonly<Record<string, string>>,
): Record<string, string> {
  const policy = own[POLICY];
  return { ...own, ...common, ...(policy !== undefined && { [POLICY]: policy }) };
}

/** Writes the text of an answer. Throws `AnswerTooLarge`. */
async function writeReply(made: Reply, context: RequestContext): Promise<Written> {
  const reply = await written(made, context);
  const { body } = reply;
  // A UTF-16 unit takes three bytes at most, so few texts need to be measured.
  if (typeof body === "string" && body.length * 3 > ANSWER_BYTES && utf8Length(body) > ANSWER_BYTES) {
    throw new AnswerTooLarge();
  }
  return reply;
}

/** Sends a fresh answer. Throws `AnswerTooLarge`. */
export async function respond(made: Reply, context: RequestContext): Promise<Response> {
  const reply = await writeReply(made, context);
  const { request, headers, cookies } = context;
  const own = replyHeaders(reply);
  const modified = reply.lastModified === undefined ? Number.NaN : datetimeMilliseconds(reply.lastModified);
  if (reply.status === 200 && isUnmodified(request, { etag: reply.etag, modified })) {
    return notModified(own, headers);
  }
  return withCookies(
    new Response(reply.body, { status: reply.status, headers: sentHeaders(own, headers) }),
    cookies,
  );
}

/** Appends the cookies that the request sets to an answer. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}

function notModified(own: Readonly<Record<string, string>>, common: Record<string, string>): Response {
  const headers: Record<string, string> = { ...common };
  for (const name of NOT_MODIFIED_HEADERS) {
    const value = own[name];
    if (value !== undefined) headers[name] = value;
  }
  return new Response(null, { status: 304, headers });
}

/** Most records an answer in the edge cache may show: their keys are stored in a header. */
const EDGE_RECORDS = 100;

/**
 * Answers a request of a cacheable route: from the edge cache if it has a fresh entry, else by running the operation,
 * and caches the result. (The in-memory cache was read before routing.)
 */
export async function answerKept(
  keep: Keep,
  context: RequestContext,
  run: () => Promise<Reply> | Reply,
): Promise<Response> {
  const { cache, sources } = context;
  const name = answerName(context);
  if (name === undefined) return respond(await run(), context);
  const started = sources.now();
  const stored = await edgeAnswer(name, keep, context);
  if (stored !== undefined) {
    context.trace.source = "edge";
    cache.set(name, { ...stored, expires: Math.min(stored.expires, started + keep.isolate * 1000) });
    return respondKept(stored, context);
  }
  context.trace.source = "made";
  const reply = await writeReply(await run(), context);
  if (!mayBeKept(reply)) return respond(reply, context);
  const answer = keptAnswer(reply, started + keep.isolate * 1000);
  // A record may have been written in this isolate while the answer was produced.
  if (!cache.isOutdated(answer.records, started)) {
    cache.set(name, answer);
    keepAtEdge(name, answer, { keep, context, started });
  }
  return respondKept(answer, context);
}

/**
 * Returns true if the service may cache a reply: not if clients must not (`no-store`), nor if it is for one reader
 * alone (`private, no-store`).
 */
function mayBeKept({ status, cacheControl = "", isVolatile = false }: Reply): boolean {
  return status === 200 && !isVolatile && !cacheControl.includes("no-store");
}

/** Reads the edge cache; undefined if this isolate has since written one of the records in the answer. */
async function edgeAnswer(
  name: string,
  keep: Keep,
  { settings, sources, url, cache }: RequestContext,
): Promise<KeptAnswer | undefined> {
  if (!settings.EDGE_CACHE || keep.edge === 0) return undefined;
  const options = { origin: url.origin, now: sources.now(), seconds: keep.edge };
  const answer = await fromEdge(name, options);
  if (answer === undefined) return undefined;
  const read = answer.expires - keep.edge * 1000;
  return cache.isOutdated(answer.records, read) ? undefined : answer;
}

interface Making {
  readonly keep: Keep;
  readonly context: RequestContext;
  /** Start of the operation, in milliseconds since the epoch: the answer's age counts from then. */
  readonly started: number;
}

function keepAtEdge(name: string, answer: KeptAnswer, { keep, context, started }: Making): void {
  const { settings, url } = context;
  if (!settings.EDGE_CACHE || keep.edge === 0 || answer.records.length > EDGE_RECORDS) return;
  const options = { origin: url.origin, now: started, seconds: keep.edge };
  context.waitUntil(toEdge(name, answer, options));
}
