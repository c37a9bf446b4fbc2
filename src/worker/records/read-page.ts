import { idOfKey } from "../../catalog/key-numbers.ts";
import { readRecordPage } from "../../db/records/members.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { WHOLE_NUMBER } from "../../db/records/records.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { LIST_PAGES_MAX, listPageNumber } from "../http/parameters.ts";
import { type RecordPath, sluggedPath } from "../http/paths.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { addressOf, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { moment, t } from "../ui/words.ts";
import { isRawText, locationOf, rawTextReply, redirectToMoved, redirectToReadable } from "./at-address.ts";
import { type RecordParameters, addressWithout } from "./record-answer.ts";
import { type PageRows, showRecord } from "./show-record.ts";

/** Shows the page of a record, or of a revision of it, at its readable address. */
export async function readPage(
  path: RecordPath,
  parameters: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const { v } = parameters;
  const slugged = sluggedPath(path.key, context.settings.RECORD_PREFIX);
  const key = slugged?.key ?? path.key;
  const rows = await readPageRows(key, parameters, context);
  const { latest } = rows;
  if (latest === undefined) {
    const { sitePage } = await import("./site-pages.ts");
    return (await sitePage(key, context)) ?? redirectToMoved({ key, slugged }, context);
  }
  const isLatest = revisionNumber(v) === undefined;
  // Q430: people can view earlier revisions of a record that was deleted or has moved.
  if (isLatest && latest.type === "/type/redirect")
    return redirect(301, locationOf(latest) + context.url.search);
  if (isLatest && latest.type === "/type/delete") return deletedPage(latest);
  const elsewhere = redirectToReadable(latest, slugged, context);
  if (elsewhere !== undefined) return elsewhere;
  // Q430: for people a revision is a number; anything else is removed from the address.
  if (v !== undefined && !WHOLE_NUMBER.test(v)) return redirect(303, addressWithout(context.url, "v"));
  const row = isLatest ? latest : rows.revision;
  if (row === undefined) return noRevision(latest, v);
  if (isRawText(row)) return rawTextReply(row);
  return showRecord(rows, { row, address: context.url.pathname }, context);
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
