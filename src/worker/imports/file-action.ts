import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { findBatch, reopenBatch } from "../../db/imports/batches.ts";
import type { ImportBatch } from "../../db/imports/import-rows.ts";
import { badData, notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { batchReply, shownBatch } from "./batch-view.ts";
import { queueSplit } from "./queue.ts";
import { batchSchema, digestSchema, filePath, formatSchema } from "./schemas.ts";
import { FILE_PARTS_MAX, FILE_PART_BYTES, batchOfFile, fileKey, knownFile } from "./stored-file.ts";

/** Maximum size of the body in bytes. It lists all parts of a file. */
const FILE_ACTION_BYTES = 2 * 1024 * 1024;

const part = z.object({ part: z.int().gte(1).lte(FILE_PARTS_MAX), etag: z.string() });
const body = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("begin").describe("Ask whether the file is there already, and how to send it"),
    size: z.int().positive(),
    digest: digestSchema.optional(),
  }),
  z.object({
    action: z.literal("complete").describe("Put parts together, and make a batch of the file"),
    upload: z.string(),
    parts: z.array(part).min(1).max(FILE_PARTS_MAX),
    format: formatSchema,
    digest: digestSchema.optional(),
  }),
  z.object({
    action: z.literal("register").describe("Make a batch of a file that is in R2 already"),
    format: formatSchema,
    digest: digestSchema.optional(),
  }),
  z.object({ action: z.literal("reopen").describe("Read a file on that could not be read") }),
]);
type Action<Name extends string> = Extract<z.output<typeof body>, { action: Name }>;

/**
 * `POST /system/imports/<name>`: begins or completes an upload, registers a file that is in R2, or reopens a failed
 * batch.
 */
export const importFileAction = operation({
  id: "importFileAction",
  summary: "Begin or end the upload of a file of records",
  tag: "operation",
  path: filePath,
  json: body,
  bodyBytes: FILE_ACTION_BYTES,
  responses: {
    200: {
      description: "The batch, as far as there is one; of a file to be sent in parts its upload",
      schema: z.object({
        batch: batchSchema.nullable(),
        upload: z.string().nullable().optional(),
        part_bytes: z.int().optional(),
      }),
    },
    404: { description: "No such file or batch" },
    409: { description: "There is another batch of this name" },
  },
  async handle({ path: { name }, json: wish }, context) {
    switch (wish.action) {
      case "begin":
        return json(await begin(context, name, wish), { cacheControl: NO_STORE });
      case "complete":
        return batchReply(await complete(context, name, wish));
      case "register": {
        const { format, digest = null } = wish;
        return batchReply(await batchOfFile(context, { name, format, digest }));
      }
      case "reopen":
        return batchReply(await reopen(context, name));
    }
  },
});

async function begin(context: RequestContext, name: string, wish: Action<"begin">): Promise<object> {
  const { size, digest = null } = wish;
  const known = await knownFile(context, { name, digest, size });
  const answer = { batch: known === undefined ? null : shownBatch(known), part_bytes: FILE_PART_BYTES };
  if (known !== undefined || size <= FILE_PART_BYTES) return { ...answer, upload: null };
  const upload = await context.stores.archive.createMultipartUpload(fileKey(name));
  return { ...answer, upload: upload.uploadId };
}

async function complete(
  context: RequestContext,
  name: string,
  wish: Action<"complete">,
): Promise<ImportBatch> {
  const { upload, parts, format, digest = null } = wish;
  try {
    const named = parts.map(({ part: partNumber, etag }) => ({ partNumber, etag }));
    await context.stores.archive.resumeMultipartUpload(fileKey(name), upload).complete(named);
  } catch (error) {
    // If the response to an identical request was lost, the upload is complete and the batch exists.
    const batch = await findBatch(context.stores.catalog, name);
    if (batch !== undefined) return batch;
    throw badData(
      `The parts were not put together: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return batchOfFile(context, { name, format, digest });
}

async function reopen({ stores, now }: RequestContext, name: string): Promise<ImportBatch> {
  const batch = await findBatch(stores.catalog, name);
  if (batch === undefined) throw notFound();
  if (!(await reopenBatch(stores.catalog, { id: batch.id, now: datetimeText(now) }))) return batch;
  await queueSplit(stores.importQueue, batch.id);
  return { ...batch, state: "splitting", problem: null };
}
