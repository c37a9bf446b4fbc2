import { lastSegmentOf } from "../../catalog/keys.ts";
import { SUBJECT_TYPES } from "../../search/documents/subject-key.ts";
import type { ListDocument, ListSubjects } from "../../search/documents/types.ts";
import { type SubjectCount, type Generation, SUBJECT_COUNT_FIELDS } from "../../search/engine.ts";
import { codeOf } from "../../search/fields.ts";
import { decodeToken, toFilterToken, quoteTokenPhrase } from "../../search/indexing/filter-token.ts";
import { workIdOfKey } from "../../search/indexing/ids.ts";
import { type SubjectRow, toSubjectRow, subjectTextsOf } from "../../search/indexing/plain-rows.ts";
import { subjectCountsSql } from "../search/facets.ts";
import type { IndexReader } from "../search/index-reader.ts";
import { type IndexNotes, setTerm, readTerm } from "./index-state.ts";
import { numberOfRow } from "../search/text-rows.ts";
import { type Database, type Statement, allValues, batchGroups, batchRows } from "../statement.ts";
import { type Cell, rowStatements } from "./row-statements.ts";
import type { ChangedSubjects } from "./work-changes.ts";

/** Maximum number of spellings per step of `rebuildSubjects`. */
const SUBJECT_SPELLINGS_MAX = 2000;

/** Ranges of index terms that are spellings, in order. The character after `=` is `>`. */
const SPELLINGS = SUBJECT_TYPES.map((type) => {
  const code = codeOf(`${type}_facet`);
  return { type, from: `${code}=`, to: `${code}>` };
}).sort((a, b) => (a.from < b.from ? -1 : 1));

/**
 * Returns statements that change the counts of subjects by the difference of their works, for the transaction that writes
 * these. New subjects and other spellings than the current one are counted. The name is the most frequent spelling among
 * the given ones and the previous one. Subjects without works are removed.
 */
export function subjectStatements(
  { subjects, works, spelled, lost, names }: ChangedSubjects & { readonly names: SubjectNamesByKey },
  generation: Generation,
): Statement[] {
  const cells = subjects.map((row) => subjectCells(row, spelled.get(row.nameToken)));
  const differences = [...works].filter(([, difference]) => difference !== 0);
  return [
    ...rowStatements(
      differences,
      (source) => `UPDATE subject_${generation} SET work_count = work_count + r.c1
                   FROM ${source} WHERE subject_${generation}.key = r.c0`,
    ),
    ...rowStatements(cells, (source) =>
      countSql(source, generation, {
        works: `coalesce(s.work_count, ${countWorksSql("r.c3", generation)})`,
        named: `iif(s.name = r.c1, s.name_count + r.c5, ${countWorksSql("r.c4", generation)})`,
      }),
    ),
    ...subjectTextStatements(subjects, names, generation),
    ...deletionStatements(
      cells.filter(([key]) => lost.has(String(key))),
      generation,
    ),
  ];
}

function subjectCells(row: SubjectRow, difference = 0): Cell[] {
  return [row.key, row.name, row.type, row.keyToken, row.nameToken, difference];
}

/** Names of subjects in the index by key; undefined for subjects that are new. */
type SubjectNamesByKey = ReadonlyMap<string, string | undefined>;

/** Returns statements that write the words of subjects with known keys that have another name now. */
function subjectTextStatements(
  subjects: readonly SubjectRow[],
  names: SubjectNamesByKey,
  generation: Generation,
): Statement[] {
  const renamed = subjects.filter(({ key, name }) => names.has(key) && names.get(key) !== name);
  return rowStatements(
    renamed.map((subject) => [subject.key, subject.name].concat(subjectTextsOf(subject))),
    (source) => `
      INSERT OR REPLACE INTO subject_text_${generation} (rowid, name, token)
      SELECT s.id, r.c2, r.c3 FROM ${source} JOIN subject_${generation} s ON s.key = r.c0 AND s.name = r.c1`,
  );
}

export interface SubjectNameRow {
  readonly key: string;
  readonly name: string;
}

