import { utf8Length } from "../../catalog/bytes.ts";
import type { RecordColumns } from "../records/record-rows.ts";
import { type Database, batchGroups, rows } from "../statement.ts";
import { type ChangeRow, LAST_CHANGE } from "./changes.ts";

export interface FedChange extends ChangeRow {
  /** Documents in order of saving; those of a load by record and revision. */
  readonly documents: readonly FeedDocument[];
}

type FeedDocument = Pick<RecordColumns, "key" | "revision"> & {
  /** Null if the document was left out. */
  readonly document: string | null;
};

/** Limits of one read: changes, documents and bytes, but always one whole change. */
interface FeedBounds {
  readonly changes: number;
  readonly documents: number;
  readonly bytes: number;
  /** True if the largest documents of a change that exceeds the limits are left out. */
  readonly isCut?: boolean;
  /** Waits until the documents, of which it gets the number of bytes, may be read. */
  reserve?(bytes: number): Promise<void>;
}

export interface FeedPart {
  readonly changes: readonly FedChange[];
  readonly end: number;
}

/** Documents of a change, and their bytes, in one of the two tables. */
interface Size {
  readonly change: number;
  readonly documents: number;
  readonly bytes: number;
}

const sizesSql = (table: "record" | "revision"): string =>
  `SELECT change, count(*) AS documents, CAST(sum(bytes) AS BIGINT) AS bytes FROM (
     SELECT change_id AS change, octet_length(document) AS bytes FROM ${table}
     WHERE change_id > ?1 AND change_id <= (
       SELECT max(id) FROM (SELECT id FROM change WHERE id > ?1 ORDER BY id LIMIT ?3) c)
     ORDER BY change_id LIMIT ?2) s GROUP BY change`;

/** Source of documents of the changes in `?1`; `value` is the expression of the document. */
const documentsSql = (value: (document: string) => string): string => `
  SELECT r.change_id AS changeId, r.id, r.key, r.revision, ${value("r.document")}
  FROM json_each(?1) c JOIN record r ON r.change_id = CAST(c.value AS BIGINT)
  UNION ALL
  SELECT v.change_id, r.id, r.key, v.revision, ${value("v.document")}
  FROM json_each(?1) c JOIN revision v ON v.change_id = CAST(c.value AS BIGINT) JOIN record r ON r.id = v.record_id`;

const DOCUMENTS = `${documentsSql((document) => `${document} AS document`)} ORDER BY 1, 2, 4`;

// Leaves out the largest documents, so that the others have at most `?2` bytes together.
const FITTING_DOCUMENTS = `
  WITH beyond AS (
    SELECT min(bytes) AS bytes FROM (
      SELECT bytes, sum(bytes) OVER (ORDER BY bytes ROWS UNBOUNDED PRECEDING) AS total
      FROM (${documentsSql((document) => `octet_length(${document}) AS bytes`)}) d) t WHERE total > CAST(?2 AS BIGINT))
  ${documentsSql(
    (document) =>
      `CASE WHEN octet_length(${document}) < (SELECT bytes FROM beyond) THEN ${document} END AS document`,
  )} ORDER BY 1, 2, 4`;

/**
 * Reads the changes after the number `after`, in order and without gaps. Revisions corrected by a later load belong to
 * that load only. Two round trips.
 */
export async function readChangeFeed(
  database: Database,
  after: number,
  bounds: FeedBounds,
): Promise<FeedPart> {
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
      { sql: sizesSql("record"), values: [after, most, bounds.changes] },
      { sql: sizesSql("revision"), values: [after, most, bounds.changes] },
    ],
    ends: LAST_CHANGE,
  });
  const end = ends[0]?.id ?? 0;
  const last = findLastFitting(sizes, changes, bounds);
  const wholeChanges = changes.filter(({ id }) => id <= last);
  if (wholeChanges.length === 0) return { changes: [], end };
  const bytes = sizes.reduce((sum, size) => sum + (size.change <= last ? size.bytes : 0), 0);
  await bounds.reserve?.(bytes);
  const ids = JSON.stringify(wholeChanges.map(({ id }) => id));
  const documents = await rows<FeedDocument & { changeId: number }>(
    database,
    bounds.isCut === true && bytes > bounds.bytes
      ? { sql: FITTING_DOCUMENTS, values: [ids, bounds.bytes] }
      : { sql: DOCUMENTS, values: [ids] },
  );
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
    bytes += utf8Length(`${comment}${data}${saved}`);
    for (const size of byChange.get(id) ?? []) {
      documents += size.documents;
      bytes += size.bytes;
    }
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
