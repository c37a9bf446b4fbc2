import * as z from "zod";
import { type TextKey, english } from "../../catalog/texts.ts";
import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { type RequestContext, operation, rootPath } from "../http/operation.ts";
import { callbackName } from "../http/parameters.ts";
import { isLocalPath } from "../http/redirect-target.ts";
import { type Reply, BARE_CSP, PRIVATE, seeOther } from "../http/reply.ts";
import { lendingOf } from "./service/lending-of.ts";
import { filesOfItem, itemFile } from "../platform/item-source.ts";
import { callbackReply } from "./loan-status.ts";
import {
  ITEM_TOKEN_SECONDS,
  SCAN_ID,
  borrowerOf,
  findActiveLoan,
  findReadingRight,
  isItemToken,
  itemToken,
  setReaderCookie,
  streamPath,
  streamUrl,
} from "./reader.ts";
import { streamPage } from "./stream-page.ts";

const scanId = z.string().regex(SCAN_ID).describe("ID of the scan");

export const stream = operation({
  id: "stream",
  summary: "Show the files of a scanned book",
  tag: "lending",
  path: { ocaid: scanId },
  responses: {
    200: { description: "Page with the files", contentType: "text/html" },
    303: { description: "Redirect to another reader, if one is configured" },
    403: { description: "Page with the ways to borrow the book", contentType: "text/html" },
  },
  async handle({ path: { ocaid: scan } }, context) {
    if (context.settings.READER_URL !== "") return seeOther(streamUrl(context, scan) + context.url.search);
    const right = await findReadingRight(context, scan);
    const files = right === "none" ? [] : await filesOfItem(context.stores.archive, scan);
    return streamPage(scan, right, files);
  },
});

export const streamFile = operation({
  id: "streamFile",
  summary: "Get a file of a scanned book",
  tag: "lending",
  path: { ocaid: scanId, file: z.string().min(1).max(500) },
  responses: { 200: { description: "File", contentType: "*/*" }, 403: { description: "Book not borrowed" } },
  async handle({ path: { ocaid: scan, file } }, context) {
    if (context.settings.READER_URL !== "") throw notFound();
    const right = await findReadingRight(context, scan);
    if (right === "none") throw failure("forbidden.not_borrowed");
    const stored = await itemFile(context.stores.archive, scan, file);
    if (stored === undefined) throw notFound();
    return {
      status: 200,
      body: stored.body,
      contentType: stored.contentType,
      cacheControl: right === "public" ? "public, max-age=3600" : PRIVATE,
      // Files come from elsewhere: none may act as a page of this site.
      headers: { "Content-Security-Policy": `${BARE_CSP}; sandbox` },
    };
  },
});

const linkText = z.string().max(500).default("");

export const readerAuth = operation({
  id: "readerAuth",
  summary: "Give the browser access to the scan of a loan",
  tag: "lending",
  query: {
    uuid: linkText.describe("ID of the loan"),
    token: linkText.describe("Signature in the link of the loan"),
    id: z.string().regex(SCAN_ID).describe("ID of the scan"),
    bookPath: linkText.describe("Path to continue at in the reader"),
    iaUserId: linkText.describe("Ignored; the loan identifies the patron"),
    iaAuthToken: linkText.describe("Ignored"),
  },
  responses: {
    303: { description: "Redirect to the book" },
    403: { description: "Invalid or expired link" },
  },
  async handle({ query: { uuid, token, id: ocaid, bookPath } }, context) {
    const isSigned = isItemToken(context, { ocaid, uuid }, token);
    const loan = isSigned ? await findActiveLoan(context, ocaid, uuid) : undefined;
    if (loan === undefined) throw failure("forbidden.loan_link");
    setReaderCookie(context, loan);
    const isBook = isLocalPath(bookPath) && bookPath.split("?")[0] === streamPath(ocaid);
    return seeOther(isBook ? bookPath : streamPath(ocaid));
  },
});

/** `GET /ia_auth/<scan>`: tells if the reader may continue to show a scan, with the next token. Always 200. */
export const iaAuth = operation({
  id: "iaAuth",
  summary: "Renew the permission to read a scan",
  tag: "lending",
  path: { ocaid: z.string() },
  query: { loan: linkText, token: linkText, callback: callbackName() },
  responses: {
    200: {
      description: "Token, or the reason for a refusal",
      schema: z.object({
        success: z.boolean(),
        token: z.string().optional(),
        msg: z.string().optional(),
        resolution: z.string().optional(),
      }),
      also: ["text/javascript"],
    },
  },
  async handle({ path: { ocaid }, query: { loan: uuid, token, callback } }, context) {
    if (!SCAN_ID.test(ocaid)) return refuse("reader.bad_scan", callback, context);
    const loans = await lendingOf(context).loansOf(ocaid);
    if (loans.length === 0) return refuse("reader.no_loan", callback, context);
    // A token is valid for its own loan only.
    let loan = loans.find((row) => row.uuid === uuid && isItemToken(context, { ocaid, uuid }, token));
    if (loan === undefined) {
      const borrower = await borrowerOf(context);
      if (borrower === undefined) return refuse("unauthenticated.borrow", callback, context);
      loan = loans.find(({ patron }) => patron === borrower.username.toLowerCase());
    }
    if (loan === undefined) return refuse("reader.other_loan", callback, context);
    const until = Math.floor(context.now / 1000) + ITEM_TOKEN_SECONDS;
    const next = itemToken(context, { ocaid, uuid: loan.uuid }, until);
    return callbackReply(callback, { success: true, token: next }, PRIVATE);
  },
});

/** Refuses with a way out as HTML, which the reader shows. */
function refuse(key: TextKey, callback: string | undefined, { settings }: RequestContext): Reply {
  const resolution =
    key === "unauthenticated.borrow"
      ? `<a href="${rootPath(settings.BASE_URL)}/account/login">${english({ key: "account.log_in" })}</a>`
      : english({ key: "forbidden.not_borrowed" });
  return callbackReply(callback, { success: false, msg: english({ key }), resolution }, PRIVATE);
}
