import { readRecord } from "../../../db/records/read-record.ts";
import type { RequestContext } from "../../context.ts";
import { badData } from "../../errors.ts";
import { writeError } from "../../writes/write-error.ts";

/** An entity tag of this service: the number of the revision, and perhaps the form it was read in. */
const TAG = /^\s*(?:W\/)?"(\d{1,15})(?:-\w+)?"\s*$/;

/** Revisions that `If-Match` wants records to have: none without the header (records.md 4.2). */
export async function expectedRevision(
  context: RequestContext,
  key: string,
): Promise<Readonly<Record<string, number>>> {
  const header = context.request.headers.get("If-Match");
  if (header === null) return {};
  if (header.trim() === "*") return mustExist(context, key);
  const revision = TAG.exec(header)?.[1];
  // Q101: one tag is all that a writer can have read.
  if (revision === undefined) throw badData(`Bad If-Match: expected one tag such as "5"`);
  return { [key]: Number(revision) };
}

async function mustExist({ stores }: RequestContext, key: string): Promise<Readonly<Record<string, number>>> {
  const row = await readRecord(stores.catalog.withSession("first-primary"), key);
  if (row !== undefined) return {};
  throw writeError([{ status: 409, error: "conflict", message: "Document update conflict", key }]);
}
