import type { Section } from "../../catalog/dumps/files.ts";
import { type Database, batchRows, firstRow, rows } from "../statement.ts";
import type { Member } from "./steps.ts";

/** A place between the members of a file: the next one is the first that begins here or later. */
export interface MemberPlace {
  readonly step: number;
  /** First byte in the object of that step. */
  readonly place: number;
  /** First byte in the file. */
  readonly offset: number;
}

/** Where every file begins. */
export const FILE_START: MemberPlace = { step: 0, place: 0, offset: 0 };

/** A member of a file, and where it begins there. */
export type PlacedMember = MemberPlace & Pick<Member, "object" | "bytes" | "lines" | "digest">;

/** Members that are asked for: those from a place on that begin before a byte of the file. */
export interface MemberRange {
  readonly sections: readonly Section[];
  readonly from: MemberPlace;
  readonly to: number;
  readonly limit: number;
}

/** Where a file goes on after a member. */
export function placeAfter({ step, place, offset, bytes }: PlacedMember): MemberPlace {
  return { step, place: place + bytes, offset: offset + bytes };
}

// It begins where the last part of the file ended: a file is not counted from its first member for each of its parts.
const PLACED = `
  SELECT step, place, object, bytes, lines, digest,
    ?5 + sum(bytes) OVER (ORDER BY step, place ROWS UNBOUNDED PRECEDING) - bytes AS "offset"
  FROM (
    SELECT step, place, object, bytes, lines, digest FROM dump_member
    WHERE dump_id = ?1 AND (step, place) >= (?3, ?4) AND section IN (SELECT value FROM json_each(?2))
    ORDER BY step, place LIMIT ?7)`;

/** The next members of a file, in order. One statement. */
export async function nextMembers(
  catalog: Database,
  dump: number,
  { sections, from, to, limit }: MemberRange,
): Promise<PlacedMember[]> {
  const { step, place, offset } = from;
  return rows<PlacedMember>(catalog, {
    sql: `SELECT * FROM (${PLACED}) WHERE "offset" < ?6 ORDER BY "offset"`,
    values: [dump, JSON.stringify(sections), step, place, offset, to, limit],
  });
}

/** How large a file is to be, and how many lines it has. One statement, which reads all members of the dump. */
export async function fileSize(
  catalog: Database,
  dump: number,
  sections: readonly Section[],
): Promise<{ bytes: number; lines: number }> {
  const row = await firstRow<{ bytes: number; lines: number }>(catalog, {
    sql: `SELECT coalesce(sum(bytes), 0) AS bytes, coalesce(sum(lines), 0) AS lines
          FROM dump_member WHERE dump_id = ?1 AND section IN (SELECT value FROM json_each(?2))`,
    values: [dump, JSON.stringify(sections)],
  });
  return row ?? { bytes: 0, lines: 0 };
}
/** Forgets the members of a dump, and its files too unless they are to be served. One transaction. */
export async function forgetMembers(catalog: Database, dump: number, withFiles: boolean): Promise<void> {
  const members = { sql: "DELETE FROM dump_member WHERE dump_id = ?1", values: [dump] };
  const files = { sql: "DELETE FROM dump_file WHERE dump_id = ?1", values: [dump] };
  await batchRows(catalog, withFiles ? [members, files] : [members]);
}

/** Forgets the retired dumps of which nothing is left. One statement. */
export async function forgetRetired(catalog: Database): Promise<void> {
  await batchRows(catalog, [
    { sql: "DELETE FROM dump WHERE state = 'retired' AND stage = 'done'", values: [] },
  ]);
}
