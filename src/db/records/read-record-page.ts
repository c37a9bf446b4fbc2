import { type Database, batchRows } from "../statement.ts";
import { type MembersOf, membersStatements } from "./read-members.ts";
import { type RecordRow, latestOf, revisionsOf } from "./read-record.ts";
import type { Fitting } from "./whole-documents.ts";

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

/** Which record, and what belongs to it. */
export interface RecordPageWanted {
  readonly key: string;
  /** Undefined: the latest alone. */
  readonly revision: number | undefined;
  /** Editions of a work, works of an author; undefined for records of other kinds. */
  readonly kind: MembersOf["kind"] | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** The latest revision of a record, another one if it is asked for, and a page of its members. One round trip. */
export async function readRecordPage(database: Database, wanted: RecordPageWanted): Promise<RecordPageRows> {
  const { key, revision, kind, limit, offset } = wanted;
  const older = revision === undefined ? [] : [revisionsOf([[key, revision]])];
  const members = kind === undefined ? [] : membersStatements({ kind, owner: key }, { limit, offset });
  const [latest = [], ...more] = await batchRows(database, [latestOf(key), ...older, ...members]);
  const revisions = older.length === 0 ? [] : (more.shift() ?? []);
  const [counts = [], rows = []] = more;
  // The rows have the columns of the statements above.
  const [count] = counts as { size: number }[];
  return {
    latest: (latest as RecordRow[])[0],
    revision: (revisions as RecordRow[])[0],
    size: count?.size ?? 0,
    members: (rows as Fitting<RecordRow>[]).map(namedRow),
  };
}

/** Q496: a page has its members whatever their sizes; of those without room it has nothing but the keys. */
function namedRow({ document, ...row }: Fitting<RecordRow>): RecordRow {
  const { key, type } = row;
  return { ...row, document: document ?? JSON.stringify({ key, type: { key: type } }) };
}
