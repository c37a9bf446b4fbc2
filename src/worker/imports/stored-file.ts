import { Buffer } from "node:buffer";
import { datetimeText } from "../../catalog/datetime.ts";
import { type BatchFile, findBatch } from "../../db/imports/read-batches.ts";
import type { ImportBatch } from "../../db/imports/rows.ts";
import { openBatch } from "../../db/imports/write-batches.ts";
import type { ImportFormat } from "../../import/formats.ts";
import { type CarrelError, badData, conflict, notFound, tooLarge } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { folderOf } from "../platform/item-files.ts";
import { sourceFile } from "../../import/files/entry.ts";
import { queueSplit } from "./queue.ts";

/** Bytes of a file that one request brings; larger files come in parts of exactly that. */
export const FILE_PART_BYTES = 32 * 1024 * 1024;
/** Parts of a file. */
export const FILE_PARTS_MAX = 10_000;

/** Names of batches that have a file: `<file>`, or `<item>/<file>` where the file is known elsewhere by that. */
export const FILE_NAME = /^[A-Za-z0-9][\w.-]{0,99}(?:\/[A-Za-z0-9][\w.-]{0,99})?$/;

/** What whoever puts a file there says of it: the digest is SHA-256 in hex. */
type FileSaid = { readonly name: string } & Pick<BatchFile, "digest" | "size">;

/** Where the file of a batch lies in R2, so that its records are found by their sources. */
export function fileKey(name: string): string {
  const [item = "", file = ""] = sourceFile(name).split("/");
  return folderOf(item) + file;
}

/** The batch that a file has become already; 409 when the batch of this name has another file, or none, or R2 has one. */
export async function knownFile(
  { stores }: RequestContext,
  said: FileSaid,
): Promise<ImportBatch | undefined> {
  const { name } = said;
  const batch = await findBatch(stores.catalog, name);
  if (batch === undefined) {
    // Files of items are never overwritten: they may be anybody's.
    const stored = await stores.archive.head(fileKey(name));
    const digest = stored?.checksums.sha256;
    const there = { size: stored?.size, digest: digest && Buffer.from(digest).toString("hex") };
    if (stored !== null && isOther(said, there)) throw taken(`file ${name}`);
    return undefined;
  }
  if (batch.object === null || isOther(said, batch)) throw taken(`batch ${name}`);
  return batch;
}

/** Whether a file is another one than that which is there, as far as that is known. */
function isOther(
  said: FileSaid,
  there: { readonly size?: number | null | undefined; readonly digest?: string | null | undefined },
): boolean {
  if (said.size !== there.size) return true;
  return Boolean(said.digest) && Boolean(there.digest) && said.digest !== there.digest;
}

function taken(what: string): CarrelError {
  return conflict(`There is another ${what}. Please choose another name.`);
}

/** The bytes of a request as R2 takes them: of a length that is known before. */
export function sizedBody({ request }: RequestContext): { size: number; body: ReadableStream } {
  const size = Number(request.headers.get("Content-Length") ?? Number.NaN);
  if (!Number.isInteger(size) || size <= 0 || request.body === null) {
    throw badData("The request has no Content-Length, or no body.");
  }
  if (size > FILE_PART_BYTES) throw tooLarge(FILE_PART_BYTES);
  return { size, body: request.body.pipeThrough(new FixedLengthStream(size)) };
}

/** Makes a batch of a file that is in R2, and has it split. 404 when it is not there. */
export async function batchOfFile(
  context: RequestContext,
  { name, format, digest }: { name: string; format: ImportFormat; digest: string | null },
): Promise<ImportBatch> {
  const { stores, now: time } = context;
  const object = fileKey(name);
  const stored = await stores.archive.head(object);
  if (stored === null) throw notFound();
  const file: BatchFile = { object, format, digest, size: stored.size };
  const known = await knownFile(context, { name, digest, size: stored.size });
  if (known !== undefined) return known;
  const { batch, isNew } = await openBatch(stores.catalog, { name, now: datetimeText(time), file });
  if (isNew) await queueSplit(stores.importQueue, batch.id);
  return batch;
}
