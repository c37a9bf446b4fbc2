import type { Document } from "../../search/engine.ts";
import { expandWork } from "../../search/present/expand.ts";
import { authorIdOfKey, workIdOfKey } from "../../search/indexing/ids.ts";
import { batchRows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import { PLAIN_SOURCES, tablesOf } from "./plain-sources.ts";
import type { PlainScheme } from "../../search/plain-fields.ts";
import { type StoredWorkRow, readWorksStatement, storedWork } from "./read-works.ts";

/**
 * Documents by key, in the order asked for; those that the index has not are left out. One round trip. A subject's
 * key is `/subjects/place:france`; every key that is of no other kind is that of a list or series. With `fields`, works
 * have these alone, and their key.
 */
export async function readDocuments(
  index: IndexReader,
  keys: readonly string[],
  fields?: readonly string[],
): Promise<Document[]> {
  if (keys.length === 0) return [];
  const wanted = fields && ["key", ...fields];
  const { database, generation, prefix } = index;
  const works = keys.flatMap((key) => workIdOfKey(key, prefix) ?? []);
  const authors = keys.flatMap((key) => authorIdOfKey(key, prefix) ?? []);
  const others = keys.filter((key) => !key.startsWith("/works/") && !key.startsWith("/authors/"));
  const [workRows = [], ...plainRows] = await batchRows(database, [
    readWorksStatement(generation, works),
    plainStatement(index, "author", { column: "id", values: authors }),
    plainStatement(index, "subject", { column: "key", values: others }),
    plainStatement(index, "list", { column: "key", values: others }),
  ]);
  // The rows have the columns of their statements.
  const found = await Promise.all((workRows as StoredWorkRow[]).map(storedWork));
  const documents = [...found.map((work) => expandWork(work, wanted)), ...plainDocuments(plainRows)];
  const byKey = new Map(documents.map((document) => [document["key"], document]));
  return keys.flatMap((key) => {
    const document = byKey.get(key);
    return document === undefined ? [] : [document];
  });
}

const SCHEMES: readonly PlainScheme[] = ["author", "subject", "list"];

function plainStatement(
  { generation }: IndexReader,
  scheme: PlainScheme,
  { column, values }: { readonly column: "id" | "key"; readonly values: readonly (string | number)[] },
) {
  const { table } = tablesOf(scheme, generation);
  const columns = PLAIN_SOURCES[scheme].columns.join(", ");
  return {
    sql: `SELECT ${columns} FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?1))`,
    values: [JSON.stringify(values)],
  };
}

function plainDocuments(found: readonly unknown[][]): Document[] {
  return found.flatMap((rows, place) => {
    const scheme = SCHEMES[place];
    // The rows have the columns that `documentOf` asks for.
    return scheme === undefined
      ? []
      : (rows as Record<string, unknown>[]).map((row) => PLAIN_SOURCES[scheme].documentOf(row));
  });
}
