import { LAST_BAND, USUAL_BAND } from "../../search/documents/popularity.ts";
import { BAND_ROWS } from "../../search/indexing/ids.ts";
import type { Generation } from "./generation.ts";

/** Numbers of works lie between this and its opposite. */
const NUMBERS = BAND_ROWS / 2;
/** Below are the rows of works that were written before these went by popularity: the numbers of the works. */
const FIRST_ROW = NUMBERS;

/** SQL of the row of a work's texts, over a row of `work` by its name. */
export function textRowOf(work: string): string {
  return `coalesce(${work}.text_row, ${work}.id)`;
}

/** The same over the row `w`. */
export const TEXT_ROW = textRowOf("w");

/** SQL of the number of the work whose texts stand in a row (`workRowId`). */
export function workOfRow(row: string): string {
  return `((${row} + ${NUMBERS}) & ${BAND_ROWS - 1}) - ${NUMBERS}`;
}

/** Rows of works: SQL of what follows FROM and WHERE, and of the row. */
export interface RowsSql {
  readonly from: string;
  readonly where: string;
  readonly row: string;
}

/** Rows of all that full text finds by an expression of SQL. */
export function matchedRows(text: string, expression: string): RowsSql {
  return { from: text, where: `${text} MATCH ${expression}`, row: `${text}.rowid` };
}

/** Which of the most popular works are wanted. */
interface Wanted {
  readonly generation: Generation;
  /** How many. */
  readonly need: number;
  /** SQL of whether any are. */
  readonly when?: string | undefined;
}

/**
 * SQL of rows, as `row`, that hold the most popular works: the first ones, the others of the last one's band, and those from before
 * rows went by popularity. In the usual band all are equally popular, so that the first ones do.
 */
export function popularRows({ from, where, row }: RowsSql, { generation, need, when = "1" }: Wanted): string {
  const band = `(max(row) + ${NUMBERS}) / ${BAND_ROWS}`;
  const bandEnd = `(${band} + 1) * ${BAND_ROWS} - ${NUMBERS}`;
  // Joined, and not compared with, so that nothing is looked for where nothing can be: beginnings of words are expensive.
  return `
    WITH first AS MATERIALIZED (
      SELECT ${row} AS row FROM ${from} WHERE ${where} AND ${row} > ${FIRST_ROW} ORDER BY ${row}
      LIMIT iif(${when}, ${need}, 0)),
    last AS MATERIALIZED (SELECT max(row) AS row, ${bandEnd} AS band_end FROM first
      HAVING count(*) = ${need} AND ${band} <> ${USUAL_BAND}),
    old AS MATERIALIZED (SELECT 1 FROM work_${generation} WHERE text_row IS NULL AND ${when} LIMIT 1)
    SELECT row FROM first
    UNION ALL SELECT ${row} FROM last CROSS JOIN ${from} WHERE ${where} AND ${row} > last.row AND ${row} < last.band_end
    UNION ALL SELECT ${row} FROM old CROSS JOIN ${from} WHERE ${where} AND ${row} < ${FIRST_ROW}`;
}

/** What works in order of number are wanted. */
interface Numbered {
  readonly limit: number;
  /** SQL of what their numbers are above, or below when the greatest come first. */
  readonly after?: string | undefined;
  readonly descending?: boolean;
}

/** SQL of numbers of works, as `id`, in their order. Of each band so many rows are looked at. */
export function numberedSql(
  { from, where, row }: RowsSql,
  { limit, after, descending = false }: Numbered,
): string {
  const first = `band.value * ${BAND_ROWS}`;
  const [above = `-${NUMBERS}`, below = String(NUMBERS)] = descending ? [undefined, after] : [after];
  const direction = descending ? "DESC" : "ASC";
  const some = `SELECT ${row} - ${first} AS id FROM ${from} WHERE ${where}
    AND ${row} > ${first} + ${above} AND ${row} < ${first} + ${below} ORDER BY ${row} ${direction} LIMIT ${limit}`;
  const bands = Array.from({ length: LAST_BAND + 1 }, (_band, at) => at);
  return `SELECT found.value AS id FROM json_each('[${bands.join(",")}]') band
    CROSS JOIN json_each((SELECT json_group_array(id) FROM (${some}))) found ORDER BY 1 ${direction} LIMIT ${limit}`;
}
