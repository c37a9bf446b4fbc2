import { type ShelfCount, SHELVES, mapShelves } from "../../catalog/patrons/shelves.ts";
import { joinTitle } from "../../search/documents/titles.ts";
import { type WorkCounts, type WorkDocument, NO_COUNTS } from "../../search/documents/types.ts";
import { type Generation, SUBJECT_COUNT_FIELDS } from "../../search/engine.ts";
import type { ShareChange, WorkShare } from "../../search/indexing/author-tally.ts";
import { authorIdOfKey } from "../../search/indexing/ids.ts";
import { type SubjectNames, type SubjectRow, toSubjectRows } from "../../search/indexing/plain-rows.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";
import type { Statement } from "../statement.ts";
import type { PartWork } from "./work-batches.ts";
import type { Deletions } from "./write-documents.ts";
import { type IndexedColumns, type PackedRows, INDEXED_COLUMN_NAMES } from "./write-works.ts";

/** Members of a stored work that authors and subjects are computed from. */
type CountedMembers = SubjectNames & Pick<StoredWorkMembers, "title" | "subtitle" | "author_key">;

/** Work of the index before or after a change. */
export interface CountedWork {
  readonly members: CountedMembers;
  readonly share: WorkShare;
}

interface WorkChange {
  readonly before: CountedWork | undefined;
  readonly after: CountedWork | undefined;
}

/** Counts a work that is about to be written. Of a very large one, the members that are stored as JSON count. */
export function countPackedWork(
  { rows, packed }: PackedRows,
  document: WorkDocument | undefined,
  prefix: string,
): CountedWork {
  const members = packed.packed === null ? rows.document : (JSON.parse(packed.document) as StoredWorkMembers);
  const { edition_count: editions = 0, counts = NO_COUNTS } = document ?? {};
  return countWork(members, { id: rows.id, editions, counts, prefix });
}

/** Returns the changes that are about to be written. Older versions than those of the index change nothing. */
export function findWorkChanges(
  { works, deletions }: { readonly works: readonly PartWork[]; readonly deletions: Deletions },
  {
    indexed,
    tombstones,
    counted,
    prefix,
  }: {
    readonly indexed: readonly IndexedRow[];
    readonly tombstones: readonly TombstoneRow[];
    readonly counted: readonly CountedWork[];
    readonly prefix: string;
  },
): WorkChange[] {
  const rowsById = new Map(indexed.map((row) => [row.id, row]));
  const deleted = new Map(tombstones.map(({ key, version }) => [key, version]));
  const written = counted.map((after, at) => {
    const { key = "", version = 0 } = works[at]?.rows ?? {};
    return { id: after.share.id, after, version, isDeleted: (deleted.get(key) ?? 0) > version };
  });
  const removed = deletions.works.map(({ id, version }) => {
    return { id, after: undefined, version, isDeleted: false };
  });
  return [...written, ...removed].flatMap(({ id, after, version, isDeleted }) => {
    const row = rowsById.get(id);
    const isOlder = isDeleted || (row?.version ?? 0) > version;
    return isOlder ? [] : [{ before: row && countIndexedWork(row, prefix), after }];
  });
}

function countWork(
  members: CountedMembers,
  {
    id,
    editions,
    counts,
    prefix,
  }: Pick<WorkShare, "id" | "editions" | "counts"> & { readonly prefix: string },
): CountedWork {
  const authors = (members.author_key ?? []).flatMap(
    (olid) => authorIdOfKey(`/authors/${olid}`, prefix) ?? [],
  );
  const subjects = SUBJECT_COUNT_FIELDS.flatMap((name, field) =>
    (members[name] ?? []).map((value) => `${field}${value}`),
  );
  return {
    members,
    share: {
      id,
      authors: new Set(authors),
      editions,
      title: joinTitle(members.title, members.subtitle),
      counts,
      subjects: new Set(subjects),
    },
  };
}

export interface IndexedRow extends Readonly<Record<`${ShelfCount}_count`, number>>, IndexedColumns {
  readonly id: number;
  readonly version: number;
  readonly edition_count: number;
  readonly boost: number;
  readonly ratings: string | null;
  readonly members: string;
}

