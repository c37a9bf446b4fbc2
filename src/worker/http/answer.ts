import { datetimeMilliseconds } from "../../catalog/datetime.ts";
import { AnswerTooLarge } from "../../catalog/byte-budget.ts";
import { utf8Length } from "../../catalog/utf8.ts";
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
 * Most bytes of an answer that is not a stream: documents of `READ_DOCUMENT_BYTES`, of which the last may only begin
 * within, and what surrounds them.
 */
const ANSWER_BYTES = 10 * 1024 * 1024;
const POLICY = "Content-Security-Policy";
/** Longest `Accept` header that answers are told apart by; requests with a longer one are not kept. */
const ACCEPT_LENGTH = 200;

/**
 * Name under which the answer to a request is kept; undefined when it must not come from a cache: other
 * methods than GET and HEAD, clients that have just written something and must see it, and pages for people who may
 * see on them what is their own.
 */
export function answerName({ request, bookmark }: RequestContext): string | undefined {
  if (bookmark !== undefined || (request.method !== "GET" && request.method !== "HEAD")) return undefined;
  if (getsNoScript(request)) return undefined;
  const accept = request.headers.get("Accept");
  if (accept === null || accept === "*/*") return request.url;
  if (accept.length > ACCEPT_LENGTH) return undefined;
  // An address has no blank. The word before the header keeps the two forms apart for any header.
  if (!wantsHtml(request)) return `${request.url} data ${accept}`;
  return hasOwnCookie(request) ? undefined : `${request.url} page ${pageLanguage(request)} ${accept}`;
}

/** True when the reader has a session, or waits to be told what became of what he did. */
function hasOwnCookie({ headers }: Request): boolean {
  const cookies = headers.get("Cookie");
  return [SESSION_COOKIE, FLASH_COOKIE].some((name) => (cookieValue(cookies, name) ?? "") !== "");
}

/** Turns a reply into the form in which it is kept and sent. */
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

/** Headers that belong to the answer itself. */
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

/** Headers of a 304 (RFC 9110, 15.4.5), and the policy of a page: browsers take the 304's for the one that they have. */
const NOT_MODIFIED_HEADERS = ["ETag", "Cache-Control", "Last-Modified", "Vary", POLICY];

/** Sends an answer out of a cache. */
export function respondKept(answer: KeptAnswer, { request, headers }: RequestContext): Response {
  if (isUnmodified(request, answer)) return notModified(answer.headers, headers);
  const { status, body } = answer;
  return new Response(request.method === "HEAD" || body.byteLength === 0 ? null : body, {
    status,
    headers: sentHeaders(answer.headers, headers),
  });
}

/** What the request decides comes before what the answer says, but for what a page may do. */
function sentHeaders(
  own: Readonly<Record<string, string>>,
  common: Readonly<Record<string, string>>,
): Record<string, string> {
  const policy = own[POLICY];
  return { ...own, ...common, ...(policy !== undefined && { [POLICY]: policy }) };
}

/** Writes an answer's text. Throws `AnswerTooLarge`. */
async function writeReply(made: Reply, context: RequestContext): Promise<Written> {
  const reply = await written(made, context);
  const { body } = reply;
  // A unit of UTF-16 has three bytes at most: few texts need to be measured.
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

/** Adds what the request sets in cookies to an answer. */
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

/** Most records an answer may show to be kept in the edge cache: their keys travel in a header. */
const EDGE_RECORDS = 100;

/**
 * Answers a request of a route whose answers may be kept: from the edge cache if it has a fresh one, else by
 * running the operation, and keeps what came out. (The isolate's own cache was asked before routing.)
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
  // A record may have been written here while the answer was on its way.
  if (!cache.isOutdated(answer.records, started)) {
    cache.set(name, answer);
    keepAtEdge(name, answer, { keep, context, started });
  }
  return respondKept(answer, context);
}

/** What clients may not keep, and what is for one reader alone (`private, no-store`), no cache of the service keeps. */
function mayBeKept({ status, cacheControl = "", isVolatile = false }: Reply): boolean {
  return status === 200 && !isVolatile && !cacheControl.includes("no-store");
}

/** The data centre's answer, unless a record in it has been written in this isolate since. */
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
  /** When the answer began to be made, in milliseconds since the epoch: its age counts from then. */
  readonly started: number;
}

function keepAtEdge(name: string, answer: KeptAnswer, { keep, context, started }: Making): void {
  const { settings, url } = context;
  if (!settings.EDGE_CACHE || keep.edge === 0 || answer.records.length > EDGE_RECORDS) return;
  const options = { origin: url.origin, now: started, seconds: keep.edge };
  context.waitUntil(toEdge(name, answer, options));
}
