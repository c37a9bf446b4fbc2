import { latestRecordOf } from "../../catalog/document.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { RDF_EDITIONS_MAX, renderRdf } from "../../catalog/rdf.ts";
import { type CatalogRecord, keysOf } from "../../catalog/record.ts";
import { readMembers } from "../../db/records/members.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { type Related, readRelated } from "../../db/records/related.ts";
import { recordNotFound } from "../http/errors.ts";
import { type RequestContext, baseUrl, catalogReader, coversUrl } from "../http/operation.ts";
import { type Reply, REVALIDATE, jsonText } from "../http/reply.ts";

/** Builds the answer for a work, an edition or an author as RDF/XML. Throws 404 for other types. */
export async function rdfReply(row: RecordRow, context: RequestContext): Promise<Reply> {
  const record = latestRecordOf(row);
  const { related, editions } = await readRdfRelated(row, record, context);
  const [workKey = ""] = keysOf(record["works"]);
  const work = related.records.get(workKey);
  const body = renderRdf({
    record,
    ...(work === undefined ? {} : { work }),
    authors: related.records,
    editions: editions.map(latestRecordOf),
    baseUrl: baseUrl(context),
    coversUrl: coversUrl(context),
  });
  if (body === undefined) throw recordNotFound(row.key);
  const revisions = [row, ...related.revisions, ...editions];
  return jsonText(body, {
    contentType: "application/rdf+xml; charset=utf-8",
    etag: `${computeRevisionsEtag(revisions)}-rdf`,
    lastModified: row.lastModified,
    cacheControl: REVALIDATE,
    headers: { Vary: "Accept" },
    records: [...new Set(revisions.map(({ key }) => key))],
  });
}

async function readRdfRelated(
  row: RecordRow,
  record: CatalogRecord,
  context: RequestContext,
): Promise<{ related: Related; editions: readonly RecordRow[] }> {
  const reader = catalogReader(context);
  if (row.type === "/type/edition") {
    const keys = { works: keysOf(record["works"]), authors: keysOf(record["authors"]) };
    return { related: await readRelated(reader, keys), editions: [] };
  }
  if (row.type !== "/type/work") return { related: { records: new Map(), revisions: [] }, editions: [] };
  const [related, { members }] = await Promise.all([
    readRelated(reader, { works: [row.key], authors: [] }),
    readMembers(reader, { kind: "editions", owner: row.key }, { limit: RDF_EDITIONS_MAX, offset: 0 }),
  ]);
  return { related, editions: members };
}
