import { gzipSync } from "node:zlib";
import * as z from "zod";
import { type FilePart, FILES, fileName, folderOf } from "../../catalog/dumps/dump-files.ts";
import type { DumpRow } from "../../db/dumps/read-dumps.ts";
import { FILE_START, fileSize, nextMembers, placeAfter } from "../../db/dumps/read-files.ts";
import { type DumpWork, type StageStep, DumpProblem, memberPlaceSchema, workObject } from "./step.ts";
import { type ObjectRange, bytesOf, joined } from "./ranges.ts";

/** A file without lines. */
export const EMPTY_FILE = gzipSync("");
/**
 * Errors of R2 for an upload that is over, or was given up, and for parts that are no longer those that were noted:
 * whoever was too slow has sent one again.
 */
const NO_UPLOAD = /\b1002[45]\b|does not exist|could not be found/;
/** What each kind of files is. */
export const CONTENT_TYPES: Readonly<Record<FilePart["suffix"], string>> = {
  "txt.gz": "application/gzip",
  parquet: "application/vnd.apache.parquet",
};

const uploadSchema = z.object({
  id: z.string(),
  /** Of the whole file. */
  bytes: z.int(),
  parts: z.array(z.object({ partNumber: z.int(), etag: z.string() })),
  /** The first member that the next part, or what is gathered of it, does not have to its end. */
  from: memberPlaceSchema,
  /** The beginning of the next part, where one step could not read all of it. */
  gathered: z.array(z.object({ object: z.string(), bytes: z.int() })),
});
const positionSchema = z.object({
  file: z.int().default(0),
  upload: uploadSchema.nullable().default(null),
});
type Upload = z.infer<typeof uploadSchema>;

/** Where a file of a dump lies. */
export function fileObject(dump: DumpRow, part: FilePart): string {
  return `${folderOf(dump.kind, dump.date)}/${fileName(part, dump.date)}`;
}

/**
 * Puts files together out of their members, a part of one at a time, whatever their size. What was done before it broke off
 * is not done again; the upload of a file that is over is taken for done when the file is there.
 */
export async function composeFiles(work: DumpWork, position: unknown): Promise<StageStep> {
  const { stores, dump } = work;
  const { file, upload } = positionSchema.parse(position);
  const part = FILES[dump.kind][file];
  if (part === undefined) return { position: null };
  const object = fileObject(dump, part);
  const next = { position: { file: file + 1, upload: null } };
  if (upload === null) {
    const begun = await beginUpload(work, part, object);
    return begun === undefined ? next : { position: { file, upload: begun } };
  }
  try {
    const { going, calls } = await goOn(work, { part, object, upload });
    return going === undefined ? { ...next, calls } : { position: { file, upload: going }, calls };
  } catch (error) {
    if (!(error instanceof Error) || !NO_UPLOAD.test(error.message)) throw error;
    const there = await stores.archive.head(object);
    if (there?.size === upload.bytes) return next;
    await abortUpload(stores.archive, { object, id: upload.id });
    return { position: { file, upload: null } };
  }
}

/** An upload that is under way: of which object, and its id. */
export const unfinishedSchema = z.object({ object: z.string(), id: z.string() });
type Unfinished = z.infer<typeof unfinishedSchema>;

/** The upload that a dump has begun and not finished; undefined when there is none. */
export function unfinishedUpload(dump: DumpRow): Unfinished | undefined {
  if (dump.stage !== "compose") return undefined;
  const { file, upload } = positionSchema.parse(JSON.parse(dump.position));
  const part = FILES[dump.kind][file];
  return part === undefined || upload === null
    ? undefined
    : { object: fileObject(dump, part), id: upload.id };
}

/** Gives an upload up, with the parts that it has. Does nothing about one that is over. */
export async function abortUpload(archive: R2Bucket, { object, id }: Unfinished): Promise<void> {
  try {
    await archive.resumeMultipartUpload(object, id).abort();
  } catch (error) {
    if (!(error instanceof Error) || !NO_UPLOAD.test(error.message)) throw error;
  }
}

/** Begins the upload of a file; undefined when there is nothing to upload, and the file is there. */
async function beginUpload(
  { stores, dump }: DumpWork,
  part: FilePart,
  object: string,
): Promise<Upload | undefined> {
  const { bytes } = await fileSize(stores.catalog, dump.id, part.sections);
  const options = { httpMetadata: { contentType: CONTENT_TYPES[part.suffix] } };
  if (bytes === 0) {
    await stores.archive.put(object, EMPTY_FILE, options);
    return undefined;
  }
  const { uploadId } = await stores.archive.createMultipartUpload(object, options);
  return { id: uploadId, bytes, parts: [], from: FILE_START, gathered: [] };
}

/** Uploads the next part, or gathers some of it; nothing is `going` after the last one. */
async function goOn(
  work: DumpWork,
  { part, object, upload }: { part: FilePart; object: string; upload: Upload },
): Promise<{ going?: Upload; calls: number }> {
  const { archive } = work.stores;
  const { partBytes } = work.limits;
  const begin = upload.parts.length * partBytes;
  const end = Math.min(begin + partBytes, upload.bytes);
  const start = begin + upload.gathered.reduce((sum, { bytes }) => sum + bytes, 0);
  const { ranges, to, from } = await rangesOf(work, part, { start, end, upload });
  if (to < end) {
    const kept = workObject(work);
    await archive.put(kept, await bytesOf(archive, ranges, to - start));
    const gathered = [...upload.gathered, { object: kept, bytes: to - start }];
    return { going: { ...upload, from, gathered }, calls: ranges.length };
  }
  const resumed = archive.resumeMultipartUpload(object, upload.id);
  const partNumber = upload.parts.length + 1;
  const all = [...gatheredRanges(upload), ...ranges];
  const { etag } = await resumed.uploadPart(partNumber, await bytesOf(archive, all, end - begin));
  const parts = [...upload.parts, { partNumber, etag }];
  const calls = all.length;
  if (end < upload.bytes) return { going: { ...upload, parts, from, gathered: [] }, calls };
  await resumed.complete(parts);
  return { calls };
}

/** Where the bytes of a file from `start` on lie, up to `end`, or to where one step may read: `to`. */
async function rangesOf(
  { stores, dump, limits }: DumpWork,
  { sections }: FilePart,
  { start, end, upload }: { start: number; end: number; upload: Upload },
) {
  const asked = { sections, from: upload.from, to: end, limit: limits.composedMembers };
  const members = await nextMembers(stores.catalog, dump.id, asked);
  const last = members.at(-1);
  if (last === undefined) throw new DumpProblem(`${end - start} bytes of a file are missing.`);
  const after = placeAfter(last);
  const isWhole = after.offset <= end;
  const to = isWhole ? after.offset : end;
  return { ranges: joined(members, { from: start, to }), to, from: isWhole ? after : last };
}

function gatheredRanges({ gathered }: Upload): ObjectRange[] {
  return gathered.map(({ object, bytes }) => ({ object, offset: 0, length: bytes }));
}
