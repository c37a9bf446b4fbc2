import { env } from "cloudflare:workers";
import { NOTES } from "./indexing.ts";
import type { IndexOptions } from "../../../src/db/indexing/apply.ts";
import { createIndex } from "../../../src/db/indexing/search-index.ts";
import { clearStep } from "../../../src/db/indexing/upkeep.ts";
import { numberOfRow } from "../../../src/db/search/text-rows.ts";
import { readIndexState } from "../../../src/db/indexing/index-state.ts";
import { type Update, type Versioned, otherGenerationOf } from "../../../src/search/engine.ts";
import { type WorkCounts, type WorkDocument, NO_COUNTS } from "../../../src/search/documents/types.ts";
import { buildWork } from "../../../src/search/documents/work.ts";
import type { CatalogRecord } from "../../../src/catalog/record.ts";

const NOTHING: Update = { works: [], authors: [], lists: [], deletes: [] };
const NOW = Date.parse("2026-11-21T12:00:00Z");

/** Parts of a work that a test chooses; the rest has defaults. */
export interface TestWork {
  readonly number: number;
  readonly members?: CatalogRecord;
  readonly editions?: readonly CatalogRecord[];
  /** Numbers of authors. */
  readonly authors?: readonly number[];
  readonly counts?: Partial<WorkCounts>;
}

/** A document of a work with editions and authors. */
export function testWork({ number, members, editions = [], authors = [], counts }: TestWork): WorkDocument {
  const document = buildWork({
    work: { key: `/works/OL${number}W`, type: { key: "/type/work" }, title: `Book ${number}`, ...members },
    editions: editions.map((edition, index) => ({
      key: `/books/OL${number * 100 + index}M`,
      type: { key: "/type/edition" },
      ...edition,
    })),
    authors: authors.map((author) => ({ key: `/authors/OL${author}A`, name: `Author ${author}` })),
    series: new Map(),
    items: new Map(),
    counts: { ...NO_COUNTS, ...counts },
    prefix: "OL",
    deriveItems: true,
  });
  if (document === undefined) throw new Error("no document");
  return document;
}

/** A document with its version. */
export function at<D>(version: number, document: D): Versioned<D> {
  return { version, document };
}

/** Applies an update to one generation. */
export async function applyTo(
  generation: "a" | "b",
  update: Partial<Update>,
  options: Pick<IndexOptions, "aggregates" | "known"> = {},
): Promise<void> {
  const all = { prefix: "OL", now: () => NOW, ...options };
  await createIndex(env.SEARCH, { generations: [generation], ...all }).apply({ ...NOTHING, ...update });
}

/** Rows of a statement on the search database. */
export async function searchRows<Row>(sql: string, ...values: (string | number)[]): Promise<Row[]> {
  const { results } = await env.SEARCH.prepare(sql)
    .bind(...values)
    .all<Row>();
  return results;
}

/** Numbers of the rows of a full-text table that match, or of the works or authors in these rows, ascending. */
export async function matches(table: string, expression: string): Promise<number[]> {
  const sql = `SELECT ${numberOfRow("rowid")} AS id FROM ${table} WHERE ${table} MATCH ?1 ORDER BY id`;
  return (await searchRows<{ id: number }>(sql, expression)).map(({ id }) => id);
}

/** Empties a whole generation, as if the other one answered. */
export async function clearGeneration(generation: "a" | "b"): Promise<void> {
  const { live } = await readIndexState(NOTES);
  await answerFrom(otherGenerationOf(generation));
  // Each step is a transaction of its own.
  // eslint-disable-next-line no-await-in-loop
  while (!(await clearStep(env.SEARCH, generation)));
  await answerFrom(live);
}

async function answerFrom(generation: "a" | "b"): Promise<void> {
  await env.SEARCH.prepare("UPDATE index_state SET live = ?1").bind(generation).run();
}
