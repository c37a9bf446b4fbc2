import type { WorkDocument } from "../../search/documents/types.ts";
import type { SearchIndex, Versioned, Generation } from "../../search/engine.ts";
import { workIdOfKey } from "../../search/indexing/ids.ts";
import { FACET_COLUMNS, toWorkRows } from "../../search/indexing/work-rows.ts";
import { CLEARING } from "./index-state.ts";
import { toBriefText } from "../search/stored-work.ts";
import { packDocument } from "../../search/indexing/packed-work.ts";
import { TEXT_ROW } from "../search/text-rows.ts";
import { type Database, batchGroups, batchRows, run } from "../statement.ts";
import { type CodeRow, codeStatements, codesOf, entriesOf, packFacets } from "./entries.ts";

/** Full-text tables of a generation, largest first. */
const TEXT_TABLES = ["work_text", "edition_text", "author_text", "subject_text", "list_text"] as const;
const WORK_TEXT_TABLES = TEXT_TABLES.slice(0, 2);
type TextTable = (typeof TEXT_TABLES)[number];

/** Maximum number of full-text pages merged per call, which bounds its duration. */
const MERGE_PAGES_MAX = 2000;
/** Rows changed by a merge that finds nothing to do: that of the command itself. */
const IDLE_CHANGES = 1;

/** Tables of each merge pass. `whole` merges all segments of a table into one. */
const PASSES: Readonly<Record<Pass, { readonly tables: readonly TextTable[]; readonly whole: boolean }>> = {
  nightly: { tables: TEXT_TABLES, whole: false },
  works: { tables: WORK_TEXT_TABLES, whole: true },
  whole: { tables: TEXT_TABLES, whole: true },
};
type Pass = Parameters<SearchIndex["merge"]>[0];

/**
 * Merges a bounded part of a table's segments in each generation. A position is twice the index of the table, plus one
 * once a merge of all segments has started. Resolves to the next position, undefined at the end.
 */
export async function mergeStep(
  search: Database,
  generations: readonly Generation[],
  { pass, position }: { readonly pass: Pass; readonly position: number },
): Promise<number | undefined> {
  const { tables, whole } = PASSES[pass];
  if (pass === "whole" && position === 0) await setMerging(search, generations, "usual");
  const table = tables[Math.floor(position / 2)];
  if (table === undefined) return undefined;
  const begins = whole && position % 2 === 0;
  let isBusy = false;
  for (const generation of generations) {
    isBusy = (await mergeTable(search, `${table}_${generation}`, begins)) || isBusy;
  }
  if (isBusy) return begins ? position + 1 : position;
  return position - (position % 2) + 2;
}

/**
 * Merges segments and returns true while there is more to do. `begins` starts a merge of all segments into one, which
 * further calls without it continue. Otherwise only levels with many segments are merged.
 */
async function mergeTable(search: Database, table: string, begins: boolean): Promise<boolean> {
  const sql = `INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?1)`;
  const values = [begins ? -MERGE_PAGES_MAX : MERGE_PAGES_MAX];
  return (await run(search, { sql, values })) > IDLE_CHANGES;
}

/**
 * Number of segments per level that trigger a merge with the next write, and number at which a write merges all of
 * them.
 */
const MERGING = {
  /** Default of FTS5: queries have few segments to search. */
  usual: { automerge: 4, crisismerge: 16 },
  /** As late as possible: segments that end up as one need not be merged repeatedly before. */
  late: { automerge: 64, crisismerge: 128 },
};

async function setMerging(
  search: Database,
  generations: readonly Generation[],
  when: keyof typeof MERGING,
): Promise<void> {
  const tables = generations.flatMap((generation) => TEXT_TABLES.map((table) => `${table}_${generation}`));
  const statements = tables.flatMap((table) =>
    Object.entries(MERGING[when]).map(([option, value]) => ({
      // Not bound, because the option must be an integer literal.
      sql: `INSERT INTO ${table} (${table}, rank) VALUES ('${option}', ${value})`,
      values: [],
    })),
  );
  await batchRows(search, statements);
}

const CLEARED_ROWS_MAX = 20_000;

/** Other tables of a generation, with their key columns. */
const TABLES = {
  work: "id",
  work_document: "id",
  work_ranking: "id",
  work_facet: "id",
  facet_value: "code",
  work_value: "field, value, id",
  edition: "work, rank",
  author: "id",
  subject: "id",
  list: "id",
  spelling: "term",
  tombstone: "key",
};

/**
 * Implements `SearchIndex.clear`: empties one full-text table, or deletes a bounded number of rows of another table.
 * Later writes are merged late. Each statement checks that the generation may be cleared, because another worker may
 * have started to fill or activate it.
 */
