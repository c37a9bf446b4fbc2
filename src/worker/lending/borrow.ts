import * as z from "zod";
import { findEditionKey } from "../../db/records/identifiers.ts";
import { editionOfAddress, identifiersOfScan } from "../holdings/edition-of-address.ts";
import { wantsJson } from "../http/accept.ts";
import { forbidden, notFound } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { isOwnLink } from "../http/same-origin.ts";
import { isLocalPath } from "../http/redirect-target.ts";
import { type Reply, seeOther } from "../http/reply.ts";
import { field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { type Words, say } from "../ui/words.ts";
import { type BorrowWish, borrow } from "./borrow-actions.ts";
import { type BorrowAction, BORROW_ACTIONS, borrowReply } from "./borrow-answer.ts";
import { readerUrl } from "./reader.ts";

/** Longest text that is looked for inside a book, and longest place to go on to, in characters. */
const BORROW_TEXT_LENGTH = 2000;
/** The same percent-encoded: redirects carry them all, and clients read headers of 16 KB. */
const BORROW_ENCODED_LENGTH = 4000;

const text = z
  .string()
  .max(BORROW_TEXT_LENGTH)
  .refine((value) => encodeURIComponent(value.toWellFormed()).length <= BORROW_ENCODED_LENGTH, {
    error: () => `Text should have at most ${BORROW_ENCODED_LENGTH} characters when it is percent-encoded`,
  });
/** Parameters of the borrow routes, in the address or in a form. */
const BORROW_PARAMETERS = {
  action: z.enum(BORROW_ACTIONS).optional().describe("What to do; `borrow` when nothing is said"),
  format: z.string().optional().describe("Passed over"),
  _autoReadAloud: text.optional().describe("Present: the book is read aloud"),
  q: text.optional().describe("Text to look for inside the book"),
  redirect: text.optional().describe("Place on this site to go on to"),
};

const path = {
  olid: z.string().max(200).meta({
    description: "Number of the edition, such as `OL1M`, or `ia:` and the id of a scan",
    pattern: "^(?:XX\\d+M|ia:.+)$",
  }),
  slug: z.string().describe("Anything: the readable part of the address"),
};
const borrowAnswer = z.object({
  status: z.literal("ok"),
  action: z.string(),
  location: z.string(),
  loan: z.looseObject({}).nullable(),
  waiting: z.looseObject({}).optional(),
});
const BORROW_RESPONSES = {
  200: {
    description:
      "With `Accept: application/json`: what was done, and where to go on; a page that asks once more",
    schema: borrowAnswer,
    also: ["text/html"],
  },
  303: { description: "To the reader, the login, back, or where others offer the book" },
  401: { description: "Programs that are not logged in" },
  404: { description: "No such edition" },
  409: { description: "It cannot be done" },
};

const BORROWING = { tag: "lending", query: BORROW_PARAMETERS, responses: BORROW_RESPONSES };
const SENT = { ...BORROWING, form: BORROW_PARAMETERS, inReadOnly: true };

/** `GET /books/OL1M/Title/borrow`: borrows, returns, reads; what changes loans only where it is really meant (Q265). */
export const borrowByLink = operation({
  ...BORROWING,
  id: "borrowByLink",
  summary: "Borrow, return or read a scanned book",
  path,
  handle: ({ path: { olid }, query }, context) => borrowAt(context, olid, query),
});

/** `POST` of the same: what the form says counts before what the address says. */
export const borrowByForm = operation({
  ...SENT,
  id: "borrowByForm",
  summary: "Borrow, return or read a scanned book",
  path,
  handle: ({ path: { olid }, query, form }, context) => borrowAt(context, olid, merged(query, form)),
});

/** `GET /books/OL1M/borrow`: there is nothing without the readable part (Q272). */
export const borrowNowhere = operation({
  id: "borrowNowhere",
  summary: "There is nothing here",
  tag: "lending",
  path: { olid: path.olid },
  responses: { 404: { description: "Always" } },
  handle() {
    throw notFound();
  },
});

const scanPath = { ocaid: z.string().max(200).describe("Id of the scan") };

/** `GET /borrow/ia/<scan>`: leads to the borrow address of the edition, the query kept. */
export const borrowScanByLink = operation({
  id: "borrowScanByLink",
  summary: "The borrow address of the edition that has a scan",
  tag: "lending",
  path: scanPath,
  responses: { 303: { description: "The borrow address" }, 404: { description: "No edition has it" } },
  async handle({ path: { ocaid } }, context) {
    const key = await editionKey(context, ocaid);
    return seeOther(`${key}/x/borrow${context.url.search}`);
  },
});

/** `POST /borrow/ia/<scan>`: the same as a `POST` to the edition's own borrow address. */
export const borrowScanByForm = operation({
  ...SENT,
  id: "borrowScanByForm",
  summary: "Borrow, return or read the edition that has a scan",
  path: scanPath,
  async handle({ path: { ocaid }, query, form }, context) {
    const key = await editionKey(context, ocaid);
    return borrowAt(context, key.slice("/books/".length), merged(query, form));
  },
});

type Values = { [name in keyof typeof BORROW_PARAMETERS]?: z.output<(typeof BORROW_PARAMETERS)[name]> };

/** What a form says, and where it says nothing, what the address says. */
function merged(query: Values, form: Values): Values {
  return { ...query, ...Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) };
}

