import { idRange } from "../../catalog/key-numbers.ts";
import { type Database, type Statement, type Window, batchGroups } from "../statement.ts";
import { latestOf, revisionsOf } from "./read.ts";
import type { RecordRow } from "./rows.ts";
import { type Fitting, fitting, fittingRecords } from "./whole-documents.ts";

/** A page of the records that refer to one record. */
export interface Members {
  readonly owner: RecordRow | undefined;
  /** How many there are in all. */
  readonly size: number;
  /** Fewer than the page has room for where they are the last ones, or larger than one answer may be. */
  readonly members: readonly RecordRow[];
}

const KINDS = {
  /** Works of an author: `authors[].author`. */
  works: { property: "authors.author", range: idRange("W") },
  /** Editions of a work: `works[]`. */
  editions: { property: "works", range: idRange("M") },
};

/** Whose members: the works of an author, or the editions of a work. */
interface MembersOf {
  readonly kind: keyof typeof KINDS;
  readonly owner: string;
}

/**
 * A page of the works of an author or the editions of a work, in ascending order of their keys, with the
 * owner's record and the whole number. One round trip.
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

/** The statements for the number of members (`size`) and for a page of them (`RecordRow`, as far as they are `fitting`). */
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

/** What the page of a record begins with. */
export interface RecordPageRows {
  /** Undefined: there is no such record. */
  readonly latest: RecordRow | undefined;
  /** The revision that was asked for; undefined when none was, or it is not stored. */
  readonly revision: RecordRow | undefined;
  /** How many members there are in all, and a page of them in ascending order of their keys. */
  readonly size: number;
  readonly members: readonly RecordRow[];
}

interface RecordPageQuery extends Window {
  readonly key: string;
  /** Undefined: the latest alone. */
  readonly revision: number | undefined;
  /** Editions of a work, works of an author; undefined for records of other kinds. */
  readonly kind: MembersOf["kind"] | undefined;
}

/** The latest revision of a record, another one if it is asked for, and a page of its members. One round trip. */
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

/** Q496: a page has its members whatever their sizes; of those without room it has nothing but the keys. */
function namedRow({ document, ...row }: Fitting<RecordRow>): RecordRow {
  const { key, type } = row;
  return { ...row, document: document ?? JSON.stringify({ key, type: { key: type } }) };
}
