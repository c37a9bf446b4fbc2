import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { TABLE_SECTIONS } from "../../catalog/dumps/dump-files.ts";
import { parseDocument } from "../../catalog/document.ts";
import { type PlacedMember, FILE_START, nextMembers, placeAfter } from "../../db/dumps/read-files.ts";
import type { DumpedRecord } from "../../export/parquet/columns.ts";
import { writeEnd, writeRows } from "../../export/parquet/write.ts";
import { takeTurns } from "../http/queue.ts";
import { digestOf } from "./chunk.ts";
import { bytesOf } from "./ranges.ts";
import { type DumpWork, type StageStep, memberPlaceSchema, workObject } from "./step.ts";
import { UNPACKED_BYTES_MAX } from "./verify.ts";

/** Members that one step reads: each is asked of R2 by itself. */
const ROW_GROUP_MEMBERS = 100;
/** Row groups that one page of the file's end describes, with 2.5 KB each: a step reads one page and writes it anew. */
const PAGE_GROUPS = 64;

const positionSchema = z.object({
  table: z.int().default(0),
  /** The first member of the section that was not read. */
  from: memberPlaceSchema.default(FILE_START),
  /** Bytes of the file so far. */
  size: z.int().default(0),
  groups: z.int().default(0),
  /** Where the pages lie. */
  pages: z.array(z.object({ object: z.string(), offset: z.int(), length: z.int() })).default([]),
});
type Position = z.infer<typeof positionSchema>;

/**
 * Makes the next row group of a table of the lines that were read, or the end of its file. Both become members like those
 * of lines, so that files are put together and published in the same way.
 */
export async function writeTables(work: DumpWork, position: unknown): Promise<StageStep> {
  const at = positionSchema.parse(position);
  const table = TABLE_SECTIONS[at.table];
  if (table === undefined) return { position: null };
  const { stores, dump, limits } = work;
  const asked = { sections: [table], from: at.from, to: Number.MAX_SAFE_INTEGER, limit: ROW_GROUP_MEMBERS };
  const members = await nextMembers(stores.catalog, dump.id, asked);
  const object = workObject(work);
  const member = { section: `${table}.parquet`, object, place: 0 } as const;
  const [first] = members;
  if (first === undefined) {
    const pages = await pagesOf(stores.archive, at.pages);
    const bytes = writeEnd(table, pages, at.size);
    await stores.archive.put(object, bytes);
    const made = { ...member, bytes: bytes.length, lines: 0, digest: await digestOf(bytes) };
    return { position: { table: at.table + 1 }, members: [made] };
  }
  const { rows, read } = await rowsOf(stores.archive, members, limits.rowGroupBytes);
  const isNewPage = at.groups % PAGE_GROUPS === 0;
  const open = isNewPage ? undefined : at.pages.at(-1);
  const [page] = await pagesOf(stores.archive, open === undefined ? [] : [open]);
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
  const made = { ...member, bytes: length, lines: rows.length, digest: await digestOf(written.bytes) };
  return { position: next, members: [made], calls: read };
}

async function pagesOf(archive: R2Bucket, ranges: Position["pages"]): Promise<Uint8Array<ArrayBuffer>[]> {
  const size = ranges.reduce((sum, { length }) => sum + length, 0);
  const bytes = await bytesOf(archive, ranges, size);
  let at = 0;
  return ranges.map(({ length }) => bytes.slice(at, (at += length)));
}

/** The records of the first of these members, as many as make a row group, and how many members that are. */
async function rowsOf(archive: R2Bucket, members: readonly PlacedMember[], bytesMax: number) {
  const rows: DumpedRecord[] = [];
  let read = 0;
  let bytes = 0;
  for (const { object, place: offset, bytes: length } of members) {
    if (bytes >= bytesMax) break;
    const packed = await bytesOf(archive, [{ object, offset, length }], length);
    const text = gunzipSync(packed, { maxOutputLength: UNPACKED_BYTES_MAX });
    bytes += text.length;
    for (const line of text.toString().split("\n")) if (line !== "") rows.push(dumpedRecord(line));
    read += 1;
    await takeTurns();
  }
  return { rows, read };
}

/** A line that a dump has made: its second column is the key, its last one the record. */
function dumpedRecord(line: string): DumpedRecord {
  const [, key = "", , , json = "{}"] = line.split("\t");
  return { key, record: parseDocument(json), json };
}
