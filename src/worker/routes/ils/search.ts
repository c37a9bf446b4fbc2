import * as z from "zod";
import { findByIdentifiers } from "../../../db/ils/find-edition.ts";
import { bodyText } from "../../body.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { asBasicUser } from "../../ils/basic-user.ts";
import { createBook } from "../../ils/create-book.ts";
import { foundBook } from "../../ils/found-book.ts";
import { withIlsErrors } from "../../ils/ils-error.ts";
import { readIlsBook } from "../../ils/search-input.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";

/** Largest description of a book, in bytes. */
export const ILS_BODY_BYTES = 65_536;

const error = z.object({ status: z.literal("error"), reason: z.string() });

/** `POST /api/ils_search`: a library system looks for a book, and makes it where it is not there (import.md 5.1). */
export const ilsSearch = operation({
  id: "ilsSearch",
  summary:
    "Finds the edition that a library system describes; with Basic credentials makes it if it is not there",
  tag: "import",
  body: {
    contentType: "application/json",
    description: "title, authors, publisher, publish_year, isbn, lccn, oclc_numbers, ocaid, identifiers",
  },
  // Looking is allowed; making a record asks for itself.
  inReadOnly: true,
  responses: {
    200: { description: "status: found, created or notfound", schema: z.looseObject({ status: z.string() }) },
    400: { description: "No JSON object, or no book that can be made", schema: error },
    401: { description: "The credentials are wrong", schema: error },
    403: { description: "The account may not make these records", schema: error },
    429: { description: "Too many wrong credentials", schema: error },
  },
  handle: (_input, context) =>
    withIlsErrors(async () => json(await search(context), { cacheControl: NO_STORE })),
});

async function search(context: RequestContext) {
  const book = readIlsBook(await bodyText(context.request, ILS_BODY_BYTES));
  // Wrong credentials are told also where a book is found.
  const user = await asBasicUser(context);
  const row = await findByIdentifiers(catalogReader(context), book.identifiers);
  if (row !== undefined) return foundBook(context, row);
  return user === undefined ? { status: "notfound" } : createBook(user, book.record);
}
