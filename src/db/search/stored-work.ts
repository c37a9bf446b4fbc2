import { type ShelfCount, SHELVES, byShelf } from "../../catalog/patrons/shelves.ts";
import { openness } from "../../search/documents/scans.ts";
import type { StoredWork, TrendingSlots } from "../../search/documents/stored.ts";
import type { WorkSearch } from "../../search/engine.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";
import { BRIEF_MEMBERS, areBrief } from "../../search/present/brief.ts";
import { copiedMembers } from "../../search/present/copied-members.ts";
import type { Generation } from "./generation.ts";
import { hashOf } from "./sql-values.ts";
import { type PackedDocument, unpackDocument } from "./stored-document.ts";

/** A work as a `WorkReading` reads it. */
export interface WorkRow extends PackedDocument {
  readonly id: number;
}

/** A work with all that is stored of it. */
export interface StoredWorkRow extends WorkRow, Readonly<Record<`${ShelfCount}_count`, number>> {
  readonly ratings: string | null;
  readonly trending_score_hourly_sum: number;
  readonly trending_z_score: number;
  readonly trending: string | null;
}

/** What is read of works. */
export interface WorkReading {
  /** SQL of what is read of works whose row of `work_ranking_<generation>` is `k`; `id`: SQL of the number of those to look further for. */
  sql(generation: Generation, id: string): WorkColumns;
  /** The work of a row with these columns, for `present/expand.ts`. */
  work(row: WorkRow): Promise<StoredWork>;
}

interface WorkColumns {
  /** Of the number, null where there is nothing, of the document, and others. */
  readonly columns: readonly [id: string, document: string, ...others: string[]];
  /** What they are joined with. */
  readonly joins: string;
}

/** All that is stored of works: rows for `storedWork`. */
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
  // It has the columns above.
  work: (row) => storedWork(row as StoredWorkRow),
};

function documentJoin(generation: Generation, id: string): string {
  return `LEFT JOIN work_document_${generation} d ON d.id = ${id}`;
}

/** By fields. */
const readings = new WeakMap<readonly string[], WorkReading>();

/** What is read of works for some of their fields. Editions are restored by all of their work. */
export function workReading({
  fields,
  withEditions,
}: Pick<WorkSearch, "fields" | "withEditions">): WorkReading {
  if (withEditions || fields === undefined) return WHOLE_WORKS;
  const known = readings.get(fields);
  if (known !== undefined) return known;
  const reading = readingOf(copiedMembers(fields));
  readings.set(fields, reading);
  return reading;
}

function readingOf(members: readonly string[] | undefined): WorkReading {
  if (members === undefined) return WHOLE_WORKS;
  if (areBrief(members)) return BRIEF_WORKS;
  // In one order whatever the order of the fields: a statement that is known already need not be prepared.
  const paths = [...new Set([...ALWAYS, ...members])].sort();
  return paths.length > PATHS_MAX ? WHOLE_WORKS : partReading(paths);
}

/** Members of documents that no reading is without; of one path `json_extract` would make no list. */
const ALWAYS = ["key", "ebook_access"];
/** D1 allows a function 32 arguments, and the document is one. */
const PATHS_MAX = 31;

/** Where a value belongs: `title`, or the name of one of the `identifiers`. */
interface Place {
  readonly name: string;
  readonly isIdentifier: boolean;
}

function placeOf(path: string): Place {
  const [name = "", identifier] = path.split(".");
  return { name: identifier ?? name, isIdentifier: identifier !== undefined };
}

/** Reads some members alone, by their paths: documents of popular works are long, and most of what they have is seldom asked for. */
function partReading(paths: readonly string[]): WorkReading {
  const places = paths.map(placeOf);
  return {
    sql: (generation, id) => ({
      columns: ["d.id", `${extractSql("d.document", paths)} AS document`, "d.packed"],
      joins: documentJoin(generation, id),
    }),
    work: async (row) => partOfWork(row.packed === null ? membersOf(row, places) : await unpackDocument(row)),
  };
}

