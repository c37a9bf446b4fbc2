import type { Generation } from "../search/generation.ts";
import type { Statement } from "../statement.ts";

/** A value of a row. */
export type Cell = string | number | null;

/**
 * Longest JSON parameter, in characters. They take three bytes each at most, and D1 takes 2,000,000 bytes a
 * value.
 */
const PARAMETER_LENGTH_MAX = 480_000;

/**
 * Statements that take rows of equal width from a source: `sql` gets what stands for the rows after FROM, with
 * columns `c0`, `c1`, ... Rows travel as JSON lists of bounded length; one that is too long for that is bound
 * value by value.
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

/** Statements that forget deletions that are not newer than what is written now. */
export function revivedStatements(
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

/** `c0`, `c1`, ... of some width, from a first one on, as they are read from the source `r`. */
export function cells(width: number, first = 0): string {
  return Array.from({ length: width }, (_cell, index) => `r.c${first + index}`).join(", ");
}

/** As JSONB, a row is parsed once, whatever the number of its cells: as text, it would be written out for each of them. */
function listSource(width: number): string {
  const columns = Array.from({ length: width }, (_cell, index) => `value ->> ${index} AS c${index}`);
  return `(SELECT ${columns.join(", ")} FROM jsonb_each(?1)) r`;
}

function boundSource(width: number): string {
  const columns = Array.from({ length: width }, (_cell, index) => `?${index + 1} AS c${index}`);
  return `(SELECT ${columns.join(", ")}) r`;
}
