import type { RequestContext } from "../context.ts";
import type { Reply } from "../reply.ts";
import { isUnmodified } from "./conditional.ts";
import type { KeptAnswer } from "./isolate-cache.ts";
import { replyHeaders } from "./kept-answer.ts";
import { datetimeMilliseconds } from "../../catalog/datetime.ts";

/** Headers of a 304 (RFC 9110, 15.4.5). */
const NOT_MODIFIED_HEADERS = ["ETag", "Cache-Control", "Last-Modified", "Vary"];

/** Sends an answer out of a cache. */
export function respondKept(answer: KeptAnswer, { request, headers }: RequestContext): Response {
  if (isUnmodified(request, answer)) return notModified(answer.headers, headers);
  const { status, body } = answer;
  return new Response(request.method === "HEAD" || body.byteLength === 0 ? null : body, {
    status,
    headers: { ...answer.headers, ...headers },
  });
}

/** Sends a fresh answer. */
export function respond(
  reply: Reply,
  { request, headers, cookies }: Pick<RequestContext, "request" | "headers" | "cookies">,
): Response {
  const own = replyHeaders(reply);
  const modified = reply.lastModified === undefined ? Number.NaN : datetimeMilliseconds(reply.lastModified);
  if (reply.status === 200 && isUnmodified(request, { etag: reply.etag, modified })) {
    return notModified(own, headers);
  }
  return withCookies(
    new Response(reply.body, { status: reply.status, headers: { ...own, ...headers } }),
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
