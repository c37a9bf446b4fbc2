/**
 * Columns of `record` in D1 `CATALOG`: the latest revision of each record. `change_id` is read as `change`, times are
 * naive UTC.
 */
export interface RecordColumns {
  readonly id: number;
  readonly key: string;
  readonly type: string;
  readonly revision: number;
  /** Change that stored this revision. */
  readonly change: number;
  /** Bits of `RecordFlag`. */
  readonly flags: number;
  /** Time of revision 1. */
  readonly created: string;
  /** Time of this revision. */
  readonly lastModified: string;
  /** JSON text. */
  readonly document: string;
}

/** Revision of a record: the latest one, or an older one from `revision`, with the flags of the latest. */
export interface RecordRow extends Omit<RecordColumns, "change" | "created"> {
  /** Highest revision of the record. */
  readonly latest: number;
}

/** Columns of the latest revision as a `RecordRow`, of `record r`. */
export const RECORD_COLUMNS =
  "r.id, r.key, r.type, r.revision, r.revision AS latest, r.flags, r.last_modified AS lastModified, r.document";

/**
 * Returns SQL of the id before which the first `count` rows of a property by name and value lie, of records from `from` to
 * before `to`. All are SQL expressions but `count`. An index walk reads `count` rows at most.
 */
export function endOfFirst(
  { name, value, from, to }: Readonly<Record<"name" | "value" | "from" | "to", string | number>>,
  count: number,
): string {
  return `coalesce((SELECT x.record_id FROM property x WHERE x.name = ${name} AND x.value = ${value}
    AND x.record_id >= ${from} AND x.record_id < ${to} ORDER BY x.record_id LIMIT 1 OFFSET ${count}), ${to})`;
}
