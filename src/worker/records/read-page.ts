import { idOfKey } from "../../catalog/key-numbers.ts";
import { readRecordPage } from "../../db/records/members.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { WHOLE_NUMBER } from "../../db/records/records.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { LIST_PAGES_MAX, listPageNumber } from "../http/parameters.ts";
import { type RecordPath, sluggedPath } from "../http/paths.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { engineOf } from "../search/engine.ts";
import { page } from "../ui/layout.ts";
import { addressOf, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { moment, t } from "../ui/words.ts";
import { isRawText, locationOf, rawTextReply, redirectToMoved, redirectToReadable } from "./at-address.ts";
import { type RecordParameters, addressWithout } from "./record-answer.ts";
import { showRecord } from "./show-record.ts";

/** Editions on a page of a work, and works on one of an author. */
const RECORD_PAGE_MEMBERS = 50;

/** Shows the page of a record, or of a revision of it, at its readable address, with a page of its members. */
export async function readPage(
  path: RecordPath,
  { v, page: pageText }: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const { RECORD_PREFIX: prefix } = context.settings;
  const slugged = sluggedPath(path.key, prefix);
  const key = slugged?.key ?? path.key;
  // Q20: 0 is the latest revision.
  const revision = v !== undefined && WHOLE_NUMBER.test(v) && Number(v) !== 0 ? Number(v) : undefined;
  const number = listPageNumber(pageText);
  const size = RECORD_PAGE_MEMBERS;
  // Begins beside the first round trip, so that a page of many subjects takes no third one.
  const engine = /^\/(?:works|books)\//.test(key) ? engineOf(context) : undefined;
  engine?.catch(() => undefined);
  const rows = await readRecordPage(catalogReader(context), {
    key,
    revision,
    kind: memberKindOf(key, prefix),
    limit: size,
    offset: (number - 1) * size,
  });
  const { latest, members } = rows;
  if (latest === undefined) {
    const { sitePage } = await import("./site-pages.ts");
    return (await sitePage(key, context)) ?? redirectToMoved({ key, slugged }, context);
  }
  // Q430: people can view earlier revisions of a record that was deleted or has moved.
  if (revision === undefined && latest.type === "/type/redirect")
    return redirect(301, locationOf(latest) + context.url.search);
  if (revision === undefined && latest.type === "/type/delete") return deletedPage(latest);
  const elsewhere = redirectToReadable(latest, slugged, context);
  if (elsewhere !== undefined) return elsewhere;
  // Q430: for people a revision is a number; anything else is removed from the address.
  if (v !== undefined && !WHOLE_NUMBER.test(v)) return redirect(303, addressWithout(context.url, "v"));
  const row = revision === undefined ? latest : rows.revision;
  if (row === undefined) return noRevisionPage(latest, v);
  if (isRawText(row)) return rawTextReply(row);
  const part = { number, size, total: rows.size, window: size * LIST_PAGES_MAX };
  return showRecord(row, { members, part, engine }, context);
}

function memberKindOf(key: string, prefix: string): "works" | "editions" | undefined {
  if (idOfKey(key, prefix) === undefined) return undefined;
  if (key.endsWith("W")) return "editions";
  return key.endsWith("A") ? "works" : undefined;
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

/** Writes the page of a revision that a record does not have. */
export function noRevisionPage({ key, latest }: RecordRow, v: string | number | undefined): Reply {
  const address = addressOf(key);
  return page({
    title: t("record.no_revision"),
    status: 404,
    body: markup`<p>${t("record.no_revision_of", { revision: v, latest })}</p>
<ul><li>${link(address, t("record.latest"))}</li>
<li>${link(`${address}?m=history`, t("record.history_link"))}</li></ul>`,
  });
}