/** Does what is wished for with an edition of an address. */
async function borrowAt(context: RequestContext, olid: string, values: Values): Promise<Reply> {
  const { action = "borrow", q = "", redirect = "", _autoReadAloud: autoReadAloud } = values;
  const wanted = { action, q: q.trim(), autoReadAloud, redirect: placeOf(redirect) };
  const wish: BorrowWish = { ...wanted, isMeant: isMeant(context) };
  const bundle = await editionOfAddress(context, olid, { withLoans: true });
  const outcome = await borrow(context, bundle, wish);
  return outcome.isUnmeant === true ? confirmPage(context, wish) : borrowReply(context, action, outcome);
}

/** Scheme and host are taken off, so that nobody is led to another site. */
function placeOf(redirect: string): string {
  const parsed = redirect === "" ? null : URL.parse(redirect, "http://this.invalid");
  const place = parsed === null ? "" : parsed.pathname + parsed.search + parsed.hash;
  return isLocalPath(place) ? place : "";
}

/** Whether loans may be changed: by forms, and by links that were followed on this site, or typed, or that a program sends (Q265). */
function isMeant(context: RequestContext): boolean {
  const { request, settings } = context;
  if (request.method === "POST") return true;
  return settings.BORROW_GET_WRITES && request.method === "GET" && isOwnLink(context);
}

const SUBMITS: Readonly<Record<BorrowAction, Words>> = {
  borrow: "borrow.this",
  browse: "borrow.browse",
  read: "borrow.read",
  return: "borrow.return_this",
  "join-waitinglist": "borrow.join",
  "leave-waitinglist": "borrow.leave",
  locate: "borrow.locate",
};

/** Asks whether a wish is really meant that a link from elsewhere made, and sends it as a form. */
function confirmPage(context: RequestContext, { action, redirect, autoReadAloud }: BorrowWish): Reply {
  if (wantsJson(context.request)) throw forbidden("Send this by POST.");
  const fields = Object.entries({ action, redirect, _autoReadAloud: autoReadAloud });
  const hidden = fields.map(
    ([name, value]) => value !== undefined && field({ name, label: "", type: "hidden", value }),
  );
  const submit = say(SUBMITS[action]);
  const body = markup`<p>${say("borrow.confirm")}</p>
<form method="post" action="${context.url.pathname}">${hidden}
<p><button type="submit">${submit}</button></p>
</form>`;
  return page({ title: say("borrow.question", { action: submit }), body, formsLeadTo: readerUrl(context) });
}

/** The edition that has a scan, or was made from it; throws a 404 when there is none. */
async function editionKey(context: RequestContext, ocaid: string): Promise<string> {
  const key = await findEditionKey(catalogReader(context), identifiersOfScan(ocaid));
  if (key === undefined) throw notFound();
  return key;
}
