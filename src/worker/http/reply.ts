import { CarrelError } from "./errors.ts";
import type { Reader } from "./pages/reader.ts";

/** What an operation answers, before it becomes a Response. */
export interface Reply {
  readonly status: number;
  /** A stream is sent as it comes, and never kept; a page is written when it is known who reads it. */
  readonly body: string | ReadableStream | ((reader: Reader) => string) | null;
  readonly contentType?: string;
  /** Entity tag without quotes, made of revision numbers. */
  readonly etag?: string;
  /** Naive UTC time of the newest record in the answer. */
  readonly lastModified?: string;
  readonly cacheControl?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Keys of the records that the answer shows: a write to one of them makes the answer old. */
  readonly records?: readonly string[];
  /** The answer can become another one without a write to a record: no cache of the service keeps it. */
  readonly isVolatile?: boolean;
}

export const JSON_TYPE = "application/json";
export const SCRIPT_TYPE = "application/javascript";

/** Latest answers: kept by nobody without asking again. */
export const REVALIDATE = "public, max-age=0, must-revalidate";
/** Answers that can never change, such as an old revision. */
export const IMMUTABLE = "public, max-age=86400, immutable";
export const NO_STORE = "no-store";

/** What an answer may do that a browser shows as a document, unless it says more itself: load nothing, and be in no frame. */
export const BARE_CSP = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

type More = Omit<Partial<Reply>, "body">;

/** A JSON answer. */
export function json(value: unknown, more: More = {}): Reply {
  return jsonText(JSON.stringify(value), more);
}

/** A JSON answer whose text is made already. */
export function jsonText(body: string, more: More = {}): Reply {
  return { status: 200, contentType: JSON_TYPE, ...more, body };
}

/** A plain text answer. */
export function plain(body: string, more: More = {}): Reply {
  return { status: 200, contentType: "text/plain; charset=utf-8", ...more, body };
}

/** Longest address of a redirect, in characters: clients read headers of 16 KB, and there are others beside it. */
const LOCATION_LENGTH = 12_000;

/** A redirect. `location` is relative or absolute; one that is too long to be sent is a 414 (Q467). */
export function redirect(status: 301 | 302 | 303 | 307 | 308, location: string, more: More = {}): Reply {
  const target = headerText(location);
  if (target.length > LOCATION_LENGTH) {
    throw new CarrelError(414, "address_too_long", { message: "The address is too long." });
  }
  return { ...more, status, body: null, headers: { ...more.headers, Location: target } };
}

/** Text as a header can carry it: percent-encoded where it is not printable ASCII. */
export function headerText(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

/** JSON, or with a callback a script that hands it over (JSONP; the name was checked by its schema). */
export function jsonp(body: string, callback: string | undefined, more: More = {}): Reply {
  if (callback === undefined) return jsonText(body, more);
  return { status: 200, ...more, contentType: SCRIPT_TYPE, body: `${callback}(${body});` };
}

/** Answers about accounts: for the one who asked, and kept by nobody. */
export const PRIVATE = "private, no-store";

/** A JSON answer about an account. */
export function privateJson(value: unknown): Reply {
  return json(value, { cacheControl: PRIVATE });
}

/** Leads to another page after something was done. */
export function seeOther(location: string): Reply {
  return redirect(303, location, { cacheControl: PRIVATE });
}
