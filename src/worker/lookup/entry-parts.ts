import type { BibKey } from "../../catalog/lookup/bibkey.ts";
import type { RecordPart } from "../../catalog/lookup/expand.ts";
import { type CatalogRecord, type JsonObject, isObject } from "../../catalog/record.ts";
import { foundKeysStatement } from "../../db/records/identifiers.ts";
import { readShown } from "../../db/records/reached.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import type { Database } from "../../db/statement.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Parts } from "../records/parts.ts";
import { type EditionMatch, identifiersOfKeys } from "./editions/find-editions.ts";

/**
 * Reads the records that the editions of bib keys show as parts, beside the editions themselves. Undefined if there is
 * nothing to expand, or if old revisions are asked for, which may show others.
 */
export async function readShownBy(
  database: Database,
  keys: readonly BibKey[],
  { expand }: { readonly expand: readonly RecordPart[] },
): Promise<RecordRow[] | undefined> {
  const isLatest = keys.every(({ revision }) => revision === undefined);
  if (expand.length === 0 || keys.length === 0 || !isLatest) return undefined;
  return readShown(database, foundKeysStatement(identifiersOfKeys(keys)), new Set(expand));
}

/** Reads the parts of the editions of an answer; undefined if there is nothing to expand. */
export async function readPartsOf(
  expand: readonly RecordPart[],
  { editions, reached }: { editions: readonly EditionMatch[]; reached: readonly RecordRow[] | undefined },
  context: RequestContext,
): Promise<Parts | undefined> {
  if (expand.length === 0) return undefined;
  const { readParts } = await import("../records/parts.ts");
  return readParts({ expand }, { records: editions.map(({ edition }) => edition), reached }, context);
}

/** Adds the parts of an edition to `details`; entries without it get the record (Q812). */
export function withParts(shown: JsonObject, edition: CatalogRecord, parts: Parts): JsonObject {
  const { details } = shown;
  return isObject(details)
    ? { ...shown, details: parts.show(details) }
    : { ...shown, record: parts.show(edition) };
}
