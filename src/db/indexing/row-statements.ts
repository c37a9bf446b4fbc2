import type { Generation } from "../../search/engine.ts";
import type { Statement } from "../statement.ts";

export type Cell = string | number | null;

/**
 * Maximum length of a JSON parameter in characters. A character takes at most three bytes, and D1 limits values to
 * 2,000,000 bytes.
 */
const PARAMETER_LENGTH_MAX = 480_000;

/**
 * Returns statements for rows of equal width: `sql` receives the source of the rows for its FROM clause, with columns
 * `c0`, `c1`, ... Rows are sent as JSON lists of bounded length. A row that exceeds the limit is bound value by value.
 */
export function rowStatements(
  rows: readonly (readonly Cell[])[],
  sql: (source: string) => string,
): Statement[] {
  const width = rows[0]?.length ?? 0;
  const statements: Statement[] = [];
  let list: string[] = [];
  let length = 0;
  const flush = () => {
    if (list.length > 0) statements.push({ sql: sql(listSource(width)), values: [`[${list.join(",")}]`] });
    list = [];
    length = 0;
  };
  for (const row of rows) {
    const json = JSON.stringify(row);
    if (length + json.length > PARAMETER_LENGTH_MAX) flush();
    if (json.length > PARAMETER_LENGTH_MAX) statements.push({ sql: sql(boundSource(width)), values: row });
    else list.push(json);
    length += json.length > PARAMETER_LENGTH_MAX ? 0 : json.length + 1;
  }
  flush();
  return statements;
}

/** Returns statements that remove tombstones that are not newer than the documents written. */
export function revivalStatements(
  documents: readonly { readonly key: string; readonly version: number }[],
  generation: Generation,
): Statement[] {
  return rowStatements(
    documents.map(({ key, version }) => [key, version]),
    (source) => `
      DELETE FROM tombstone_${generation} WHERE key IN (
        SELECT t.key FROM ${source} JOIN tombstone_${generation} t ON t.key = r.c0 AND t.version <= r.c1)`,
  );
}

/**
 * Returns statements that set columns with an index, where they differ, of rows with a number and a version, the first two
 * `columns`. An update writes every index of the columns that it sets, changed or not, and D1 charges for each entry.
 */
export function indexedColumnStatements(
  table: string,
  { columns, groups }: { columns: readonly string[]; groups: readonly (readonly string[])[] },
  rows: readonly (readonly Cell[])[],
): Statement[] {
  return groups.flatMap((group) => {
    const places = [0, 1, ...group.map((column) => columns.indexOf(column))];
    return rowStatements(
      rows.map((row) => places.map((place) => row[place] ?? null)),
      (source) => `
        UPDATE ${table} SET ${group.map((column, index) => `${column} = r.c${index + 2}`).join(", ")} FROM ${source}
        WHERE ${table}.${columns[0]} = r.c0 AND ${table}.version = r.c1
          AND (${group.join(", ")}) IS NOT (${cellsSql(group.length, 2)})`,
    );
  });
}

/** Returns the assignments of an upsert to all columns but the first, which identifies a row, and those of `groups`. */
export function updatesSql(columns: readonly string[], groups: readonly (readonly string[])[]): string {
  const apart = new Set(groups.flat());
  const updated = columns.slice(1).filter((column) => !apart.has(column));
  return updated.map((column) => `${column} = excluded.${column}`).join(", ");
}

/** Lists the columns `c0`, `c1`, ... of the source `r`, starting at `first`. */
export function cellsSql(width: number, first = 0): string {
  return Array.from({ length: width }, (_cell, index) => `r.c${first + index}`).join(", ");
}

/** Returns a source of rows. With JSONB each row is parsed once; as text it would be serialised again for each cell. */
function listSource(width: number): string {
  const columns = Array.from({ length: width }, (_cell, index) => `value ->> ${index} AS c${index}`);
  return `(SELECT ${columns.join(", ")} FROM jsonb_each(?1)) r`;
}

function boundSource(width: number): string {
  const columns = Array.from({ length: width }, (_cell, index) => `?${index + 1} AS c${index}`);
  return `(SELECT ${columns.join(", ")}) r`;
}
