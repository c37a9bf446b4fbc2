import * as z from "zod";
import { Buffer } from "node:buffer";
import { parseDatetime } from "../../catalog/datetime.ts";
import { fileNameOf, parseFileName } from "../../catalog/dumps/dump-files.ts";
import { readNewestDate, readPublishedFile } from "../../db/dumps/read-dumps.ts";
import { CONTENT_TYPES } from "./compose.ts";
import { isUnmodified } from "../http/answer.ts";
import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { catalogReader, operation } from "../http/operation.ts";
import type { ByteRange } from "../platform/item.ts";
import { type Reply, REVALIDATE, redirect } from "../http/reply.ts";

const DUMP_TYPES = { contentType: CONTENT_TYPES["txt.gz"], also: [CONTENT_TYPES.parquet] };

/** Cached for one year, because a dated file never changes. */
const IMMUTABLE_FILE = "public, max-age=31536000, immutable";

/** `GET /data/<name>`: sends a file of a dump; redirects `…_latest.…` to the newest one (Q421). */
export const dumpFile = operation({
  id: "dumpFile",
  summary: "Download a dump file, or a part of it",
  tag: "dumps",
  path: {
    name: z.string().describe("File name, for example `ol_dump_works_latest.txt.gz`"),
  },
  responses: {
    200: { description: "Contents of the file", ...DUMP_TYPES },
    206: { description: "Requested range of the file", ...DUMP_TYPES },
    302: { description: "Redirect to the newest file of this kind" },
    404: { description: "File not found" },
    416: { description: "Range not satisfiable" },
    503: { description: "File temporarily unavailable" },
  },
  async handle({ path: { name } }, context) {
    const parsed = parseFileName(name);
    // Q420: retired file names are a 404 too.
    if (parsed === undefined) throw notFound();
    const { kind, part } = parsed;
    if (parsed.date === "latest") {
      const date = await readNewestDate(catalogReader(context), kind);
      if (date === undefined) throw notFound();
      return redirect(302, `/data/${fileNameOf(part, date)}`, { cacheControl: REVALIDATE });
    }
    const file = await readPublishedFile(catalogReader(context), name);
    if (file === undefined) throw notFound();
    const { request, stores } = context;
    const { bytes, digest: etag, published: lastModified } = file;
    const modified = parseDatetime(lastModified);
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
      contentType: CONTENT_TYPES[part.suffix],
    };
    // Only GET has parts (RFC 9110, 14.2).
    if (isUnmodified(request, { etag, modified }) || request.method === "HEAD") return head;
    const condition = request.headers.get("If-Range");
    // If the client has another version, it gets the whole file.
    const isSameVersion =
      condition === null ||
      condition === `"${etag}"` ||
      Date.parse(condition) === Math.floor(modified / 1000) * 1000;
    const range = isSameVersion ? parseByteRange(request.headers.get("Range"), bytes) : undefined;
    if (range === "unsatisfiable") {
      const headers = { "Content-Range": `bytes */${bytes}` };
      throw failure("bad_request.range", { bytes }, { status: 416, code: "range_not_satisfiable", headers });
    }
    const stored = await stores.archive.get(file.object, range === undefined ? {} : { range });
    if (stored === null || stored.size !== bytes) throw failure("unavailable.file");
    if (range === undefined) return { ...head, body: stored.body };
    const { offset, length } = range;
    return {
      ...head,
      status: 206,
      body: stored.body,
      headers: {
        ...head.headers,
        "Content-Length": String(length),
        "Content-Range": `bytes ${offset}-${offset + length - 1}/${bytes}`,
      },
    };
  },
});

const SINGLE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i;

/**
 * Parses a `Range` header for a file of `size` bytes. Returns "unsatisfiable" if the range lies beyond the end, and
 * undefined for the whole file: without a header, for several parts, and for an invalid header (RFC 9110, 14.2).
 */
function parseByteRange(header: string | null, size: number): ByteRange | "unsatisfiable" | undefined {
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
