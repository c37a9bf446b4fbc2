import { revisionsEtag } from "../../catalog/etag.ts";
import { listView } from "../../catalog/lists/list-view.ts";
import { latestText } from "../../catalog/document.ts";
import { readList } from "../../db/lists/read-list.ts";
import { readRecord } from "../../db/records/read-record.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { type Reply, json, jsonText } from "../reply.ts";
import { LISTS_CACHE_CONTROL, listNotFound } from "./list-path.ts";

const LIST_TYPES: ReadonlySet<string> = new Set(["/type/list", "/type/series"]);

/** A list or series as JSON: what it is, or with `raw` its record (patrons.md 14.3); 404 for all else. */
export function listReply(key: string, raw: boolean, context: RequestContext): Promise<Reply> {
  return raw ? rawReply(key, context) : viewReply(key, context);
}

async function viewReply(key: string, context: RequestContext): Promise<Reply> {
  const list = await readList(catalogReader(context), key);
  if (list === undefined) throw listNotFound();
  return json(listView(list), {
    etag: revisionsEtag([list], String(list.seedCount)),
    cacheControl: LISTS_CACHE_CONTROL,
    headers: { Vary: "Accept" },
    records: [key],
  });
}

async function rawReply(key: string, context: RequestContext): Promise<Reply> {
  const row = await readRecord(catalogReader(context), key);
  if (row === undefined || !LIST_TYPES.has(row.type)) throw listNotFound();
  return jsonText(latestText(row), {
    etag: String(row.revision),
    lastModified: row.lastModified,
    cacheControl: LISTS_CACHE_CONTROL,
    headers: { Vary: "Accept" },
    records: [key],
  });
}
