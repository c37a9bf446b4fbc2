import {
  type AuthorRows,
  type ListRows,
  AUTHOR_COLUMNS,
  LIST_COLUMNS,
} from "../../search/indexing/plain-rows.ts";
import { AUTHOR_TEXT_COLUMNS, LIST_TEXT_COLUMNS } from "../../search/indexing/columns.ts";
import type { Generation } from "../../search/engine.ts";
import { textRowOf } from "../search/text-rows.ts";
import type { Statement } from "../statement.ts";
import {
  cellsSql,
  indexedColumnStatements,
  revivalStatements,
  rowStatements,
  updatesSql,
} from "./row-statements.ts";

interface DocumentTable {
  readonly name: "author" | "list";
  /** Key column. It comes first in rows, the version second. */
  readonly key: "id" | "key";
  readonly columns: readonly string[];
  /** True if the texts have a row of their own, `text_row`. */
  readonly hasTextRow: boolean;
  /** Columns with an index, by what changes together. */
  readonly groups: readonly (readonly string[])[];
  readonly texts: readonly string[];
}

const AUTHORS: DocumentTable = {
  name: "author",
  key: "id",
  columns: ["id", "version", ...AUTHOR_COLUMNS, "tally"],
  hasTextRow: true,
  groups: [["work_count"], ["name_sort"]],
  texts: [...AUTHOR_TEXT_COLUMNS.map(({ name }) => name), "token"],
};

const LISTS: DocumentTable = {
  name: "list",
  key: "key",
  columns: ["key", "version", ...LIST_COLUMNS],
  hasTextRow: false,
  groups: [],
  texts: [...LIST_TEXT_COLUMNS.map(({ name }) => name), "token"],
};

/** Rows of an author with the JSON of their `AuthorTally`. */
export type TalliedRows = AuthorRows & { readonly tally: string };

/**
 * Returns statements that write authors into one generation, unless it has newer ones, for one transaction. Of those in
 * `texts` the words are written too.
 */
export function authorStatements(
  { written, texts }: { readonly written: readonly TalliedRows[]; readonly texts: readonly AuthorRows[] },
  generation: Generation,
): Statement[] {
  const authors = written.map(({ tally, ...rows }) => ({ ...rows, columns: [...rows.columns, tally] }));
  return documentStatements(AUTHORS, { written: authors, texts }, generation);
}

/**
 * Returns statements that write lists and series into one generation, unless it has newer ones, for one transaction.
 */
export function listStatements(lists: readonly ListRows[], generation: Generation): Statement[] {
  const written = lists.map((rows) => ({ ...rows, id: rows.key, textRow: null }));
  return documentStatements(LISTS, { written, texts: written }, generation);
}

type DocumentRows = Omit<AuthorRows, "id" | "textRow"> & {
  readonly id: number | string;
  readonly textRow: number | null;
};

function documentStatements(
  { name, key, columns, hasTextRow, groups, texts }: DocumentTable,
  documents: { readonly written: readonly DocumentRows[]; readonly texts: readonly DocumentRows[] },
  generation: Generation,
): Statement[] {
  const table = `${name}_${generation}`;
  const heads = documents.written.map((rows) => [
    rows.id,
    rows.version,
    ...rows.columns,
    rows.textRow,
    rows.key,
  ]);
  const places = hasTextRow ? [...columns, "text_row"] : columns;
  const written = rowStatements(
    heads,
    (source) => `
      INSERT INTO ${table} (${places.join(", ")}) SELECT ${cellsSql(places.length)} FROM ${source}
      WHERE NOT EXISTS (
        SELECT 1 FROM tombstone_${generation} t WHERE t.key = r.c${columns.length + 1} AND t.version > r.c1)
      ON CONFLICT (${key}) DO UPDATE SET ${updatesSql(columns, groups)} WHERE excluded.version >= ${table}.version`,
  );
  const indexed = indexedColumnStatements(table, { columns, groups }, heads);
  const full = rowStatements(
    documents.texts.map((rows) => [rows.id, rows.version, ...rows.texts]),
    (source) => `
      INSERT OR REPLACE INTO ${name}_text_${generation} (rowid, ${texts.join(", ")})
      SELECT ${hasTextRow ? textRowOf("d") : "d.id"}, ${cellsSql(texts.length, 2)} FROM ${source}
      JOIN ${table} d ON d.${key} = r.c0 AND d.version = r.c1`,
  );
  const moved = hasTextRow ? moveStatements(name, documents.texts, generation) : [];
  return [...written, ...indexed, ...revivalStatements(documents.written, generation), ...moved, ...full];
}

/** Returns statements that remove texts from the row that they leave, and store the new one. */
function moveStatements(
  name: string,
  documents: readonly DocumentRows[],
  generation: Generation,
): Statement[] {
  const table = `${name}_${generation}`;
  const isMoved = "d.id = r.c0 AND d.version = r.c1 AND d.text_row IS NOT r.c2";
  return [
    (source: string) => `
      DELETE FROM ${name}_text_${generation} WHERE rowid IN (
        SELECT ${textRowOf("d")} FROM ${source} JOIN ${table} d ON ${isMoved})`,
    (source: string) => `UPDATE ${table} AS d SET text_row = r.c2 FROM ${source} WHERE ${isMoved}`,
  ].flatMap((sql) =>
    rowStatements(
      documents.map(({ id, version, textRow }) => [id, version, textRow]),
      sql,
    ),
  );
}

interface Deletion {
  readonly key: string;
  readonly version: number;
}

type NumberedDeletion = Deletion & { readonly id: number };

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
    { name: "work", key: "id", tables: workTables(generation), rows: works.map(numberAndVersionOf) },
    { name: "author", key: "id", tables: AUTHOR_TABLES, rows: authors.map(numberAndVersionOf) },
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

function numberAndVersionOf({ id, version }: NumberedDeletion): number[] {
  return [id, version];
}

/**
 * Table with rows of a document: its name, key columns and, unless the key is the document's number, their values and a
 * join. The document's own table comes last, because the other rows are found through it.
 */
type DeletedTable = readonly [table: string, columns: string, gone?: string, more?: string];

const AUTHOR_TABLES: readonly DeletedTable[] = [
  ["author_text", "rowid", textRowOf("d")],
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
