import { type ShelfCount, SHELVES, byShelf } from "../../catalog/patrons/shelves.ts";
import { openness } from "../../search/documents/scans.ts";
import type { StoredWork, TrendingSlots } from "../../search/documents/stored.ts";
import type { WorkSearch } from "../../search/engine.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";
import { copiedMembers } from "../../search/present/copied-members.ts";
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
  /** Of `work_<generation>` as `w` and `work_document_<generation>` as `d`. */
  readonly columns: string;
  /** The work of a row with these columns, for `present/expand.ts`. */
  work(row: WorkRow): Promise<StoredWork>;
}

/** All that is stored of works: rows for `storedWork`. */
export const WHOLE_WORKS: WorkReading = {
  columns: [
    "d.id",
    "d.document",
    "d.packed",
    "w.ratings",
    ...SHELVES.map(({ count }) => `w.${count}_count`),
    "w.trending_score_hourly_sum",
    "w.trending_z_score",
    "w.trending",
  ].join(", "),
  // It has the columns above.
  work: (row) => storedWork(row as StoredWorkRow),
};

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
  const members = copiedMembers(fields);
  // In one order whatever the order of the fields: a statement that is known already need not be prepared.
  const paths = members && [...new Set([...ALWAYS, ...members])].sort();
  const reading = paths === undefined || paths.length > PATHS_MAX ? WHOLE_WORKS : partReading(paths);
  readings.set(fields, reading);
  return reading;
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

/** Reads some members alone, by their paths: documents of popular works are long, and most of what they have is seldom asked for. */
function partReading(paths: readonly string[]): WorkReading {
  const list = paths.map((path) => `'$.${path}'`).join(", ");
  const places = paths.map((path): Place => {
    const [name = "", identifier] = path.split(".");
    return { name: identifier ?? name, isIdentifier: identifier !== undefined };
  });
  return {
    columns: `d.id, json_extract(d.document, ${list}) AS document, d.packed`,
    work: async (row) => partOfWork(row.packed === null ? membersOf(row, places) : await unpackDocument(row)),
  };
}

/** Members by a list of their values. */
function membersOf({ document }: WorkRow, places: readonly Place[]): StoredWorkMembers {
  const members: Record<string, unknown> = {};
  const identifiers: Record<string, unknown> = {};
  // The list that the statement makes.
  const values = JSON.parse(document) as unknown[];
  for (const [at, { name, isIdentifier }] of places.entries()) {
    const value = values[at];
    if (value !== null) (isIdentifier ? identifiers : members)[name] = value;
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
