import { datetimeMilliseconds } from "../../catalog/datetime.ts";
import type { RequestContext } from "../context.ts";
import { FLASH_COOKIE } from "../availability/flash.ts";
import type { Reply } from "../reply.ts";
import { getsNoScript } from "../sessions/no-script.ts";
import { cookieValue, SESSION_COOKIE } from "../sessions/cookie.ts";
import { wantsHtml } from "../wants-html.ts";
import type { KeptAnswer } from "./isolate-cache.ts";

const encoder = new TextEncoder();
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
  if (accept.length > ACCEPT_LENGTH || (wantsHtml(request) && hasOwnCookie(request))) return undefined;
  return `${request.url} ${accept}`;
}

/** True when the reader has a session, or waits to be told what became of what he did. */
function hasOwnCookie({ headers }: Request): boolean {
  const cookies = headers.get("Cookie");
  return [SESSION_COOKIE, FLASH_COOKIE].some((name) => (cookieValue(cookies, name) ?? "") !== "");
}

/** Turns a reply into the form in which it is kept and sent. */
export function keptAnswer(reply: Reply, expires: number): KeptAnswer {
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
export function replyHeaders(reply: Reply): Record<string, string> {
  const headers: Record<string, string> = { ...reply.headers };
  if (reply.contentType !== undefined) headers["Content-Type"] = reply.contentType;
  if (reply.cacheControl !== undefined) headers["Cache-Control"] = reply.cacheControl;
  if (reply.etag !== undefined) headers["ETag"] = `"${reply.etag}"`;
  if (reply.lastModified !== undefined) {
    headers["Last-Modified"] = new Date(datetimeMilliseconds(reply.lastModified)).toUTCString();
  }
  return headers;
}
