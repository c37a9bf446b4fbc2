import * as z from "zod";
import { findEditionKey } from "../../db/records/identifiers.ts";
import { identifiersOfScan } from "../lookup/editions/bundles.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { seeOther } from "../http/reply.ts";
import { BORROW_PARAMETERS, borrowAt } from "./borrow-actions.ts";

const path = {
  olid: z.string().max(200).meta({
    description: "Edition ID, such as `OL1M`, or `ia:` and a scan ID",
    pattern: "^(?:XX\\d+M|ia:.+)$",
  }),
  slug: z.string().describe("Readable part of the URL; any text"),
};
const BORROW_RESPONSES = {
  200: {
    description: "With `Accept: application/json`: action and next location; otherwise a confirmation page",
    schema: z.object({
      status: z.literal("ok"),
      action: z.string(),
      location: z.string(),
      loan: z.looseObject({}).nullable(),
      waiting: z.looseObject({}).optional(),
    }),
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

/** Merges the parameters of the address and of the form, which count more. */
function mergeValues<Sent extends object>(query: Sent, form: Sent): Sent {
  return { ...query, ...Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) };
}

/** Returns the key of the edition that has a scan, or was made from it; throws 404 if there is none. */
async function findEditionOfScan(context: RequestContext, ocaid: string): Promise<string> {
  const key = await findEditionKey(catalogReader(context), identifiersOfScan(ocaid));
  if (key === undefined) throw notFound();
  return key;
}
