import { MIB } from "../../catalog/units.ts";
import { idRangeOf } from "../../catalog/key-numbers.ts";
import { batchGroups, allValues, rows, type Database, type Statement, type Window } from "../statement.ts";
import type { RecordPart } from "../../catalog/lookup/expand.ts";
import { reachedStatement, requireReached } from "./reached.ts";
import { latestStatement, revisionsStatement } from "./records.ts";
import { bytesBefore, fitting, fittingRecords, type RecordRow, type Fitting } from "./record-rows.ts";

interface Members {
  readonly owner: RecordRow | undefined;
  readonly size: number;
  readonly members: readonly RecordRow[];
}

const KINDS = {
  works: { property: "authors.author", range: idRangeOf("W") },
  editions: { property: "works", range: idRangeOf("M") },
};

/** Owner of the members: an author with works, or a work with editions. */
interface MembersOf {
  readonly kind: keyof typeof KINDS;
  readonly owner: string;
}

/**
 * Reads a page of the works of an author or the editions of a work, in ascending order of key, with the owner's record
 * and the total, and with `parts` the records that the members show. One round trip.
 */
export async function readMembers(
  database: Database,
  of: MembersOf,
  { parts, ...page }: Window & { readonly parts?: ReadonlySet<RecordPart> | undefined },
): Promise<Members & { readonly reached: readonly RecordRow[] | undefined }> {
  const { owner, size, members, reached } = await batchGroups<
    MemberRows & { owner: RecordRow; reached: unknown }
  >(database, {
    owner: latestStatement(of.owner),
    ...membersStatements(of, page),
    reached: parts === undefined ? [] : reachedStatement(memberKeys(of, page), parts),
  });
  return {
    owner: owner[0],
    size: size[0]?.size ?? 0,
    members: fitting<RecordRow>(members),
    reached: parts && requireReached(reached),
  };
}

interface MemberRows {
  readonly size: { readonly size: number };
  readonly members: Fitting<RecordRow>;
}

/**
 * Returns the statements for the number of members (`size`) and for a page of them (`RecordRow`, as far as they are
 * `fitting`).
 */
function membersStatements({ kind, owner }: MembersOf, page: Window): Record<keyof MemberRows, Statement> {
  const { property, range } = KINDS[kind];
  const values = [property, owner, range.from, range.to];
  return {
    size: { sql: `SELECT count(*) AS size FROM property WHERE ${MEMBERS}`, values },
    members: {
      sql: fittingRecords({ source: MEMBER_IDS, order: "id" }),
      values: [...values, page.limit, page.offset],
    },
  };
}

// Q25: members that left have no row, so they are not counted.
const MEMBERS = "name = ?1 AND value = ?2 AND record_id >= ?3 AND record_id < ?4";
const MEMBER_IDS = `SELECT record_id AS id FROM property WHERE ${MEMBERS} ORDER BY record_id LIMIT ?5 OFFSET ?6`;

/** Returns the statement of the keys of a page of members. */
function memberKeys({ kind, owner }: MembersOf, { limit, offset }: Window): Statement {
  const { property, range } = KINDS[kind];
  const sql = `SELECT r.key FROM (${MEMBER_IDS}) m CROSS JOIN record r ON r.id = m.id`;
  return { sql, values: [property, owner, range.from, range.to, limit, offset] };
}

/** Editions of a work that are selected by date or language. Works with more have one order only. */
export const SELECTED_EDITIONS_MAX = 10_000;
/** Bytes of the documents whose dates and languages are read; ten thousand editions usually have half of it. */
const SELECTED_EDITIONS_BYTES = 32 * MIB;

/** Values by which editions are selected: JSON of members of a record, null without them. */
export interface EditionTraits {
  readonly id: number;
  readonly lastModified: string;
  readonly date: string | null;
  readonly languages: string | null;
}

// Sizes are added up before any document is read.
const EDITION_TRAITS = `
  SELECT r.id, r.last_modified AS lastModified, CASE WHEN f.bytes < ${SELECTED_EDITIONS_BYTES} THEN 1 ELSE 0 END AS isRead,
    CASE WHEN f.bytes < ${SELECTED_EDITIONS_BYTES} THEN r.document->'$.publish_date' END AS date,
    CASE WHEN f.bytes < ${SELECTED_EDITIONS_BYTES} THEN r.document->'$.languages' END AS languages
  FROM (SELECT m.id, ${bytesBefore("octet_length(s.document)", "m.id")} AS bytes
        FROM (SELECT record_id AS id FROM property WHERE name = 'works' AND value = ?1 AND record_id >= ?2 AND record_id < ?3
              ORDER BY record_id LIMIT ?4) m CROSS JOIN record s ON s.id = m.id) f
  CROSS JOIN record r ON r.id = f.id ORDER BY r.id`;

/**
 * Reads a work and the traits of all its editions, in ascending order of key; undefined if there are more than
 * `SELECTED_EDITIONS_MAX`, or if they are too large. One round trip.
 */
