import { leavesOf } from "../../catalog/store/leaves.ts";
import { parseDocument } from "../../catalog/document.ts";
import { putDocuments } from "./put-documents.ts";
import type { StoreDocument } from "./read-document.ts";

/** A document to be kept. */
export interface NewStoreDocument extends Omit<StoreDocument, "rev"> {
  /** What its `rev` must be now if it is there, 0 if it must not be; null writes in any case (patrons.md 3.1). */
  readonly instead: number | null;
}

/** Writes a document and returns its new `rev`, or "conflict" when another one than expected is there. One transaction. */
export async function writeStoreDocument(
  patrons: D1Database,
  document: NewStoreDocument,
): Promise<number | "conflict"> {
  const leaves = leavesOf(parseDocument(document.document));
  const result = await putDocuments(patrons, [{ ...document, leaves }]);
  return "conflict" in result ? "conflict" : (result.revs[0] ?? "conflict");
}
