import { DocumentsTooLarge } from "../records/record-rows.ts";
import { READ_DOCUMENT_BYTES } from "../../catalog/bytes.ts";
import { type Statement, rows } from "../statement.ts";
import type { Selection } from "../../search/plan/selection.ts";
import type { IndexReader } from "./index-reader.ts";
import type { Generation } from "../../search/engine.ts";
import { type CountRow, NO_COUNT, knownCountSql, rememberCount } from "./known-counts.ts";
import type { SqlValues } from "./sql-values.ts";
import { type WorkReading, WHOLE_WORKS } from "./stored-work.ts";
import type { WorkRow } from "../../search/indexing/packed-work.ts";
import type { FoundEditionRow, WorkPage } from "../../search/engine/search-works.ts";

export interface StoredEditionRow extends FoundEditionRow {
  readonly position: number;
}

/**
 * Returns the statement for works by number, in any order, with rows for a reading. Pass the rows through
 * `requireRoom`.
 */
export function readWorksStatement(
  generation: Generation,
  ids: readonly number[],
  reading: WorkReading = WHOLE_WORKS,
): Statement {
  const values = [JSON.stringify(ids)];
  if (reading === WHOLE_WORKS) {
    const { columns, joins } = reading.sql(generation, WITH_ROOM);
    return {
      sql: `WITH room AS MATERIALIZED (${roomSql(generation, "SELECT value AS id FROM json_each(?1)")})
            SELECT room.bytes, ${columns.join(", ")} FROM room ${joins}`,
      values,
    };
  }
  const { columns, joins } = reading.sql(generation, "j.value");
  return {
    sql: withinRoom(
      { others: ["id"], texts: DOCUMENT_TEXTS },
      `SELECT ${columns.join(", ")} FROM json_each(?1) j LEFT JOIN work_ranking_${generation} k ON k.id = j.value
       ${joins} WHERE ${columns[0]} IS NOT NULL`,
    ),
    values,
  };
}

/**
 * Bounds the bytes that a statement reads: rows get the `bytes` of all texts up to theirs, and no texts once these
 * exceed `READ_DOCUMENT_BYTES`. Pass the rows through `requireRoom`.
 */
export function withinRoom(
  { others, texts }: { readonly others: readonly string[]; readonly texts: readonly string[] },
  sql: string,
): string {
  const read = texts.map((text) => `iif(bytes <= ${READ_DOCUMENT_BYTES}, ${text}, NULL) AS ${text}`);
  const lengths = texts.map((text) => `coalesce(octet_length(${text}), 0)`);
  return `SELECT ${[...others, "bytes", ...read].join(", ")}
    FROM (SELECT *, sum(${lengths.join(" + ")}) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM (${sql}))`;
}

const DOCUMENT_TEXTS = ["document", "packed"];

/** Returns SQL of the works that have a document, with the total bytes of all documents up to theirs. */
function roomSql(generation: Generation, ids: string): string {
  return `SELECT s.id, sum(${STORED_BYTES}) OVER (ORDER BY s.id) AS bytes
    FROM (${ids}) i CROSS JOIN work_document_${generation} s ON s.id = i.id`;
}

export const STORED_BYTES = "octet_length(s.document) + coalesce(octet_length(s.packed), 0)";

/** SQL of the number of a work of `room` whose document is still read. */
const WITH_ROOM = `iif(room.bytes <= ${READ_DOCUMENT_BYTES}, room.id, NULL)`;

/** Returns the rows. Throws `DocumentsTooLarge` if some documents did not fit. */
export function requireRoom<Row extends object>(results: readonly Row[]): readonly Row[] {
  const isCut = results.some((row) => "bytes" in row && Number(row.bytes) > READ_DOCUMENT_BYTES);
  if (isCut) throw new DocumentsTooLarge();
  return results;
}

interface CountedPage {
  /** Selection to count; undefined if the total is not needed. */
  counted: Selection | undefined;
  page: string;
  values: SqlValues;
  reading: WorkReading;
}

/** Reads a page with its documents. Throws `DocumentsTooLarge`. One round trip. */
export async function readCounted(
  { database, generation, counts }: IndexReader,
  { counted, page, values, reading }: CountedPage,
): Promise<WorkPage> {
  type Row = CountRow & (WorkRow | { readonly document: null });
  const total = counted === undefined ? NO_COUNT : knownCountSql(counted, { counts, generation, values });
  const isWhole = reading === WHOLE_WORKS;
  const { columns, joins } = reading.sql(generation, isWhole ? WITH_ROOM : "page.id");
  const room = isWhole ? `, room AS MATERIALIZED (${roomSql(generation, "SELECT id FROM page")})` : "";
  const read = `SELECT total.n, total.version, ${isWhole ? "room.bytes, " : ""}${columns.join(", ")} FROM total LEFT JOIN page ON 1
    LEFT JOIN work_ranking_${generation} k ON k.id = page.id
    ${isWhole ? "LEFT JOIN room ON room.id = page.id" : ""} ${joins}`;
  const results = await rows<Row>(database, {
    sql: `WITH total AS MATERIALIZED (${total}), page AS MATERIALIZED (${page})${room}
      ${isWhole ? read : withinRoom({ others: ["n", "version", "id"], texts: DOCUMENT_TEXTS }, read)}`,
    values: values.values,
  });
  requireRoom(results);
  const works = results.flatMap((row) =>
    row.document === null ? [] : [{ id: row.id, score: 0, restore: () => reading.work(row) }],
  );
  return { numFound: counted === undefined ? 0 : rememberCount(counts, counted, results[0]), works };
}

/**
 * Returns the statement for editions of works: the first `limit` of each by openness, cover and number, in order of
 * number.
 */
export function readEditionsStatement(
  generation: Generation,
  ids: readonly number[],
  limit: number,
): Statement {
  return {
    sql: withinRoom(
      EDITION_COLUMNS,
      `SELECT e.work, e.position, e.document FROM json_each(?1) j
       JOIN edition_${generation} e ON e.work = j.value AND e.rank < ?2
       ORDER BY e.work, e.position`,
    ),
    values: [JSON.stringify(ids), limit],
  };
}

const EDITION_COLUMNS = { others: ["work", "position"], texts: ["document"] };
