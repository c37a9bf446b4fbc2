import { MIB } from "../../catalog/units.ts";
import { failure } from "../http/failure.ts";
import { Buffer } from "node:buffer";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type BatchFile, findBatch, openBatch } from "../../db/imports/batches.ts";
import type { ImportBatch } from "../../db/imports/import-rows.ts";
import type { ImportFormat } from "../../import/formats.ts";
import { notFound, tooLarge } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { itemFolderOf } from "../platform/item-source.ts";
import { sourceFile } from "../../import/files/readers.ts";
import { queueSplit } from "./import-queue.ts";

/** Maximum bytes of a file per request. Larger files are sent in parts of exactly this size. */
export const FILE_PART_BYTES = 32 * MIB;
export const FILE_PARTS_MAX = 10_000;

export const FILE_NAME = /^[A-Za-z0-9][\w.-]{0,99}(?:\/[A-Za-z0-9][\w.-]{0,99})?$/;

/** Returns the R2 key of the file of a batch, which makes its records findable by their sources. */
export function fileKey(name: string): string {
  const [item = "", file = ""] = sourceFile(name).split("/");
  return itemFolderOf(item) + file;
}

/** Returns the existing batch of a file. Throws 409 if batch or R2 has another file of this name. */
export async function findFileBatch(
  { stores }: RequestContext,
  { name, size, digest }: { name: string } & Pick<BatchFile, "digest" | "size">,
) {
  const isOther = (actual: { size: number | null; digest: string | null | undefined }) =>
    actual.size !== size || (Boolean(digest) && Boolean(actual.digest) && actual.digest !== digest);
  const batch = await findBatch(stores.catalog, name);
  if (batch === undefined) {
    // Files of items may belong to any user, so they are never overwritten.
    const stored = await stores.archive.head(fileKey(name));
    const sha256 = stored?.checksums.sha256;
    const storedDigest = sha256 && Buffer.from(sha256).toString("hex");
    if (stored !== null && isOther({ size: stored.size, digest: storedDigest }))
      throw failure("conflict.file_name", { name });
    return undefined;
  }
  if (batch.object === null || isOther(batch)) throw failure("conflict.batch_name", { name });
  return batch;
}

/** Returns a body with the length that R2 requires. Throws 400 without one, 413 above `FILE_PART_BYTES`. */
export function readSizedBody({ request }: RequestContext): { size: number; body: ReadableStream } {
  const size = Number(request.headers.get("Content-Length") ?? Number.NaN);
  if (!Number.isInteger(size) || size <= 0 || request.body === null) {
    throw failure("bad_data.no_body");
  }
  if (size > FILE_PART_BYTES) throw tooLarge(FILE_PART_BYTES);
  return { size, body: request.body.pipeThrough(new FixedLengthStream(size)) };
}

export async function openFileBatch(
  context: RequestContext,
  { name, format, digest }: { name: string; format: ImportFormat; digest: string | null },
): Promise<ImportBatch> {
  const { stores, now: time } = context;
  const object = fileKey(name);
  const stored = await stores.archive.head(object);
  if (stored === null) throw notFound();
  const file: BatchFile = { object, format, digest, size: stored.size };
  const known = await findFileBatch(context, { name, digest, size: stored.size });
  if (known !== undefined) return known;
  const { batch, isNew } = await openBatch(stores.catalog, { name, now: formatDatetime(time), file });
  if (isNew) await queueSplit(stores.importQueue, batch.id);
  return batch;
}
