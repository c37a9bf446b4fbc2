import { toReadView } from "../../catalog/document.ts";
import type { DumpRecord } from "../../catalog/dumps/parse-dump-line.ts";
import { mergeRecords } from "../../catalog/editing/three-way.ts";
import { type CatalogRecord, typeKeyOf } from "../../catalog/record.ts";
import { readEditBases } from "../history/local-edits.ts";
import type { Database } from "../statement.ts";

interface EditedRecord {
  /** Record of the source. */
  readonly dump: DumpRecord;
  /** Latest revision, which was edited here. */
  readonly ours: CatalogRecord;
}

/**
 * Returns the edited records of which the source has every change (Q863), and whether both are equal. One statement if
 * anything was edited.
 */
export async function findAcceptedEdits<Edited extends EditedRecord>(
  database: Database,
  edited: readonly Edited[],
): Promise<(Edited & { readonly isEqual: boolean })[]> {
  if (edited.length === 0) return [];
  const keys = edited.map(({ dump }) => dump.key);
  const bases = await readEditBases(database, keys);
  return edited.flatMap((record) => {
    const { dump, ours } = record;
    const base = bases.get(dump.key);
    if (base === undefined || typeKeyOf(ours) !== dump.type) return [];
    const versions = { base: toReadView(base), ours: toReadView(ours), theirs: toReadView(dump.record) };
    if (mergeRecords(versions).members.length > 0) return [];
    const { members } = mergeRecords({ ...versions, ours: versions.theirs, theirs: versions.ours });
    return [{ ...record, isEqual: members.length === 0 }];
  });
}
