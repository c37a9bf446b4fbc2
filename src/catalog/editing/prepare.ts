import { type CatalogRecord, typeKey } from "../record.ts";
import { typeDefinition } from "../types.ts";
import { type WriteFailure, badDocument } from "./failure.ts";
import { checkEverything, preparedDocument } from "./prepare-document.ts";
import type { PrepareContext, PreparedWrite } from "./rights.ts";
import { ANY_TYPE } from "./values.ts";

/** Most failures that are told of one change. */
export const WRITE_FAILURES_MAX = 1000;

/**
 * Takes documents through the save pipeline, as far as it needs no database: their names, types,
 * keys and values. All failures of all documents are told, up to `WRITE_FAILURES_MAX`; with any of them nothing may
 * be stored. Of two documents with one key the last counts. References among the documents resolve to them.
 * A pure function; the documents are left alone.
 */
export function prepareWrites(
  documents: readonly CatalogRecord[],
  context: PrepareContext,
): { writes: PreparedWrite[]; failures: WriteFailure[] } {
  const failures: WriteFailure[] = [];
  const fail = (failure: WriteFailure): void => {
    if (failures.length < WRITE_FAILURES_MAX) failures.push(failure);
  };
  for (const [index, document] of documents.entries()) {
    if (keyText(document) !== undefined) continue;
    const { key } = document;
    const message = typeof key === "string" ? `Bad key: '${key}'` : "missing key";
    fail(badDocument(`${message} in the document at index ${index}`, undefined));
  }
  const batch = lastByKey(documents);
  const typeOf = (key: string): string | undefined => {
    if (typeDefinition(key) !== undefined) return "/type/type";
    const sent = batch.get(key);
    return sent === undefined ? context.referenceTypes.get(key) : (typeKey(sent) ?? ANY_TYPE);
  };
  const writes = [...batch].flatMap(
    ([key, document]) => preparedDocument(document, { key, typeOf, fail }, context) ?? [],
  );
  return { writes, failures };
}

/**
 * Keys of records that may have to exist for these documents to be stored: `prepareWrites` asks for no other. Left
 * out are the documents themselves and the types that the code defines. Keys of the early years come as today's.
 */
export function referencesOf(documents: readonly CatalogRecord[]): string[] {
  const keys = new Set<string>();
  const batch = lastByKey(documents);
  const typeOf = (key: string): string => {
    if (typeDefinition(key) === undefined && !batch.has(key)) keys.add(key);
    return ANY_TYPE;
  };
  for (const [key, document] of batch) checkEverything(document, { key, typeOf, fail: ignoreFailure });
  return [...keys];
}

function ignoreFailure(): void {
  // `prepareWrites` finds it again.
}

/** In the order of the documents that count. */
function lastByKey(documents: readonly CatalogRecord[]): ReadonlyMap<string, CatalogRecord> {
  const byKey = new Map<string, CatalogRecord>();
  for (const document of documents) {
    const key = keyText(document);
    if (key === undefined) continue;
    byKey.delete(key);
    byKey.set(key, document);
  }
  return byKey;
}

function keyText({ key }: CatalogRecord): string | undefined {
  return typeof key === "string" && key.startsWith("/") ? key : undefined;
}
