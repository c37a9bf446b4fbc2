import { EDITION_TEXT_COLUMNS, WORK_TEXT_COLUMNS } from "../../search/indexing/columns.ts";
import { type WorkRows, FACET_COLUMNS, WORK_COLUMNS } from "../../search/indexing/work-rows.ts";
import { type Generation, otherGenerationOf } from "../../search/engine.ts";
import { toBriefText } from "../search/stored-work.ts";
import { type PackedDocument, packDocument } from "../../search/indexing/packed-work.ts";
import { TEXT_ROW } from "../search/text-rows.ts";
import type { Statement } from "../statement.ts";
import { type Cell, cellsSql, revivalStatements, rowStatements, updatesSql } from "./row-statements.ts";

export interface PackedRows {
  readonly rows: WorkRows;
  readonly packed: PackedDocument;
}

export async function packWork(rows: WorkRows): Promise<PackedRows> {
  return { rows, packed: await packDocument(rows.document) };
}

/** Columns of `work` with an index, by what changes together. */
const INDEXED_COLUMNS = [
  ["boost", "readinglog_count"],
  ["ratings_sortable"],
  ["edition_count"],
  ["first_publish_year"],
  ["title_sort"],
] as const;
export type IndexedColumns = Readonly<
  Record<(typeof INDEXED_COLUMNS)[number][number], string | number | null>
>;
export const INDEXED_COLUMN_NAMES = INDEXED_COLUMNS.flat();

interface PackedWork extends PackedRows {
  /** Columns with an index as they are stored; undefined if that is not known, or there is no row. */
  readonly indexed: IndexedColumns | undefined;
  /** Codes parallel to `FACET_COLUMNS`. */
  readonly facets: readonly (string | null)[];
}

/**
 * Returns statements that write works into one generation, for one transaction. The rows of `work` are written unless
 * the index has a newer version. The statements after them apply to works that now have the written version.
 */
export function workStatements(works: readonly PackedWork[], generation: Generation): Statement[] {
  const taken = `JOIN work_${generation} w ON w.id = r.c0 AND w.version = r.c1`;
  // Texts come in order of their rows, because FTS5 buffers writes in memory as long as row numbers ascend.
  const ordered = works.toSorted((a, b) => a.rows.textRow - b.rows.textRow);
  const replaced = replacements(works, ordered).flatMap(({ table, number = "r.c0", columns, rows }) => {
    const values = columns.map((_column, index) => (index === 0 ? number : `r.c${index + 1}`));
    const isSame = columns.map((column, index) => `o.${column} IS ${values[index]}`).join(" AND ");
    // Rows that are stored already are not written. Texts are contentless and cannot be compared.
    const isStored = columns.includes("rowid")
      ? "false"
      : `EXISTS (SELECT 1 FROM ${table}_${generation} o WHERE ${isSame})`;
    return rowStatements(
      rows,
      (source) => `
        INSERT OR REPLACE INTO ${table}_${generation} (${columns.join(", ")})
        SELECT ${values.join(", ")} FROM ${source} ${taken} WHERE NOT ${isStored}`,
    );
  });
  return [
    ...moveStatements(works, generation),
    ...headStatements(works, generation),
    ...removalStatements(works, generation, taken),
    ...replaced,
  ];
}

/** Returns statements that remove texts and facets of works whose popularity changed: they get another row. */
function moveStatements(works: readonly PackedWork[], generation: Generation): Statement[] {
  const rows = works.map(({ rows: { id, version, textRow } }) => [id, version, textRow]);
  const deletionSql = (table: string) => (source: string) =>
    `
      DELETE FROM ${table}_${generation} WHERE rowid IN (
        SELECT ${TEXT_ROW} FROM ${source}
        JOIN work_${generation} w ON w.id = r.c0 AND w.version <= r.c1 AND ${TEXT_ROW} <> r.c2)`;
  return ["work_text", "work_facet"].flatMap((table) => rowStatements(rows, deletionSql(table)));
}

/**
 * Returns statements that write the rows of `work`. Trending data is not part of documents: it is kept, and a rebuild
 * copies it from the other generation.
 */
