import type { DumpKind, Section } from "../../catalog/dumps/dump-files.ts";
import { type Database, firstRow, firstValue, rows } from "../statement.ts";

/** `dump` in D1 `CATALOG`. Times are naive UTC with six fraction digits. */
export interface DumpRow {
  readonly id: number;
  readonly kind: DumpKind;
  readonly date: string;
  /** The dump contains changes after this one, up to `change_id`. */
  readonly after_change: number;
  readonly change_id: number;
  readonly begun: string;
  readonly state: "open" | "published" | "failed" | "retired";
  readonly stage: string;
  /** JSON text. */
  readonly position: string;
  readonly step: number;
  readonly attempts: number;
  readonly failures: number;
  readonly problem: string | null;
  readonly updated: string;
  readonly published: string | null;
}

/** `dump_file`: a complete file. */
export interface MadeFile {
  readonly name: string;
  readonly place: number;
  readonly object: string;
  readonly bytes: number;
  readonly lines: number;
  /** SHA-256 of the file, or of the lines of a member, in hex. */
  readonly digest: string;
}

/** `dump_member`: a piece of a file, stored as a gzip member in an object of R2. `place` is its first byte there. */
export type Member = Omit<MadeFile, "name"> & { readonly section: Section };

export const DUMP_COLUMNS = `id, kind, date, after_change, change_id, begun, state, stage, position, step, attempts, failures,
  problem, updated, published`;

/** Returns the newest change if a load made one after a given change, otherwise undefined. One statement. */
export async function readChangeAfterLoad(catalog: Database, after: number): Promise<number | undefined> {
  const sql = `SELECT (SELECT max(id) FROM change) AS id,
                      EXISTS (SELECT 1 FROM change WHERE id > ?1 AND changes IS NULL) AS loads`;
  const row = await firstRow<{ id: number; loads: number }>(catalog, { sql, values: [after] });
  return row?.loads === 1 ? row.id : undefined;
}

/** Number of changes with the latest times before a moment that are searched for the highest number. */
const CUT_CHANGES = 1000;

/**
 * Returns the last change of the log that belongs to the time before a moment (naive UTC). Changes in progress then may
 * have higher numbers than the first ones after it; each is counted on one side. One statement.
 */
export async function readChangeAt(catalog: Database, moment: string): Promise<number> {
  const sql = `SELECT coalesce(max(id), 0) AS id FROM (
                 SELECT id FROM change WHERE created < ?1 ORDER BY created DESC, id DESC LIMIT ?2)`;
  return (await firstValue<number>(catalog, { sql, values: [moment, CUT_CHANGES] })) ?? 0;
}

/** Reads the dump of a kind and date. Returns undefined if there is none. One statement. */
export async function readDump(
  catalog: Database,
  kind: DumpKind,
  date: string,
): Promise<DumpRow | undefined> {
  const sql = `SELECT ${DUMP_COLUMNS} FROM dump WHERE kind = ?1 AND date = ?2`;
  return firstRow<DumpRow>(catalog, { sql, values: [kind, date] });
}

/** Reads the newest dumps of a kind in any state, by date. One statement. */
export async function readNewestDumps(catalog: Database, kind: DumpKind, limit: number): Promise<DumpRow[]> {
  const sql = `SELECT ${DUMP_COLUMNS} FROM dump WHERE kind = ?1 ORDER BY date DESC LIMIT ?2`;
  return rows<DumpRow>(catalog, { sql, values: [kind, limit] });
}

/** Reads the dumps of a kind around a date: the newest one before it, and the oldest one after it. One statement. */
export async function readDumpsAround(
  catalog: Database,
  kind: DumpKind,
  date: string,
): Promise<{ before: DumpRow | undefined; after: DumpRow | undefined }> {
  const sql = `SELECT * FROM (SELECT ${DUMP_COLUMNS} FROM dump WHERE kind = ?1 AND date < ?2 ORDER BY date DESC LIMIT 1)
               UNION ALL
               SELECT * FROM (SELECT ${DUMP_COLUMNS} FROM dump WHERE kind = ?1 AND date > ?2 ORDER BY date LIMIT 1)`;
  const neighbours = await rows<DumpRow>(catalog, { sql, values: [kind, date] });
  return {
    before: neighbours.find((row) => row.date < date),
    after: neighbours.find((row) => row.date > date),
  };
}