/** Returns statements that read the names of subjects, for `namesByKey`. */
export function subjectNameStatements(keys: ReadonlySet<string>, generation: Generation): Statement[] {
  return rowStatements(
    Array.from(keys, (key) => [key]),
    (source) => `SELECT s.key, s.name FROM ${source} JOIN subject_${generation} s ON s.key = r.c0`,
  );
}

export function namesByKey(
  keys: ReadonlySet<string>,
  nameRows: readonly SubjectNameRow[],
): SubjectNamesByKey {
  const names = new Map<string, string | undefined>(Array.from(keys, (key) => [key, undefined]));
  for (const { key, name } of nameRows) names.set(key, name);
  return names;
}

/**
 * Implements `SearchIndex.countSubjects` from the terms of the index. The position of the pass is stored in
 * `index_state.term`.
 */
export function rebuildSubjects(database: Database, generation: Generation): Promise<boolean> {
  return runSubjectPass(
    { database, engine: "embedded" },
    {
      tokensBetween({ from, to, limit }) {
        const sql = `SELECT term FROM work_term_${generation} WHERE term > ?1 AND term < ?2
                     ORDER BY term LIMIT ${limit}`;
        return allValues<string>(database, { sql, values: [from, to] });
      },
      refresh: (subjects) => refreshSubjects(database, generation, subjects),
    },
  );
}

/** Index operations used by a pass over all subjects. */
interface SubjectSource {
  tokensBetween(range: { from: string; to: string; limit: number }): Promise<string[]>;
  refresh(subjects: readonly SubjectRow[]): Promise<void>;
}

/** Runs one step of the pass and returns true at its end. `notes` holds the position. */
export async function runSubjectPass(notes: IndexNotes, source: SubjectSource): Promise<boolean> {
  const after = (await readTerm(notes)) ?? "";
  const range = SPELLINGS.find(({ to }) => after < to);
  if (range === undefined) {
    await setTerm(notes, null);
    return true;
  }
  const from = after > range.from ? after : range.from;
  const terms = await source.tokensBetween({ from, to: range.to, limit: SUBJECT_SPELLINGS_MAX });
  const subjects = terms.flatMap((term) => toSubjectRow(range.type, decodeToken(term).value) ?? []);
  await source.refresh(subjects);
  await setTerm(notes, terms.length < SUBJECT_SPELLINGS_MAX ? range.to : (terms.at(-1) ?? range.to));
  return false;
}

async function refreshSubjects(
  database: Database,
  generation: Generation,
  subjects: readonly SubjectRow[],
): Promise<void> {
  if (subjects.length === 0) return;
  const keys = new Set(subjects.map(({ key }) => key));
  const { nameRows } = await batchGroups<{ nameRows: SubjectNameRow }>(database, {
    nameRows: subjectNameStatements(keys, generation),
  });
  // Every subject among the terms has works.
  await batchRows(database, [
    ...rowStatements(
      subjects.map((row) => subjectCells(row)),
      (source) =>
        countSql(source, generation, {
          works: countWorksSql("r.c3", generation),
          named: countWorksSql("r.c4", generation),
        }),
    ),
    ...subjectTextStatements(subjects, namesByKey(keys, nameRows), generation),
  ]);
}

// Q63: the most frequent spelling names a subject.
/**
 * Returns SQL that stores the counts of subjects: `works` and `named` are SQL of the number of works with a subject of the
 * source and with its spelling. Current spellings come first, so that the others are compared with their new count.
 */
function countSql(
  source: string,
  generation: Generation,
  { works, named }: { works: string; named: string },
): string {
  const subject = `subject_${generation}`;
  const isSame = `excluded.name = ${subject}.name`;
  const isBetter = `(excluded.name_count > ${subject}.name_count
    OR excluded.name_count = ${subject}.name_count AND excluded.name < ${subject}.name)`;
  // Materialized, because otherwise works would be counted again for the condition.
  const counted = `counted AS MATERIALIZED (
      SELECT r.c0 AS key, r.c1 AS name, r.c2 AS type, ${works} AS works, ${named} AS named,
        s.name IS NOT r.c1 AS isOther
      FROM ${source} LEFT JOIN ${subject} s ON s.key = r.c0)`;
  return `
    WITH ${counted}
    INSERT INTO ${subject} (key, name, subject_type, work_count, name_count)
    SELECT key, name, type, works, named FROM counted WHERE works > 0 ORDER BY isOther
    ON CONFLICT (key) DO UPDATE SET
      work_count = excluded.work_count,
      name = CASE WHEN ${isBetter} THEN excluded.name ELSE ${subject}.name END,
      name_count = CASE WHEN ${isSame} OR ${isBetter} THEN excluded.name_count ELSE ${subject}.name_count END`;
}

