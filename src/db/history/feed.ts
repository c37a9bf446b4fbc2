import { utf8Length } from "../../catalog/bytes.ts";
import type { RecordColumns } from "../records/record-rows.ts";
import { type Database, batchGroups, rows } from "../statement.ts";
import { type ChangeRow, LAST_CHANGE } from "./changes.ts";

export interface FedChange extends ChangeRow {
  /** Documents in order of saving; those of a load by record and revision. */
  readonly documents: readonly FeedDocument[];
}

type FeedDocument = Pick<RecordColumns, "key" | "revision" | "document">;

/** Limits of one read: changes, documents and bytes, but always one whole change. */
interface FeedBounds {
  readonly changes: number;
  readonly documents: number;
  readonly bytes: number;
}

export interface FeedPart {
  readonly changes: readonly FedChange[];
  readonly end: number;
}

interface Size {
  readonly change: number;
  readonly bytes: number;
}

const sizesSql = (table: "record" | "revision"): string =>
  `SELECT change_id AS change, octet_length(document) AS bytes FROM ${table}
   WHERE change_id > ?1 ORDER BY change_id LIMIT ?2`;

const DOCUMENTS = `
  SELECT r.change_id AS changeId, r.id, r.key, r.revision, r.document
  FROM json_each(?1) c JOIN record r ON r.change_id = CAST(c.value AS BIGINT)
  UNION ALL
  SELECT v.change_id, r.id, r.key, v.revision, v.document
  FROM json_each(?1) c JOIN revision v ON v.change_id = CAST(c.value AS BIGINT) JOIN record r ON r.id = v.record_id
  ORDER BY 1, 2, 4`;

/**
 * Reads the changes after the number `after`, in order and without gaps. Revisions corrected by a later load belong to
 * that load only. Two round trips.
 */
export async function readFeed(database: Database, after: number, bounds: FeedBounds): Promise<FeedPart> {
  const most = bounds.documents + 1;
  const { changes, sizes, ends } = await batchGroups<{
    changes: ChangeRow;
    sizes: Size;
    ends: { id: number };
  }>(database, {
    changes: {
      sql: "SELECT * FROM change WHERE id > ?1 ORDER BY id LIMIT ?2",
      values: [after, bounds.changes],
    },
    sizes: [
      { sql: sizesSql("record"), values: [after, most] },
      { sql: sizesSql("revision"), values: [after, most] },
    ],
    ends: LAST_CHANGE,
  });
  const end = ends[0]?.id ?? 0;
  const last = findLastFitting(sizes, changes, bounds);
  const wholeChanges = changes.filter(({ id }) => id <= last);
  if (wholeChanges.length === 0) return { changes: [], end };
  const documents = await rows<FeedDocument & { changeId: number }>(database, {
    sql: DOCUMENTS,
    values: [JSON.stringify(wholeChanges.map(({ id }) => id))],
  });
  // Q132: a corrected revision belongs to the later change.
  const byChange = Map.groupBy(documents, ({ changeId }) => changeId);
  const documentsOf = ({ id, changes: saved }: ChangeRow) => sortAsSaved(saved, byChange.get(id) ?? []);
  return {
    end,
    changes: wholeChanges.map((change) => Object.assign(change, { documents: documentsOf(change) })),
  };
}

/** Returns the number of the last change within all limits. The first change is always included. */
function findLastFitting(sizes: readonly Size[], changes: readonly ChangeRow[], bounds: FeedBounds): number {
  const byChange = Map.groupBy(sizes, ({ change }) => change);
  let [documents, bytes, last] = [0, 0, changes[0]?.id ?? 0];
  for (const { id, comment, data, changes: saved } of changes) {
    const ownSizes = byChange.get(id) ?? [];
    documents += ownSizes.length;
    bytes += utf8Length(`${comment}${data}${saved}`);
    bytes += ownSizes.reduce((sum, size) => sum + size.bytes, 0);
    // Sizes are cut off after the limit, so a change that is cut off exceeds it.
    if (documents > bounds.documents || bytes > bounds.bytes) return last;
    last = id;
  }
  return last;
}

/** Sorts documents in the order in which an edit saved them. */
function sortAsSaved(changes: string | null, documents: readonly FeedDocument[]): readonly FeedDocument[] {
  if (changes === null) return documents;
  // The stored text was written by this service.
  const saved = JSON.parse(changes) as { key: string; revision: number }[];
  const places = new Map(saved.map(({ key, revision }, index) => [`${revision} ${key}`, index]));
  const placeOf = ({ key, revision }: FeedDocument): number =>
    places.get(`${revision} ${key}`) ?? saved.length;
  return [...documents].sort((a, b) => placeOf(a) - placeOf(b));
}
