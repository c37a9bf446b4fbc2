import * as z from "zod";
import { isLocalPath } from "../../accounts/redirect-target.ts";
import { seeOther } from "../../accounts/private.ts";
import { forbidden } from "../../errors.ts";
import { SCAN_ID, activeLoan, setReaderCookie } from "../../lending/reading-right.ts";
import { isItemToken, streamPath } from "../../lending/reader.ts";
import { operation } from "../../operation.ts";

const text = z.string().max(500).default("");

/**
 * `GET /bookreader/BookReaderAuth.php`: the link that follows a borrowing lets the browser into the reader for as long as the
 * loan lasts (lookup.md 12.4, 18.4).
 */
export const readerAuth = operation({
  id: "readerAuth",
  summary: "Let a browser read the scan of a loan",
  tag: "lending",
  query: {
    uuid: text.describe("Id of the loan"),
    token: text.describe("What the link of the loan was signed with"),
    id: z.string().regex(SCAN_ID).describe("Id of the scan"),
    bookPath: text.describe("Where to go on in the reader"),
    iaUserId: text.describe("Passed over: the loan says who has it"),
    iaAuthToken: text.describe("Passed over"),
  },
  responses: { 303: { description: "The book" }, 403: { description: "The link is not good any more" } },
  async handle({ query: { uuid, token, id: ocaid, bookPath } }, context) {
    const isSigned = isItemToken(context, { ocaid, uuid }, token);
    const loan = isSigned ? await activeLoan(context, ocaid, uuid) : undefined;
    if (loan === undefined) throw forbidden("This link is not good any more. Please borrow the book again.");
    setReaderCookie(context, loan);
    const isBook = isLocalPath(bookPath) && bookPath.split("?")[0] === streamPath(ocaid);
    return seeOther(isBook ? bookPath : streamPath(ocaid));
  },
});
