import { MIB } from "../../catalog/units.ts";
import { failure } from "../http/failure.ts";
import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { findBatch, reopenBatch } from "../../db/imports/batches.ts";
import type { ImportBatch } from "../../db/imports/import-rows.ts";
import { notFound, tooLarge } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { toPublicBatch } from "./batch-view.ts";
import { queueSplit } from "./import-queue.ts";
import { batchSchema, digestSchema, filePath, importFormatSchema } from "./schemas.ts";
import {
  FILE_PARTS_MAX,
  FILE_PART_BYTES,
  openFileBatch,
  fileKey,
  findFileBatch,
  readSizedBody,
} from "./stored-file.ts";
import { integer } from "../http/parameters.ts";
import { forgetOpenable } from "../lending/service/openable.ts";
import { itemFolderOf } from "../platform/item-source.ts";
import { isFileName, isItemId } from "../../catalog/lending/holdings.ts";

const FILE_ACTION_BYTES = 2 * MIB;

const partSchema = z.object({ part: z.int().gte(1).lte(FILE_PARTS_MAX), etag: z.string() });
const actionSchema = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("begin").describe("Look for the file, and start an upload if it is missing"),
    size: z.int().positive(),
    digest: digestSchema.optional(),
  }),
  z.object({
    action: z.literal("complete").describe("Join the parts and create a batch"),
    upload: z.string(),
    parts: z.array(partSchema).min(1).max(FILE_PARTS_MAX),
    format: importFormatSchema,
    digest: digestSchema.optional(),
  }),
  z.object({
    action: z.literal("register").describe("Create a batch of a file that is already in R2"),
    format: importFormatSchema,
    digest: digestSchema.optional(),
  }),
  z.object({ action: z.literal("reopen").describe("Resume a batch whose file could not be read") }),
]);

/** Begins or completes an upload, registers a file that is in R2, or reopens a failed batch. */
export const importFileAction = operation({
  id: "importFileAction",
  summary: "Begin, complete or register an upload of records",
  tag: "operation",
  path: filePath,
  json: actionSchema,
  bodyBytes: FILE_ACTION_BYTES,
  responses: {
    200: {
      description: "Batch of the file, or upload to send the parts to",
      schema: z.object({
        batch: batchSchema.nullable(),
        upload: z.string().nullable().optional(),
        part_bytes: z.int().optional(),
      }),
    },
    409: { description: "Another file has this name" },
  },
  async handle({ path: { name }, json: request }, context) {
    const { archive, catalog, importQueue } = context.stores;
    const digest = ("digest" in request ? request.digest : undefined) ?? null;
    if (request.action === "begin") {
      const { size } = request;
      const known = await findFileBatch(context, { name, digest, size });
      const batch = known === undefined ? null : toPublicBatch(known);
      const isWhole = known !== undefined || size <= FILE_PART_BYTES;
      const upload = isWhole ? null : (await archive.createMultipartUpload(fileKey(name))).uploadId;
      return json({ batch, part_bytes: FILE_PART_BYTES, upload }, { cacheControl: NO_STORE });
    }
    if (request.action === "reopen") {
      const batch = await findBatch(catalog, name);
      if (batch === undefined) throw notFound();
      const isReopened = await reopenBatch(catalog, { id: batch.id, now: formatDatetime(context.now) });
      if (!isReopened) return replyWithBatch(batch);
      await queueSplit(importQueue, batch.id);
      return replyWithBatch({ ...batch, state: "splitting", problem: null });
    }
    if (request.action === "complete") {
      try {
        const parts = request.parts.map(({ part: partNumber, etag }) => ({ partNumber, etag }));
        await archive.resumeMultipartUpload(fileKey(name), request.upload).complete(parts);
      } catch (error) {
        // If the response to an identical request was lost, the upload is complete and the batch exists.
        const batch = await findBatch(catalog, name);
        if (batch !== undefined) return replyWithBatch(batch);
        const reason = error instanceof Error ? error.message : String(error);
        throw failure("bad_data.upload_parts", { reason });
      }
    }
    return replyWithBatch(await openFileBatch(context, { name, format: request.format, digest }));
  },
});

