import { FORMAT_NAMES } from "../../export/formats.ts";
import type { KeptAnswer } from "./isolate-cache.ts";
import { decoded } from "./paths.ts";
import { headerText } from "./reply.ts";

/**
 * Headers that the edge cache adds to its entries. Age is judged by our own clock, not by the cache's, so that it is
 * the same everywhere and tests can set it.
 */
const STORED = "X-Carrel-Stored";
const RECORDS = "X-Carrel-Records";
const CONTROL = "X-Carrel-Cache-Control";

function cacheRequest(origin: string, name: string): Request {
  return new Request(`${origin}/.answers/${encodeURIComponent(name)}`);
}

/** Returns an entry no older than `seconds`, with its remaining time as expiry; undefined if there is none. */
export async function fromEdge(
  name: string,
  { origin, now, seconds }: { origin: string; now: number; seconds: number },
): Promise<KeptAnswer | undefined> {
  const response = await caches.default.match(cacheRequest(origin, name));
  if (response === undefined) return undefined;
  const expires = Number(response.headers.get(STORED)) + seconds * 1000;
  if (!(expires > now)) return undefined;
  return {
    status: response.status,
    body: new Uint8Array(await response.arrayBuffer()),
    headers: ownHeaders(response.headers),
    etag: response.headers.get("ETag")?.slice(1, -1),
    modified: Date.parse(response.headers.get("Last-Modified") ?? ""),
    expires,
    records: (response.headers.get(RECORDS) ?? "")
      .split(" ")
      .filter((key) => key !== "")
      .map(decoded),
  };
}

/** Stores an answer in this data centre's cache. */
export async function toEdge(
  name: string,
  answer: KeptAnswer,
  { origin, now, seconds }: { origin: string; now: number; seconds: number },
): Promise<void> {
  const headers = new Headers(answer.headers);
  headers.set(STORED, String(now));
  headers.set(RECORDS, answer.records.map(headerText).join(" "));
  headers.set(CONTROL, answer.headers["Cache-Control"] ?? "");
  headers.set("Cache-Control", `public, max-age=${seconds}`);
  await caches.default.put(
    cacheRequest(origin, name),
    new Response(answer.body, { status: answer.status, headers }),
  );
}

/** Suffixes of a record's key under which answers are cached most often. */
const RECORD_ENDINGS = [".json", "", ".rdf", ".yml", ...FORMAT_NAMES.map((name) => `.${name}`)];

/** Deletes the answers of records from this data centre's cache, for the known addresses: those without `Accept`. */
export async function forgetAtEdge(keys: readonly string[], origin: string): Promise<void> {
  const names = keys.flatMap((key) => RECORD_ENDINGS.map((ending) => `${origin}${key}${ending}`));
  await Promise.all(names.map((name) => caches.default.delete(cacheRequest(origin, name))));
}

const KEPT = [
  "Content-Type",
  "ETag",
  "Last-Modified",
  "Vary",
  "Link",
  "Location",
  // Pages from the cache keep their protection.
  "Content-Security-Policy",
  "Referrer-Policy",
];

function ownHeaders(stored: Headers): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of KEPT) {
    const value = stored.get(name);
    if (value !== null) headers[name] = value;
  }
  const control = stored.get(CONTROL);
  if (control !== null && control !== "") headers["Cache-Control"] = control;
  return headers;
}
