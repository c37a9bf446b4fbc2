import * as z from "zod";
import type { Loan } from "../../catalog/lending/loan.ts";
import { lendingOf } from "../holdings/lending-of.ts";
import { forbidden } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { callbackName } from "../http/parameters.ts";
import { isLocalPath } from "../http/redirect-target.ts";
import { PRIVATE, seeOther } from "../http/reply.ts";
import { callbackReply } from "./loan-status.ts";
import { ITEM_TOKEN_MS, isItemToken, itemToken, streamPath } from "./reader.ts";
import { SCAN_ID, activeLoan, borrowerOf, setReaderCookie } from "./reading-right.ts";

const linkText = z.string().max(500).default("");

/** `GET /bookreader/BookReaderAuth.php`: gives the browser access to the reader for the time of the loan. */
export const readerAuth = operation({
  id: "readerAuth",
  summary: "Let a browser read the scan of a loan",
  tag: "lending",
  query: {
    uuid: linkText.describe("Id of the loan"),
    token: linkText.describe("What the link of the loan was signed with"),
    id: z.string().regex(SCAN_ID).describe("Id of the scan"),
    bookPath: linkText.describe("Where to go on in the reader"),
    iaUserId: linkText.describe("Passed over: the loan says who has it"),
    iaAuthToken: linkText.describe("Passed over"),
  },
  responses: { 303: { description: "The book" }, 403: { description: "The link is not good any more" } },
  async handle({ query: { uuid, token, id: ocaid, bookPath } }, context) {
    const isSigned = isItemToken(context, { ocaid, uuid }, token);
    const loan = isSigned ? await activeLoan(context, ocaid, uuid) : undefined;
    if (loan === undefined) throw forbidden("This link has expired. Borrow the book again.");
    setReaderCookie(context, loan);
    const isBook = isLocalPath(bookPath) && bookPath.split("?")[0] === streamPath(ocaid);
    return seeOther(isBook ? bookPath : streamPath(ocaid));
  },
});

const LOGIN = 'Please <a href="/account/login">log in</a> and borrow the book.';
const BORROW = "Borrow the book.";

/** `GET /ia_auth/<scan>`: tells if the reader may continue to show a scan, with the next token. Always 200. */
export const iaAuth = operation({
  id: "iaAuth",
  summary: "Whether a scan may be read on",
  tag: "lending",
  path: { ocaid: z.string() },
  query: { loan: linkText, token: linkText, callback: callbackName() },
  responses: {
    200: {
      description: "A token, or why there is none",
      schema: z.object({
        success: z.boolean(),
        token: z.string().optional(),
        msg: z.string().optional(),
        resolution: z.string().optional(),
      }),
      also: ["text/javascript"],
    },
  },
  async handle({ path: { ocaid }, query: { loan, token, callback } }, context) {
    return callbackReply(callback, await authOf(context, { ocaid, uuid: loan }, token), PRIVATE);
  },
});

async function authOf(context: RequestContext, { ocaid, uuid }: Pick<Loan, "ocaid" | "uuid">, token: string) {
  if (!SCAN_ID.test(ocaid)) return refused("This is no id of a scan.", BORROW);
  const loans = await lendingOf(context).loansOf(ocaid);
  if (loans.length === 0) return refused("There is no current loan of this book.", BORROW);
  const named = loans.find((loan) => loan.uuid === uuid);
  // A token is valid for its own loan only.
  const isNamed = named !== undefined && isItemToken(context, { ocaid, uuid }, token);
  if (isNamed) return allowed(context, { ocaid, uuid });
  const borrower = await borrowerOf(context);
  if (borrower === undefined) return refused("You are not logged in.", LOGIN);
  const own = loans.find(({ patron }) => patron === borrower.username.toLowerCase());
  if (own === undefined) return refused("Another reader has borrowed this book.", BORROW);
  return allowed(context, { ocaid, uuid: own.uuid });
}

function allowed(context: RequestContext, loan: Pick<Loan, "ocaid" | "uuid">) {
  return { success: true, token: itemToken(context, loan, context.now + ITEM_TOKEN_MS) };
}

function refused(msg: string, resolution: string) {
  return { success: false, msg, resolution };
}
