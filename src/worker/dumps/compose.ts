import * as z from "zod";
import { gzipSync } from "node:zlib";
import { type FilePart, FILES, fileNameOf, dumpFolderOf } from "../../catalog/dumps/dump-files.ts";
import {
  type DumpRow,
  FILE_START,
  readFileSize,
  readNextMembers,
  placeAfter,
} from "../../db/dumps/read-dumps.ts";
import {
  type DumpContext,
  type StepResult,
  DumpProblem,
  memberPlaceSchema,
  workObjectOf,
} from "./dump-step.ts";

export const EMPTY_FILE = gzipSync("");
/** R2 errors for an upload that is over, or whose parts were uploaded again by a consumer that lost its lease. */
const NO_UPLOAD = /\b1002[45]\b|does not exist|could not be found/;
export const CONTENT_TYPES: Readonly<Record<FilePart["suffix"], string>> = {
  "txt.gz": "application/gzip",
  parquet: "application/vnd.apache.parquet",
};

const uploadSchema = z.object({
  id: z.string(),
  bytes: z.int(),
  parts: z.array(z.object({ partNumber: z.int(), etag: z.string() })),
  /** First member that is not completely in an uploaded part or in `gathered`. */
  from: memberPlaceSchema,
  /** Start of the next part, if one step could not read all of it. */
  gathered: z.array(z.object({ object: z.string(), bytes: z.int() })),
});
const positionSchema = z.object({
  file: z.int().default(0),
  upload: uploadSchema.nullable().default(null),
});
type Upload = z.infer<typeof uploadSchema>;

export function fileObject(dump: DumpRow, part: FilePart): string {
  return `${dumpFolderOf(dump.kind, dump.date)}/${fileNameOf(part, dump.date)}`;
}

/**
 * Composes files of any size from their members, one part of a file per step. Resumes from the position; an upload that
 * R2 no longer knows counts as completed if the file exists.
 */
export async function composeFiles(context: DumpContext, position: unknown): Promise<StepResult> {
  const { stores, dump } = context;
  const { file, upload } = positionSchema.parse(position);
  const part = FILES[dump.kind][file];
  if (part === undefined) return { position: null };
  const object = fileObject(dump, part);
  const next = { position: { file: file + 1, upload: null } };
  if (upload === null) {
    const { bytes } = await readFileSize(stores.catalog, dump.id, part.sections);
    const options = { httpMetadata: { contentType: CONTENT_TYPES[part.suffix] } };
    if (bytes === 0) {
      await stores.archive.put(object, EMPTY_FILE, options);
      return next;
    }
    const { uploadId } = await stores.archive.createMultipartUpload(object, options);
    const started: Upload = { id: uploadId, bytes, parts: [], from: FILE_START, gathered: [] };
    return { position: { file, upload: started } };
  }
  try {
    const going = await uploadNext(context, { part, object, upload });
    return going === undefined ? next : { position: { file, upload: going } };
  } catch (error) {
    if (!(error instanceof Error) || !NO_UPLOAD.test(error.message)) throw error;
    const stored = await stores.archive.head(object);
    if (stored?.size === upload.bytes) return next;
    await abortUpload(stores.archive, { object, id: upload.id });
    return { position: { file, upload: null } };
  }
}

export const unfinishedSchema = z.object({ object: z.string(), id: z.string() });
type Unfinished = z.infer<typeof unfinishedSchema>;

export function unfinishedUpload(dump: DumpRow): Unfinished | undefined {
  if (dump.stage !== "compose") return undefined;
  const { file, upload } = positionSchema.parse(JSON.parse(dump.position));
  const part = FILES[dump.kind][file];
  return part === undefined || upload === null
    ? undefined
    : { object: fileObject(dump, part), id: upload.id };
}

/** Aborts an upload and deletes its parts. Does nothing if it is already completed or aborted. */
export async function abortUpload(archive: R2Bucket, { object, id }: Unfinished): Promise<void> {
  try {
    await archive.resumeMultipartUpload(object, id).abort();
  } catch (error) {
    if (!(error instanceof Error) || !NO_UPLOAD.test(error.message)) throw error;
  }
}

