import { idRange } from "../../catalog/record-id.ts";
import { type Database, type Statement, batchRows } from "../statement.ts";
import { type RecordRow, latestOf } from "./read-record.ts";

/** A page of the records that refer to one record. */
export interface Members {
  readonly owner: RecordRow | undefined;
  /** How many there are in all. */
  readonly size: number;
  readonly members: readonly RecordRow[];
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

const KINDS = {
  /** Works of an author: `authors[].author`. */
  works: { property: "authors.author", range: idRange("W") },
  /** Editions of a work: `works[]`. */
  editions: { property: "works", range: idRange("M") },
};

/** Whose members: the works of an author, or the editions of a work. */
export interface MembersOf {
  readonly kind: keyof typeof KINDS;
  readonly owner: string;
}

/**
 * A page of the works of an author or the editions of a work, in ascending order of their keys, with the
 * owner's record and the whole number. One round trip.
 */
export async function readMembers(database: Database, of: MembersOf, page: Page): Promise<Members> {
  const [owners = [], counts = [], members = []] = await batchRows(database, [
    latestOf(of.owner),
    ...membersStatements(of, page),
  ]);
  // The rows have the columns of the statements above.
  const [count] = counts as { size: number }[];
  return {
    owner: (owners as RecordRow[])[0],
    size: count?.size ?? 0,
    members: members as RecordRow[],
  };
}

/** The statements for the number of members (`size`) and for a page of them (`RecordRow`). */
export function membersStatements({ kind, owner }: MembersOf, page: Page): [Statement, Statement] {
  const { property, range } = KINDS[kind];
  // Q25: members that left have no row, so they are not counted.
  const where = "name = ?1 AND value = ?2 AND record_id >= ?3 AND record_id < ?4";
  const values = [property, owner, range.from, range.to];
  return [
    { sql: `SELECT count(*) AS size FROM property WHERE ${where}`, values },
    {
      sql: `SELECT r.id, r.key, r.type, r.revision, r.revision AS latest, r.flags,
                   r.last_modified AS lastModified, r.document
            FROM (SELECT record_id FROM property WHERE ${where} ORDER BY record_id LIMIT ?5 OFFSET ?6) m
            JOIN record r ON r.id = m.record_id ORDER BY r.id`,
      values: [...values, page.limit, page.offset],
    },
  ];
}
