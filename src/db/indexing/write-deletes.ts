import type { Generation } from "../search/generation.ts";
import type { Statement } from "../statement.ts";
import { rowStatements } from "./row-statements.ts";

/** A document that is no more. */
interface Deletion {
  readonly key: string;
  readonly version: number;
}

/** A document that is no more, in one of the tables whose rows are numbered by record. */
interface NumberedDeletion extends Deletion {
  readonly id: number;
}

/** What is deleted, by table. */
export interface Deletions {
  readonly works: readonly NumberedDeletion[];
  readonly authors: readonly NumberedDeletion[];
  readonly lists: readonly Deletion[];
}

/**
 * Statements that delete documents from one generation unless they have a newer version, for one transaction.
 * Tombstones keep older messages from bringing them back. `seen` is an ISO time.
 */
export function deleteStatements(deletions: Deletions, generation: Generation, seen: string): Statement[] {
  return [
    ...tombstoneStatements(deletions, generation, seen),
    ...workDeletions(deletions.works, generation),
    ...numberedDeletions(deletions.authors, generation),
    ...listDeletions(deletions.lists, generation),
  ];
}

function tombstoneStatements(deletions: Deletions, generation: Generation, seen: string): Statement[] {
  const all = [...deletions.works, ...deletions.authors, ...deletions.lists];
  return rowStatements(
    all.map(({ key, version }) => [key, version, seen]),
    (source) => `
      INSERT INTO tombstone_${generation} (key, version, seen) SELECT r.c0, r.c1, r.c2 FROM ${source} WHERE true
      ON CONFLICT (key) DO UPDATE SET version = excluded.version, seen = excluded.seen
      WHERE excluded.version > tombstone_${generation}.version`,
  );
}

function workDeletions(works: readonly NumberedDeletion[], generation: Generation): Statement[] {
  const old = (source: string) => `${source} JOIN work_${generation} w ON w.id = r.c0 AND w.version <= r.c1`;
  return [
    (source: string) => `
      DELETE FROM edition_text_${generation} WHERE rowid IN (
        SELECT (e.work << 13) + e.rank FROM ${old(source)} JOIN edition_${generation} e ON e.work = r.c0)`,
    (source: string) => `
      DELETE FROM edition_${generation} WHERE work IN (SELECT w.id FROM ${old(source)})`,
    (source: string) => `
      DELETE FROM work_value_${generation} WHERE (field, value, id) IN (
        SELECT v.field, v.value, v.id FROM ${old(source)} JOIN work_value_${generation} v ON v.id = r.c0)`,
    (source: string) => `
      DELETE FROM work_text_${generation} WHERE rowid IN (SELECT w.id FROM ${old(source)})`,
    (source: string) => `
      DELETE FROM work_document_${generation} WHERE id IN (SELECT w.id FROM ${old(source)})`,
    (source: string) => `
      DELETE FROM work_ranking_${generation} WHERE id IN (SELECT w.id FROM ${old(source)})`,
    (source: string) => `DELETE FROM work_${generation} WHERE id IN (SELECT w.id FROM ${old(source)})`,
  ].flatMap((sql) =>
    rowStatements(
      works.map(({ id, version }) => [id, version]),
      sql,
    ),
  );
}

function numberedDeletions(authors: readonly NumberedDeletion[], generation: Generation): Statement[] {
  const old = (source: string) =>
    `SELECT a.id FROM ${source} JOIN author_${generation} a ON a.id = r.c0 AND a.version <= r.c1`;
  return [
    (source: string) => `DELETE FROM author_text_${generation} WHERE rowid IN (${old(source)})`,
    (source: string) => `DELETE FROM author_${generation} WHERE id IN (${old(source)})`,
  ].flatMap((sql) =>
    rowStatements(
      authors.map(({ id, version }) => [id, version]),
      sql,
    ),
  );
}

function listDeletions(lists: readonly Deletion[], generation: Generation): Statement[] {
  const old = (source: string) =>
    `SELECT l.id FROM ${source} JOIN list_${generation} l ON l.key = r.c0 AND l.version <= r.c1`;
  return [
    (source: string) => `DELETE FROM list_text_${generation} WHERE rowid IN (${old(source)})`,
    (source: string) => `DELETE FROM list_${generation} WHERE id IN (${old(source)})`,
  ].flatMap((sql) =>
    rowStatements(
      lists.map(({ key, version }) => [key, version]),
      sql,
    ),
  );
}