/**
 * Returns SQL of the number of works with a token. `work_term` is not used: inside the transaction that writes the
 * works, every lookup in it sorts all pending changes.
 */
function countWorksSql(token: string, generation: Generation): string {
  const text = `work_text_${generation}`;
  return `(SELECT count(*) FROM ${text} WHERE ${text} MATCH '"' || ${token} || '"')`;
}

function deletionStatements(counted: readonly (readonly Cell[])[], generation: Generation): Statement[] {
  const text = `work_text_${generation}`;
  const deletedSql = (source: string) => `
    SELECT s.id FROM ${source} JOIN subject_${generation} s ON s.key = r.c0
    WHERE NOT EXISTS (SELECT 1 FROM ${text} WHERE ${text} MATCH '"' || r.c3 || '"')`;
  return [
    (source: string) => `DELETE FROM subject_text_${generation} WHERE rowid IN (${deletedSql(source)})`,
    (source: string) => `DELETE FROM subject_${generation} WHERE id IN (${deletedSql(source)})`,
  ].flatMap((sql) => rowStatements(counted, sql));
}

export const LIST_SUBJECTS = 50;
const LIST_SUBJECT_SEEDS_MAX = 1000;
const LIST_SUBJECT_WORKS_MAX = 2000;

/** Reads the subjects of the works in lists, in the order of the lists: works, works of editions and of authors. */
export async function readListSubjects(
  { database, generation, prefix }: IndexReader,
  lists: readonly ListDocument[],
): Promise<ListSubjects[]> {
  const text = `work_text_${generation}`;
  const statements = lists.map((list): Statement => {
    const { ids, tokens } = listedWorksOf(list, prefix);
    const match =
      tokens.length === 0 ? "" : `UNION SELECT ${numberOfRow("rowid")} FROM ${text} WHERE ${text} MATCH ?2`;
    const works = `(SELECT 0 AS owner, id FROM (SELECT value AS id FROM json_each(?1) ${match}) LIMIT ${LIST_SUBJECT_WORKS_MAX})`;
    const phrases = tokens.map(quoteTokenPhrase).join(" OR ");
    return {
      sql: subjectCountsSql(works, generation, { limit: LIST_SUBJECTS }),
      values: tokens.length === 0 ? [JSON.stringify(ids)] : [JSON.stringify(ids), phrases],
    };
  });
  // The rows have the columns of `subjectCountsSql`.
  const counts = (await batchRows(database, statements)) as SubjectCount[][];
  return counts.map(groupByField);
}

// Q64: an author stands for all of their works.
/** Returns the works of the first members of a list: their numbers, and the tokens of works of editions and authors. */
export function listedWorksOf({ seed }: ListDocument, prefix: string): { ids: number[]; tokens: string[] } {
  const seeds = seed.slice(0, LIST_SUBJECT_SEEDS_MAX);
  return {
    ids: seeds.flatMap((key) => workIdOfKey(key, prefix) ?? []),
    tokens: seeds.flatMap((key) => {
      if (key.startsWith("/books/")) return toFilterToken("ek", lastSegmentOf(key));
      return key.startsWith("/authors/") ? toFilterToken("ak", lastSegmentOf(key)) : [];
    }),
  };
}

export function groupByField(counts: readonly SubjectCount[]): ListSubjects {
  const entries = SUBJECT_COUNT_FIELDS.map(
    (name, field) => [name, counts.flatMap((count) => (count.field === field ? [count.value] : []))] as const,
  );
  // Names are those of the members; empty ones are omitted as in all documents.
  return Object.fromEntries(entries.filter(([, values]) => values.length > 0)) as ListSubjects;
}
