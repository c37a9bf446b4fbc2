import { AnswerTooLarge } from "../../catalog/byte-budget.ts";
import { type Database, type Statement, rows } from "../statement.ts";

/**
 * Most bytes of documents that one statement yields: they are all in memory at once, several times over. One
 * document is always whole, so it can be one more.
 */
export const READ_DOCUMENT_BYTES = 8 * 1024 * 1024;

/** A row of a statement with `documentWithin`: without its text where there was no room for it. */
export type Fitting<Row extends { readonly document: string }> = Omit<Row, "document"> & {
  readonly document: string | null;
};

/** What was asked for has more than `READ_DOCUMENT_BYTES`, and leaving some of it out would not be an answer. */
export class DocumentsTooLarge extends AnswerTooLarge {
  constructor() {
    super(`The records that were asked for are larger than ${READ_DOCUMENT_BYTES} bytes together.`);
  }
}

/** Where numbers of records come from. */
interface FittingSource {
  readonly source: string;
  /** Column of the source, or several with commas; without one it has an order of its own, and a LIMIT that keeps it. */
  readonly order?: string;
  /** Columns of the source that rows have too. */
  readonly more?: readonly string[];
  /** Columns of records that rows have beside the document; those of `RecordRow` without it. */
  readonly columns?: string;
}

/** Those of `RecordRow`. */
const COLUMNS =
  "r.id, r.key, r.type, r.revision, r.revision AS latest, r.flags, r.last_modified AS lastModified";

/**
 * SQL of the latest revisions of records, whose numbers a source yields as `id` (each as often as it is there), in the
 * order of the source, or of a column of it. Rows are `Fitting<RecordRow>` with the columns `more`. Sizes are added
 * up before any document is read, so that those without room cost next to nothing.
 */
export function fittingRecords({ source, order, more = [], columns = COLUMNS }: FittingSource): string {
  const own = more.map((column) => `f.${column}, `).join("");
  const by = (order ?? "place").replaceAll(/\w+/g, "m.$&");
  const placed =
    order === undefined ? `SELECT o.*, row_number() OVER () AS place FROM (${source}) o` : source;
  // Both of the same window, so that rows are gone through once.
  return `
    SELECT ${own}${columns}, ${documentWithin("f.before", "r.document")}
    FROM (SELECT m.*, count(*) OVER ${earlier(by)} AS earlier, ${bytesBefore("octet_length(s.document)", by)} AS before
          FROM (${placed}) m CROSS JOIN record s ON s.id = m.id) f
    CROSS JOIN record r ON r.id = f.id ORDER BY f.earlier`;
}

/** SQL of the number of bytes in all earlier rows. */
export function bytesBefore(bytes: string, order: string): string {
  return `coalesce(sum(${bytes}) OVER ${earlier(order)}, 0)`;
}

function earlier(order: string): string {
  return `(ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
}

/** SQL of a document where there is room for it, else null. */
export function documentWithin(before: string, document: string): string {
  return `${within(before, document)} AS document`;
}

/** SQL of a value where there is room for it, else null. */
export function within(before: string, value: string): string {
  return `CASE WHEN ${before} < ${READ_DOCUMENT_BYTES} THEN ${value} END`;
}

/** The rows up to the first one that there was no room for. */
export function fitting<Row extends { readonly document: string }>(found: readonly unknown[]): Row[] {
  // The rows have the columns of a statement with `documentWithin`.
  const all = found as readonly Fitting<Row>[];
  const end = all.findIndex(({ document }) => document === null);
  // Those before have their texts.
  return (end === -1 ? all : all.slice(0, end)) as Row[];
}

/** All rows; throws `DocumentsTooLarge` when there was no room for some. */
export function whole<Row extends { readonly document: string }>(found: readonly unknown[]): Row[] {
  const all = fitting<Row>(found);
  if (all.length < found.length) throw new DocumentsTooLarge();
  return all;
}

/** All rows of one statement with `documentWithin`. */
export async function wholeRows<Row extends { readonly document: string }>(
  database: Database,
  statement: Statement,
): Promise<Row[]> {
  return whole<Row>(await rows<Fitting<Row>>(database, statement));
}
