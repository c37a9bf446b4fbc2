import {
  type StoredWorkRow,
  type WorkRow,
  unpackDocument,
  toStoredWork,
  restoreWork,
} from "../../search/indexing/packed-work.ts";
import { SHELVES } from "../../catalog/patrons/shelves.ts";
import type { StoredWork } from "../../search/documents/types.ts";
import type { SearchRequest, Generation } from "../../search/engine.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";
import { BRIEF_MEMBERS, areBrief, copiedMembersOf } from "../../search/present/expand.ts";
import { hashOf } from "../../search/engine/random-order.ts";

export interface WorkReading {
  /**
   * Returns SQL of the columns to read of works whose row of `work_ranking_<generation>` is `k`. `id` is SQL of the
   * number of works whose other tables are read.
   */
  sql(generation: Generation, id: string): WorkColumns;
  /** Restores the work of a row with these columns, for `present/expand.ts`. */
  work(row: WorkRow): Promise<StoredWork>;
}

interface WorkColumns {
  /** Columns: the number (null if there is nothing), the document, and others. */
  readonly columns: readonly [id: string, document: string, ...others: string[]];
  readonly joins: string;
}

/** Reading of all stored data of works, with rows for `restoreWork`. */
export const WHOLE_WORKS: WorkReading = {
  sql: (generation, id) => ({
    columns: [
      "d.id",
      "d.document",
      "d.packed",
      "w.ratings",
      ...SHELVES.map(({ count }) => `w.${count}_count`),
      "w.trending_score_hourly_sum",
      "w.trending_z_score",
      "w.trending",
    ],
    joins: `${documentJoin(generation, id)} LEFT JOIN work_${generation} w ON w.id = d.id`,
  }),
  // The row has the columns above.
  work: (row) => restoreWork(row as StoredWorkRow),
};

function documentJoin(generation: Generation, id: string): string {
  return `LEFT JOIN work_document_${generation} d ON d.id = ${id}`;
}

const readings = new WeakMap<readonly string[], WorkReading>();

/**
 * Returns the reading for some fields of works. With editions it reads the whole work, because they are restored from
 * it.
 */
export function workReadingOf({
  fields,
  withEditions,
}: Pick<SearchRequest, "fields" | "withEditions">): WorkReading {
  if (withEditions || fields === undefined) return WHOLE_WORKS;
  const cached = readings.get(fields);
  if (cached !== undefined) return cached;
  const reading = createReading(copiedMembersOf(fields));
  readings.set(fields, reading);
  return reading;
}

function createReading(members: readonly string[] | undefined): WorkReading {
  if (members === undefined) return WHOLE_WORKS;
  if (areBrief(members)) return BRIEF_WORKS;
  // Sorted, so that the order of the fields does not matter and the prepared statement can be reused.
  const paths = [...new Set([...ALWAYS, ...members])].sort();
  return paths.length > PATHS_MAX ? WHOLE_WORKS : createPartialReading(paths);
}

/** Members of documents in every reading. With a single path `json_extract` would not return a list. */
const ALWAYS = ["key", "ebook_access"];
/** Maximum number of paths: D1 allows 32 arguments of a function, and the document is one. */
const PATHS_MAX = 31;

/** Destination of a value: a member such as `title`, or one of the `identifiers`. */
interface Place {
  readonly name: string;
  readonly isIdentifier: boolean;
}

function placeOf(path: string): Place {
  const [name = "", identifier] = path.split(".");
  return { name: identifier ?? name, isIdentifier: identifier !== undefined };
}

/**
 * Returns a reading of some members only, by path: documents of popular works are long, and most of their members are
 * rarely requested.
 */
function createPartialReading(paths: readonly string[]): WorkReading {
  const places = paths.map(placeOf);
  return {
    sql: (generation, id) => ({
      columns: ["d.id", `${extractSql("d.document", paths)} AS document`, "d.packed"],
      joins: documentJoin(generation, id),
    }),
    work: async (row) =>
      toStoredWork(row.packed === null ? membersOf(row, places) : await unpackDocument(row)),
  };
}

function extractSql(document: string, paths: readonly string[]): string {
  return `json_extract(${document}, ${paths.map((path) => `'$.${path}'`).join(", ")})`;
}

const BRIEF_PATHS = [...BRIEF_MEMBERS];
const BRIEF_PLACES = BRIEF_PATHS.map(placeOf);
/** Prefix of stored briefs with these members. A brief with another prefix has other members, or another order. */
const BRIEF_LAYOUT = hashOf(BRIEF_PATHS.join(",")).toString(36);

/**
 * Maximum length of a brief in UTF-16 units: one response has up to a thousand. Longer ones are read from their
 * documents.
 */
const BRIEF_LENGTH = 8192;

/**
 * Returns the value of `work_ranking_<generation>.brief` for a work: a list as made by `extractSql`, without trailing
 * nulls. Empty if it is too long.
 */
export function toBriefText(members: StoredWorkMembers): string {
  const [topLevel, identifiers]: Readonly<Record<string, unknown>>[] = [members, members.identifiers];
  const values = BRIEF_PLACES.map(
    ({ name, isIdentifier }) => (isIdentifier ? identifiers : topLevel)?.[name],
  );
  values.length = values.findLastIndex((value) => value !== undefined) + 1;
  const text = BRIEF_LAYOUT + JSON.stringify(values);
  return text.length > BRIEF_LENGTH ? "" : text;
}

/** Reading of the default members of works. Falls back to their documents if the brief is missing. */
const BRIEF_WORKS: WorkReading = {
  sql: (generation, id) => {
    const isStored = `substr(k.brief, 1, ${BRIEF_LAYOUT.length}) = '${BRIEF_LAYOUT}'`;
    const brief = `substr(k.brief, ${BRIEF_LAYOUT.length + 1})`;
    const readFromDocument = (sql: string): string =>
      `(SELECT ${sql} FROM work_document_${generation} WHERE id = ${id})`;
    return {
      columns: [
        "k.id",
        `iif(${isStored}, ${brief}, ${readFromDocument(extractSql("document", BRIEF_PATHS))}) AS document`,
        `iif(${isStored}, NULL, ${readFromDocument("packed")}) AS packed`,
      ],
      joins: "",
    };
  },
  work: createPartialReading(BRIEF_PATHS).work,
};

function membersOf({ document }: WorkRow, places: readonly Place[]): StoredWorkMembers {
  const members: Record<string, unknown> = {};
  const identifiers: Record<string, unknown> = {};
  // JSON list built by the statement.
  const values = JSON.parse(document) as unknown[];
  for (const [at, { name, isIdentifier }] of places.entries()) {
    const value = values[at];
    if (value !== null && value !== undefined) (isIdentifier ? identifiers : members)[name] = value;
  }
  // No requested field depends on a missing member.
  return { ...members, identifiers } as StoredWorkMembers;
}