export async function clearStep(database: Database, generation: Generation): Promise<boolean> {
  const isIdle = `(SELECT live <> '${generation}' AND coalesce(phase, '${CLEARING}') = '${CLEARING}' FROM index_state)`;
  for (const name of TEXT_TABLES) {
    const table = `${name}_${generation}`;
    // Full text can only be freed cheaply by whole tables. They are emptied one per call.
    const sql = `INSERT INTO ${table} (${table}) SELECT 'delete-all' WHERE ${isIdle} AND EXISTS (SELECT 1 FROM ${table})`;
    if ((await run(database, { sql, values: [] })) > 0) return false;
  }
  for (const [name, key] of Object.entries(TABLES)) {
    const table = `${name}_${generation}`;
    const some = `SELECT ${key} FROM ${table} WHERE ${isIdle} LIMIT ${CLEARED_ROWS_MAX}`;
    const sql = `DELETE FROM ${table} WHERE (${key}) IN (${some})`;
    if ((await run(database, { sql, values: [] })) > 0) return false;
  }
  await setMerging(database, [generation], "late");
  // A pass over the old terms is obsolete: see subjects.ts.
  await run(database, { sql: "UPDATE index_state SET term = NULL WHERE phase IS NOT NULL", values: [] });
  return true;
}

const TOMBSTONES_MAX = 5000;

/** Implements `SearchIndex.dropTombstones`, with a bounded number of rows per call. */
export async function dropTombstones(
  search: Database,
  generation: Generation,
  before: string,
): Promise<boolean> {
  const sql = `DELETE FROM tombstone_${generation} WHERE key IN (
    SELECT key FROM tombstone_${generation} WHERE seen < ?1 ORDER BY seen LIMIT ?2)`;
  return (await run(search, { sql, values: [before, TOMBSTONES_MAX] })) >= TOMBSTONES_MAX;
}

interface StoredRow {
  readonly id: number;
  readonly document: string;
  readonly packed: string | null;
  readonly ranking: string;
  /** Null for works written before this column existed. */
  readonly brief: string | null;
  /** Null for works written before their row depended on popularity. */
  readonly text_row: number | null;
}

/**
 * Returns the works that the index lacks or has in a different form, by comparing documents with the stored ones and
 * their editions. One round trip.
 */
export async function findDifferingWorks(
  search: Database,
  generation: Generation,
  { works, prefix }: { works: readonly Versioned<WorkDocument>[]; prefix: string },
): Promise<Versioned<WorkDocument>[]> {
  const rows = works.map(({ document, version }) => {
    const id = workIdOfKey(document.key, prefix) ?? 0;
    return toWorkRows(document, { id, version, prefix });
  });
  const { values } = entriesOf(rows, undefined);
  const list = JSON.stringify(rows.map(({ id }) => id));
  const { codeRows, facets, documents, editions } = await batchGroups<{
    codeRows: CodeRow;
    facets: Readonly<Record<string, string>> & { readonly id: number };
    documents: StoredRow;
    editions: { work: number; document: string };
  }>(search, {
    codeRows: codeStatements(values, generation),
    facets: {
      sql: `SELECT w.id, ${FACET_COLUMNS.map(([name]) => `f.${name}`).join(", ")}
            FROM work_${generation} w JOIN work_facet_${generation} f ON f.id = ${TEXT_ROW}
            WHERE w.id IN (SELECT value FROM json_each(?1))`,
      values: [list],
    },
    documents: {
      sql: `SELECT d.id, d.document, d.packed, k.ranking, k.brief, w.text_row
            FROM work_document_${generation} d JOIN work_ranking_${generation} k ON k.id = d.id
            JOIN work_${generation} w ON w.id = d.id WHERE d.id IN (SELECT value FROM json_each(?1))`,
      values: [list],
    },
    editions: {
      sql: `SELECT work, document FROM edition_${generation}
            WHERE work IN (SELECT value FROM json_each(?1)) ORDER BY work, rank`,
      values: [list],
    },
  });
  const stored = new Map(documents.map((row) => [row.id, row]));
  const codes = codesOf(values, codeRows);
  const counted = new Map(facets.map((row) => [row.id, FACET_COLUMNS.map(([name]) => row[name])]));
  const byWork = Map.groupBy(editions, ({ work }) => work);
  const differing: Versioned<WorkDocument>[] = [];
  for (const [place, work] of works.entries()) {
    const expected = rows[place];
    if (expected === undefined) continue;
    const { id } = expected;
    const packed = await packDocument(expected.document);
    const brief = toBriefText(expected.document);
    const parts = [packed.document, packed.packed, expected.ranking, brief, expected.textRow];
    const editionDocuments = expected.editions
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ document }) => document);
    const facetsOf = packFacets(expected.facets, (name) => codes.get(name));
    const row = stored.get(id);
    const storedBrief = row?.brief ?? brief;
    const storedTextRow = row?.text_row ?? expected.textRow;
    const storedParts = [row?.document, row?.packed, row?.ranking, storedBrief, storedTextRow];
    const storedEditions = (byWork.get(id) ?? []).map(({ document }) => document);
    const isSame =
      JSON.stringify([parts, editionDocuments, facetsOf]) ===
      JSON.stringify([storedParts, storedEditions, counted.get(id)]);
    if (!isSame) differing.push(work);
  }
  return differing;
}
