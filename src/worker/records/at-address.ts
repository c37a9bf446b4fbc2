import { latestRecordOf, parseDocument } from "../../catalog/document.ts";
import { keyMatchesType, recordKeyOfOlid, rewriteLegacyKey } from "../../catalog/keys.ts";
import { textOf } from "../../catalog/record.ts";
import { encodeSlug, recordSlugOf } from "../../catalog/slug.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { readRecord, revisionOf } from "../../db/records/records.ts";
import { findUserKey } from "../../db/records/users.ts";
import { recordNotFound } from "../http/errors.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { type RecordPath, type SluggedPath, sluggedPath } from "../http/paths.ts";
import { type Redirect, type Reply, BARE_CSP, IMMUTABLE, REVALIDATE, redirect } from "../http/reply.ts";
import { addressOf } from "../ui/markup.ts";
import { type RecordParameters, jsonReply } from "./record-answer.ts";

/** Answers programs at the address for people: with the record as JSON, or a redirect to its readable address. */
export async function readAtAddress(
  path: RecordPath,
  parameters: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const { v } = parameters;
  const slugged = sluggedPath(path.key, context.settings.RECORD_PREFIX);
  const key = slugged?.key ?? path.key;
  const latest = await readRecord(catalogReader(context), key);
  if (latest === undefined) return redirectToMoved({ key, slugged }, context);
  if (latest.type === "/type/redirect") return redirect(301, locationOf(latest) + context.url.search);
  // Q6: records that JSON shows as deleted are not found here.
  if (latest.type === "/type/delete") throw recordNotFound(latest.key);
  const elsewhere = redirectToReadable(latest, slugged, context);
  if (elsewhere !== undefined) return elsewhere;
  const row = v === undefined ? latest : await revisionOf(catalogReader(context), latest.key, v);
  if (row === undefined) throw recordNotFound(key);
  return isRawText(row) ? rawTextReply(row) : jsonReply(row, parameters);
}

/** Old prefixes whose pages moved with 303, not 301 (Q11). */
const OLD_PREFIXES = /^\/(?:l|user)\//;

/** Redirects from a key that has moved. Throws 404 if it has not. */
export async function redirectToMoved(
  { key, slugged }: { key: string; slugged: SluggedPath | undefined },
  context: RequestContext,
): Promise<Redirect> {
  const target = await findMovedKey(key, context);
  if (target === undefined) throw recordNotFound(key);
  return redirect(OLD_PREFIXES.test(key) ? 303 : 301, target + (slugged?.rest ?? "") + context.url.search);
}

/** Returns the redirect to the only address of a live record (Q7); undefined at that address, and for records with many. */
export function redirectToReadable(
  row: RecordRow,
  slugged: SluggedPath | undefined,
  { url, settings }: RequestContext,
): Redirect | undefined {
  if (slugged === undefined) return undefined;
  // A record of another type than its key implies has no readable part.
  const isNamed = keyMatchesType(row.key, row.type, settings.RECORD_PREFIX);
  const slug = isNamed ? recordSlugOf(latestRecordOf(row)) : "";
  if (slug === undefined) return undefined;
  const { rest } = slugged;
  const readable = slug === "" && rest !== "" ? "-" : encodeSlug(slug);
  const address = addressOf(row.key) + (readable === "" ? "" : `/${readable}`) + rest;
  return address === url.pathname ? undefined : redirect(301, address + url.search);
}

/** Returns the target of a redirect, always within this service. Throws 404 if there is none. */
export function locationOf(row: RecordRow): string {
  const location = parseDocument(row.document)["location"];
  const isPath = typeof location === "string" && /^\/[^/\\]/.test(location);
  // Q437: no client is redirected in a circle.
  if (!isPath || location === row.key) throw recordNotFound(row.key);
  return location;
}

const PLAIN = "text/plain";
/**
 * Types that a text may be sent as (Q431). Every account that may save a text chooses its type, and a text of HTML
 * would be a page of this site with scripts of its own.
 */
const TEXT_TYPES = new Set([
  PLAIN,
  "text/css",
  "text/javascript",
  "application/javascript",
  "application/json",
]);
const SANDBOX = `${BARE_CSP}; sandbox`;

export function isRawText({ key, type }: Pick<RecordRow, "key" | "type">): boolean {
  return type === "/type/rawtext" && /^\/(?:css|js)\/./.test(key);
}

/** Answers `/css/<name>` and `/js/<name>`: the text of the record with its stated type, or as plain text. */
export function rawTextReply(row: RecordRow): Reply {
  const record = parseDocument(row.document);
  const [stated = ""] = (textOf(record["content_type"]) ?? "").split(";");
  const type = stated.trim().toLowerCase();
  return {
    status: 200,
    body: textOf(record["body"]) ?? "",
    contentType: `${TEXT_TYPES.has(type) ? type : PLAIN}; charset=utf-8`,
    etag: `${row.revision}-text`,
    lastModified: row.lastModified,
    cacheControl: row.revision === row.latest ? REVALIDATE : IMMUTABLE,
    headers: { "Content-Security-Policy": SANDBOX, Vary: "Accept" },
    records: [row.key],
  };
}

/**
 * Returns the key of an existing record that a path names by an old prefix (`/a/OL1A`), under the wrong word
 * (`/works/OL1M`), or with another spelling of a username (Q144); undefined if there is no such record either.
 */
export async function findMovedKey(key: string, context: RequestContext): Promise<string | undefined> {
  const prefix = context.settings.RECORD_PREFIX;
  const [, username, below = ""] = /^\/people\/([^/]+)(\/.*)?$/.exec(key) ?? [];
  if (username !== undefined) {
    const user = await findUserKey(catalogReader(context), username);
    if (user !== undefined && user + below !== key) return user + below;
    if (below === "") return undefined;
  }
  // Q12: the number decides, not the folder.
  const other = recordKeyOfOlid(key.slice(key.lastIndexOf("/") + 1), prefix) ?? rewriteLegacyKey(key);
  if (other === key) return undefined;
  const row = await readRecord(catalogReader(context), other);
  return row?.key;
}
