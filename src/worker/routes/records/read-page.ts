import { latestRecord, parseDocument } from "../../../catalog/document.ts";
import { keyMatchesType } from "../../../catalog/keys.ts";
import { percentEncodedSlug, recordSlug } from "../../../catalog/slug.ts";
import { type RecordRow, readRecord } from "../../../db/records/read-record.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { recordNotFound } from "../../errors.ts";
import { type Reply, redirect } from "../../reply.ts";
import type { RecordPath } from "./encoding.ts";
import { elsewhere } from "./elsewhere.ts";
import { revisionOf } from "../../records-by-key.ts";
import { type RecordParameters, jsonReply } from "./read-record.ts";
import { type SluggedPath, sluggedPath } from "./slug-path.ts";

/** Old prefixes whose pages moved (303, not 301: records.md 2.6) (Q11). */
const MOVED = /^\/(?:l|user)\//;

/**
 * The address for people: readable, so it is first brought to its normal form; then the record as JSON, as
 * there is no page for it yet (records.md 2.1). Redirected records lead on, deleted ones are gone.
 */
export async function readPage(
  path: RecordPath,
  parameters: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const prefix = context.settings.RECORD_PREFIX;
  const slugged = sluggedPath(path.key, prefix);
  const key = slugged?.key ?? path.key;
  const latest = await readRecord(catalogReader(context), key);
  const query = context.url.search;
  if (latest === undefined) return moved(key, slugged, context);
  // Q6: what JSON shows as a record is gone, or leads on, for people.
  if (latest.type === "/type/delete") throw recordNotFound(key);
  if (latest.type === "/type/redirect") return redirect(301, locationOf(latest) + query);
  const address = addressOf(latest, slugged, prefix);
  // Q7: one address for people per record.
  if (address !== undefined && address !== context.url.pathname) return redirect(301, address + query);
  const row =
    parameters.v === undefined ? latest : await revisionOf(catalogReader(context), key, parameters.v);
  if (row === undefined) throw recordNotFound(key);
  return jsonReply(row, parameters);
}

async function moved(key: string, slugged: SluggedPath | undefined, context: RequestContext): Promise<Reply> {
  const target = await elsewhere(key, context);
  if (target === undefined) throw recordNotFound(key);
  return redirect(MOVED.test(key) ? 303 : 301, target + (slugged?.rest ?? "") + context.url.search);
}

/** The address of a live record; undefined when any that leads to it will do. */
function addressOf(row: RecordRow, slugged: SluggedPath | undefined, prefix: string): string | undefined {
  if (slugged === undefined) return undefined;
  const key = row.key.split("/").map(encodeURIComponent).join("/");
  // A record of another type than its key says has no readable address.
  const slug = keyMatchesType(row.key, row.type, prefix) ? recordSlug(latestRecord(row)) : "";
  if (slug === undefined) return undefined;
  if (slug !== "") return `${key}/${percentEncodedSlug(slug)}${slugged.rest}`;
  return slugged.rest === "" ? key : `${key}/-${slugged.rest}`;
}

/** Where a redirect leads; only ever within this service. */
function locationOf(row: RecordRow): string {
  const location = parseDocument(row.document)["location"];
  if (typeof location !== "string" || !/^\/[^/\\]/.test(location)) throw recordNotFound(row.key);
  return location;
}
