import { Buffer } from "node:buffer";
import { datetimeMilliseconds } from "../../catalog/datetime.ts";
import type { PublishedFile } from "../../db/dumps/published.ts";
import { isUnmodified } from "../answers/conditional.ts";
import { CarrelError, unavailable } from "../errors.ts";
import type { Reply } from "../reply.ts";
import { type ByteRange, byteRange } from "./byte-range.ts";

/** For a year: a dated file is never another one. */
const IMMUTABLE_FILE = "public, max-age=31536000, immutable";

/** A file of a dump out of R2, or the part of it that was asked for. */
export async function fileReply(archive: R2Bucket, request: Request, file: PublishedFile): Promise<Reply> {
  const { bytes, digest: etag, published: lastModified } = file;
  const head: Reply = {
    status: 200,
    body: null,
    contentType: "application/gzip",
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
