import { gzipSync } from "node:zlib";
import { type RowGroup, type SchemaElement, parquetMetadata } from "hyparquet";
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { ParquetWriter } from "hyparquet-writer/src/parquet-writer.js";
import { type Column, type ColumnType, type DumpedRecord, type TableName, TABLES } from "./columns.ts";

/** Row group of a file that is written one row group at a time, possibly by different workers. */
interface WrittenRows {
  /** Bytes to append to the file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Metadata of row groups for the end of the file, as a Parquet file without their bytes. */
  readonly page: Uint8Array<ArrayBuffer>;
}

/** Columns with minimum and maximum in the file metadata: records are sorted by key. */
const MEASURED = new Set(["key"]);
const DISTINCT = new Set(["key", "json"]);

/**
 * Writes the next row group of a file that has `size` bytes so far. The resulting page also has the row groups of
 * `page`, which is undefined at the start of a page.
 */
export function writeRows(
  table: TableName,
  rows: readonly DumpedRecord[],
  { size, page }: { readonly size: number; readonly page: Uint8Array<ArrayBuffer> | undefined },
): WrittenRows {
  const file = openWriter(table, size);
  const columnData = TABLES[table].map((column) => ({
    name: column.name,
    data: rows.map((row) => column.of(row)),
    ...(DISTINCT.has(column.name) && { encoding: "PLAIN" as const }),
    offsetIndex: false,
    statistics: MEASURED.has(column.name),
  }));
  void file.parquet.write({ columnData, rowGroupSize: rows.length });
  const bytes = file.writer.getBytes().slice();
  return { bytes, page: endOf(table, [...groupsOf(page), ...file.parquet.row_groups]) };
}

/** Writes the end of a file that has `size` bytes so far, with the row groups of these pages. */
export function writeEnd(
  table: TableName,
  pages: readonly Uint8Array<ArrayBuffer>[],
  size: number,
): Uint8Array<ArrayBuffer> {
  const end = endOf(table, pages.flatMap(groupsOf));
  if (size > 0) return end;
  const { writer } = openWriter(table, 0);
  writer.appendBytes(end);
  return writer.getBytes().slice();
}

/** Returns a writer that continues at a byte of a file. It writes the first four bytes itself. */
function openWriter(table: TableName, size: number): { writer: ByteWriter; parquet: ParquetWriter } {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: table, num_children: TABLES[table].length }, ...TABLES[table].flatMap(elementsOf)],
    codec: "GZIP",
    compressors: { GZIP: (bytes) => new Uint8Array(gzipSync(bytes)) },
    statisticsTruncateLength: Number.POSITIVE_INFINITY,
    createdBy: "Carrel",
  });
  if (size > 0) {
    writer.index = 0;
    writer.offset = size;
  }
  return { writer, parquet };
}

function endOf(table: TableName, groups: readonly RowGroup[]): Uint8Array<ArrayBuffer> {
  const { writer, parquet } = openWriter(table, 1);
  parquet.row_groups = [...groups];
  parquet.num_rows = groups.reduce((sum, { num_rows: rows }) => sum + rows, 0n);
  void parquet.finish();
  return writer.getBytes().slice();
}

function groupsOf(page: Uint8Array<ArrayBuffer> | undefined): RowGroup[] {
  if (page === undefined) return [];
  return parquetMetadata(page.buffer.slice(page.byteOffset, page.byteOffset + page.byteLength)).row_groups;
}

type Leaf = Pick<SchemaElement, "type" | "converted_type" | "logical_type">;

const TEXT: Leaf = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
const NUMBER: Leaf = { type: "INT32" };
/** Times are naive, in UTC. */
const TIME: Leaf = {
  type: "INT64",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS" },
};

const LEAVES: Readonly<Record<ColumnType, { readonly leaf: Leaf; readonly isList: boolean }>> = {
  text: { leaf: TEXT, isList: false },
  texts: { leaf: TEXT, isList: true },
  number: { leaf: NUMBER, isList: false },
  numbers: { leaf: NUMBER, isList: true },
  time: { leaf: TIME, isList: false },
};

/** Returns the schema elements of a column. A list takes three elements (Parquet, LogicalTypes). */
function elementsOf({ name, type }: Column): SchemaElement[] {
  const { leaf, isList } = LEAVES[type];
  if (!isList) return [{ name, repetition_type: "OPTIONAL", ...leaf }];
  return [
    {
      name,
      repetition_type: "REQUIRED",
      num_children: 1,
      converted_type: "LIST",
      logical_type: { type: "LIST" },
    },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", repetition_type: "REQUIRED", ...leaf },
  ];
}
