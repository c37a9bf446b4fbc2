import * as z from "zod";
import { badData } from "../../http/errors.ts";
import { seenBatch } from "../../imports/batch-view.ts";
import {
  FILE_PARTS_MAX,
  FILE_PART_BYTES,
  batchOfFile,
  fileKey,
  knownFile,
  sizedBody,
} from "../../imports/files/stored-file.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { NO_STORE, json } from "../../http/reply.ts";
import { integer } from "../../http/parameters.ts";
import { batchSchema, digestSchema, filePath, formatSchema } from "./schemas.ts";

const UPLOAD_LENGTH = 2000;

/** `PUT /system/imports/<name>`: stores a file and makes a batch of it; or stores a part of a larger one. */
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
      return json({ batch: seenBatch(known) }, { cacheControl: NO_STORE });
    }
    const { archive } = context.stores;
    await stored(archive.put(fileKey(name), body, digest === null ? {} : { sha256: digest }));
    const batch = await batchOfFile(context, { name, format, digest });
    return json({ batch: seenBatch(batch) }, { cacheControl: NO_STORE });
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

/** R2 says what it does not take by an error: another digest, an upload that is over. */
async function stored<Result>(storing: Promise<Result>): Promise<Result> {
  try {
    return await storing;
  } catch (error) {
    throw badData(`The file was not stored: ${error instanceof Error ? error.message : String(error)}`);
  }
}
