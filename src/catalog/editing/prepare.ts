import { type CatalogRecord, typeKey } from "../record.ts";
import { typeDefinitionOf } from "../types.ts";
import { type WriteFailure, badDocument } from "./failure.ts";
import { checkEverything, prepareDocument } from "./prepare-document.ts";
import type { PrepareContext, PreparedWrite } from "./rights.ts";
import { ANY_TYPE } from "./values.ts";

/** Maximum number of failures reported per change. */
export const WRITE_FAILURES_MAX = 1000;

/**
 * Runs documents through the part of the save pipeline that needs no database: names, types, keys and values. Reports
 * all failures of all documents, up to `WRITE_FAILURES_MAX`; if there are any, nothing may be stored. Of two documents
 * with one key the last counts. References among the documents resolve to them. Pure function that does not change the
 * documents.
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
    if (validKeyOf(document) !== undefined) continue;
    const { key } = document;
    const message = typeof key === "string" ? `Bad key: '${key}'` : "missing key";
    fail(badDocument(`${message} in the document at index ${index}`, undefined));
  }
  const batch = indexByKey(documents);
  const typeOf = (key: string): string | undefined => {
    if (typeDefinitionOf(key) !== undefined) return "/type/type";
    const inBatch = batch.get(key);
    return inBatch === undefined ? context.referenceTypes.get(key) : (typeKey(inBatch) ?? ANY_TYPE);
  };
  const writes = [...batch].flatMap(
    ([key, document]) => prepareDocument(document, { key, typeOf, fail }, context) ?? [],
  );
  return { writes, failures };
}

/**
 * Returns the keys of records that must exist for these documents to be stored, which are the only ones that
 * `prepareWrites` looks up. Excludes the documents themselves and the types defined in code. Legacy keys are rewritten.
 */
export function referencesOf(documents: readonly CatalogRecord[]): string[] {
  const keys = new Set<string>();
  const batch = indexByKey(documents);
  const typeOf = (key: string): string => {
    if (typeDefinitionOf(key) === undefined && !batch.has(key)) keys.add(key);
    return ANY_TYPE;
  };
  for (const [key, document] of batch) checkEverything(document, { key, typeOf, fail: ignoreFailure });
  return [...keys];
}

function ignoreFailure(): void {
  // `prepareWrites` finds the failure again.
}

/** Returns the last document of each key, in the order of these documents. */
function indexByKey(documents: readonly CatalogRecord[]): ReadonlyMap<string, CatalogRecord> {
  const byKey = new Map<string, CatalogRecord>();
  for (const document of documents) {
    const key = validKeyOf(document);
    if (key === undefined) continue;
    byKey.delete(key);
    byKey.set(key, document);
  }
  return byKey;
}

function validKeyOf({ key }: CatalogRecord): string | undefined {
  return typeof key === "string" && key.startsWith("/") ? key : undefined;
}
