import type { Reader } from "./pages/reader.ts";
import { failure } from "./failure.ts";

export interface Reply {
  readonly status: number;
  /** A stream is sent as it arrives and never cached; a function writes a page once its reader is known. */
  readonly body: string | Uint8Array | ReadableStream | ((reader: Reader) => string) | null;
  readonly contentType?: string;
  /** Entity tag without quotes, built from revision numbers. */
  readonly etag?: string;
  /** Time of the newest record in the answer, naive UTC. */
  readonly lastModified?: string;
  readonly cacheControl?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Keys of the records in the answer: a write to one of them makes it outdated. */
  readonly records?: readonly string[];
  /** True if the answer can change without a write to a record: no cache of the service stores it. */
  readonly isVolatile?: boolean;
}

export const EVENTS_TYPE = "text/event-stream";
export const JSON_TYPE = "application/json";
export const SCRIPT_TYPE = "application/javascript";

export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && /json|javascript/.test(contentType);
}

/** `Cache-Control` of current answers: caches must revalidate them. */
export const REVALIDATE = "public, max-age=0, must-revalidate";
/** `Cache-Control` of answers that never change, such as an old revision. */
export const IMMUTABLE = "public, max-age=86400, immutable";
export const NO_STORE = "no-store";

/** Default policy of an answer that a browser shows as a document: it loads nothing, and appears in no frame. */
export const BARE_CSP = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

type ReplyOptions = Omit<Partial<Reply>, "body">;

export function json(value: unknown, options: ReplyOptions = {}): Reply {
  return jsonText(JSON.stringify(value), options);
}

export function jsonText(body: string, options: ReplyOptions = {}): Reply {
  return { status: 200, contentType: JSON_TYPE, ...options, body };
}

export function plain(body: string, options: ReplyOptions = {}): Reply {
  return { status: 200, contentType: "text/plain; charset=utf-8", ...options, body };
}

/** Longest URL of a redirect, in characters: clients read headers of 16 KB, and there are others beside it. */
const LOCATION_LENGTH = 12_000;

/** Answer that leads to another address. A class, so that an operation with views can return it in place of data. */
export class Redirect implements Reply {
  readonly body = null;
  readonly cacheControl?: string;

  constructor(
    readonly status: 301 | 302 | 303 | 307 | 308,
    readonly headers: Readonly<Record<string, string>>,
    cacheControl: string | undefined,
  ) {
    if (cacheControl !== undefined) this.cacheControl = cacheControl;
  }
}

/** Creates a redirect. `location` is relative or absolute. Throws 414 if it is too long to be sent (Q467). */
export function redirect(
  status: Redirect["status"],
  location: string,
  { headers, cacheControl }: Pick<ReplyOptions, "headers" | "cacheControl"> = {},
): Redirect {
  const target = headerText(location);
  if (target.length > LOCATION_LENGTH) {
    throw failure("bad_request.url_length", {}, { status: 414, code: "address_too_long" });
  }
  return new Redirect(status, { ...headers, Location: target }, cacheControl);
}

/** Percent-encodes characters that are not printable ASCII, as a header requires. */
export function headerText(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

/** Creates a JSON answer, or with a callback a script that calls it (JSONP; its schema has checked the name). */
export function jsonp(body: string, callback: string | undefined, options: ReplyOptions = {}): Reply {
  if (callback === undefined) return jsonText(body, options);
  return { status: 200, ...options, contentType: SCRIPT_TYPE, body: `${callback}(${body});` };
}

/** `Cache-Control` of answers about accounts: for one client alone, never cached. */
export const PRIVATE = "private, no-store";

export function privateJson(value: unknown): Reply {
  return json(value, { cacheControl: PRIVATE });
}

/** Adds `Accept` to the headers that an answer depends on. */
export function varyByAccept(reply: Reply): Reply {
  const { Vary: varied = "Accept" } = reply.headers ?? {};
  const Vary = varied.split(", ").includes("Accept") ? varied : `Accept, ${varied}`;
  return { ...reply, headers: { ...reply.headers, Vary } };
}

export function seeOther(location: string): Redirect {
  return redirect(303, location, { cacheControl: PRIVATE });
}