/** Returns a statement that reads an `IndexedRow` for each work in the index. */
export function indexedRowsStatement(ids: readonly number[], generation: Generation): Statement {
  const members = ["title", "subtitle", "author_key", ...SUBJECT_COUNT_FIELDS];
  return {
    sql: `SELECT w.id, w.version, w.ratings, ${INDEXED_COLUMN_NAMES.map((name) => `w.${name}`).join(", ")},
            ${SHELVES.map(({ count }) => `w.${count}_count`).join(", ")},
            json_object(${members.map((name) => `'${name}', d.document -> '${name}'`).join(", ")}) AS members
          FROM json_each(?1) j JOIN work_${generation} w ON w.id = j.value
          JOIN work_document_${generation} d ON d.id = w.id`,
    values: [JSON.stringify(ids)],
  };
}

export function countIndexedWork(row: IndexedRow, prefix: string): CountedWork {
  // The column holds members of a document written by `workStatements`, or null.
  const { subtitle, author_key: authors, ...members } = JSON.parse(row.members) as StoredWorkMembers;
  const counts = {
    // `readerValuesOf` builds the column.
    ratings: row.ratings === null ? NO_COUNTS.ratings : (JSON.parse(row.ratings) as WorkCounts["ratings"]),
    ...mapShelves("member", ({ count }) => row[`${count}_count`]),
  };
  return countWork(
    { ...members, ...(subtitle && { subtitle }), ...(authors && { author_key: authors }) },
    { id: row.id, editions: row.edition_count, counts, prefix },
  );
}

export interface TombstoneRow {
  readonly key: string;
  readonly version: number;
}

export function tombstonesStatement(
  works: readonly { readonly key: string }[],
  generation: Generation,
): Statement {
  return {
    sql: `SELECT key, version FROM tombstone_${generation} WHERE key IN (SELECT value FROM json_each(?1))`,
    values: [JSON.stringify(works.map(({ key }) => key))],
  };
}

export function sharesOf(changes: readonly WorkChange[]): ShareChange[] {
  return changes.map(({ before, after }) => ({ before: before?.share, after: after?.share }));
}

export function changedMembers(changes: readonly WorkChange[]) {
  return changes.map(({ before, after }) => ({ before: before?.members, after: after?.members }));
}

export interface ChangedSubjects {
  /** All spellings, old and new, of subjects that a work gained, lost or spells differently. */
  readonly subjects: readonly SubjectRow[];
  /** Differences in the number of works with a subject, by its key. */
  readonly works: ReadonlyMap<string, number>;
  /** Differences in the number of works with a spelling, by its token. */
  readonly spelled: ReadonlyMap<string, number>;
  /** Keys of subjects that a work lost, and that may have no works any more. */
  readonly lost: ReadonlySet<string>;
}

/** Finds changed subjects. A work keeps most of its subjects, up to a hundred thousand, and these need no new count. */
export function findChangedSubjects(
  changes: readonly { readonly before: SubjectNames | undefined; readonly after: SubjectNames | undefined }[],
): ChangedSubjects {
  const spellings = new Map<string, SubjectRow>();
  const [works, spelled] = [new Map<string, number>(), new Map<string, number>()];
  const [changed, lost] = [new Set<string>(), new Set<string>()];
  for (const { before, after } of changes) {
    const [had, has] = [toSubjectRows(before ?? {}), toSubjectRows(after ?? {})];
    for (const row of [...had, ...has]) spellings.set(row.nameToken, row);
    const names = [had, has].map((rows) => new Set(rows.map(({ nameToken }) => nameToken)));
    for (const token of addDifferences(spelled, names)) changed.add(spellings.get(token)?.key ?? "");
    const keys = [had, has].map((rows) => new Set(rows.map(({ key }) => key)));
    for (const key of addDifferences(works, keys)) if (keys[0]?.has(key) === true) lost.add(key);
  }
  return { subjects: [...spellings.values()].filter(({ key }) => changed.has(key)), works, spelled, lost };
}

/** Subtracts names that are no more, adds new ones, and returns both. */
function addDifferences(
  counts: Map<string, number>,
  [had = new Set(), has = new Set()]: readonly ReadonlySet<string>[],
): ReadonlySet<string> {
  for (const name of had.difference(has)) counts.set(name, (counts.get(name) ?? 0) - 1);
  for (const name of has.difference(had)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return had.symmetricDifference(has);
}
