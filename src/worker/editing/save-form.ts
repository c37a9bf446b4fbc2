import { parseDocument } from "../../catalog/document.ts";
import { badDocument } from "../../catalog/editing/failure.ts";
import { TocLineError } from "../../catalog/editing/form-texts.ts";
import { type CatalogRecord, typeKey } from "../../catalog/record.ts";
import { readRecords } from "../../db/records/records.ts";
import { writeError } from "../history/edit-desk.ts";
import { type CreationRequest, type Saved, createRecords, saveChange } from "../history/save.ts";
import { CarrelError, recordNotFound } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";

/** Attempts to apply a form after concurrent edits. */
const FORM_ATTEMPTS = 10;

export interface FormRecord {
  readonly revision: number;
  readonly document: CatalogRecord;
}

/** Change of a form: new records, and changed ones beside them. */
export type FormChange = Omit<CreationRequest, "edits" | "expected"> & {
  readonly edits: readonly CatalogRecord[];
};

/** Applies a form to the current records; undefined changes nothing. May be called again. */
type ApplyForm = (records: ReadonlyMap<string, FormRecord>) => Promise<FormChange | undefined>;

/** Applies a form to records and saves the result. Repeats this after concurrent edits. Throws `writeError`. */
export async function saveForm(
  context: RequestContext,
  keys: readonly string[],
  apply: ApplyForm,
): Promise<Saved | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const records = await latestRecords(context, keys);
    const change = await apply(records).catch(refusedLine);
    if (change === undefined) return undefined;
    const expected = Object.fromEntries([...records].map(([key, { revision }]) => [key, revision]));
    try {
      return change.documents.length > 0
        ? await createRecords(context, { ...change, expected })
        : await saveChange(context, { ...change, documents: change.edits, expected });
    } catch (error) {
      const isConflict = error instanceof CarrelError && error.status === 409;
      if (!isConflict || attempt === FORM_ATTEMPTS) throw error;
    }
  }
}

function refusedLine(error: unknown): never {
  if (!(error instanceof TocLineError)) throw error;
  throw writeError([badDocument(error.message, undefined)]);
}

/** Reads the latest revisions from the primary; records that do not exist are absent. */
export async function latestRecords(
  { stores }: RequestContext,
  keys: readonly string[],
): Promise<ReadonlyMap<string, FormRecord>> {
  const rows = await readRecords(stores.catalog.withSession("first-primary"), keys);
  return new Map(
    rows.map(({ key, revision, document }) => [key, { revision, document: parseDocument(document) }]),
  );
}

/** Reads the latest revision of a record of a type. Throws 404 if there is none. */
export async function latestOfType(
  context: RequestContext,
  key: string,
  type: string,
): Promise<CatalogRecord> {
  const record = (await latestRecords(context, [key])).get(key)?.document;
  if (record === undefined || typeKey(record) !== type) throw recordNotFound(key);
  return record;
}
