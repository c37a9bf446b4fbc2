import { filterToken } from "../../search/indexing/filter-token.ts";
import type { Generation } from "../search/generation.ts";
import { type Database, type Statement, batchGroups } from "../statement.ts";

/** Works that have one of some values in a field, by number in the index. */
interface ShownOptions {
  /** Code of the field: `ek` edition_key, `ak` author_key, `sr` series_key. */
  readonly code: "ek" | "ak" | "sr";
  /** Values, such as `OL1A`. */
  readonly values: readonly string[];
  readonly after: number;
  readonly limit: number;
}

/** Below the number of every work and pseudo-work. */
export const BEFORE_ALL_WORKS = -(2 ** 41);

/**
 * Works whose documents show some values, in order of number, each once: what has to be built anew when what they
 * show has changed, whatever their records say now. One round trip for all generations.
 */
export async function worksShowing(
  search: Database,
  generations: readonly Generation[],
  { code, values, after, limit }: ShownOptions,
): Promise<number[]> {
  if (values.length === 0) return [];
  const tokens = values.map((value) => `"${filterToken(code, value).replaceAll('"', '""')}"`);
  const match = `token : (${tokens.join(" OR ")})`;
  const found = await worksFound(search, generations, (generation) => ({
    sql: `SELECT rowid AS id FROM work_text_${generation}
          WHERE work_text_${generation} MATCH ?1 AND rowid > ?2 ORDER BY rowid LIMIT ?3`,
    values: [match, after, limit],
  }));
  return found.slice(0, limit);
}

/** Those of some works that the index has, in order of number, each once. */
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

/** Works that a statement finds in any generation, in order of number, each once. */
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

/** What the index shows of authors and series: JSON of name and other names, by key. One round trip. */
export async function namesShown(
  search: Database,
  generation: Generation,
  { authors, series }: { authors: readonly number[]; series: readonly string[] },
): Promise<Map<string, string>> {
  if (authors.length + series.length === 0) return new Map();
  const ofKey = (table: string, key: string) =>
    `SELECT document FROM ${table}_${generation} WHERE ${key} IN (SELECT value FROM json_each(?1))`;
  const { found } = await batchGroups<{ found: { document: string } }>(search, {
    found: [
      { sql: ofKey("author", "id"), values: [JSON.stringify(authors)] },
      { sql: ofKey("list", "key"), values: [JSON.stringify(series)] },
    ],
  });
  // The columns hold documents that apply.ts wrote.
  const documents = found.map(({ document }) => JSON.parse(document) as NamedDocument);
  return new Map(documents.map((document) => [document.key, namesOf(document)]));
}

interface NamedDocument {
  readonly key: string;
  readonly name: string;
  readonly alternate_names?: readonly string[];
}

/** The names of an author or series as `namesShown` has them. */
export function namesOf({ name, alternate_names: others }: Omit<NamedDocument, "key">): string {
  return JSON.stringify([name, others ?? []]);
}
