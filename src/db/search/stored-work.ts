import { Buffer } from "node:buffer";
import { type ShelfCount, SHELVES, mapShelves } from "../../catalog/patrons/shelves.ts";
import { opennessOf } from "../../search/documents/scans.ts";
import type { StoredWork, TrendingSlots } from "../../search/documents/types.ts";
import type { WorkSearch } from "../../search/engine.ts";
import { DOCUMENT_LENGTH_MAX, fitJson } from "../../search/indexing/columns.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";
import { BRIEF_MEMBERS, areBrief, copiedMembersOf } from "../../search/present/expand.ts";
import type { Generation } from "./generation.ts";
import { hashOf } from "./sql-values.ts";

export interface WorkRow extends PackedDocument {
  readonly id: number;
}

export interface StoredWorkRow extends WorkRow, Readonly<Record<`${ShelfCount}_count`, number>> {
  readonly ratings: string | null;
  readonly trending_score_hourly_sum: number;
  readonly trending_z_score: number;
  readonly trending: string | null;
}

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
}: Pick<WorkSearch, "fields" | "withEditions">): WorkReading {
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

function toStoredWork(members: StoredWorkMembers): StoredWork {
  // Counts and trends are not part of documents.
  return { ...members, ...opennessOf(members.ebook_access), type: "work" } as StoredWork;
}

/** Restores the work of a row with all its stored data. */
export async function restoreWork(row: StoredWorkRow): Promise<StoredWork> {
  return {
    ...toStoredWork(await unpackDocument(row)),
    counts: {
      // The columns hold values of `toWorkRows` and `readerValuesOf`.
      ratings: row.ratings === null ? [0, 0, 0, 0, 0] : (JSON.parse(row.ratings) as Ratings),
      ...mapShelves("member", ({ count }) => row[`${count}_count`]),
    },
    trending: {
      hourlySum: row.trending_score_hourly_sum,
      zScore: row.trending_z_score,
      slots: row.trending === null ? undefined : (JSON.parse(row.trending) as TrendingSlots),
    },
  };
}

type Ratings = StoredWork["counts"]["ratings"];

/** Document in the two columns of `work_document`. */
export interface PackedDocument {
  /** JSON; for a very large document only the part that fits. */
  readonly document: string;
  /** Base64 of the gzip of the whole document; null if `document` is complete. */
  readonly packed: string | null;
}

/** Maximum length of a packed document, in base64 characters. */
const PACKED_LENGTH_MAX = 1_800_000;

/**
 * Packs the members of a work. The document of a work with thousands of editions exceeds the size limit of D1 values.
 */
export async function packDocument(members: StoredWorkMembers): Promise<PackedDocument> {
  const json = JSON.stringify(members);
  if (json.length <= DOCUMENT_LENGTH_MAX) return { document: json, packed: null };
  const document = fitJson(members);
  let whole = json;
  let packed = await compress(whole);
  while (packed.length > PACKED_LENGTH_MAX) {
    whole = fitJson(members, Math.floor(whole.length / 2));
    packed = await compress(whole);
  }
  return { document, packed };
}

async function unpackDocument({ document, packed }: PackedDocument): Promise<StoredWorkMembers> {
  const json = packed === null ? document : await decompress(packed);
  // The text was built, and possibly cut, by `packDocument`.
  return JSON.parse(json) as StoredWorkMembers;
}

async function compress(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return Buffer.from(await new Response(stream).arrayBuffer()).toString("base64");
}

async function decompress(base64: string): Promise<string> {
  const stream = new Blob([Buffer.from(base64, "base64")])
    .stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).text();
}
