import * as z from "zod";
import type { TextKey } from "../../catalog/texts.ts";
import { findEditionKey } from "../../db/records/identifiers.ts";
import { editionOfAddress, identifiersOfScan } from "../lookup/editions/bundles.ts";
import { wantsJson } from "../http/accept.ts";
import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { isLocalPath, isOwnLink } from "../http/redirect-target.ts";
import { type Reply, seeOther } from "../http/reply.ts";
import { type BorrowRequest, BORROW_ACTIONS, borrow, borrowReply } from "./borrow-actions.ts";
import { confirmPage } from "./borrow-page.ts";
import { readerUrl } from "./reader.ts";

/** Longest text to search for inside a book, and longest redirect target, in characters. */
const BORROW_TEXT_LENGTH = 2000;
/** Longest percent-encoded text: redirects contain all texts, and clients read headers of 16 KB. */
const BORROW_ENCODED_LENGTH = 4000;

const text = z
  .string()
  .max(BORROW_TEXT_LENGTH)
  .refine((value) => encodeURIComponent(value.toWellFormed()).length <= BORROW_ENCODED_LENGTH, {
    error: "validation.borrow_text" satisfies TextKey,
    params: { values: { most: BORROW_ENCODED_LENGTH } },
  });
const BORROW_PARAMETERS = {
  action: z.enum(BORROW_ACTIONS).optional().describe("Action; default `borrow`"),
  format: z.string().optional().describe("Ignored"),
  _autoReadAloud: text.optional().describe("Present: read the book aloud"),
  q: text.optional().describe("Text to search for inside the book"),
  redirect: text.optional().describe("Path on this site to go to afterwards"),
};

const path = {
  olid: z.string().max(200).meta({
    description: "Edition ID, such as `OL1M`, or `ia:` and a scan ID",
    pattern: "^(?:XX\\d+M|ia:.+)$",
  }),
  slug: z.string().describe("Readable part of the URL; any text"),
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
    description: "With `Accept: application/json`: action and next location; otherwise a confirmation page",
    schema: borrowAnswer,
    also: ["text/html"],
  },
  303: { description: "Redirect to the reader, the login, the previous page or another source of the book" },
  401: { description: "Not logged in, for API clients" },
  409: { description: "Action not possible" },
};

const BORROWING = { tag: "lending", query: BORROW_PARAMETERS, responses: BORROW_RESPONSES };
const BORROWING_BY_FORM = { ...BORROWING, form: BORROW_PARAMETERS, inReadOnly: true };

/** `GET /books/OL1M/Title/borrow`: borrows, returns, reads; links from other sites do not change loans (Q265). */
export const borrowByLink = operation({
  ...BORROWING,
  id: "borrowByLink",
  summary: "Borrow, return or read a scanned book",
  path,
  handle: ({ path: { olid }, query }, context) => borrowAt(context, olid, query),
});

export const borrowByForm = operation({
  ...BORROWING_BY_FORM,
  id: "borrowByForm",
  summary: "Borrow, return or read a scanned book",
  path,
  handle: ({ path: { olid }, query, form }, context) => borrowAt(context, olid, mergeValues(query, form)),
});

/** `GET /books/OL1M/borrow`: not found without the readable part (Q272). */
export const borrowNowhere = operation({
  id: "borrowNowhere",
  summary: "Answer 404: the URL lacks its readable part",
  tag: "lending",
  path: { olid: path.olid },
  responses: { 404: { description: "Always" } },
  handle() {
    throw notFound();
  },
});

const scanPath = { ocaid: z.string().max(200).describe("ID of the scan") };

export const borrowScanByLink = operation({
  id: "borrowScanByLink",
  summary: "Redirect to the borrow URL of a scan's edition",
  tag: "lending",
  path: scanPath,
  responses: { 303: { description: "Redirect to the borrow URL" } },
  async handle({ path: { ocaid } }, context) {
    const key = await findEditionOfScan(context, ocaid);
    return seeOther(`${key}/x/borrow${context.url.search}`);
  },
});

export const borrowScanByForm = operation({
  ...BORROWING_BY_FORM,
  id: "borrowScanByForm",
  summary: "Borrow, return or read a scan's edition",
  path: scanPath,
  async handle({ path: { ocaid }, query, form }, context) {
    const key = await findEditionOfScan(context, ocaid);
    return borrowAt(context, key.slice("/books/".length), mergeValues(query, form));
  },
});

type Values = { [name in keyof typeof BORROW_PARAMETERS]?: z.output<(typeof BORROW_PARAMETERS)[name]> };

function mergeValues(query: Values, form: Values): Values {
  return { ...query, ...Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) };
}

async function borrowAt(context: RequestContext, olid: string, values: Values): Promise<Reply> {
  const { action = "borrow", q = "", redirect = "", _autoReadAloud: autoReadAloud } = values;
  const request: BorrowRequest = {
    action,
    q: q.trim(),
    autoReadAloud,
    redirect: localTarget(redirect),
    mayChangeLoans: mayChangeLoans(context),
  };
  const bundle = await editionOfAddress(context, olid, { withLoans: true });
  const outcome = await borrow(context, bundle, request);
  if (outcome.isUnconfirmed === true) {
    if (wantsJson(context.request)) throw failure("forbidden.post");
    return confirmPage(request, { here: context.url.pathname, readerUrl: readerUrl(context) });
  }
  return borrowReply(context, action, outcome);
}

/** Returns a redirect target without scheme and host, so that clients are not sent to another site. */
function localTarget(redirect: string): string {
  const parsed = redirect === "" ? null : URL.parse(redirect, "http://this.invalid");
  const target = parsed === null ? "" : parsed.pathname + parsed.search + parsed.hash;
  return isLocalPath(target) ? target : "";
}

/** True for forms, and for links that were followed on this site, typed, or sent by a program (Q265). */
function mayChangeLoans(context: RequestContext): boolean {
  const { request, settings } = context;
  if (request.method === "POST") return true;
  return settings.BORROW_GET_WRITES && request.method === "GET" && isOwnLink(context);
}

/** Returns the key of the edition that has a scan, or was made from it; throws 404 if there is none. */
async function findEditionOfScan(context: RequestContext, ocaid: string): Promise<string> {
  const key = await findEditionKey(catalogReader(context), identifiersOfScan(ocaid));
  if (key === undefined) throw notFound();
  return key;
}
