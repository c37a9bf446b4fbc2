import { idRange } from "../../catalog/record-id.ts";
import { type Database, type Statement, batchRows } from "../statement.ts";
import { type RecordRow, latestOf } from "./read-record.ts";
import { fitting, fittingRecords } from "./whole-documents.ts";

/** A page of the records that refer to one record. */
export interface Members {
  readonly owner: RecordRow | undefined;
  /** How many there are in all. */
  readonly size: number;
  /** Fewer than the page has room for where they are the last ones, or larger than one answer may be. */
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
    members: fitting<RecordRow>(members),
  };
}

/** The statements for the number of members (`size`) and for a page of them (`RecordRow`, as far as they are `fitting`). */
export function membersStatements({ kind, owner }: MembersOf, page: Page): [Statement, Statement] {
  const { property, range } = KINDS[kind];
  // Q25: members that left have no row, so they are not counted.
  const where = "name = ?1 AND value = ?2 AND record_id >= ?3 AND record_id < ?4";
  const values = [property, owner, range.from, range.to];
  return [
    { sql: `SELECT count(*) AS size FROM property WHERE ${where}`, values },
    {
      sql: fittingRecords({
        source: `SELECT record_id AS id FROM property WHERE ${where} ORDER BY record_id LIMIT ?5 OFFSET ?6`,
        order: "id",
      }),
      values: [...values, page.limit, page.offset],
    },
  ];
}
