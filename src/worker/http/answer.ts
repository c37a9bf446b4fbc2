import { MIB } from "../../catalog/units.ts";
import { ResponseTooLarge, toWellFormedJson, utf8Length } from "../../catalog/bytes.ts";
import { parseDatetime } from "../../catalog/datetime.ts";
import { bodyInRoom } from "./answer-room.ts";
import type { CachedAnswer } from "./isolate-cache.ts";
import type { RequestContext } from "./operation.ts";
import { type WrittenReply, writePage } from "./pages/write-page.ts";
import { type Reply, isJsonType } from "./reply.ts";

/** Largest answer that is not a stream, in bytes: documents of `READ_DOCUMENT_BYTES`, and the text around them. */
const ANSWER_BYTES = 10 * MIB;
const POLICY = "Content-Security-Policy";

export async function respond(reply: Reply, context: RequestContext): Promise<Response> {
  const written = await writeReply(reply, context);
  const { status, etag, body } = written;
  const headers = replyHeaders(written);
  if (status === 200 && isUnmodified(context.request, { etag, modified: modifiedTime(written) })) {
    return new Response(null, { status: 304, headers: notModifiedHeaders(headers, context.headers) });
  }
  const response = new Response(await bodyInRoom(body, context), {
    status,
    headers: mergeHeaders(headers, context.headers),
  });
  return withCookies(response, context);
}

/** Writes the text of an answer. Throws `ResponseTooLarge`. */
export async function writeReply(reply: Reply, context: RequestContext): Promise<WrittenReply> {
  const written = await writePage(reply, context);
  const { body, contentType } = written;
  // A UTF-16 unit takes three bytes at most, so few texts need to be measured.
  if (typeof body === "string" && body.length * 3 > ANSWER_BYTES && utf8Length(body) > ANSWER_BYTES) {
    throw new ResponseTooLarge();
  }
  return typeof body === "string" && isJsonType(contentType)
    ? { ...written, body: toWellFormedJson(body) }
    : written;
}

/** Returns the time of the newest record shown, in milliseconds since the epoch; NaN if unknown. */
export function modifiedTime({ lastModified }: Reply): number {
  return lastModified === undefined ? Number.NaN : parseDatetime(lastModified);
}

type HeaderTexts = Readonly<Record<string, string>>;

export function replyHeaders(reply: Reply): Record<string, string> {
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
    headers["Last-Modified"] = new Date(modifiedTime(reply)).toUTCString();
  }
  return headers;
}

/** Combines headers of an answer with those of the request, which override them except for the policy. */
export function mergeHeaders(own: HeaderTexts, common: HeaderTexts): Record<string, string> {
  return { ...own, ...common, ...pickHeaders(own, [POLICY]) };
}

/** Adds the cookies of an answer, of which clients with a token get none. */
export function withCookies(
  response: Response,
  { cookies, bearer }: Pick<RequestContext, "cookies" | "bearer">,
): Response {
  if (bearer !== undefined) return response;
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}

/** Returns true if the client has the answer (RFC 9110, 13.1). `modified`: milliseconds, NaN if unknown. */
export function isUnmodified(request: Request, { etag, modified }: Pick<CachedAnswer, "etag" | "modified">) {
  const known = request.headers.get("If-None-Match");
  if (known !== null) return etag !== undefined && matchesTag(known, etag);
  const since = request.headers.get("If-Modified-Since");
  if (since === null || Number.isNaN(modified)) return false;
  // HTTP dates have whole seconds.
  return Math.floor(modified / 1000) * 1000 <= Date.parse(since);
}

function matchesTag(header: string, etag: string): boolean {
  return header.split(",").some((tag) => {
    const text = tag.trim().replace(/^W\//, "");
    return text === "*" || text === `"${etag}"`;
  });
}

/** Headers of a 304 (RFC 9110, 15.4.5). Browsers apply its policy to the page that they have. */
const NOT_MODIFIED_HEADERS: readonly string[] = ["ETag", "Cache-Control", "Last-Modified", "Vary", POLICY];

export function notModifiedHeaders(own: HeaderTexts, common: HeaderTexts): Record<string, string> {
  return { ...common, ...pickHeaders(own, NOT_MODIFIED_HEADERS) };
}

function pickHeaders(headers: HeaderTexts, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
}
