import { MIB } from "../../catalog/units.ts";
import * as z from "zod";
import { FILE_PARTS_MAX, FILE_PART_BYTES, readSizedBody } from "../imports/stored-file.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { failure } from "../http/failure.ts";

const bucket = z.enum(["covers", "archive"]);
/** Files that are made again from others: sizes of covers, dumps and their parts. */
const DERIVED = { covers: /\/[SML]\.jpg$/, archive: /^(?:ol_dump_|ol_delta_|dumps\/)/ };
const LISTED_FILES = 1000;
const OCTETS = "application/octet-stream";

const file = z.object({ name: z.string(), bytes: z.int(), etag: z.string() });

/** `GET /system/backup/files/{bucket}`: names of the files of a bucket. */
export const backupFiles = operation({
  id: "backupFiles",
  summary: "List the files of a backup",
  tag: "operation",
  path: { bucket },
  query: { cursor: z.string().optional().describe("`next` of the previous page") },
  responses: {
    200: {
      description: "Page of files by name; `etag` changes with the content",
      schema: z.object({ files: z.array(file), next: z.string().nullable() }),
    },
  },
  async handle({ path, query: { cursor } }, { stores }) {
    const page = await stores[path.bucket]
      .list({ limit: LISTED_FILES, ...(cursor !== undefined && { cursor }) })
      .catch((error: unknown) => {
        throw cursor === undefined ? error : failure("bad_data.backup_cursor");
      });
    const files = page.objects
      .filter(({ key }) => !DERIVED[path.bucket].test(key))
      .map(({ key, size, etag }) => ({ name: key, bytes: size, etag }));
    return json({ files, next: page.truncated ? page.cursor : null }, { cacheControl: NO_STORE });
  },
});

/** Longest name of a file in characters: R2 allows 1,024 bytes. */
const NAME_LENGTH = 340;
const filePath = { bucket, name: z.string().max(NAME_LENGTH) };

export const backupFile = operation({
  id: "backupFile",
  summary: "Download a file for a backup",
  tag: "operation",
  path: filePath,
  responses: {
    200: { description: "Bytes of the file", contentType: "application/octet-stream" },
    404: { description: "File not found" },
  },
  async handle({ path }, { stores }) {
    const object = await stores[path.bucket].get(path.name);
    if (object === null) throw notFound();
    return {
      status: 200,
      body: object.body,
      contentType: object.httpMetadata?.contentType ?? OCTETS,
      cacheControl: NO_STORE,
    };
  },
});

const etagSchema = z.object({ etag: z.string() });
const upload = z.string().max(2000);

/** `PUT /system/backup/files/{bucket}/{name}`: writes a file, or a part of an upload. */
export const restoreFile = operation({
  id: "restoreFile",
  summary: "Restore a file from a backup",
  tag: "operation",
  path: filePath,
  query: {
    upload: upload.optional().describe("Id of a multipart upload, from POST to the same address"),
    part: integer(z.int().gte(1).lte(FILE_PARTS_MAX)).default(1),
  },
  body: {
    contentType: "application/octet-stream",
    description: `Bytes of the file or part, at most ${FILE_PART_BYTES}; every part but the last has exactly this size`,
  },
  responses: {
    200: { description: "ETag of the file or part", schema: etagSchema },
    400: { description: "Content-Length is missing, or the upload is unknown" },
    413: { description: "Too large for one request" },
  },
  async handle({ path, query }, context: RequestContext) {
    const { body } = readSizedBody(context);
    const contentType = context.request.headers.get("Content-Type") ?? OCTETS;
    const store = context.stores[path.bucket];
    const { etag } =
      query.upload === undefined
        ? await store.put(path.name, body, { httpMetadata: { contentType } })
        : await orUnknownUpload(
            store.resumeMultipartUpload(path.name, query.upload).uploadPart(query.part, body),
          );
    return json({ etag }, { cacheControl: NO_STORE });
  },
});

const part = z.object({ partNumber: z.int(), etag: z.string() });

/** `POST /system/backup/files/{bucket}/{name}`: begins an upload in parts, or puts the parts together. */
export const restoreLargeFile = operation({
  id: "restoreLargeFile",
  summary: "Start or complete a multipart upload",
  tag: "operation",
  path: filePath,
  query: { upload: upload.optional().describe("Id of the upload to complete; absent to start one") },
  json: z.object({
    type: z
      .string()
      .regex(/^[\x20-\x7e]{1,200}$/)
      .default(OCTETS)
      .describe("Media type of the file, to start an upload"),
    parts: z.array(part).max(FILE_PARTS_MAX).default([]).describe("All parts, to complete an upload"),
  }),
  bodyBytes: MIB,
  responses: {
    200: { description: "Id of the upload, or ETag of the completed file", schema: z.looseObject({}) },
    400: { description: "Upload not found, or parts that do not match it" },
  },
  async handle({ path, query, json: body }, context) {
    const store = context.stores[path.bucket];
    if (query.upload === undefined) {
      const { uploadId } = await store.createMultipartUpload(path.name, {
        httpMetadata: { contentType: body.type },
      });
      return json({ upload: uploadId }, { cacheControl: NO_STORE });
    }
    const completed = store.resumeMultipartUpload(path.name, query.upload).complete(body.parts);
    const { etag } = await orUnknownUpload(completed);
    return json({ etag }, { cacheControl: NO_STORE });
  },
});

async function orUnknownUpload<Result>(storing: Promise<Result>): Promise<Result> {
  try {
    return await storing;
  } catch (error) {
    throw failure("bad_data.backup_upload", { problem: String(error) });
  }
}
