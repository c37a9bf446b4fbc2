import * as z from "zod";
import { forbidden, notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { type Reply, BARE_CSP, PRIVATE, seeOther } from "../http/reply.ts";
import { type ItemFile, filesOfItem, itemFile } from "../platform/item-files.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";
import { link } from "../ui/parts.ts";
import { streamUrl } from "./reader.ts";
import { type ReadingRight, SCAN_ID, readingRight } from "./reading-right.ts";
import { table } from "../ui/table.ts";

const BYTES_OF_KILOBYTE = 1000;

const scanId = z.string().regex(SCAN_ID).describe("Id of the scan");

/** `GET /stream/<scan>`: the files of a scan for patrons who may read it; otherwise a page about borrowing it. */
export const stream = operation({
  id: "stream",
  summary: "The reader: the files of a scanned book",
  tag: "lending",
  path: { ocaid: scanId },
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
    return streamPage(scan, right, files);
  },
});

/** `GET /stream/<scan>/<file>`: one of the files. */
export const streamFile = operation({
  id: "streamFile",
  summary: "A file of a scanned book",
  tag: "lending",
  path: { ocaid: scanId, file: z.string().min(1).max(500) },
  responses: {
    200: { description: "The file", contentType: "*/*" },
    403: { description: "The book is not lent to you" },
    404: { description: "No such file" },
  },
  async handle({ path: { ocaid: scan, file } }, context) {
    if (context.settings.READER_URL !== "") throw notFound();
    const right = await readingRight(context, scan);
    if (right === "none") throw forbidden("Borrow this book first.");
    const found = await itemFile(context.stores.archive, scan, file);
    if (found === undefined) throw notFound();
    return {
      status: 200,
      body: found.body,
      contentType: found.contentType,
      cacheControl: right === "public" ? "public, max-age=3600" : PRIVATE,
      // Files come from elsewhere: none may act as a page of this site.
      headers: {
        "Content-Security-Policy": `${BARE_CSP}; sandbox`,
      },
    };
  },
});

function streamPage(ocaid: string, right: ReadingRight, files: readonly ItemFile[]): Reply {
  const address = `/borrow/ia/${encodeURIComponent(ocaid)}`;
  if (right === "none") {
    const body = markup`<p>${say("stream.lent")}</p>
${button(address, "borrow", say("borrow.this"))}
${button(address, "join-waitinglist", say("borrow.join"))}`;
    return page({ title: say("stream.not_lent"), body, status: 403 });
  }
  const rows = files.map(({ name, size }) => [
    link(`/stream/${encodeURIComponent(ocaid)}/${encodeURIComponent(name)}`, name),
    `${Math.ceil(size / BYTES_OF_KILOBYTE)} kB`,
  ]);
  const body =
    rows.length === 0
      ? markup`<p>${say("stream.no_files")}</p>`
      : table({ caption: say("stream.files"), columns: [say("stream.name"), say("stream.size")], rows });
  const returning = right === "loan" && button(address, "return", say("borrow.return_this"));
  return page({ title: say("stream.title", { scan: ocaid }), body: markup`${returning}${body}` });
}

function button(address: string, action: string, text: Piece): Markup {
  return markup`<form method="post" action="${address}"><input type="hidden" name="action" value="${action}">
<button type="submit">${text}</button></form>`;
}
