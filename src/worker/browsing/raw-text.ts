import { parseDocument } from "../../catalog/document.ts";
import { textOf } from "../../catalog/record.ts";
import type { RecordRow } from "../../db/records/read-record.ts";
import { IMMUTABLE, REVALIDATE, type Reply } from "../reply.ts";

const PLAIN = "text/plain";
/**
 * Types that a text may be sent as (Q431). Whoever may save a text says its type, and a text of HTML would be a page of
 * this site with scripts of its own.
 */
const TYPES = new Set([PLAIN, "text/css", "text/javascript", "application/javascript", "application/json"]);
/** What a browser may do with it that opens it as a page: nothing. */
const SANDBOX = "default-src 'none'; sandbox";

/** True for texts that are sent as they are (records.md 12). */
export function isRawText({ key, type }: Pick<RecordRow, "key" | "type">): boolean {
  return type === "/type/rawtext" && /^\/(?:css|js)\/./.test(key);
}

/** `/css/<name>` and `/js/<name>`: the text of the record with the type that it says. */
export function rawTextReply(row: RecordRow): Reply {
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