function headStatements(works: readonly PackedWork[], generation: Generation): Statement[] {
  const columns = ["id", "version", "text_row", ...WORK_COLUMNS];
  const key = `r.c${columns.length}`;
  const trending = ["trending_score_hourly_sum", "trending_z_score", "trending"];
  const documents = works.map(({ rows }) => rows);
  const written = [...Map.groupBy(works, sameColumnsOf)].flatMap(([same, group]) =>
    rowStatements(
      group.map(({ rows }) => [rows.id, rows.version, rows.textRow, ...rows.columns, rows.key]),
      (source) => `
      INSERT INTO work_${generation} (${columns.join(", ")}, ${trending.join(", ")})
      SELECT ${cellsSql(columns.length)}, coalesce(o.trending_score_hourly_sum, 0), coalesce(o.trending_z_score, 0),
        o.trending
      FROM ${source} LEFT JOIN work_${otherGenerationOf(generation)} o ON o.id = r.c0
      WHERE NOT EXISTS (SELECT 1 FROM tombstone_${generation} t WHERE t.key = ${key} AND t.version > r.c1)
      ON CONFLICT (id) DO UPDATE SET ${updatesSql(columns, [same.split(" ")])}
      WHERE excluded.version >= work_${generation}.version`,
    ),
  );
  return [...written, ...revivalStatements(documents, generation)];
}

/** Lists the columns with an index that a work does not change: setting them would write their indexes all the same. */
function sameColumnsOf({ rows: { columns }, indexed }: PackedWork): string {
  const isSame = (name: (typeof INDEXED_COLUMN_NAMES)[number]): boolean =>
    indexed?.[name] === columns[WORK_COLUMNS.indexOf(name)];
  return INDEXED_COLUMNS.flatMap((group) => (group.every(isSame) ? group : [])).join(" ");
}

/**
 * Returns statements that remove editions that a work no longer has, and all its values. `taken` joins rows with the
 * works that have their version.
 */
function removalStatements(works: readonly PackedWork[], generation: Generation, taken: string): Statement[] {
  const rows = works.map(({ rows: { id, version, editions } }) => [id, version, editions.length]);
  const gone = `${taken} JOIN edition_${generation} e ON e.work = r.c0 AND e.rank >= r.c2`;
  return [
    (source: string) => `
      DELETE FROM edition_text_${generation} WHERE rowid IN (SELECT (e.work << 13) + e.rank FROM ${source} ${gone})`,
    (source: string) => `
      DELETE FROM edition_${generation} WHERE (work, rank) IN (SELECT e.work, e.rank FROM ${source} ${gone})`,
    (source: string) => `
      DELETE FROM work_value_${generation} WHERE (field, value, id) IN (
        SELECT v.field, v.value, v.id FROM ${source} ${taken} JOIN work_value_${generation} v ON v.id = r.c0)`,
  ].flatMap((sql) => rowStatements(rows, sql));
}

function replacements(works: readonly PackedWork[], ordered: readonly PackedWork[]): readonly Replacement[] {
  const editions = works.flatMap(({ rows: { id, version, editions: all } }) =>
    all.map((edition) => ({ ...edition, head: [id, version] })),
  );
  return [
    {
      table: "work_document",
      columns: ["id", "document", "packed"],
      rows: works.map(({ rows, packed }) => [rows.id, rows.version, packed.document, packed.packed]),
    },
    {
      table: "work_ranking",
      columns: ["id", "ranking", "brief"],
      rows: works.map(({ rows }) => [rows.id, rows.version, rows.ranking, toBriefText(rows.document)]),
    },
    {
      table: "work_facet",
      number: "w.text_row",
      columns: ["id", ...FACET_COLUMNS.map(([name]) => name)],
      rows: ordered.map(({ rows, facets }) => [rows.id, rows.version, ...facets]),
    },
    {
      table: "work_text",
      number: "w.text_row",
      columns: ["rowid", ...WORK_TEXT_COLUMNS.map(({ name }) => name), "token"],
      rows: ordered.map(({ rows }) => [rows.id, rows.version, ...rows.texts]),
    },
    {
      table: "work_value",
      columns: ["id", "field", "value"],
      rows: works.flatMap(({ rows }) => rows.values.map((value) => [rows.id, rows.version, ...value])),
    },
    {
      table: "edition",
      columns: ["work", "rank", "position", "id", "document"],
      rows: editions.map(({ head, rank, position, id, document }) => [...head, rank, position, id, document]),
    },
    {
      table: "edition_text",
      columns: ["work", "rowid", ...EDITION_TEXT_COLUMNS.map(({ name }) => name), "token"],
      rows: editions.flatMap(({ head, text }) =>
        text === undefined ? [] : [[...head, text.rowId, ...text.columns]],
      ),
    },
  ];
}

interface Replacement {
  readonly table: string;
  readonly number?: string;
  readonly columns: readonly string[];
  /** Number and version of the work, then the values of the other columns. */
  readonly rows: readonly (readonly Cell[])[];
}
