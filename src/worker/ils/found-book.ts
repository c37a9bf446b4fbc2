import { latestRecord } from "../../catalog/document.ts";
import { type CatalogRecord, type JsonObject, isObject } from "../../catalog/record.ts";
import type { RecordRow } from "../../db/records/read-record.ts";
import { type RequestContext, coversUrl } from "../context.ts";

/** Members of an edition that a library system is not told. */
const ENVELOPE: ReadonlySet<string> = new Set([
  "created",
  "last_modified",
  "latest_revision",
  "revision",
  "type",
  "identifiers",
]);

/** An edition that was found (import.md 5.1): its members at the top level, and all its identifiers with them. */
export function foundBook(context: RequestContext, row: RecordRow): JsonObject {
  const edition = latestRecord(row);
  const { identifiers } = edition;
  const own = {
    status: "found",
    key: row.key,
    olid: row.key.slice(row.key.lastIndexOf("/") + 1),
    ...coverOf(context, edition),
  };
  const members = Object.fromEntries(Object.entries(edition).filter(([name]) => !ENVELOPE.has(name)));
  // Q381: an identifier that is called `status` does not hide the status.
  return { ...own, ...(isObject(identifiers) ? identifiers : {}), ...members, ...own };
}

function coverOf(context: RequestContext, { covers }: CatalogRecord): JsonObject {
  const [first] = Array.isArray(covers) ? covers : [];
  if (typeof first !== "number" || first <= 0) return {};
  const image = `${coversUrl(context)}/b/id/${first}`;
  return { cover: { small: `${image}-S.jpg`, medium: `${image}-M.jpg`, large: `${image}-L.jpg` } };
}
