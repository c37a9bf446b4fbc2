import { env } from "cloudflare:workers";
import { readIndexState } from "../../../src/db/indexing/index-state.ts";
import type { Generation } from "../../../src/search/engine.ts";
import { numberOfRow } from "../../../src/db/search/text-rows.ts";
import type { Database } from "../../../src/db/statement.ts";
import type { Indexing } from "../../../src/worker/indexing/indexing.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import { indexNotesOf, solrOf } from "../../../src/worker/search/engine.ts";
import { indexNow } from "../../../src/worker/indexing/run.ts";
import { UNSPENT } from "./budget.ts";
import { settleIndexQueue } from "./queues.ts";

/** Work in the index, as tests compare it. */
export interface IndexedWork {
  readonly id: number;
  readonly version: number;
  readonly document: Record<string, unknown>;
  readonly editions: readonly Record<string, unknown>[];
}

/** Database and engine whose index state tests read. */
export const NOTES = indexNotesOf({ search: env.SEARCH }, settingsOf(env));

/** An indexer on this test file's stores. */
export function testIndexing({
  search = env.SEARCH,
  ...changes
}: Partial<Omit<Indexing, "search">> & { readonly search?: Database } = {}): Indexing {
  return {
    catalog: env.CATALOG,
    search: { ...NOTES, database: search },
    solr: solrOf(settingsOf(env)),
    patrons: env.PATRONS,
    prefix: "OL",
    deriveItems: true,
    now: () => Date.now(),
    ...changes,
  };
}

/** Follows the log, counts and jobs to their ends. */
export async function indexAll(indexing = testIndexing()): Promise<void> {
  while ((await indexNow(indexing, UNSPENT)).isBehind);
  await settleIndexQueue();
}

/** All works of the generation that answers, or of another one. */
export async function indexedWorks(generation?: Generation): Promise<Map<number, IndexedWork>> {
  const name = generation ?? (await readIndexState(NOTES)).live;
  const works = await env.SEARCH.prepare(
    `SELECT w.id, w.version, d.document FROM work_${name} w JOIN work_document_${name} d ON d.id = w.id`,
  ).all<{ id: number; version: number; document: string }>();
  const editions = await env.SEARCH.prepare(
    `SELECT work, document FROM edition_${name} ORDER BY work, position`,
  ).all<{ work: number; document: string }>();
  const byWork = Map.groupBy(editions.results, ({ work }) => work);
  return new Map(
    works.results.map(({ id, version, document }) => [
      id,
      {
        id,
        version,
        document: JSON.parse(document),
        editions: (byWork.get(id) ?? []).map((row) => JSON.parse(row.document)),
      },
    ]),
  );
}

/** Documents of authors, lists or series by key. */
export async function indexedDocuments(
  table: "author" | "list",
  generation?: Generation,
): Promise<Map<string, Record<string, unknown>>> {
  const name = generation ?? (await readIndexState(NOTES)).live;
  const { results } = await env.SEARCH.prepare(`SELECT document FROM ${table}_${name}`).all<{
    document: string;
  }>();
  const documents = results.map(({ document }): Record<string, unknown> => JSON.parse(document));
  return new Map(documents.map((document) => [String(document["key"]), document]));
}

/** Numbers of works that a full-text expression matches in the generation that answers. */
export async function matching(expression: string): Promise<number[]> {
  const { live } = await readIndexState(NOTES);
  const { results } = await env.SEARCH.prepare(
    `SELECT ${numberOfRow("rowid")} AS id FROM work_text_${live} WHERE work_text_${live} MATCH ?1 ORDER BY id`,
  )
    .bind(expression)
    .all<{ id: number }>();
  return results.map(({ id }) => id);
}

/** Everything that the generation shows, without versions and times, so that two states can be compared. */
export async function snapshot(generation?: Generation): Promise<unknown> {
  const name = generation ?? (await readIndexState(NOTES)).live;
  const works = [...(await indexedWorks(name)).values()].sort((a, b) => a.id - b.id);
  const statements = [
    `SELECT id, boost, edition_count, ratings_count, readinglog_count FROM work_${name} ORDER BY id`,
    `SELECT id, work_count, document FROM author_${name} ORDER BY id`,
    `SELECT key, name, work_count FROM subject_${name} ORDER BY key`,
    // Without the subjects of a list, which are refreshed with the list and by night only.
    `SELECT key, document->'$.seed' AS seed, document->>'$.name' AS name FROM list_${name} ORDER BY key`,
    `SELECT term, doc, cnt FROM work_term_${name} ORDER BY term`,
  ];
  const results = await env.SEARCH.batch(statements.map((sql) => env.SEARCH.prepare(sql)));
  return {
    works: works.map(({ id, document, editions }) => ({ id, document, editions })),
    tables: results.map(({ results: rows }) => rows),
  };
}
