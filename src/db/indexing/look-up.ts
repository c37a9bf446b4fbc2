import { lastSegmentOf } from "../../catalog/keys.ts";
import type { StoredAuthor, StoredList } from "../../search/documents/types.ts";
import {
  type Found,
  type Lookup,
  type ShownValues,
  type Generation,
  FOUND_WORKS_MAX,
} from "../../search/engine.ts";
import { namesOf } from "../../search/indexing/changed-keys.ts";
import { quoteTokenPhrase, toFilterToken } from "../../search/indexing/filter-token.ts";
import { BEFORE_ALL_WORKS, authorIdOfKey } from "../../search/indexing/ids.ts";
import {
  type IndexState,
  type IndexNotes,
  generationsToWrite,
  requireState,
  stateStatement,
} from "./index-state.ts";
import { matchRowsSql, numbersSql } from "../search/text-rows.ts";
import { type Database, type Statement, batchGroups } from "../statement.ts";
import { type IndexJob, dueJobsStatement } from "./jobs.ts";

const GENERATIONS: readonly Generation[] = ["a", "b"];

interface FoundRows {
  works: { generation: Generation; id: number };
  showing: { generation: Generation; id: number; place: number };
  documents: { generation: Generation; document: string };
}

/** Implements `SearchIndex.lookUp`. One round trip; none for an empty lookup. */
export async function lookUp(
  database: Database,
  generations: readonly Generation[],
  { lookup, prefix }: { lookup: Lookup; prefix: string },
): Promise<Found> {
  const rows = await batchGroups<FoundRows>(database, lookupStatements(generations, lookup, prefix));
  return foundOf(rows, { generations, lookup });
}

/**
 * Reads the state of an index, its jobs that are due at `now` (naive UTC) and, of the embedded index, the result of
 * `lookUp`. One round trip.
 */
export async function readIndexWork(
  notes: IndexNotes,
  options: { now: string; limit: number; lookup: Lookup; prefix: string },
): Promise<{
  readonly state: IndexState;
  readonly jobs: readonly IndexJob[];
  readonly found: Found | undefined;
}> {
  const isEmbedded = notes.engine === "embedded";
  // The state says which of the generations count.
  const { states, jobs, ...rows } = await batchGroups<FoundRows & { states: IndexState; jobs: IndexJob }>(
    notes.database,
    {
      states: stateStatement(notes),
      jobs: dueJobsStatement(notes, options.now, options.limit),
      ...lookupStatements(isEmbedded ? GENERATIONS : [], options.lookup, options.prefix),
    },
  );
  const state = requireState(states[0]);
  return {
    state,
    jobs,
    found: isEmbedded
      ? foundOf(rows, { generations: generationsToWrite(state), lookup: options.lookup })
      : undefined,
  };
}

function lookupStatements(
  generations: readonly Generation[],
  { editions, works, names, shown: others = [] }: Lookup,
  prefix: string,
) {
  const values = editions.map(lastSegmentOf);
  const shown = { code: "ek", values, after: BEFORE_ALL_WORKS, limit: FOUND_WORKS_MAX } as const;
  const present = (generation: Generation): Statement => ({
    sql: `SELECT '${generation}' AS generation, id FROM work_${generation} WHERE id IN (SELECT value FROM json_each(?1))`,
    values: [JSON.stringify(works)],
  });
  const authors = names.flatMap((key) => authorIdOfKey(key, prefix) ?? []);
  return {
    works: [...showingStatements(generations, shown), ...(works.length > 0 ? generations.map(present) : [])],
    showing: others.flatMap((each, place) => showingStatements(generations, each, place)),
    documents:
      names.length === 0
        ? []
        : generations.flatMap((generation) => [
            documentsStatement(generation, { table: "author", key: "id", list: authors }),
            documentsStatement(generation, { table: "list", key: "key", list: names }),
          ]),
  };
}

/** Implements `SearchIndex.worksShowing`. One round trip. */
export async function findWorksShowing(
  database: Database,
  generations: readonly Generation[],
  shown: ShownValues,
): Promise<number[]> {
  const { works } = await batchGroups<Pick<FoundRows, "works">>(database, {
    works: showingStatements(generations, shown),
  });
  return sortedIds(works.map(({ id }) => id)).slice(0, shown.limit);
}

/** Returns the statements of `findWorksShowing`. Rows have the given `place`. */
function showingStatements(
  generations: readonly Generation[],
  { code, values, after, limit }: ShownValues,
  place = 0,
): Statement[] {
  if (values.length === 0) return [];
  const tokens = values.map((value) => quoteTokenPhrase(toFilterToken(code, value)));
  return generations.map((generation) => {
    const rows = matchRowsSql(`work_text_${generation}`, "?1");
    const numbers = numbersSql(rows, { limit, after: String(after) });
    return {
      sql: `SELECT '${generation}' AS generation, ${place} AS place, id FROM (${numbers})`,
      values: [`token : (${tokens.join(" OR ")})`],
    };
  });
}

function sortedIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

function documentsStatement(
  generation: Generation,
  { table, key, list }: { table: "author" | "list"; key: "id" | "key"; list: readonly unknown[] },
): Statement {
  return {
    sql: `SELECT '${generation}' AS generation, document FROM ${table}_${generation}
          WHERE ${key} IN (SELECT value FROM json_each(?1))`,
    values: [JSON.stringify(list)],
  };
}

function foundOf(
  { works, showing, documents }: { [name in keyof FoundRows]: FoundRows[name][] },
  { generations, lookup }: { generations: readonly Generation[]; lookup: Lookup },
): Found {
  const written = new Set(generations);
  const ids = works.flatMap(({ generation, id }) => (written.has(generation) ? id : []));
  const shown = documents
    .filter(({ generation }) => generation === generations[0])
    // The columns hold what `toAuthorRows` and `toListRows` returned.
    .map(({ document }) => JSON.parse(document) as StoredAuthor | StoredList);
  return {
    works: sortedIds(ids),
    showing: lookup.shown?.map(({ limit }, at) => {
      const rows = showing.filter(({ generation, place }) => place === at && written.has(generation));
      return sortedIds(rows.map(({ id }) => id)).slice(0, limit);
    }),
    names: new Map(shown.map((document) => [document.key, namesOf(document)])),
  };
}
