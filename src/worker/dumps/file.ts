import { Buffer } from "node:buffer";
import * as z from "zod";
import { datetimeMilliseconds } from "../../catalog/datetime.ts";
import { fileName, parseFileName } from "../../catalog/dumps/dump-files.ts";
import { type PublishedFile, newestDate, publishedFile } from "../../db/dumps/read-files.ts";
import { CONTENT_TYPES } from "./compose.ts";
import { isUnmodified } from "../http/conditional.ts";
import { CarrelError, notFound, unavailable } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import type { ByteRange } from "../platform/item.ts";
import { type Reply, REVALIDATE, redirect } from "../http/reply.ts";

const DUMP_TYPES = { contentType: CONTENT_TYPES["txt.gz"], also: [CONTENT_TYPES.parquet] };

/** `GET /data/<name>`: a file of a dump; `…_latest.…` leads to the newest one (Q421). */
export const dumpFile = operation({
  id: "dumpFile",
  summary: "A file of a dump, or a part of it",
  tag: "dumps",
  path: {
    name: z.string().describe("Such as `ol_dump_works_latest.txt.gz` or `ol_dump_works_2026-11-01.parquet`"),
  },
  responses: {
    200: { description: "The file", ...DUMP_TYPES },
    206: { description: "The part that `Range` asks for", ...DUMP_TYPES },
    302: { description: "The newest file of this kind" },
    404: { description: "No such file" },
    416: { description: "`Range` lies beyond the end" },
    503: { description: "The file cannot be read at present" },
  },
  async handle({ path: { name } }, context) {
    const asked = parseFileName(name);
    // Q420: files that are no longer made are files that are not there.
    if (asked === undefined) throw notFound();
    if (asked.date === "latest") return latest(context, asked);
    const file = await publishedFile(catalogReader(context), name);
    if (file === undefined) throw notFound();
    const contentType = CONTENT_TYPES[asked.part.suffix];
    return { ...(await fileReply(context.stores.archive, context.request, file)), contentType };
  },
});

const SINGLE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i;

/**
 * What a `Range` header asks for of so many bytes: a part of them, "unsatisfiable" when it lies beyond them, or undefined:
 * everything, as for several parts or what is no range (RFC 9110, 14.2).
 */
function byteRange(header: string | null, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, first, last] = SINGLE.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === "" ? size - 1 : Number(last);
  if (end < offset && last !== "") return undefined;
  return offset >= size ? "unsatisfiable" : { offset, length: Math.min(end, size - 1) - offset + 1 };
}

/** For a year: a dated file is never another one. */
const IMMUTABLE_FILE = "public, max-age=31536000, immutable";

async function fileReply(archive: R2Bucket, request: Request, file: PublishedFile): Promise<Reply> {
  const { bytes, digest: etag, published: lastModified } = file;
  const head: Reply = {
    status: 200,
    body: null,
    etag,
    lastModified,
    cacheControl: IMMUTABLE_FILE,
    headers: {
      "Accept-Ranges": "bytes",
      "Content-Length": String(bytes),
      "Content-Disposition": `attachment; filename="${file.name}"`,
      "Repr-Digest": `sha-256=:${Buffer.from(etag, "hex").toString("base64")}:`,
    },
  };
  if (isUnmodified(request, { etag, modified: datetimeMilliseconds(lastModified) })) return head;
  // Only GET has parts (RFC 9110, 14.2).
  if (request.method === "HEAD") return head;
  const range = isSame(request, file) ? byteRange(request.headers.get("Range"), bytes) : undefined;
  if (range === "unsatisfiable") throw unsatisfiable(bytes);
  if (range === undefined) return { ...head, body: await streamOf(archive, file) };
  const { offset, length } = range;
  return {
    ...head,
    status: 206,
    body: await streamOf(archive, file, range),
    headers: {
      ...head.headers,
      "Content-Length": String(length),
      "Content-Range": `bytes ${offset}-${offset + length - 1}/${bytes}`,
    },
  };
}

/** False when the client has a part of another file: it gets the whole one. */
function isSame(request: Request, { digest, published }: PublishedFile): boolean {
  const condition = request.headers.get("If-Range");
  if (condition === null || condition === `"${digest}"`) return true;
  return Date.parse(condition) === Math.floor(datetimeMilliseconds(published) / 1000) * 1000;
}

async function streamOf(
  archive: R2Bucket,
  { object, bytes }: PublishedFile,
  range?: ByteRange,
): Promise<ReadableStream> {
  const stored = await archive.get(object, range === undefined ? {} : { range });
  if (stored === null || stored.size !== bytes) throw unavailable("The file is not there at present.");
  return stored.body;
}

function unsatisfiable(bytes: number): CarrelError {
  return new CarrelError(416, "range_not_satisfiable", {
    message: `The file has ${bytes} bytes.`,
    headers: { "Content-Range": `bytes */${bytes}` },
  });
}

async function latest(
  context: RequestContext,
  { kind, part }: NonNullable<ReturnType<typeof parseFileName>>,
): Promise<Reply> {
  const date = await newestDate(catalogReader(context), kind);
  if (date === undefined) throw notFound();
  return redirect(302, `/data/${fileName(part, date)}`, { cacheControl: REVALIDATE });
}
