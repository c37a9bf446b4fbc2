import { LAST_BAND, USUAL_BAND } from "../../search/documents/popularity.ts";
import { BAND_ROWS } from "../../search/indexing/ids.ts";
import type { Generation } from "../../search/engine.ts";

/** Bound of numbers of works and authors, which lie between it and its negative. */
const NUMBERS = BAND_ROWS / 2;
/**
 * First row in order of popularity. Lower rows belong to works and authors written before rows depended on popularity, and
 * are their numbers.
 */
export const FIRST_ROW = NUMBERS;

/** Returns SQL of the row of the texts of a work or an author, over a row of its table by its alias. */
export function textRowOf(table: string): string {
  return `coalesce(${table}.text_row, ${table}.id)`;
}

/** SQL of the row of a work's texts, over the row `w`. */
export const TEXT_ROW = textRowOf("w");

/** Returns SQL of the number of the work or author whose texts are in a row (`workRowId`, `authorRowId`). */
export function numberOfRow(row: string): string {
  return `((${row} + ${NUMBERS}) & ${BAND_ROWS - 1}) - ${NUMBERS}`;
}

/** Returns SQL of the band of popularity of a row. */
export function bandOfRow(row: string): string {
  return `((${row} + ${NUMBERS}) / ${BAND_ROWS})`;
}

export interface RowsSql {
  readonly from: string;
  readonly where: string;
  readonly row: string;
}

/** Returns the rows that match a full-text expression, given as SQL. */
export function matchRowsSql(text: string, expression: string): RowsSql {
  return { from: text, where: `${text} MATCH ${expression}`, row: `${text}.rowid` };
}

interface PopularRows {
  generation: Generation;
  need: number;
  /** SQL condition under which rows are returned. Defaults to true. */
  when?: string | undefined;
  /** True: leaves out the rest of the last one's band, of which some may be more popular. */
  isBounded?: boolean;
}

/**
 * Returns SQL of rows, as `row`, that contain the most popular works: the first ones, the rest of the last one's band,
 * and those written before rows depended on popularity. In the default band all works are equally popular, so the first
 * ones suffice.
 */
export function popularRowsSql(
  { from, where, row }: RowsSql,
  { generation, need, when = "1", isBounded = false }: PopularRows,
): string {
  const band = bandOfRow("max(row)");
  const bandEnd = `(${band} + 1) * ${BAND_ROWS} - ${NUMBERS}`;
  // A join instead of a comparison, so that nothing is searched if there can be no match: beginnings of words are
  // expensive.
  return `
    WITH first AS MATERIALIZED (
      SELECT ${row} AS row FROM ${from} WHERE ${where} AND ${row} > ${FIRST_ROW} ORDER BY ${row}
      LIMIT iif(${when}, ${need}, 0)),
    last AS MATERIALIZED (SELECT max(row) AS row, ${bandEnd} AS band_end FROM first
      HAVING ${isBounded ? "0" : `count(*) = ${need} AND ${band} <> ${USUAL_BAND}`}),
    old AS MATERIALIZED (SELECT 1 FROM work_${generation} WHERE text_row IS NULL AND ${when} LIMIT 1)
    SELECT row FROM first
    UNION ALL SELECT ${row} FROM last CROSS JOIN ${from} WHERE ${where} AND ${row} > last.row AND ${row} < last.band_end
    UNION ALL SELECT ${row} FROM old CROSS JOIN ${from} WHERE ${where} AND ${row} < ${FIRST_ROW}`;
}

interface Numbered {
  readonly limit: number;
  /** SQL of the number after which to continue, in the direction of the order. */
  readonly after?: string | undefined;
  readonly descending?: boolean;
}

/** Returns SQL of numbers of works, as `id`, in order. Reads up to `limit` rows of each band. */
export function numbersSql(
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
