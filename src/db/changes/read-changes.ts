import { type Database, rows } from "../statement.ts";

/** A row of the log. */
export interface ChangeRow {
  readonly id: number;
  readonly kind: string;
  readonly author: string | null;
  readonly comment: string | null;
  readonly bot: number;
  readonly ip: string | null;
  readonly created: string;
  /** JSON text of `[{key, revision}]`; null for a batch of a dump. */
  readonly changes: string | null;
  readonly data: string;
}

/** Conditions on changes; all must hold. Dates are naive UTC, `end` exclusive. */
export interface ChangeFilter {
  readonly id?: number;
  readonly key?: string;
  readonly author?: string;
  readonly ip?: string;
  readonly kind?: string;
  readonly bot?: boolean;
  readonly begin?: string;
  readonly end?: string;
}

/** Changes, newest first. One statement. */
export function readChanges(
  database: Database,
  filter: ChangeFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ChangeRow[]> {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: (placeholder: string) => string, value: string | number | undefined): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(sql(`?${values.length}`));
  };
  add((at) => `c.id = ${at}`, filter.id);
  add(
    (at) =>
      `c.id IN (SELECT r.change_id FROM record r WHERE r.key = ${at} UNION
      SELECT v.change_id FROM record r JOIN revision v ON v.record_id = r.id WHERE r.key = ${at})`,
    filter.key,
  );
  add((at) => `c.author = ${at}`, filter.author);
  add((at) => `c.ip = ${at} AND c.author IS NULL`, filter.ip);
  add((at) => `c.kind = ${at}`, filter.kind);
  add((at) => `c.bot = ${at}`, filter.bot === undefined ? undefined : Number(filter.bot));
  add((at) => `c.created >= ${at}`, filter.begin);
  add((at) => `c.created < ${at}`, filter.end);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  values.push(limit, offset);
  return rows<ChangeRow>(database, {
    sql: `SELECT c.* FROM change c ${where} ORDER BY c.id DESC LIMIT ?${values.length - 1} OFFSET ?${values.length}`,
    values,
  });
}
