import * as z from "zod";
import { canonicalIsbn } from "../../../catalog/identifiers/isbn.ts";
import { baseUrl } from "../../context.ts";
import { validationFailed } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { scannerPage } from "../../pages/site/scanner-page.ts";
import { redirect } from "../../reply.ts";
import { ownAddress } from "../../site/own-address.ts";

/** What stands for the ISBN in the address to go to. */
const PLACEHOLDER = "$$$";
/** Where a scanned ISBN leads unless the link says so: to its book. */
const TO_BOOK = `/isbn/${PLACEHOLDER}`;
/** Longest text that is looked at for an ISBN, in characters. */
export const TYPED_ISBN_LENGTH_MAX = 100;

/** `GET /barcodescanner`: page that reads an ISBN off a book and goes where the link says with it (lookup.md 17.1). */
export const barcodeScanner = operation({
  id: "barcodeScanner",
  summary: "Page: reads the bar code of a book, and leads to the book or to where the caller wants the ISBN",
  tag: "service",
  query: {
    returnTo: z.string().default(TO_BOOK).describe("Address on this site with `$$$` in the ISBN's place"),
    isbn: z.string().max(TYPED_ISBN_LENGTH_MAX).optional().describe("What was scanned or typed"),
  },
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "Where the ISBN is wanted" },
    422: { description: "An address of another site; or the page again, as that is no ISBN" },
  },
  handle({ query: { returnTo, isbn } }, context) {
    // Q453: a link cannot lead from here to another site.
    const place = ownAddress(returnTo, baseUrl(context));
    if (place === undefined) {
      const msg = "Value error, an address on this site is expected";
      throw validationFailed([{ type: "value_error", loc: ["query", "returnTo"], msg, input: returnTo }]);
    }
    if (isbn === undefined) return scannerPage({ returnTo: place });
    const canonical = canonicalIsbn(isbn);
    if (canonical === undefined) return scannerPage({ returnTo: place, wrong: isbn });
    return redirect(
      303,
      place.replaceAll(PLACEHOLDER, () => canonical),
    );
  },
});
