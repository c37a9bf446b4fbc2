import { latestRecord, parseDocument } from "../../catalog/document.ts";
import { keyOf } from "../../catalog/record.ts";
import type { RecordRow } from "../../db/records/read-record.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { recordNotFound } from "../errors.ts";
import { revisionOf } from "../records-by-key.ts";
import { NO_STORE, type Reply, json, redirect } from "../reply.ts";
import { requireAccess } from "../sessions/access.ts";
import { wantsHtml } from "../wants-html.ts";
import { recordPage } from "./addresses.ts";

/** What is to be edited. */
export interface EditTarget {
  readonly key: string;
  readonly type: string;
  /** The readable part of the address; undefined when it has none. */
  readonly slug: string | undefined;
  /** Revision to fill the form with. */
  readonly revision: string | undefined;
}

/**
 * `GET <record>/edit`: for programs the key and revision of the record, for people the page that `show` makes, once they
 * are logged in (records.md 12). Redirected records lead on, and so does another readable part than the record's own.
 */
export async function editAddress(
  context: RequestContext,
  target: EditTarget,
  show: () => Promise<Reply>,
): Promise<Reply> {
  const row = await revisionOf(catalogReader(context), target.key, target.revision);
  if (row === undefined) throw recordNotFound(target.key);
  if (row.type !== target.type) return elsewhere(row, context);
  if (!wantsHtml(context.request) && prefersJson(context)) return revisionReply(row);
  const address = recordPage(row.key, latestRecord(row), "/edit");
  // Q107: without any readable part the form is here too.
  if (target.slug !== undefined && address !== context.url.pathname) {
    return redirect(301, address + context.url.search);
  }
  if (!wantsHtml(context.request)) return revisionReply(row);
  await requireAccess("session", context);
  return show();
}

/** True when the client says that it wants JSON, and not just anything. */
function prefersJson({ request }: RequestContext): boolean {
  return /application\/json/i.test(request.headers.get("Accept") ?? "");
}

function revisionReply({ key, revision }: RecordRow): Reply {
  return json({ key, revision }, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
}

function elsewhere(row: RecordRow, { url }: RequestContext): Reply {
  const location = row.type === "/type/redirect" ? keyOf(parseDocument(row.document)["location"]) : undefined;
  if (location === undefined || !/^\/[^/\\]/.test(location)) throw recordNotFound(row.key);
  return redirect(301, `${location}/edit${url.search}`);
}
