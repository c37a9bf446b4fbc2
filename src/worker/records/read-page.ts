import { latestRecordOf, parseDocument } from "../../catalog/document.ts";
import { idOfKey } from "../../catalog/key-numbers.ts";
import { keyMatchesType, recordKeyOfOlid, rewriteLegacyKey } from "../../catalog/keys.ts";
import { textOf } from "../../catalog/record.ts";
import { encodeSlug, recordSlugOf } from "../../catalog/slug.ts";
import { WHOLE_NUMBER, revisionOf, readRecord } from "../../db/records/records.ts";
import { readRecordPage } from "../../db/records/members.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { wantsHtml } from "../http/accept.ts";
import { recordNotFound } from "../http/errors.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { LIST_PAGES_MAX, listPageNumber } from "../http/parameters.ts";
import { type Reply, BARE_CSP, IMMUTABLE, REVALIDATE, redirect } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { addressOf, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { type RecordPath, type SluggedPath, sluggedPath } from "../http/paths.ts";
import { type RecordParameters, addressWithout, jsonReply } from "./record-answer.ts";
import { type PageRows, showRecord } from "./show-record.ts";
import { moment, t } from "../ui/words.ts";
import { findUserKey } from "../../db/records/users.ts";

/** Old prefixes whose pages moved with 303, not 301 (Q11). */
const OLD_PREFIXES = /^\/(?:l|user)\//;

/**
 * Answers at the address for people: redirects to its readable form, then sends a page, or the record as JSON for
 * programs. Redirected records redirect; deleted ones are not found.
 */
export async function readPage(
  path: RecordPath,
  parameters: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const prefix = context.settings.RECORD_PREFIX;
  const slugged = sluggedPath(path.key, prefix);
  const key = slugged?.key ?? path.key;
  const rows = wantsHtml(context.request) ? await readPageRows(key, parameters, context) : undefined;
  const latest = rows === undefined ? await readRecord(catalogReader(context), key) : rows.latest;
  const query = context.url.search;
  if (latest === undefined) {
    const { sitePage } = await import("./site-pages.ts");
    const reply = rows === undefined ? undefined : await sitePage(key, context);
    if (reply !== undefined) return reply;
    const target = await findMovedKey(key, context);
    if (target === undefined) throw recordNotFound(key);
    return redirect(OLD_PREFIXES.test(key) ? 303 : 301, target + (slugged?.rest ?? "") + query);
  }
  // Q430: people can view earlier revisions of a record.
  if (rows === undefined || revisionNumber(parameters.v) === undefined) {
    // Q6: for people, records that JSON shows as deleted are 404, and those that it shows as redirects are redirected.
    if (latest.type === "/type/redirect") return redirect(301, locationOf(latest) + query);
    if (latest.type === "/type/delete" && rows === undefined) throw recordNotFound(latest.key);
    if (latest.type === "/type/delete") return deletedPage(latest);
  }
  // Q7: one address for people per record.
  const address = readableAddress(latest, slugged, prefix);
  if (address !== undefined && address !== context.url.pathname) return redirect(301, address + query);
  const { v } = parameters;
  if (rows === undefined) {
    const row = v === undefined ? latest : await revisionOf(catalogReader(context), latest.key, v);
    if (row === undefined) throw recordNotFound(latest.key);
    return isRawText(row) ? rawTextReply(row) : jsonReply(row, parameters);
  }
  // Q430: for people a revision is a number; anything else is removed from the address.
  if (v !== undefined && !WHOLE_NUMBER.test(v)) return redirect(303, addressWithout(context.url, "v"));
  const row = revisionNumber(v) === undefined ? latest : rows.revision;
  if (row === undefined) return noRevision(latest, v);
  if (isRawText(row)) return rawTextReply(row);
  return showRecord(rows, { row, address: context.url.pathname }, context);
}

/** Returns the only address of a live record; undefined if it may have any address. */
function readableAddress(
  row: RecordRow,
  slugged: SluggedPath | undefined,
  prefix: string,
): string | undefined {
  if (slugged === undefined) return undefined;
  const key = addressOf(row.key);
  // A record of another type than its key implies has no readable address.
  const slug = keyMatchesType(row.key, row.type, prefix) ? recordSlugOf(latestRecordOf(row)) : "";
  if (slug === undefined) return undefined;
  if (slug !== "") return `${key}/${encodeSlug(slug)}${slugged.rest}`;
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

function deletedPage({ key, lastModified }: RecordRow): Reply {
  return page({
    title: t("record.deleted"),
    status: 404,
    body: markup`<p>${t("record.deleted_on", { key, time: moment(lastModified) })}</p>
<p>${link(`${addressOf(key)}?m=history`, t("record.who_deleted"))}</p>
<p>${link("/", t("error.start"))}</p>`,
  });
}

function noRevision({ key, latest }: RecordRow, v: string | undefined): Reply {
  const address = addressOf(key);
  return page({
    title: t("record.no_revision"),
    status: 404,
    body: markup`<p>${t("record.no_revision_of", { revision: v, latest })}</p>
<ul><li>${link(address, t("record.latest"))}</li>
<li>${link(`${address}?m=history`, t("record.history_link"))}</li></ul>`,
  });
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

function isRawText({ key, type }: Pick<RecordRow, "key" | "type">): boolean {
  return type === "/type/rawtext" && /^\/(?:css|js)\/./.test(key);
}

/** Answers `/css/<name>` and `/js/<name>`: the text of the record with its stated type. */
function rawTextReply(row: RecordRow): Reply {
  const record = parseDocument(row.document);
  return {
    status: 200,
    body: textOf(record["body"]) ?? "",
    contentType: `${textType(textOf(record["content_type"]))}; charset=utf-8`,
    etag: `${row.revision}-text`,
    lastModified: row.lastModified,
    cacheControl: row.revision === row.latest ? REVALIDATE : IMMUTABLE,
    headers: { "Content-Security-Policy": SANDBOX, Vary: "Accept" },
    records: [row.key],
  };
}

function textType(contentType: string | undefined): string {
  const [type = ""] = (contentType ?? "").split(";");
  const name = type.trim().toLowerCase();
  return TEXT_TYPES.has(name) ? name : PLAIN;
}

/** Editions on a page of a work, and works on one of an author. */
const RECORD_PAGE_MEMBERS = 50;

/** Reads a record, a revision of it and a page of its members. One round trip. */
async function readPageRows(
  key: string,
  { v, page: pageText }: RecordParameters,
  context: RequestContext,
): Promise<PageRows> {
  const number = listPageNumber(pageText);
  const rows = await readRecordPage(catalogReader(context), {
    key,
    revision: revisionNumber(v),
    kind: membersOf(key, context.settings.RECORD_PREFIX),
    limit: RECORD_PAGE_MEMBERS,
    offset: (number - 1) * RECORD_PAGE_MEMBERS,
  });
  const window = RECORD_PAGE_MEMBERS * LIST_PAGES_MAX;
  return { ...rows, part: { number, size: RECORD_PAGE_MEMBERS, total: rows.size, window } };
}

/** Returns the number of a revision; undefined for the latest (Q20). */
function revisionNumber(v: string | undefined): number | undefined {
  return v !== undefined && WHOLE_NUMBER.test(v) && Number(v) !== 0 ? Number(v) : undefined;
}

function membersOf(key: string, prefix: string): "works" | "editions" | undefined {
  if (idOfKey(key, prefix) === undefined) return undefined;
  if (key.endsWith("W")) return "editions";
  return key.endsWith("A") ? "works" : undefined;
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
