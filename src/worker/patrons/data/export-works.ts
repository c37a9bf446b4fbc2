import { lastSegment } from "../../../catalog/keys.ts";
import { parseDocument } from "../../../catalog/document.ts";
import { REDIRECT_HOPS_MAX, keyOf, textOf } from "../../../catalog/record.ts";
import { readRecords } from "../../../db/records/read.ts";
import type { Document } from "../../../search/engine.ts";
import { keyOfEditionId, keyOfWorkId } from "../../../search/indexing/ids.ts";
import { type RequestContext, catalogReader } from "../../http/operation.ts";
import { engineOf } from "../../search/engine.ts";

export interface ExportedWorks {
  /** Returns `OL1W` of the work, or of the work that it redirects to. */
  olid(work: number): string;
  /** Returns `OL1M`; null for no edition. */
  editionOlid(edition: number | null): string | null;
  /** Returns the fields of the index; undefined for deleted works. */
  document(work: number): Document | undefined;
}

/**
 * Reads works for an export: documents of the index, and records of works that it lacks because they are redirected,
 * deleted, or not indexed yet. One round trip, and two more for each hop of those.
 */
export async function readWorks(context: RequestContext, works: readonly number[]): Promise<ExportedWorks> {
  const prefix = context.settings.RECORD_PREFIX;
  const keys = new Map([...new Set(works)].map((work) => [work, keyOfWorkId(work, prefix)]));
  const { documents, targets } = await findDocuments(context, [...keys.values()]);
  const keyNow = (work: number): string => {
    const key = keyOfWorkId(work, prefix);
    return targets.get(key) ?? key;
  };
  return {
    olid: (work) => lastSegment(keyNow(work)),
    editionOlid: (edition) => (edition === null ? null : lastSegment(keyOfEditionId(edition, prefix))),
    document: (work) => documents.get(keyNow(work)),
  };
}

/** Returns the documents of works, and the targets of redirected ones, by key. */
async function findDocuments(context: RequestContext, keys: readonly string[]) {
  const engine = await engineOf(context);
  const documents = new Map<string, Document>();
  const hops = new Map<string, string>();
  let wanted = keys;
  for (let hop = 0; hop <= REDIRECT_HOPS_MAX && wanted.length > 0; hop += 1) {
    for (const document of await engine.getMany(wanted)) documents.set(String(document["key"]), document);
    const missing = wanted.filter((key) => !documents.has(key));
    wanted = await readMissing(context, missing, { documents, hops });
  }
  const targets = new Map(keys.map((key) => [key, followed(key, hops)]));
  return { documents, targets };
}

/** Stores the titles of records that the index lacks. Returns the redirect targets that are not known yet. */
async function readMissing(
  context: RequestContext,
  keys: readonly string[],
  { documents, hops }: { documents: Map<string, Document>; hops: Map<string, string> },
): Promise<string[]> {
  const targets: string[] = [];
  for (const { key, type, document } of await readRecords(catalogReader(context), keys)) {
    const record = parseDocument(document);
    if (type === "/type/work") documents.set(key, { key, title: textOf(record["title"]) ?? "" });
    const target = type === "/type/redirect" ? keyOf(record["location"]) : undefined;
    if (target === undefined) continue;
    hops.set(key, target);
    if (!documents.has(target)) targets.push(target);
  }
  return targets;
}

function followed(key: string, hops: ReadonlyMap<string, string>): string {
  let at = key;
  for (let hop = 0; hop < REDIRECT_HOPS_MAX; hop += 1) at = hops.get(at) ?? at;
  return at;
}
