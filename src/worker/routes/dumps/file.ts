import * as z from "zod";
import { fileName, parseFileName } from "../../../catalog/dumps/files.ts";
import { newestDate, publishedFile } from "../../../db/dumps/published.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { fileReply } from "../../dumps/file-reply.ts";
import { notFound } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { REVALIDATE, type Reply, redirect } from "../../reply.ts";

/** `GET /data/<name>`: a file of a dump; `…_latest.txt.gz` leads to the newest one (records.md 11.1, Q421). */
export const dumpFile = operation({
  id: "dumpFile",
  summary: "A file of a dump, or a part of it",
  tag: "dumps",
  path: {
    name: z.string().describe("Such as `ol_dump_works_latest.txt.gz` or `ol_cdump_2026-11-01.txt.gz`"),
  },
  responses: {
    200: { description: "The file", contentType: "application/gzip" },
    206: { description: "The part that `Range` asks for", contentType: "application/gzip" },
    302: { description: "The newest file of this kind" },
    304: { description: "The client has it" },
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
    return fileReply(context.stores.archive, context.request, file);
  },
});

type Asked = NonNullable<ReturnType<typeof parseFileName>>;

async function latest(context: RequestContext, { kind, stem }: Asked): Promise<Reply> {
  const date = await newestDate(catalogReader(context), kind);
  if (date === undefined) throw notFound();
  return redirect(302, `/data/${fileName({ stem }, date)}`, { cacheControl: REVALIDATE });
}
