import * as z from "zod";
import type { Loan } from "../../catalog/lending/loan.ts";
import { lendingOf } from "../lending/lending-of.ts";
import { forbidden } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { callbackName } from "../http/parameters.ts";
import { isLocalPath } from "../http/redirect-target.ts";
import { PRIVATE, seeOther } from "../http/reply.ts";
import { callbackReply } from "./loan-status.ts";
import { ITEM_TOKEN_MS, isItemToken, itemToken, streamPath } from "./reader.ts";
import { SCAN_ID, findActiveLoan, borrowerOf, setReaderCookie } from "./reader.ts";

const linkText = z.string().max(500).default("");

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
    const loan = isSigned ? await findActiveLoan(context, ocaid, uuid) : undefined;
    if (loan === undefined) throw forbidden("This link is not good any more. Please borrow the book again.");
    setReaderCookie(context, loan);
    const isBook = isLocalPath(bookPath) && bookPath.split("?")[0] === streamPath(ocaid);
    return seeOther(isBook ? bookPath : streamPath(ocaid));
  },
});

const LOGIN = 'Please <a href="/account/login">log in</a> and borrow the book.';
const BORROW = "Please borrow the book.";

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
    return callbackReply(callback, await authorize(context, { ocaid, uuid: loan }, token), PRIVATE);
  },
});

async function authorize(
  context: RequestContext,
  { ocaid, uuid }: Pick<Loan, "ocaid" | "uuid">,
  token: string,
) {
  if (!SCAN_ID.test(ocaid)) return refuse("This is no id of a scan.", BORROW);
  const loans = await lendingOf(context).loansOf(ocaid);
  if (loans.length === 0) return refuse("Nobody has borrowed this book, or the loan is over.", BORROW);
  // A token is valid for its own loan only.
  const isHolder = loans.some((loan) => loan.uuid === uuid) && isItemToken(context, { ocaid, uuid }, token);
  if (isHolder) return allow(context, { ocaid, uuid });
  const borrower = await borrowerOf(context);
  if (borrower === undefined) return refuse("You are not logged in.", LOGIN);
  const loan = loans.find(({ patron }) => patron === borrower.username.toLowerCase());
  if (loan === undefined) return refuse("Somebody else has borrowed this book.", BORROW);
  return allow(context, { ocaid, uuid: loan.uuid });
}

function allow(context: RequestContext, loan: Pick<Loan, "ocaid" | "uuid">) {
  return { success: true, token: itemToken(context, loan, context.now + ITEM_TOKEN_MS) };
}

function refuse(msg: string, resolution: string) {
  return { success: false, msg, resolution };
}
