import type { DumpKind } from "../../catalog/dumps/files.ts";
import { type Database, firstRow, rows } from "../statement.ts";
import type { MadeFile } from "./steps.ts";

/** A file that is served, and the dump that it belongs to. */
export interface PublishedFile extends Omit<MadeFile, "place"> {
  readonly kind: DumpKind;
  readonly date: string;
  /** The dump has what the changes after this one made, … */
  readonly afterChange: number;
  /** … up to this one. */
  readonly change: number;
  /** Naive UTC. */
  readonly begun: string;
  readonly published: string;
}

const COLUMNS = `f.name, f.object, f.bytes, f.lines, f.digest, d.kind, d.date, d.after_change AS afterChange,
  d.change_id AS change, d.begun, d.published`;

/** A file by its name; undefined when it is not served. One statement. */
export async function publishedFile(catalog: Database, name: string): Promise<PublishedFile | undefined> {
  return firstRow<PublishedFile>(catalog, {
    sql: `SELECT ${COLUMNS} FROM dump_file f JOIN dump d ON d.id = f.dump_id
          WHERE f.name = ?1 AND d.state = 'published'`,
    values: [name],
  });
}

/** Date of the newest published dump of a kind. One statement. */
export async function newestDate(catalog: Database, kind: DumpKind): Promise<string | undefined> {
  const row = await firstRow<{ date: string }>(catalog, {
    sql: "SELECT date FROM dump WHERE kind = ?1 AND state = 'published' ORDER BY date DESC LIMIT 1",
    values: [kind],
  });
  return row?.date;
}

/** All files that are served: dumps by date, newest first, and their files in order. One statement. */
export async function publishedFiles(catalog: Database, limit: number): Promise<PublishedFile[]> {
  return rows<PublishedFile>(catalog, {
    sql: `SELECT ${COLUMNS} FROM dump d JOIN dump_file f ON f.dump_id = d.id
          WHERE d.state = 'published' ORDER BY d.date DESC, d.kind DESC, f.place LIMIT ?1`,
    values: [limit],
  });
}

/** Files of a dump that were put together so far, in order. One statement. */
export async function madeFiles(catalog: Database, dump: number): Promise<MadeFile[]> {
  return rows<MadeFile>(catalog, {
    sql: "SELECT name, place, object, bytes, lines, digest FROM dump_file WHERE dump_id = ?1 ORDER BY place",
    values: [dump],
  });
}