/** Reads the newest dumps of all kinds, with the lines written so far. One statement. */
export async function listDumps(catalog: Database, limit: number): Promise<(DumpRow & { lines: number })[]> {
  const sql = `SELECT ${DUMP_COLUMNS}, (SELECT coalesce(sum(lines), 0) FROM dump_member m WHERE m.dump_id = dump.id) AS lines
               FROM dump ORDER BY date DESC, kind DESC LIMIT ?1`;
  return rows<DumpRow & { lines: number }>(catalog, { sql, values: [limit] });
}

export interface PublishedFile extends Omit<MadeFile, "place"> {
  readonly kind: DumpKind;
  readonly date: string;
  readonly afterChange: number;
  readonly change: number;
  /** Naive UTC. */
  readonly begun: string;
  readonly published: string;
}

const FILE_COLUMNS = `f.name, f.object, f.bytes, f.lines, f.digest, d.kind, d.date, d.after_change AS afterChange,
  d.change_id AS change, d.begun, d.published`;

/** Reads a published file by name. Returns undefined if there is none. One statement. */
export async function readPublishedFile(catalog: Database, name: string): Promise<PublishedFile | undefined> {
  const sql = `SELECT ${FILE_COLUMNS} FROM dump_file f JOIN dump d ON d.id = f.dump_id
               WHERE f.name = ?1 AND d.state = 'published'`;
  return firstRow<PublishedFile>(catalog, { sql, values: [name] });
}

/** Returns the date of the newest published dump of a kind. One statement. */
export async function readNewestDate(catalog: Database, kind: DumpKind): Promise<string | undefined> {
  const sql = "SELECT date FROM dump WHERE kind = ?1 AND state = 'published' ORDER BY date DESC LIMIT 1";
  return firstValue<string>(catalog, { sql, values: [kind] });
}

/** Reads all published files: dumps by date, newest first, and their files in order. One statement. */
export async function readPublishedFiles(catalog: Database, limit: number): Promise<PublishedFile[]> {
  const sql = `SELECT ${FILE_COLUMNS} FROM dump d JOIN dump_file f ON f.dump_id = d.id
               WHERE d.state = 'published' ORDER BY d.date DESC, d.kind DESC, f.place LIMIT ?1`;
  return rows<PublishedFile>(catalog, { sql, values: [limit] });
}

/** Reads the files of a dump that are complete, in order. One statement. */
export async function readCompleteFiles(catalog: Database, dump: number): Promise<MadeFile[]> {
  const sql =
    "SELECT name, place, object, bytes, lines, digest FROM dump_file WHERE dump_id = ?1 ORDER BY place";
  return rows<MadeFile>(catalog, { sql, values: [dump] });
}

/** Position between the members of a file: the next member is the first one at or after it. */
export interface MemberPlace {
  readonly step: number;
  /** First byte in the object of that step. */
  readonly place: number;
  readonly offset: number;
}

export const FILE_START: MemberPlace = { step: 0, place: 0, offset: 0 };

export type PlacedMember = MemberPlace & Pick<Member, "object" | "bytes" | "lines" | "digest">;

export function placeAfter({ step, place, offset, bytes }: PlacedMember): MemberPlace {
  return { step, place: place + bytes, offset: offset + bytes };
}

// Offsets start from the end of the last part, so that a file is not added up from its first member for each part.
const PLACED = `
  SELECT step, place, object, bytes, lines, digest,
    ?5 + sum(bytes) OVER (ORDER BY step, place ROWS UNBOUNDED PRECEDING) - bytes AS "offset"
  FROM (
    SELECT step, place, object, bytes, lines, digest FROM dump_member
    WHERE dump_id = ?1 AND (step, place) >= (?3, ?4) AND section IN (SELECT value FROM json_each(?2))
    ORDER BY step, place LIMIT ?7)`;

/** Reads the next members of a file, in order. One statement. */
export async function readNextMembers(
  catalog: Database,
  dump: number,
  {
    sections,
    from,
    to,
    limit,
  }: { sections: readonly Section[]; from: MemberPlace; to: number; limit: number },
): Promise<PlacedMember[]> {
  const { step, place, offset } = from;
  return rows<PlacedMember>(catalog, {
    sql: `SELECT * FROM (${PLACED}) WHERE "offset" < ?6 ORDER BY "offset"`,
    values: [dump, JSON.stringify(sections), step, place, offset, to, limit],
  });
}

/** Returns the size of a file in bytes, and its number of lines. One statement, which reads all members of the dump. */
export async function readFileSize(
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
