import * as z from "zod";
import { PRIVATE } from "../../accounts/private.ts";
import type { RequestContext } from "../../context.ts";
import { borrowerOf } from "../../lending/borrower-of.ts";
import { lendingOf } from "../../lending/lending-of.ts";
import { ITEM_TOKEN_MS, isItemToken, itemToken } from "../../lending/reader.ts";
import { SCAN_ID } from "../../lending/reading-right.ts";
import { operation } from "../../operation.ts";
import { type Reply, json } from "../../reply.ts";
import { callbackName } from "../../validation/parameters.ts";

const text = z.string().max(500).default("");
const LOGIN = 'Please <a href="/account/login">log in</a> and borrow the book.';
const BORROW = "Please borrow the book.";

/** `GET /ia_auth/<scan>`: whether the reader may go on showing a scan, with the next token (lookup.md 12.5). Always 200. */
export const iaAuth = operation({
  id: "iaAuth",
  summary: "Whether a scan may be read on",
  tag: "lending",
  path: { ocaid: z.string() },
  query: { loan: text, token: text, callback: callbackName() },
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
    const body = await authOf(context, ocaid, { loan, token });
    if (callback === undefined) return json(body, { cacheControl: PRIVATE });
    return script(callback, body);
  },
});

/** As `_borrow_status` has it: a script with blanks inside the brackets. */
function script(callback: string, body: unknown): Reply {
  return {
    status: 200,
    contentType: "text/javascript",
    cacheControl: PRIVATE,
    body: `${callback} ( ${JSON.stringify(body)} );`,
  };
}

async function authOf(
  context: RequestContext,
  ocaid: string,
  { loan: uuid, token }: { readonly loan: string; readonly token: string },
) {
  if (!SCAN_ID.test(ocaid)) return refused("This is no id of a scan.", BORROW);
  const loans = await lendingOf(context).loansOf(ocaid);
  if (loans.length === 0) return refused("Nobody has borrowed this book, or the loan is over.", BORROW);
  const named = loans.find((loan) => loan.uuid === uuid);
  // A token is good for its own loan only.
  if (named !== undefined && isItemToken(context, { ocaid, uuid }, token))
    return allowed(context, ocaid, uuid);
  const borrower = await borrowerOf(context);
  if (borrower === undefined) return refused("You are not logged in.", LOGIN);
  const own = loans.find(({ patron }) => patron === borrower.username.toLowerCase());
  if (own === undefined) return refused("Somebody else has borrowed this book.", BORROW);
  return allowed(context, ocaid, own.uuid);
}

function allowed(context: RequestContext, ocaid: string, uuid: string) {
  return { success: true, token: itemToken(context, { ocaid, uuid }, context.now + ITEM_TOKEN_MS) };
}

function refused(msg: string, resolution: string) {
  return { success: false, msg, resolution };
}
