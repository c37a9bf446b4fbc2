import { FACET_SOURCES } from "../../../search/facets/fields.ts";
import type { Statement } from "../../statement.ts";
import type { Generation } from "../generation.ts";
import type { SqlValues } from "../works/sql-values.ts";

/** A value of a field with the number of works that have it. */
export interface ValueRow {
  readonly field: string;
  readonly value: string | number;
  readonly n: number;
}

/** Works by what two columns say. */
export interface ColumnRow {
  readonly year: number | null;
  readonly access: number;
  readonly n: number;
}

/** How many values of each field are wanted. */
export type Wanted = ReadonlyMap<string, number>;

/** In place of a statement that is not needed. */
export const NO_ROWS: Statement = { sql: "SELECT 1 WHERE 0", values: [] };

/** What is counted over, and how its SQL is made. */
export interface FacetSql {
  readonly generation: Generation;
  readonly values: SqlValues;
  /** A statement that yields `id`: the works to count over. */
  readonly works: string;
}

/** A second path makes a list of what `json_extract` finds; no document has this member. */
const NO_MEMBER = "$.-";

/**
 * The most frequent values of fields that are lists in the documents of some works, in one statement: rows are
 * `ValueRow`. A work counts once for a value, however often it has it. Authors come with their names.
 */
export function memberStatement({ generation, values, works }: FacetSql, wanted: Wanted): Statement {
  const limits = [...wanted].flatMap(([field, limit]) => {
    const source = FACET_SOURCES.get(field);
    return source?.kind === "member" ? [{ field, limit, path: `$.${source.member}` }] : [];
  });
  const paths = [...limits.map(({ path }) => path), NO_MEMBER].map((path) => values.text(path));
  const authors = limits.findIndex(({ field }) => field === "author_facet");
  const limit = values.text(JSON.stringify(limits.map((one) => one.limit)));
  const fields = values.text(JSON.stringify(limits.map(({ field }) => field)));
  const name = `(SELECT a.document ->> '$.name' FROM author_${generation} a WHERE a.id = ${numberSql("value")})`;
  const sql = `
    WITH hit AS MATERIALIZED (${works}),
    counted AS (
      SELECT m.key AS place, v.value, count(DISTINCT hit.id) AS n
      FROM hit CROSS JOIN work_document_${generation} d ON d.id = hit.id
      CROSS JOIN json_each(json_extract(d.document, ${paths.join(", ")})) m CROSS JOIN json_each(m.value) v
      GROUP BY 1, 2),
    ranked AS (SELECT *, row_number() OVER (PARTITION BY place ORDER BY n DESC, value) AS r FROM counted)
    SELECT ${fields} ->> place AS field, n,
           iif(place = ${authors}, value || ' ' || coalesce(${name}, ''), value) AS value
    FROM ranked WHERE r <= ${limit} ->> place`;
  return { sql, values: values.values };
}

/** The number in `OL1A`, whatever the prefix. */
function numberSql(column: string): string {
  return `CAST(trim(${column}, '${CAPITALS}') AS INTEGER)`;
}

const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Works by year and access: rows are `ColumnRow`. */
export function columnStatement({ generation, values, works }: FacetSql): Statement {
  const sql = `SELECT w.first_publish_year AS year, w.ebook_access AS access, count(*) AS n
               FROM (${works}) hit CROSS JOIN work_${generation} w ON w.id = hit.id GROUP BY 1, 2`;
  return { sql, values: values.values };
}
