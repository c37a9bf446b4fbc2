import * as z from "zod";
import { TYPED_ISBN_LENGTH_MAX, toCanonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import type { BibKey } from "../../catalog/lookup/bibkey.ts";
import { ocaidOf } from "../../catalog/lookup/bundle.ts";
import { keyOf } from "../../catalog/record.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { REVALIDATE, json } from "../http/reply.ts";
import { findByBibKeys } from "./editions/find-editions.ts";
import { failure } from "../http/failure.ts";

/** Digits of the numbers before the ISBN. */
const SBN_LENGTH = 9;

/** Offer of a shop: always empty, because this service queries no shops. */
const noOffer = z.object({});

export const prices = operation({
  id: "prices",
  summary: "Look up a book by ISBN or ASIN (no prices available)",
  tag: "lookup",
  query: {
    isbn: z.string().min(SBN_LENGTH).max(TYPED_ISBN_LENGTH_MAX).optional().describe("ISBN in any format"),
    asin: z.string().length(10).optional().describe("Product number (ASIN)"),
  },
  responses: {
    200: {
      description: "Empty offers, with key and scan of the edition if found",
      schema: z.object({
        amazon: noOffer,
        betterworldbooks: noOffer,
        key: z.string().optional(),
        ocaid: z.string().optional(),
      }),
    },
  },
  async handle({ query: { isbn, asin } }, context) {
    if (isbn === undefined && asin === undefined) {
      // Q452: a text instead of the usual list of failures.
      throw failure("unprocessable.isbn_or_asin", {}, { code: "validation" });
    }
    const edition = await findEdition(isbn ?? "", asin ?? "", context);
    const key = keyOf(edition);
    const ocaid = edition === undefined ? undefined : ocaidOf(edition);
    const known = { ...(key === undefined ? {} : { key }), ...(ocaid === undefined ? {} : { ocaid }) };
    return json({ amazon: {}, betterworldbooks: {}, ...known }, { cacheControl: REVALIDATE });
  },
});

/** Finds the edition by ISBN, else by the product number of the shop, which for books is their ISBN-10. */
async function findEdition(isbn: string, asin: string, context: RequestContext) {
  const isbns = [isbn, asin].flatMap((text) => toCanonicalIsbn(text) ?? []);
  const keys: BibKey[] = isbns.map((value) => ({ requested: value, kind: "isbn", value }));
  if (asin !== "") keys.push({ requested: asin, kind: "asin", value: asin });
  const [match] = (await findByBibKeys(catalogReader(context), keys)).matches;
  return match?.edition;
}