/** SQL of a JSON list of members of a document. */
function extractSql(document: string, paths: readonly string[]): string {
  return `json_extract(${document}, ${paths.map((path) => `'$.${path}'`).join(", ")})`;
}

const BRIEF_PATHS = [...BRIEF_MEMBERS];
const BRIEF_PLACES = BRIEF_PATHS.map(placeOf);
/** Begins what is stored of these members: what begins otherwise has others, or in another order. */
const BRIEF_LAYOUT = hashOf(BRIEF_PATHS.join(",")).toString(36);

/** Longest brief in UTF-16 units: a thousand of them are one answer. Longer ones are read out of their documents. */
const BRIEF_LENGTH = 8192;

/**
 * Makes `work_ranking_<generation>.brief` of a work: a list as `extractSql` makes it, without what is null at its end. Empty
 * if it is too long.
 */
export function briefText(members: StoredWorkMembers): string {
  const [own, identifiers]: Readonly<Record<string, unknown>>[] = [members, members.identifiers];
  const values = BRIEF_PLACES.map(({ name, isIdentifier }) => (isIdentifier ? identifiers : own)?.[name]);
  values.length = values.findLastIndex((value) => value !== undefined) + 1;
  const text = BRIEF_LAYOUT + JSON.stringify(values);
  return text.length > BRIEF_LENGTH ? "" : text;
}

/** Reads what works are shown by unless other fields are asked for; where that is not stored, out of their documents. */
const BRIEF_WORKS: WorkReading = {
  sql: (generation, id) => {
    const isStored = `substr(k.brief, 1, ${BRIEF_LAYOUT.length}) = '${BRIEF_LAYOUT}'`;
    const brief = `substr(k.brief, ${BRIEF_LAYOUT.length + 1})`;
    const further = (sql: string): string =>
      `(SELECT ${sql} FROM work_document_${generation} WHERE id = ${id})`;
    return {
      columns: [
        "k.id",
        `iif(${isStored}, ${brief}, ${further(extractSql("document", BRIEF_PATHS))}) AS document`,
        `iif(${isStored}, NULL, ${further("packed")}) AS packed`,
      ],
      joins: "",
    };
  },
  work: partReading(BRIEF_PATHS).work,
};

/** Members by a list of their values. */
function membersOf({ document }: WorkRow, places: readonly Place[]): StoredWorkMembers {
  const members: Record<string, unknown> = {};
  const identifiers: Record<string, unknown> = {};
  // The list that the statement makes.
  const values = JSON.parse(document) as unknown[];
  for (const [at, { name, isIdentifier }] of places.entries()) {
    const value = values[at];
    if (value !== null && value !== undefined) (isIdentifier ? identifiers : members)[name] = value;
  }
  // No field that is asked for is made of what is not here.
  return { ...members, identifiers } as StoredWorkMembers;
}

function partOfWork(members: StoredWorkMembers): StoredWork {
  // Counts and trends are members of no document.
  return { ...members, ...openness(members.ebook_access), type: "work" } as StoredWork;
}

/** The work of a row with all that is stored of it. */
export async function storedWork(row: StoredWorkRow): Promise<StoredWork> {
  return {
    ...partOfWork(await unpackDocument(row)),
    counts: {
      // The columns hold what apply.ts and patch.ts wrote.
      ratings: row.ratings === null ? [0, 0, 0, 0, 0] : (JSON.parse(row.ratings) as Ratings),
      ...byShelf("member", ({ count }) => row[`${count}_count`]),
    },
    trending: {
      hourlySum: row.trending_score_hourly_sum,
      zScore: row.trending_z_score,
      slots: row.trending === null ? undefined : (JSON.parse(row.trending) as TrendingSlots),
    },
  };
}

type Ratings = StoredWork["counts"]["ratings"];
