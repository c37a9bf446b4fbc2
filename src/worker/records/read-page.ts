import { latestRecord, parseDocument } from "../../catalog/document.ts";
import { keyMatchesType } from "../../catalog/keys.ts";
import { textOf } from "../../catalog/record.ts";
import { percentEncodedSlug, recordSlug } from "../../catalog/slug.ts";
import { WHOLE_NUMBER, revisionOf, readRecord } from "../../db/records/records.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { wantsHtml } from "../http/accept.ts";
import { recordNotFound } from "../http/errors.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { type Reply, BARE_CSP, IMMUTABLE, REVALIDATE, redirect } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { addressOf, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { type FoundPage, type PageOfMembers, readPageOfMembers, revisionNumber } from "./page-members.ts";
import { type RecordPath, type SluggedPath, addressWithout, elsewhere, sluggedPath } from "./record-path.ts";
import { type RecordParameters, jsonReply } from "./record-answer.ts";
import { showRecord } from "./show-record.ts";
import { pageOfSite } from "./site-pages.ts";
import { moment, say } from "../ui/words.ts";

/** Old prefixes whose pages moved with 303, not 301 (Q11). */
const MOVED = /^\/(?:l|user)\//;

/**
 * Answers at the address for people: redirects to its readable form, then sends a page, or the record as JSON for
 * programs. Redirects for redirected records; deleted ones are not found.
 */
export async function readPage(
  path: RecordPath,
  parameters: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const prefix = context.settings.RECORD_PREFIX;
  const slugged = sluggedPath(path.key, prefix);
  const key = slugged?.key ?? path.key;
  const wish = { key, v: parameters.v, page: parameters.page };
  const found = wantsHtml(context.request) ? await readPageOfMembers(wish, context) : undefined;
  const latest = found === undefined ? await readRecord(catalogReader(context), key) : found.latest;
  const query = context.url.search;
  if (latest === undefined) {
    const ownPage = found === undefined ? undefined : await pageOfSite(key, context);
    return ownPage ?? moved(key, slugged, context);
  }
  // Q430: people can view earlier revisions of a record.
  if (found === undefined || revisionNumber(parameters.v) === undefined) {
    // Q6: for people, records that JSON shows as deleted are 404, and those that it shows as redirects are redirected.
    if (latest.type === "/type/redirect") return redirect(301, locationOf(latest) + query);
    if (latest.type === "/type/delete" && found === undefined) throw recordNotFound(latest.key);
    if (latest.type === "/type/delete") return deletedPage(latest);
  }
  // Q7: one address for people per record.
  const address = readableAddress(latest, slugged, prefix);
  if (address !== undefined && address !== context.url.pathname) return redirect(301, address + query);
  return found === undefined
    ? jsonAnswer(latest, parameters, context)
    : pageAnswer({ ...found, latest }, wish, context);
}

async function jsonAnswer(
  latest: RecordRow,
  parameters: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const { v } = parameters;
  const row = v === undefined ? latest : await revisionOf(catalogReader(context), latest.key, v);
  if (row === undefined) throw recordNotFound(latest.key);
  return isRawText(row) ? rawTextReply(row) : jsonReply(row, parameters);
}

function pageAnswer(
  found: FoundPage & { readonly latest: RecordRow },
  { v }: Pick<PageOfMembers, "v">,
  context: RequestContext,
): Promise<Reply> | Reply {
  // Q430: for people a revision is a number; anything else is removed from the address.
  if (v !== undefined && !WHOLE_NUMBER.test(v)) return redirect(303, addressWithout(context.url, "v"));
  const row = revisionNumber(v) === undefined ? found.latest : found.revision;
  if (row === undefined) return noRevision(found.latest, v);
  if (isRawText(row)) return rawTextReply(row);
  return showRecord(found, { row, address: context.url.pathname }, context);
}

async function moved(key: string, slugged: SluggedPath | undefined, context: RequestContext): Promise<Reply> {
  const target = await elsewhere(key, context);
  if (target === undefined) throw recordNotFound(key);
  return redirect(MOVED.test(key) ? 303 : 301, target + (slugged?.rest ?? "") + context.url.search);
}

/** Returns the address of a live record; undefined if every address that leads to it is acceptable. */
function readableAddress(
  row: RecordRow,
  slugged: SluggedPath | undefined,
  prefix: string,
): string | undefined {
  if (slugged === undefined) return undefined;
  const key = addressOf(row.key);
  // A record of another type than its key implies has no readable address.
  const slug = keyMatchesType(row.key, row.type, prefix) ? recordSlug(latestRecord(row)) : "";
  if (slug === undefined) return undefined;
  if (slug !== "") return `${key}/${percentEncodedSlug(slug)}${slugged.rest}`;
  return slugged.rest === "" ? key : `${key}/-${slugged.rest}`;
}

/** Returns the target of a redirect, always within this service. Throws 404 if there is none. */
function locationOf(row: RecordRow): string {
  const location = parseDocument(row.document)["location"];
  const isPath = typeof location === "string" && /^\/[^/\\]/.test(location);
  // Q437: no client is redirected in a circle.
  if (!isPath || location === row.key) throw recordNotFound(row.key);
  return location;
}

/** Writes the page of a deleted record (Q6). */
function deletedPage({ key, lastModified }: RecordRow): Reply {
  return page({
    title: say("record.deleted"),
    status: 404,
    body: markup`<p>${say("record.deleted_on", { key, time: moment(lastModified) })}</p>
<p>${link(`${addressOf(key)}?m=history`, say("record.who_deleted"))}</p>
<p>${link("/", say("error.start"))}</p>`,
  });
}

/** Writes the page for a number that no revision has. */
function noRevision({ key, latest }: RecordRow, v: string | undefined): Reply {
  const address = addressOf(key);
  return page({
    title: say("record.no_revision"),
    status: 404,
    body: markup`<p>${say("record.no_revision_of", { revision: v, latest })}</p>
<ul><li>${link(address, say("record.latest"))}</li>
<li>${link(`${address}?m=history`, say("record.history_link"))}</li></ul>`,
  });
}

const PLAIN = "text/plain";
/**
 * Types that a text may be sent as (Q431). Every account that may save a text chooses its type, and a text of HTML
 * would be a page of this site with scripts of its own.
 */
const TYPES = new Set([PLAIN, "text/css", "text/javascript", "application/javascript", "application/json"]);
/** Policy that forbids everything if a browser opens the text as a page. */
const SANDBOX = `${BARE_CSP}; sandbox`;

/** Returns true for texts that are sent unchanged. */
function isRawText({ key, type }: Pick<RecordRow, "key" | "type">): boolean {
  return type === "/type/rawtext" && /^\/(?:css|js)\/./.test(key);
}

/** Answers `/css/<name>` and `/js/<name>`: the text of the record with its stated type. */
function rawTextReply(row: RecordRow): Reply {
  const record = parseDocument(row.document);
  return {
    status: 200,
    body: textOf(record["body"]) ?? "",
    contentType: `${typeOf(textOf(record["content_type"]))}; charset=utf-8`,
    etag: `${row.revision}-text`,
    lastModified: row.lastModified,
    cacheControl: row.revision === row.latest ? REVALIDATE : IMMUTABLE,
    headers: { "Content-Security-Policy": SANDBOX, Vary: "Accept" },
    records: [row.key],
  };
}

function typeOf(stated: string | undefined): string {
  const [type = ""] = (stated ?? "").split(";");
  const known = type.trim().toLowerCase();
  return TYPES.has(known) ? known : PLAIN;
}
