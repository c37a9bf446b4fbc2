import type { Generation } from "../search/generation.ts";
import { textRowOf } from "../search/text-rows.ts";
import type { Statement } from "../statement.ts";
import { rowStatements } from "./row-statements.ts";

/** Deleted document. */
interface Deletion {
  readonly key: string;
  readonly version: number;
}

/** Deleted document in a table keyed by record number. */
type NumberedDeletion = Deletion & { readonly id: number };

/** Deletions by table. */
export interface Deletions {
  readonly works: readonly NumberedDeletion[];
  readonly authors: readonly NumberedDeletion[];
  readonly lists: readonly Deletion[];
}

/**
 * Returns statements that delete documents from one generation, unless it has a newer version, for one transaction.
 * Tombstones keep older messages from restoring them. `seen` is an ISO time.
 */
export function deleteStatements(
  { works, authors, lists }: Deletions,
  generation: Generation,
  seen: string,
): Statement[] {
  const tombstones = rowStatements(
    [...works, ...authors, ...lists].map(({ key, version }) => [key, version, seen]),
    (source) => `
      INSERT INTO tombstone_${generation} (key, version, seen) SELECT r.c0, r.c1, r.c2 FROM ${source} WHERE true
      ON CONFLICT (key) DO UPDATE SET version = excluded.version, seen = excluded.seen
      WHERE excluded.version > tombstone_${generation}.version`,
  );
  const deletions = [
    { name: "work", key: "id", tables: workTables(generation), rows: works.map(numbered) },
    { name: "author", key: "id", tables: AUTHOR_TABLES, rows: authors.map(numbered) },
    { name: "list", key: "key", tables: LIST_TABLES, rows: lists.map(({ key, version }) => [key, version]) },
  ].flatMap(({ name, key, tables, rows }) => {
    const old = `JOIN ${name}_${generation} d ON d.${key} = r.c0 AND d.version <= r.c1`;
    return tables.flatMap(([table, columns, gone = "d.id", more = ""]) =>
      rowStatements(
        rows,
        (source) => `
          DELETE FROM ${table}_${generation} WHERE (${columns}) IN (SELECT ${gone} FROM ${source} ${old} ${more})`,
      ),
    );
  });
  return [...tombstones, ...deletions];
}

function numbered({ id, version }: NumberedDeletion): number[] {
  return [id, version];
}

/**
 * Table with rows of a document: its name, key columns and, unless the key is the document's number, their values and a
 * join. The document's own table comes last, because the other rows are found through it.
 */
type DeletedTable = readonly [table: string, columns: string, gone?: string, more?: string];

const AUTHOR_TABLES: readonly DeletedTable[] = [
  ["author_text", "rowid"],
  ["author", "id"],
];
const LIST_TABLES: readonly DeletedTable[] = [
  ["list_text", "rowid"],
  ["list", "id"],
];

function workTables(generation: Generation): readonly DeletedTable[] {
  const editions = `JOIN edition_${generation} e ON e.work = d.id`;
  const values = `JOIN work_value_${generation} v ON v.id = d.id`;
  return [
    ["edition_text", "rowid", "(e.work << 13) + e.rank", editions],
    ["edition", "work"],
    ["work_value", "field, value, id", "v.field, v.value, v.id", values],
    ["work_text", "rowid", textRowOf("d")],
    ["work_document", "id"],
    ["work_ranking", "id"],
    ["work_facet", "id", textRowOf("d")],
    ["work", "id"],
  ];
}
