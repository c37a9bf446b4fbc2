import * as z from "zod";
import { readSizedBody } from "../imports/stored-file.ts";
import { badData, notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";

const bucket = z.enum(["covers", "archive"]);
/** Files that are made again from others: sizes of covers, dumps and their parts. */
const DERIVED = { covers: /\/[SML]\.jpg$/, archive: /^(?:ol_dump_|ol_delta_|dumps\/)/ };
const LISTED_FILES = 1000;

const file = z.object({ name: z.string(), bytes: z.int(), etag: z.string() });

/** `GET /system/backup/files/{bucket}`: names of the files of a bucket. */
export const backupFiles = operation({
  id: "backupFiles",
  summary: "Files that a backup has",
  tag: "operation",
  path: { bucket },
  query: { cursor: z.string().optional().describe("`next` of the previous page") },
  responses: {
    200: {
      description: "A page of files by name; `etag` changes with the content",
      schema: z.object({ files: z.array(file), next: z.string().nullable() }),
    },
  },
  async handle({ path, query: { cursor } }, { stores }) {
    const page = await stores[path.bucket]
      .list({ limit: LISTED_FILES, ...(cursor !== undefined && { cursor }) })
      .catch((error: unknown) => {
        throw cursor === undefined ? error : badData("Bad 'cursor': expected the `next` of a page");
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
  summary: "A file for a backup",
  tag: "operation",
  path: filePath,
  responses: {
    200: { description: "The bytes", contentType: "application/octet-stream" },
    404: { description: "No such file" },
  },
  async handle({ path }, { stores }) {
    const object = await stores[path.bucket].get(path.name);
    if (object === null) throw notFound();
    return {
      status: 200,
      body: object.body,
      contentType: object.httpMetadata?.contentType ?? "application/octet-stream",
      cacheControl: NO_STORE,
    };
  },
});

/** `PUT /system/backup/files/{bucket}/{name}`: writes a file, or a part of it if it is larger than a request may be. */
export const restoreFile = operation({
  id: "restoreFile",
  summary: "Write a file from a backup",
  tag: "operation",
  path: filePath,
  body: { contentType: "application/octet-stream", description: "The bytes" },
  responses: { 200: { description: "The file", schema: z.object({ etag: z.string() }) } },
  async handle({ path }, context: RequestContext) {
    const { body } = readSizedBody(context);
    const contentType = context.request.headers.get("Content-Type") ?? "application/octet-stream";
    const { etag } = await context.stores[path.bucket].put(path.name, body, {
      httpMetadata: { contentType },
    });
    return json({ etag }, { cacheControl: NO_STORE });
  },
});
