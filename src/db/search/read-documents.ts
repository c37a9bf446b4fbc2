import type { Document } from "../../search/engine.ts";
import { expandWork } from "../../search/present/expand.ts";
import { authorIdOfKey, workIdOfKey } from "../../search/indexing/ids.ts";
import { batchGroups } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import { PLAIN_SCHEMES, PLAIN_SOURCES, tablesOf } from "./plain-sources.ts";
import type { PlainScheme } from "../../search/plain-fields.ts";
import { readWorksStatement, requireRoom } from "./read-works.ts";
import { type WorkRow, workReading } from "./stored-work.ts";

/**
 * Reads documents by key, in the order requested, without those missing from the index. One round trip. A subject's key
 * is `/subjects/place:france`; every key of no other kind is that of a list or series. With `fields`, works have only
 * these and their key.
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
  type Groups = Record<PlainScheme, Readonly<Record<string, unknown>>> & { work: WorkRow };
  const reading = workReading({ fields: wanted, withEditions: false });
  const found = await batchGroups<Groups>(database, {
    work: [readWorksStatement(generation, works, reading)],
    author: [plainStatement(index, "author", { column: "id", values: authors })],
    subject: [plainStatement(index, "subject", { column: "key", values: others })],
    list: [plainStatement(index, "list", { column: "key", values: others })],
  });
  const ofWorks = await Promise.all(requireRoom(found.work).map((row) => reading.work(row)));
  const documents = [
    ...ofWorks.map((work) => expandWork(work, wanted)),
    ...PLAIN_SCHEMES.flatMap((scheme) => found[scheme].map((row) => PLAIN_SOURCES[scheme].documentOf(row))),
  ];
  const byKey = new Map(documents.map((document) => [document["key"], document]));
  return keys.map((key) => byKey.get(key)).filter((document) => document !== undefined);
}

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
