import type { CatalogRecord, Json } from "../../catalog/record.ts";
import { type AppliedQuery, applyQuery, keysOfQuery } from "../../catalog/write/partial.ts";
import type { RequestContext } from "../context.ts";
import { editRecords } from "./edit.ts";
import { writeError } from "./write-error.ts";

/** What a write query says of its change. */
export interface QueryNotes {
  readonly kind: string;
  readonly comment: string | null;
  readonly data?: CatalogRecord;
  /** True when numbers of new keys were given out before. */
  readonly mayNumber?: boolean;
}

/** Keys of the records that a write query made and changed. */
export type Written = Pick<AppliedQuery, "created" | "updated">;

/** Applies a write query of the older API to the records as they are now (records.md 4.7). Throws `writeError`. */
export async function writeQuery(context: RequestContext, query: Json, notes: QueryNotes): Promise<Written> {
  let applied: Written = { created: [], updated: [] };
  await editRecords(context, keysOfQuery(query), (records) => {
    const { documents, failures, created, updated } = applyQuery(query, records);
    if (failures.length > 0) throw writeError(failures);
    applied = { created, updated };
    return documents.length === 0 ? undefined : { documents, ...notes };
  });
  return applied;
}
