import { MIB } from "../../catalog/units.ts";
import { READ_DOCUMENT_BYTES, ResponseTooLarge } from "../../catalog/bytes.ts";
import { rows, type Database, type Statement } from "../statement.ts";

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
  readonly created: string;
  readonly lastModified: string;
  /** JSON text. */
  readonly document: string;
}

/** Revision of a record: the latest one, or an older one from `revision`, with the flags of the latest. */
export interface RecordRow extends Omit<RecordColumns, "change" | "created"> {
  /** Highest revision of the record. */
  readonly latest: number;
}

/** Columns of the latest revision that a response needs. */
export const READ_COLUMNS = "r.key, r.type, r.revision, r.revision AS latest, r.flags";

/** Row with `READ_COLUMNS` and the document. */
export type ReadRow = Omit<RecordRow, "id" | "lastModified">;

const COLUMNS =
  "r.id, r.key, r.type, r.revision, r.revision AS latest, r.flags, r.last_modified AS lastModified";

/** Columns of the latest revision as a `RecordRow`, of `record r`. */
export const RECORD_COLUMNS = `${COLUMNS}, r.document`;

/**
 * Returns SQL of the id before which the first `count` rows of a property by name and value lie, of records from `from` to
 * before `to`. All are SQL expressions but `count`. An index walk reads `count` rows at most.
 */
export function endOfFirstSql(
  { name, value, from, to }: Readonly<Record<"name" | "value" | "from" | "to", string | number>>,
  count: number,
): string {
  return `coalesce((SELECT x.record_id FROM property x WHERE x.name = ${name} AND x.value = ${value}
    AND x.record_id >= ${from} AND x.record_id < ${to} ORDER BY x.record_id LIMIT 1 OFFSET ${count}), ${to})`;
}

/** Maximum bytes of the records of a page as they are written, unless it has a single one: with the text around them, a page stays below 8 MiB. */
export const PAGE_BYTES = 7 * MIB;

/** Row of a statement with `documentWithin`, without its text if it did not fit. */
export type Fitting<Row extends { readonly document: string }> = Omit<Row, "document"> & {
  readonly document: string | null;
};

/** Error thrown if the requested records exceed `READ_DOCUMENT_BYTES`, and a partial result would be wrong. */
export class DocumentsTooLarge extends ResponseTooLarge {
  constructor() {
    super(`The records that were asked for are larger than ${READ_DOCUMENT_BYTES} bytes together.`);
  }
}

interface FittingSource {
  readonly source: string;
  /**
   * Column of the source to order by, or several with commas. Without it the source has its own order and a LIMIT that
   * preserves it.
   */
  readonly order?: string;
  /** Columns of the source to include in the rows. */
  readonly more?: readonly string[];
  readonly columns?: string;
  /** Maximum bytes of the documents, unless there is one only. Defaults to `READ_DOCUMENT_BYTES`. */
  readonly bytes?: number;
}

/**
 * Returns SQL of the latest revisions of records, whose numbers a source yields as `id` (repeated as in the source), in
 * the order of the source, or of a column of it. Rows are `Fitting<RecordRow>` with the columns `more`. Sizes are added
 * up before any document is read, so that documents that do not fit cost almost nothing.
 */
export function fittingRecords({
  source,
  order,
  more = [],
  columns = COLUMNS,
  bytes,
}: FittingSource): string {
  const ownColumns = more.map((column) => `f.${column}, `).join("");
  const by = (order ?? "place").replaceAll(/\w+/g, "m.$&");
  const placed =
    order === undefined ? `SELECT o.*, row_number() OVER () AS place FROM (${source}) o` : source;
  // Both use the same window, so that rows are scanned once.
  return `
    SELECT ${ownColumns}${columns}, ${documentWithin("f.before", "r.document", bytes)}
    FROM (SELECT m.*, count(*) OVER ${earlierSql(by)} AS earlier, ${bytesBefore("octet_length(s.document)", by)} AS before
          FROM (${placed}) m CROSS JOIN record s ON s.id = m.id) f
    CROSS JOIN record r ON r.id = f.id ORDER BY f.earlier`;
}

/** Returns SQL of the number of bytes in all earlier rows. */
export function bytesBefore(bytes: string, order: string): string {
  return `coalesce(sum(${bytes}) OVER ${earlierSql(order)}, 0)`;
}

function earlierSql(order: string): string {
  return `(ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
}

export function documentWithin(before: string, document: string, bytes = READ_DOCUMENT_BYTES): string {
  return `CASE WHEN ${before} = 0 OR ${before} + octet_length(${document}) <= ${bytes}
    THEN ${document} END AS document`;
}

export function withinSql(before: string, value: string): string {
  return `CASE WHEN ${before} < ${READ_DOCUMENT_BYTES} THEN ${value} END`;
}

/** Returns the rows before the first one that did not fit. */
export function fitting<Row extends { readonly document: string }>(allRows: readonly unknown[]): Row[] {
  // The rows have the columns of a statement with `documentWithin`.
  const all = allRows as readonly Fitting<Row>[];
  const end = all.findIndex(({ document }) => document === null);
  // Rows before the cut have their texts.
  return (end === -1 ? all : all.slice(0, end)) as Row[];
}

/** Returns all rows. Throws `DocumentsTooLarge` if some did not fit. */
export function requireWhole<Row extends { readonly document: string }>(allRows: readonly unknown[]): Row[] {
  const all = fitting<Row>(allRows);
  if (all.length < allRows.length) throw new DocumentsTooLarge();
  return all;
}

/** Reads all rows of one statement with `documentWithin`. Throws `DocumentsTooLarge` if some did not fit. */
export async function wholeRows<Row extends { readonly document: string }>(
  database: Database,
  statement: Statement,
): Promise<Row[]> {
  return requireWhole<Row>(await rows<Fitting<Row>>(database, statement));
}
