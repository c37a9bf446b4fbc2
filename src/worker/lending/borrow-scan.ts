import * as z from "zod";
import { findEditionKey } from "../../db/records/identifiers.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { seeOther } from "../http/reply.ts";
import { BORROW_PARAMETERS, BORROW_RESPONSES, borrowAt, merged } from "./borrow.ts";

const path = { ocaid: z.string().max(200).describe("Id of the scan") };

/** `GET /borrow/ia/<scan>`: leads to the borrow address of the edition, the query kept. */
export const borrowScanByLink = operation({
  id: "borrowScanByLink",
  summary: "The borrow address of the edition that has a scan",
  tag: "lending",
  path,
  responses: { 303: { description: "The borrow address" }, 404: { description: "No edition has it" } },
  async handle({ path: { ocaid } }, context) {
    const key = await editionKey(context, ocaid);
    return seeOther(`${key}/x/borrow${context.url.search}`);
  },
});

/** `POST /borrow/ia/<scan>`: the same as a `POST` to the edition's own borrow address. */
export const borrowScanByForm = operation({
  id: "borrowScanByForm",
  summary: "Borrow, return or read the edition that has a scan",
  tag: "lending",
  path,
  query: BORROW_PARAMETERS,
  form: BORROW_PARAMETERS,
  responses: BORROW_RESPONSES,
  inReadOnly: true,
  async handle({ path: { ocaid }, query, form }, context) {
    const key = await editionKey(context, ocaid);
    return borrowAt(context, key.slice("/books/".length), merged(query, form));
  },
});

/** The edition that has a scan, or was made from it; throws a 404 when there is none. */
async function editionKey(context: RequestContext, ocaid: string): Promise<string> {
  const wanted = [
    { kind: "ocaid", value: ocaid },
    { kind: "source", value: `ia:${ocaid}` },
  ];
  const key = await findEditionKey(catalogReader(context), wanted);
  if (key === undefined) throw notFound();
  return key;
}
