import * as z from "zod";
import { PRIVATE, seeOther } from "../../accounts/private.ts";
import type { RequestContext } from "../../context.ts";
import { forbidden, notFound } from "../../errors.ts";
import { filesOfItem, itemFile } from "../../lending/item-files.ts";
import { streamUrl } from "../../lending/reader.ts";
import { SCAN_ID, readingRight } from "../../lending/reading-right.ts";
import { operation } from "../../operation.ts";
import { streamPage } from "../../pages/lending/stream-page.ts";

const ocaid = z.string().regex(SCAN_ID).describe("Id of the scan");

/** `GET /stream/<scan>`: the files of a scan for who may read it, or how to borrow it (lookup.md 18.4). */
export const stream = operation({
  id: "stream",
  summary: "The reader: the files of a scanned book",
  tag: "lending",
  path: { ocaid },
  responses: {
    200: { description: "A page with the files", contentType: "text/html" },
    303: { description: "To another reader, where one is configured" },
    403: { description: "A page that says how to borrow it", contentType: "text/html" },
    404: { description: "No such scan" },
  },
  async handle({ path: { ocaid: scan } }, context) {
    if (context.settings.READER_URL !== "") return seeOther(streamUrl(context, scan) + context.url.search);
    const right = await readingRight(context, scan);
    const files = right === "none" ? [] : await filesOfItem(context.stores.archive, scan);
    return streamPage({ ocaid: scan, right, files });
  },
});

/** `GET /stream/<scan>/<file>`: one of the files. */
export const streamFile = operation({
  id: "streamFile",
  summary: "A file of a scanned book",
  tag: "lending",
  path: { ocaid, file: z.string().min(1).max(500) },
  responses: {
    200: { description: "The file", contentType: "*/*" },
    403: { description: "The book is not lent to you" },
    404: { description: "No such file" },
  },
  handle: ({ path: { ocaid: scan, file } }, context) => fileReply(context, scan, file),
});

async function fileReply(context: RequestContext, scan: string, file: string) {
  if (context.settings.READER_URL !== "") throw notFound();
  const right = await readingRight(context, scan);
  if (right === "none") throw forbidden("This book is not lent to you.");
  const found = await itemFile(context.stores.archive, scan, file);
  if (found === undefined) throw notFound();
  return {
    status: 200,
    body: found.body,
    contentType: found.contentType,
    cacheControl: right === "public" ? "public, max-age=3600" : PRIVATE,
    // Files come from elsewhere: none may act as a page of this site.
    headers: {
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "X-Content-Type-Options": "nosniff",
    },
  };
}
