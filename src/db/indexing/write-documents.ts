import {
  type AuthorRows,
  type ListRows,
  AUTHOR_COLUMNS,
  LIST_COLUMNS,
} from "../../search/indexing/plain-rows.ts";
import { AUTHOR_TEXT_COLUMNS, LIST_TEXT_COLUMNS } from "../../search/indexing/columns.ts";
import type { Generation } from "../search/generation.ts";
import type { Statement } from "../statement.ts";
import { cells, revivedStatements, rowStatements } from "./row-statements.ts";

/** Table of documents with its full text. */
interface DocumentTable {
  readonly name: "author" | "list";
  /** Key column. It comes first in rows, the version second. */
  readonly key: "id" | "key";
  readonly columns: readonly string[];
  readonly texts: readonly string[];
}

const AUTHORS: DocumentTable = {
  name: "author",
  key: "id",
  columns: ["id", "version", ...AUTHOR_COLUMNS],
  texts: [...AUTHOR_TEXT_COLUMNS.map(({ name }) => name), "token"],
};

const LISTS: DocumentTable = {
  name: "list",
  key: "key",
  columns: ["key", "version", ...LIST_COLUMNS],
  texts: [...LIST_TEXT_COLUMNS.map(({ name }) => name), "token"],
};

/** Returns statements that write authors into one generation, unless it has newer ones, for one transaction. */
export function authorStatements(authors: readonly AuthorRows[], generation: Generation): Statement[] {
  return documentStatements(AUTHORS, authors, generation);
}

/**
 * Returns statements that write lists and series into one generation, unless it has newer ones, for one transaction.
 */
export function listStatements(lists: readonly ListRows[], generation: Generation): Statement[] {
  return documentStatements(
    LISTS,
    lists.map((rows) => ({ ...rows, id: rows.key })),
    generation,
  );
}

/** Rows of a document. `id` is the value of the table's key. */
type DocumentRows = Omit<AuthorRows, "id"> & { readonly id: number | string };

function documentStatements(
  { name, key, columns, texts }: DocumentTable,
  documents: readonly DocumentRows[],
  generation: Generation,
): Statement[] {
  const table = `${name}_${generation}`;
  const updates = columns.slice(1).map((column) => `${column} = excluded.${column}`);
  const written = rowStatements(
    documents.map((rows) => [rows.id, rows.version, ...rows.columns, rows.key]),
    (source) => `
      INSERT INTO ${table} (${columns.join(", ")}) SELECT ${cells(columns.length)} FROM ${source}
      WHERE NOT EXISTS (
        SELECT 1 FROM tombstone_${generation} t WHERE t.key = r.c${columns.length} AND t.version > r.c1)
      ON CONFLICT (${key}) DO UPDATE SET ${updates.join(", ")} WHERE excluded.version >= ${table}.version`,
  );
  const full = rowStatements(
    documents.map((rows) => [rows.id, rows.version, ...rows.texts]),
    (source) => `
      INSERT OR REPLACE INTO ${name}_text_${generation} (rowid, ${texts.join(", ")})
      SELECT d.id, ${cells(texts.length, 2)} FROM ${source}
      JOIN ${table} d ON d.${key} = r.c0 AND d.version = r.c1`,
  );
  return [...written, ...revivedStatements(documents, generation), ...full];
}