function replyWithBatch(batch: ImportBatch): Reply {
  return json({ batch: toPublicBatch(batch) }, { cacheControl: NO_STORE });
}

const UPLOAD_LENGTH = 2000;

export const putImportFile = operation({
  id: "putImportFile",
  summary: "Upload a file of records, or one part",
  tag: "operation",
  path: filePath,
  query: {
    format: importFormatSchema.optional().describe("Format of a whole file; its batch starts at once"),
    digest: digestSchema.optional(),
    upload: z
      .string()
      .max(UPLOAD_LENGTH)
      .optional()
      .describe("Upload that the part belongs to, as returned by POST to this path"),
    part: integer(z.int().gte(1).lte(FILE_PARTS_MAX)).optional(),
  },
  body: {
    contentType: "application/octet-stream",
    description: `Content of the file or part. Parts have exactly ${FILE_PART_BYTES} bytes, except the last; files at most as many`,
  },
  responses: {
    200: {
      description: "Batch, or tag of the part",
      schema: z.union([
        z.object({ batch: batchSchema }),
        z.object({
          part: z.int(),
          etag: z.string().describe("Tag of the part, to send when the upload is completed"),
        }),
      ]),
    },
    400: { description: "Content-Length, `format` or `part` is missing, or the digest does not match" },
    409: { description: "Another file has this name" },
  },
  async handle({ path: { name }, query: { format, digest = null, upload, part } }, context) {
    const { archive } = context.stores;
    if (upload !== undefined && part !== undefined) {
      const { body } = readSizedBody(context);
      const parts = archive.resumeMultipartUpload(fileKey(name), upload);
      const { partNumber, etag } = await storeOrReject(parts.uploadPart(part, body));
      return json({ part: partNumber, etag }, { cacheControl: NO_STORE });
    }
    if (format === undefined) throw failure("bad_data.upload_kind");
    const { size, body } = readSizedBody(context);
    const known = await findFileBatch(context, { name, digest, size });
    if (known !== undefined) {
      await body.cancel();
      return replyWithBatch(known);
    }
    await storeOrReject(archive.put(fileKey(name), body, digest === null ? {} : { sha256: digest }));
    return replyWithBatch(await openFileBatch(context, { name, format, digest }));
  },
});

async function storeOrReject<Result>(storing: Promise<Result>): Promise<Result> {
  try {
    return await storing;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("bad_data.upload_failed", { reason });
  }
}

/** Maximum size of an item file in one request, in bytes. Larger files must be written to R2 directly. */
const ITEM_UPLOAD_BYTES = 100 * MIB;

export const putItemFile = operation({
  id: "putItemFile",
  summary: "Upload a file of an archive item",
  tag: "operation",
  path: { place: z.string().describe("`<item>/<file>`; `metadata.json` describes the item") },
  body: { contentType: "application/octet-stream", description: "Content of the file" },
  responses: {
    200: {
      description: "Key and size of the stored file",
      schema: z.object({ key: z.string(), size: z.int() }),
    },
    400: { description: "Invalid name, or incomplete body" },
    411: { description: "Content-Length is missing" },
  },
  async handle({ path: { place } }, context) {
    const { request, stores, waitUntil } = context;
    const [, item = "", file = ""] = /^([^/]*)\/(.*)$/s.exec(place) ?? [];
    if (!isItemId(item) || !isFileName(file)) throw failure("bad_data.upload_name");
    const length = request.headers.get("Content-Length");
    if (length === null) throw failure("bad_request.length_required", {}, { status: 411 });
    if (Number(length) > ITEM_UPLOAD_BYTES) throw tooLarge(ITEM_UPLOAD_BYTES);
    const contentType = request.headers.get("Content-Type") ?? "application/octet-stream";
    const key = itemFolderOf(item) + file;
    const putting = stores.archive.put(key, request.body ?? "", { httpMetadata: { contentType } });
    const { size } = await storeOrReject(putting);
    waitUntil(forgetOpenable(context));
    return json({ key, size }, { cacheControl: NO_STORE });
  },
});
