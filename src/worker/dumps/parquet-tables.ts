import * as z from "zod";
import { gunzipSync } from "node:zlib";
import { TABLE_SECTIONS } from "../../catalog/dumps/dump-files.ts";
import { parseDocument } from "../../catalog/document.ts";
import { type PlacedMember, FILE_START, readNextMembers, placeAfter } from "../../db/dumps/read-dumps.ts";
import type { DumpedRecord } from "../../export/parquet/columns.ts";
import { writeEnd, writeRows } from "../../export/parquet/write.ts";
import { yieldToTasks } from "../http/queue.ts";
import { type DumpContext, type StepResult, digestOf, memberPlaceSchema, workObjectOf } from "./dump-step.ts";
import { readRanges } from "./compose.ts";
import { UNPACKED_BYTES_MAX } from "./verify.ts";

/** Maximum members per step: each takes one R2 call. */
const ROW_GROUP_MEMBERS = 100;
/** Row groups per page of the file's metadata, 2.5 KB each: a step reads one page and rewrites it. */
const PAGE_GROUPS = 64;

const positionSchema = z.object({
  table: z.int().default(0),
  from: memberPlaceSchema.default(FILE_START),
  size: z.int().default(0),
  groups: z.int().default(0),
  pages: z.array(z.object({ object: z.string(), offset: z.int(), length: z.int() })).default([]),
});
type Position = z.infer<typeof positionSchema>;

/** Writes the next row group of a Parquet table, or the end of its file. Both become members, as in other files. */
export async function writeParquetTables(context: DumpContext, position: unknown): Promise<StepResult> {
  const at = positionSchema.parse(position);
  const table = TABLE_SECTIONS[at.table];
  if (table === undefined) return { position: null };
  const { stores, dump, limits } = context;
  const query = { sections: [table], from: at.from, to: Number.MAX_SAFE_INTEGER, limit: ROW_GROUP_MEMBERS };
  const members = await readNextMembers(stores.catalog, dump.id, query);
  const object = workObjectOf(context);
  const member = { section: `${table}.parquet`, object, place: 0 } as const;
  const [first] = members;
  if (first === undefined) {
    const pages = await readPages(stores.archive, at.pages);
    const bytes = writeEnd(table, pages, at.size);
    await stores.archive.put(object, bytes);
    const parquetMember = { ...member, bytes: bytes.length, lines: 0, digest: await digestOf(bytes) };
    return { position: { table: at.table + 1 }, members: [parquetMember] };
  }
  const { rows, read } = await readRows(stores.archive, members, limits.rowGroupBytes);
  const isNewPage = at.groups % PAGE_GROUPS === 0;
  const open = isNewPage ? undefined : at.pages.at(-1);
  const [page] = await readPages(stores.archive, open === undefined ? [] : [open]);
  const written = writeRows(table, rows, { size: at.size, page });
  const length = written.bytes.length;
  await stores.archive.put(object, new Blob([written.bytes, written.page]));
  const next: Position = {
    table: at.table,
    from: placeAfter(members[read - 1] ?? first),
    size: at.size + length,
    groups: at.groups + 1,
    pages: [
      ...(isNewPage ? at.pages : at.pages.slice(0, -1)),
      { object, offset: length, length: written.page.length },
    ],
  };
  const rowsMember = { ...member, bytes: length, lines: rows.length, digest: await digestOf(written.bytes) };
  return { position: next, members: [rowsMember] };
}

async function readPages(archive: R2Bucket, ranges: Position["pages"]): Promise<Uint8Array<ArrayBuffer>[]> {
  const size = ranges.reduce((sum, { length }) => sum + length, 0);
  const bytes = await readRanges(archive, ranges, size);
  let at = 0;
  return ranges.map(({ length }) => bytes.slice(at, (at += length)));
}

/** Reads the records for one row group from the first members, and returns the number of members read. */
async function readRows(archive: R2Bucket, members: readonly PlacedMember[], bytesMax: number) {
  const rows: DumpedRecord[] = [];
  let read = 0;
  let bytes = 0;
  for (const { object, place: offset, bytes: length } of members) {
    if (bytes >= bytesMax) break;
    const packed = await readRanges(archive, [{ object, offset, length }], length);
    const text = gunzipSync(packed, { maxOutputLength: UNPACKED_BYTES_MAX });
    bytes += text.length;
    for (const line of text.toString().split("\n")) {
      if (line === "") continue;
      const [, key = "", , , json = "{}"] = line.split("\t");
      rows.push({ key, record: parseDocument(json), json });
    }
    read += 1;
    await yieldToTasks();
  }
  return { rows, read };
}
