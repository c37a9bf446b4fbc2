import * as z from "zod";
import { CarrelError, badData, tooLarge } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { folderOf } from "../platform/item-files.ts";
import { isFileName, isItemId } from "../../catalog/lending/holdings.ts";
import { batchReply } from "./batch-view.ts";
import { batchSchema, digestSchema, filePath, formatSchema } from "./schemas.ts";
import {
  FILE_PARTS_MAX,
  FILE_PART_BYTES,
  batchOfFile,
  fileKey,
  knownFile,
  sizedBody,
} from "./stored-file.ts";

const UPLOAD_LENGTH = 2000;

/** `PUT /system/imports/<name>`: stores a file and makes a batch of it, or stores a part of a larger file. */
export const putImportFile = operation({
  id: "putImportFile",
  summary: "Store a file of records to be imported, or a part of one",
  tag: "operation",
  path: filePath,
  query: {
    format: formatSchema.optional().describe("Of a whole file; the batch begins at once"),
    digest: digestSchema.optional(),
    upload: z.string().max(UPLOAD_LENGTH).optional().describe("Of a part: from POST to the same address"),
    part: integer(z.int().gte(1).lte(FILE_PARTS_MAX)).optional(),
  },
  body: {
    contentType: "application/octet-stream",
    description: `The bytes, ${FILE_PART_BYTES} at most; parts have exactly as many, but for the last one`,
  },
  responses: {
    200: {
      description: "The batch; of a part its tag",
      schema: z.union([
        z.object({ batch: batchSchema }),
        z.object({ part: z.int(), etag: z.string().describe("To be named when the parts are put together") }),
      ]),
    },
    400: { description: "No length, neither a format nor a part, or other bytes than the digest says" },
    409: { description: "There is another batch of this name" },
    413: { description: "Too large for one request" },
  },
  async handle({ path: { name }, query: { format, digest = null, upload, part } }, context) {
    if (upload !== undefined && part !== undefined) return putPart(context, { name, upload, part });
    if (format === undefined)
      throw badData("Say which format the file has, or which part of an upload this is.");
    const { size, body } = sizedBody(context);
    const known = await knownFile(context, { name, digest, size });
    if (known !== undefined) {
      await body.cancel();
      return batchReply(known);
    }
    const { archive } = context.stores;
    await stored(archive.put(fileKey(name), body, digest === null ? {} : { sha256: digest }));
    return batchReply(await batchOfFile(context, { name, format, digest }));
  },
});

async function putPart(
  context: RequestContext,
  { name, upload, part }: { name: string; upload: string; part: number },
) {
  const { body } = sizedBody(context);
  const parts = context.stores.archive.resumeMultipartUpload(fileKey(name), upload);
  const { partNumber, etag } = await stored(parts.uploadPart(part, body));
  return json({ part: partNumber, etag }, { cacheControl: NO_STORE });
}

/** Turns an error of R2 into a 400: wrong digest, completed upload, or truncated body. */
async function stored<Result>(storing: Promise<Result>): Promise<Result> {
  try {
    return await storing;
  } catch (error) {
    throw badData(`The file was not stored: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Maximum size of a file that one request can add to an item, in bytes. Larger files must be written to R2 directly.
 */
const ITEM_UPLOAD_BYTES = 100 * 1024 * 1024;

/** `PUT /system/items/<item>/<file>`: stores a file of an archive item in R2, for the reader and for imports. */
export const putItemFile = operation({
  id: "putItemFile",
  summary: "Store a file of an archive item",
  tag: "operation",
  path: { place: z.string().describe("`<item>/<file>`; `metadata.json` describes the item") },
  body: { contentType: "application/octet-stream", description: "The file" },
  responses: {
    200: { description: "It is stored", schema: z.object({ key: z.string(), size: z.int() }) },
    400: { description: "No such name can be given, or the file broke off" },
    411: { description: "Its length is not said" },
    413: { description: "The file is too large" },
  },
  async handle({ path: { place } }, { request, stores }) {
    const [, item = "", file = ""] = /^([^/]*)\/(.*)$/s.exec(place) ?? [];
    if (!isItemId(item) || !isFileName(file)) throw badData("neither item nor file can be called so");
    const length = request.headers.get("Content-Length");
    if (length === null) throw new CarrelError(411, "length_required", { message: "Length Required" });
    if (Number(length) > ITEM_UPLOAD_BYTES) throw tooLarge(ITEM_UPLOAD_BYTES);
    const contentType = request.headers.get("Content-Type") ?? "application/octet-stream";
    const key = folderOf(item) + file;
    const putting = stores.archive.put(key, request.body ?? "", { httpMetadata: { contentType } });
    const { size } = await stored(putting);
    return json({ key, size }, { cacheControl: NO_STORE });
  },
});
