import type { Document } from "../../../search/engine.ts";
import type { StoredAuthor, StoredList, StoredSubject } from "../../../search/index/stored.ts";
import { expandAuthor, expandList, expandSubject } from "../../../search/documents/expand.ts";
import type { PlainScheme } from "../../../search/plain/scheme.ts";
import type { Generation } from "../generation.ts";
import type { SchemeTables } from "./conditions.ts";

/** What differs between the schemes when they are searched. */
export interface PlainSource {
  /** Name of the tables without generation. */
  readonly name: PlainScheme;
  /** Weights of the columns of the full-text table, in order, for `bm25`. */
  readonly weights: readonly number[];
  /** Columns of the table that make its documents. */
  readonly columns: readonly string[];
  /** Column that tells the popular from the others; it has an index where there are many rows. */
  readonly popular: string;
  /** SQL of what popularity adds to the score. */
  popularity(column: string): string;
  /** Column with the collation key of the name, where there is one. */
  readonly nameSort: string | undefined;
  /** Columns by the fields that can be sorted by. */
  readonly sorts: ReadonlyMap<string, string>;
  documentOf(row: Readonly<Record<string, unknown>>): Document;
}

/** Points that an author's works add to his score at most (search.md 4.3). */
const WORKS_POINTS_MAX = 20;

const AUTHOR: PlainSource = {
  name: "author",
  weights: [2, 1, 0.5, 0.5, 0.5, 0.5, 0],
  columns: ["document", "work_count"],
  // Beyond the points of search.md 4.3 the logarithm still tells the well known from the others.
  popular: "work_count",
  popularity: (column) => `min(${column}, ${WORKS_POINTS_MAX}) + ln(1 + ${column})`,
  nameSort: "name_sort",
  sorts: new Map([
    ["work_count", "work_count"],
    ["name", "name_sort"],
    ["birth_date", "birth_date"],
    ["death_date", "death_date"],
    ["random", "random"],
  ]),
  // The column holds what apply.ts wrote.
  documentOf: ({ document, work_count: count }) =>
    expandAuthor({ ...(JSON.parse(String(document)) as StoredAuthor), work_count: Number(count) }),
};

const SUBJECT: PlainSource = {
  name: "subject",
  weights: [1, 0],
  columns: ["key", "name", "subject_type", "work_count"],
  popular: "work_count",
  popularity: (column) => `ln(1 + ${column})`,
  nameSort: undefined,
  sorts: new Map([["work_count", "work_count"]]),
  // The columns are the members of a stored subject.
  documentOf: (row) => expandSubject(row as unknown as StoredSubject),
};

const LIST: PlainSource = {
  name: "list",
  weights: [10, 1, 1, 1, 1, 0],
  columns: ["document"],
  popular: "seed_count",
  popularity: (column) => `ln(1 + ${column}) / 10`,
  nameSort: "name_sort",
  sorts: new Map([
    ["name", "name_sort"],
    ["last_modified", "last_modified"],
    ["seed_count", "seed_count"],
    ["random", "random"],
  ]),
  // The column holds what apply.ts wrote.
  documentOf: ({ document }) => expandList(JSON.parse(String(document)) as StoredList),
};

/** The sources by scheme. */
export const PLAIN_SOURCES: Readonly<Record<PlainScheme, PlainSource>> = {
  author: AUTHOR,
  subject: SUBJECT,
  list: LIST,
};

/** The tables of a scheme. */
export function tablesOf(scheme: PlainScheme, generation: Generation): SchemeTables {
  return { table: `${scheme}_${generation}`, text: `${scheme}_text_${generation}` };
}
