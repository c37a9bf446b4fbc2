import type { StoredAuthor, StoredList } from "../../search/documents/types.ts";
import type { ShownValues } from "../../search/engine.ts";
import { namesOf } from "../../search/indexing/changed-keys.ts";
import { filterToken } from "../../search/indexing/filter-token.ts";
import { authorIdOfKey } from "../../search/indexing/ids.ts";
import type { Generation, IndexReader } from "../search/generation.ts";
import { matchedRows, numberedSql } from "../search/text-rows.ts";
import { type Database, type Statement, batchGroups } from "../statement.ts";

/** Implements `SearchIndex.worksShowing`. One round trip for all generations. */
export async function worksShowing(
  search: Database,
  generations: readonly Generation[],
  { code, values, after, limit }: ShownValues,
): Promise<number[]> {
  if (values.length === 0) return [];
  const tokens = values.map((value) => `"${filterToken(code, value).replaceAll('"', '""')}"`);
  const match = `token : (${tokens.join(" OR ")})`;
  const found = await worksFound(search, generations, (generation) => ({
    sql: numberedSql(matchedRows(`work_text_${generation}`, "?1"), { limit, after: String(after) }),
    values: [match],
  }));
  return found.slice(0, limit);
}

/** Implements `SearchIndex.worksPresent`. One round trip. */
export async function worksPresent(
  search: Database,
  generations: readonly Generation[],
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  return worksFound(search, generations, (generation) => ({
    sql: `SELECT id FROM work_${generation} WHERE id IN (SELECT value FROM json_each(?1))`,
    values: [JSON.stringify(ids)],
  }));
}

/** Returns the distinct works that a statement finds in any generation, in order of number. */
async function worksFound(
  search: Database,
  generations: readonly Generation[],
  statementOf: (generation: Generation) => Statement,
): Promise<number[]> {
  const { works } = await batchGroups<{ works: { id: number } }>(search, {
    works: generations.map(statementOf),
  });
  return [...new Set(works.map(({ id }) => id))].sort((a, b) => a - b);
}

/** Returns the names of authors and series shown in the index, by key (`namesOf`). One round trip. */
export async function namesShown(
  { database, generation, prefix }: IndexReader,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const authors = keys.flatMap((key) => authorIdOfKey(key, prefix) ?? []);
  const ofKey = (table: string, key: string) =>
    `SELECT document FROM ${table}_${generation} WHERE ${key} IN (SELECT value FROM json_each(?1))`;
  const { found } = await batchGroups<{ found: { document: string } }>(database, {
    found: [
      { sql: ofKey("author", "id"), values: [JSON.stringify(authors)] },
      { sql: ofKey("list", "key"), values: [JSON.stringify(keys)] },
    ],
  });
  // The columns hold documents written by apply.ts.
  const documents = found.map(({ document }) => JSON.parse(document) as StoredAuthor | StoredList);
  return new Map(documents.map((document) => [document.key, namesOf(document)]));
}