export async function readEditionTraits(
  database: Database,
  work: string,
): Promise<{ readonly owner: RecordRow | undefined; readonly traits: readonly EditionTraits[] | undefined }> {
  const { from, to } = idRangeOf("M");
  const { owner, traits } = await batchGroups<{
    owner: RecordRow;
    traits: EditionTraits & { readonly isRead: number };
  }>(database, {
    owner: latestStatement(work),
    traits: { sql: EDITION_TRAITS, values: [work, from, to, SELECTED_EDITIONS_MAX + 1] },
  });
  const isWhole = traits.length <= SELECTED_EDITIONS_MAX && traits.every(({ isRead }) => isRead === 1);
  return { owner: owner[0], traits: isWhole ? traits : undefined };
}

interface RecordPageQuery extends Window {
  readonly key: string;
  /** Revision to read; undefined for the latest only. */
  readonly revision: number | undefined;
  /** Kind of members: editions of a work, works of an author; undefined for other records. */
  readonly kind: MembersOf["kind"] | undefined;
}

/**
 * Reads the latest revision of a record, undefined if there is none, a requested revision, and a page of its members. One
 * round trip.
 */
export async function readRecordPage(database: Database, query: RecordPageQuery) {
  const { key, revision, kind, limit, offset } = query;
  const page = { limit, offset };
  const groups = await batchGroups<MemberRows & { latest: RecordRow; revision: RecordRow }>(database, {
    latest: latestStatement(key),
    revision: revision === undefined ? [] : revisionsStatement([[key, revision]]),
    ...(kind === undefined ? { size: [], members: [] } : membersStatements({ kind, owner: key }, page)),
  });
  return {
    latest: groups.latest[0],
    revision: groups.revision[0],
    size: groups.size[0]?.size ?? 0,
    members: groups.members.map(toNamedRow),
  };
}

/**
 * Completes a row whose document did not fit. Q496: a page lists its members regardless of their sizes; of those that
 * do not fit it only has the keys.
 */
function toNamedRow({ document, ...row }: Fitting<RecordRow>): RecordRow {
  const { key, type } = row;
  return { ...row, document: document ?? JSON.stringify({ key, type: { key: type } }) };
}

/**
 * Counts the editions of works or authors (those that editions refer to directly), by key. Keys without editions are
 * absent. One statement or none.
 */
export async function countEditions(
  database: Database,
  keys: readonly string[],
  member: "works" | "authors" = "works",
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const { from, to } = idRangeOf("M");
  // CROSS JOIN keeps the table order; otherwise all editions of the catalog would be scanned.
  const sql = `SELECT p.value AS key, count(*) AS size FROM json_each(?1) w
               CROSS JOIN property p ON p.name = ?4 AND p.value = w.value AND p.record_id >= ?2 AND p.record_id < ?3
               GROUP BY p.value`;
  const values = [JSON.stringify([...new Set(keys)]), from, to, member];
  const counts = await rows<{ key: string; size: number }>(database, { sql, values });
  return new Map(counts.map(({ key, size }) => [key, size]));
}

/** Reads the keys of a work's editions, at most `limit`, in ascending order of number. One indexed read. */
export async function readEditionKeys(database: Database, work: string, limit: number): Promise<string[]> {
  const { from, to } = idRangeOf("M");
  const sql = `SELECT r.key FROM property p JOIN record r ON r.id = p.record_id
               WHERE p.name = 'works' AND p.value = ?1 AND p.record_id >= ?2 AND p.record_id < ?3
               ORDER BY p.record_id LIMIT ?4`;
  return allValues<string>(database, { sql, values: [work, from, to, limit] });
}

/** Randomly chosen edition. */
interface RandomEdition {
  readonly key: string;
  /** Id of its scan; null if it has none. */
  readonly ocaid: string | null;
}

const NEXT = `
  SELECT id FROM record WHERE id >= b.low + CAST(floor(CAST(p.value AS DOUBLE PRECISION) * (b.high - b.low)) AS BIGINT) AND id < ?3
    AND type = '/type/edition' ORDER BY id LIMIT 1`;

/**
 * Reads the editions that follow some positions between the first edition and the last. `places` are fractions from 0
 * to 1. The result may contain duplicates, and is empty without editions. One statement with one lookup per position.
 */
export function editionsAt(database: Database, places: readonly number[]): Promise<RandomEdition[]> {
  const { from, to } = idRangeOf("M");
  const sql = `SELECT r.key, nullif(r.document->>'$.ocaid', '') AS ocaid
               FROM (SELECT (SELECT min(id) FROM record WHERE id >= ?2 AND id < ?3) AS low,
                            (SELECT max(id) FROM record WHERE id >= ?2 AND id < ?3) AS high) b
               CROSS JOIN json_each(?1) p JOIN record r ON r.id = (${NEXT})
               ORDER BY p.key`;
  return rows<RandomEdition>(database, { sql, values: [JSON.stringify(places), from, to] });
}
