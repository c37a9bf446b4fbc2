import type { FacetRequest, FacetValue } from "../../search/engine.ts";
import { FACET_SOURCES, pickValues, valuesNeeded } from "../../search/facets.ts";
import type { Statement } from "../statement.ts";
import type { Generation } from "./generation.ts";
import type { SqlContext } from "./sql-values.ts";

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

/** In place of a statement that is not needed. */
export const NO_ROWS: Statement = { sql: "SELECT 1 WHERE 0", values: [] };

/** What is counted over, and how its SQL is made. */
interface FacetSql extends SqlContext {
  /** A statement that yields `id`: the works to count over. */
  readonly works: string;
}

/** A second path makes a list of what `json_extract` finds; no document has this member. */
const NO_MEMBER = "$.-";

/**
 * The most frequent values of fields that are lists in the documents of some works, in one statement: rows are
 * `ValueRow`. A work counts once for a value, however often it has it. Authors come with their names.
 */
export function memberStatement(
  { generation, values, works }: FacetSql,
  limitOf: ReadonlyMap<string, number>,
): Statement {
  const limits = [...limitOf].flatMap(([field, limit]) => {
    const source = FACET_SOURCES.get(field);
    return source?.kind === "member" ? [{ field, limit, path: `$.${source.member}` }] : [];
  });
  const paths = [...limits.map(({ path }) => path), NO_MEMBER].map((path) => values.text(path));
  const authors = limits.findIndex(({ field }) => field === "author_facet");
  const limit = values.text(JSON.stringify(limits.map((one) => one.limit)));
  const fields = values.text(JSON.stringify(limits.map(({ field }) => field)));
  const name = `(SELECT a.document ->> '$.name' FROM author_${generation} a WHERE a.id = ${AUTHOR_NUMBER})`;
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
const AUTHOR_NUMBER = "CAST(trim(value, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') AS INTEGER)";

/** Above every text that begins with what stands before it. */
const LAST = "\u{10FFFF}";

/** The tokens of a field that most works have, by its code and how they begin: rows are of `value` and `n`. */
export function tokenStatement(generation: Generation, beginning: string, limit: number): Statement {
  return {
    sql: `SELECT term AS value, doc AS n FROM work_term_${generation}
          WHERE term >= ?1 AND term < ?2 ORDER BY doc DESC, term LIMIT ?3`,
    values: [beginning, beginning + LAST, limit],
  };
}

/** Works by year and access: rows are `ColumnRow`. */
export function columnStatement({ generation, values, works }: FacetSql): Statement {
  const sql = `SELECT w.first_publish_year AS year, w.ebook_access AS access, count(*) AS n
               FROM (${works}) hit CROSS JOIN work_${generation} w ON w.id = hit.id GROUP BY 1, 2`;
  return { sql, values: values.values };
}

/** Counted values by field. */
export type Counted = ReadonlyMap<string, readonly FacetValue[]>;

/** How many values of each list field are wanted. */
export function memberLimits(requests: readonly FacetRequest[]): Map<string, number> {
  const members = requests.filter(({ field }) => FACET_SOURCES.get(field)?.kind === "member");
  return new Map(members.map((request) => [request.field, valuesNeeded(request)]));
}

/** True when some of the fields are columns. */
export function needsColumns(requests: readonly FacetRequest[]): boolean {
  return requests.some(({ field }) => ["year", "level"].includes(FACET_SOURCES.get(field)?.kind ?? ""));
}

/** Values of list fields as `memberStatement` counted them. */
export function memberValues(rows: readonly ValueRow[]): Counted {
  const byField = [...Map.groupBy(rows, ({ field }) => field)];
  return new Map(
    byField.map(([field, own]) => [field, own.map(({ value, n }) => ({ value: String(value), count: n }))]),
  );
}

/** Values of fields that columns tell. */
export function columnValues(rows: readonly ColumnRow[]): Counted {
  return new Map(
    [...FACET_SOURCES].flatMap(([field, source]): [string, FacetValue[]][] => {
      if (source.kind === "member") return [];
      const valueOf = ({ year, access }: ColumnRow): string | undefined =>
        source.kind === "level" ? String(access >= source.level) : year?.toString();
      return [[field, sums(rows, valueOf)]];
    }),
  );
}

function sums(rows: readonly ColumnRow[], valueOf: (row: ColumnRow) => string | undefined): FacetValue[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = valueOf(row);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + row.n);
  }
  return [...counts].map(([value, count]) => ({ value, count }));
}

/** What every request asks for; fields that are none have no values. */
export function answers(
  requests: readonly FacetRequest[],
  ...counted: readonly Counted[]
): Record<string, FacetValue[]> {
  const all = new Map<string, readonly FacetValue[]>();
  for (const some of counted) for (const [field, values] of some) all.set(field, values);
  return Object.fromEntries(
    requests.map((request) => [request.field, pickValues(all.get(request.field) ?? [], request)]),
  );
}
