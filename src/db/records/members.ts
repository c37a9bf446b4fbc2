import { idRange } from "../../catalog/key-numbers.ts";
import { type Database, type Statement, type Window, batchGroups } from "../statement.ts";
import { latestOf, revisionsOf } from "./read.ts";
import type { RecordRow } from "./rows.ts";
import { type Fitting, fitting, fittingRecords } from "./whole-documents.ts";

/** Page of the records that refer to one record. */
interface Members {
  readonly owner: RecordRow | undefined;
  /** Total number of members. */
  readonly size: number;
  /** Members of the page. Fewer than requested at the end, or if they exceed the size limit of a response. */
  readonly members: readonly RecordRow[];
}

const KINDS = {
  /** Works of an author: `authors[].author`. */
  works: { property: "authors.author", range: idRange("W") },
  /** Editions of a work: `works[]`. */
  editions: { property: "works", range: idRange("M") },
};

/** Owner of the members: an author with works, or a work with editions. */
interface MembersOf {
  readonly kind: keyof typeof KINDS;
  readonly owner: string;
}

/**
 * Reads a page of the works of an author or the editions of a work, in ascending order of key, with the owner's record
 * and the total. One round trip.
 */
export async function readMembers(database: Database, of: MembersOf, page: Window): Promise<Members> {
  const { owner, size, members } = await batchGroups<MemberRows & { owner: RecordRow }>(database, {
    owner: latestOf(of.owner),
    ...membersStatements(of, page),
  });
  return { owner: owner[0], size: size[0]?.size ?? 0, members: fitting<RecordRow>(members) };
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
  // Q25: members that left have no row, so they are not counted.
  const where = "name = ?1 AND value = ?2 AND record_id >= ?3 AND record_id < ?4";
  const values = [property, owner, range.from, range.to];
  return {
    size: { sql: `SELECT count(*) AS size FROM property WHERE ${where}`, values },
    members: {
      sql: fittingRecords({
        source: `SELECT record_id AS id FROM property WHERE ${where} ORDER BY record_id LIMIT ?5 OFFSET ?6`,
        order: "id",
      }),
      values: [...values, page.limit, page.offset],
    },
  };
}

/** Data for the page of a record. */
export interface RecordPageRows {
  /** Latest revision; undefined if the record does not exist. */
  readonly latest: RecordRow | undefined;
  /** Requested revision; undefined if none was requested, or it is not stored. */
  readonly revision: RecordRow | undefined;
  /** Total number of members, and a page of them in ascending order of key. */
  readonly size: number;
  readonly members: readonly RecordRow[];
}

interface RecordPageQuery extends Window {
  readonly key: string;
  /** Revision to read; undefined for the latest only. */
  readonly revision: number | undefined;
  /** Kind of members: editions of a work, works of an author; undefined for other records. */
  readonly kind: MembersOf["kind"] | undefined;
}

/** Reads the latest revision of a record, a requested revision, and a page of its members. One round trip. */
export async function readRecordPage(database: Database, query: RecordPageQuery): Promise<RecordPageRows> {
  const { key, revision, kind, limit, offset } = query;
  const page = { limit, offset };
  const found = await batchGroups<MemberRows & { latest: RecordRow; revision: RecordRow }>(database, {
    latest: latestOf(key),
    revision: revision === undefined ? [] : revisionsOf([[key, revision]]),
    ...(kind === undefined ? { size: [], members: [] } : membersStatements({ kind, owner: key }, page)),
  });
  return {
    latest: found.latest[0],
    revision: found.revision[0],
    size: found.size[0]?.size ?? 0,
    members: found.members.map(namedRow),
  };
}

/**
 * Completes a row whose document did not fit. Q496: a page lists its members regardless of their sizes; of those that
 * do not fit it only has the keys.
 */
function namedRow({ document, ...row }: Fitting<RecordRow>): RecordRow {
  const { key, type } = row;
  return { ...row, document: document ?? JSON.stringify({ key, type: { key: type } }) };
}