/** Uploads the next part, or gathers some of it. Returns undefined after the last part. */
async function uploadNext(
  context: DumpContext,
  { part, object, upload }: { part: FilePart; object: string; upload: Upload },
): Promise<Upload | undefined> {
  const { archive } = context.stores;
  const { partBytes } = context.limits;
  const begin = upload.parts.length * partBytes;
  const end = Math.min(begin + partBytes, upload.bytes);
  const start = begin + upload.gathered.reduce((sum, { bytes }) => sum + bytes, 0);
  const { ranges, to, from } = await nextRanges(context, part, { start, end, upload });
  if (to < end) {
    const partial = workObjectOf(context);
    await archive.put(partial, await readRanges(archive, ranges, to - start));
    const gathered = [...upload.gathered, { object: partial, bytes: to - start }];
    return { ...upload, from, gathered };
  }
  const multipart = archive.resumeMultipartUpload(object, upload.id);
  const partNumber = upload.parts.length + 1;
  const gathered = upload.gathered.map(({ object: name, bytes }) => ({
    object: name,
    offset: 0,
    length: bytes,
  }));
  const all = [...gathered, ...ranges];
  const { etag } = await multipart.uploadPart(partNumber, await readRanges(archive, all, end - begin));
  const parts = [...upload.parts, { partNumber, etag }];
  if (end < upload.bytes) return { ...upload, parts, from, gathered: [] };
  await multipart.complete(parts);
  return undefined;
}

/**
 * Returns the ranges of a file's bytes from `start` to `to`: `end`, or the limit of what one step may read. Adjacent ranges of an
 * object are joined.
 */
async function nextRanges(
  { stores, dump, limits }: DumpContext,
  { sections }: FilePart,
  { start, end, upload }: { start: number; end: number; upload: Upload },
) {
  const query = { sections, from: upload.from, to: end, limit: limits.composedMembers };
  const members = await readNextMembers(stores.catalog, dump.id, query);
  const last = members.at(-1);
  if (last === undefined) throw new DumpProblem(`${end - start} bytes of a file are missing.`);
  const after = placeAfter(last);
  const isWhole = after.offset <= end;
  const to = isWhole ? after.offset : end;
  const ranges: ObjectRange[] = [];
  for (const { object, place, bytes, offset: memberStart } of members) {
    const from = Math.max(memberStart, start);
    const length = Math.min(memberStart + bytes, to) - from;
    const offset = place + from - memberStart;
    const previous = ranges.at(-1);
    if (previous?.object === object && previous.offset + previous.length === offset)
      ranges[ranges.length - 1] = { ...previous, length: previous.length + length };
    else ranges.push({ object, offset, length });
  }
  return { ranges, to, from: isWhole ? after : last };
}

/** Maximum number of concurrent reads: a Worker invocation may have six open connections. */
const RANGES_AT_ONCE = 6;

type ObjectRange = { object: string; offset: number; length: number };

/** Reads and concatenates ranges. Throws DumpProblem unless they have `size` bytes in total. */
export async function readRanges(archive: R2Bucket, ranges: readonly ObjectRange[], size: number) {
  const total = ranges.reduce((sum, { length }) => sum + length, 0);
  if (total !== size) throw new DumpProblem(`${size - total} bytes of a file are missing.`);
  const whole = new Uint8Array(size);
  let at = 0;
  const placed = ranges.map((range) => ({ range, at: (at += range.length) - range.length }));
  const waiting = placed.values();
  const readers = Array.from({ length: RANGES_AT_ONCE }, async () => {
    for (const { range, at: place } of waiting) {
      const { object, offset, length } = range;
      const stored = await archive.get(object, { range: { offset, length } });
      if (stored === null) throw new DumpProblem(`${object} is gone.`);
      whole.set(new Uint8Array(await stored.arrayBuffer()), place);
    }
  });
  await Promise.all(readers);
  return whole;
}
