import { keyOfWorkId } from "../../search/index/ids.ts";
import { type Database, rows } from "../statement.ts";
import type { Generation } from "./generation.ts";

/** Where a walk through all works goes on. */
export interface WorkWalk {
  /** Number of the work before the first one wanted. */
  readonly after: number;
  readonly limit: number;
  /** Of record numbers, such as `OL`. */
  readonly prefix: string;
}

/** Keys of the next works in order of number, and the number of the last one. One statement. */
export async function readWorkKeys(
  database: Database,
  generation: Generation,
  { after, limit, prefix }: WorkWalk,
): Promise<{ readonly keys: readonly string[]; readonly last: number }> {
  const found = await rows<{ id: number }>(database, {
    sql: `SELECT id FROM work_${generation} WHERE id > ?1 ORDER BY id LIMIT ?2`,
    values: [after, limit],
  });
  return { keys: found.map(({ id }) => keyOfWorkId(id, prefix)), last: found.at(-1)?.id ?? after };
}
