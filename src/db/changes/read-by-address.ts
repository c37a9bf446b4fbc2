import { type Database, rows } from "../statement.ts";
import type { ChangeRow, Slice } from "./read-changes.ts";

/** Changes from an address, whoever made them, newest first; for administrators only. One statement. */
export function readChangesByAddress(
  database: Database,
  ip: string,
  { limit, offset }: Slice,
): Promise<ChangeRow[]> {
  return rows<ChangeRow>(database, {
    sql: "SELECT * FROM change WHERE ip = ?1 ORDER BY created DESC, id DESC LIMIT ?2 OFFSET ?3",
    values: [ip, limit, offset],
  });
}
