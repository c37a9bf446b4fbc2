import { listChangeData } from "../../catalog/lists/change-data.ts";
import { type ListForm, listRecord } from "../../catalog/lists/list-form.ts";
import { type CatalogRecord, typeKey } from "../../catalog/record.ts";
import { missingRecord } from "../../catalog/write/failures.ts";
import type { RequestContext } from "../context.ts";
import { saveForm } from "../forms/save-form.ts";
import { writeError } from "../writes/write-error.ts";
import { requireRevision } from "./unchanged-since.ts";

/** What a list is replaced by. */
interface Replacement {
  readonly form: ListForm;
  readonly comment: string | undefined;
  /** Revision that the form was filled with, if it says so. */
  readonly revision?: string | undefined;
}

/** Replaces what a list says of itself, and its seeds (patrons.md 14.11); returns the record. Throws `writeError`. */
export async function replaceList(
  context: RequestContext,
  key: string,
  { form, comment, revision }: Replacement,
): Promise<CatalogRecord> {
  let after: CatalogRecord = {};
  await saveForm(context, [key], async (records) => {
    const before = records.get(key);
    if (before === undefined || typeKey(before.document) !== "/type/list") {
      throw writeError([missingRecord(key, { key })]);
    }
    requireRevision(before, revision);
    after = listRecord("/type/list", form, before.document);
    return {
      documents: [],
      edits: [after],
      kind: "edit-list",
      comment: comment ?? null,
      data: listChangeData(key, { seeds: [...form.seeds] }),
      suspectsAll: true,
    };
  });
  return after;
}
