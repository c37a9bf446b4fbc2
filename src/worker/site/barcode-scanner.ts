import * as z from "zod";
import { TYPED_ISBN_LENGTH_MAX, toCanonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { validationFailed } from "../http/errors.ts";
import { invalid } from "../http/input-failures.ts";
import { baseUrl, operation } from "../http/operation.ts";
import { toLocalPath } from "../http/redirect-target.ts";
import { redirect } from "../http/reply.ts";
import { scannerPage } from "./scanner-page.ts";

const PLACEHOLDER = "$$$";
const TO_BOOK = `/isbn/${PLACEHOLDER}`;

export const barcodeScanner = operation({
  id: "barcodeScanner",
  summary: "Show the barcode scanner, or redirect to the book of an ISBN",
  tag: "service",
  query: {
    returnTo: z.string().default(TO_BOOK).describe("Address on this site, with `$$$` in place of the ISBN"),
    isbn: z.string().max(TYPED_ISBN_LENGTH_MAX).optional().describe("Scanned or typed ISBN"),
  },
  responses: {
    200: { description: "Page of the barcode scanner", contentType: "text/html" },
    303: { description: "Redirect to the book, or to the given address with the ISBN" },
    422: { description: "URL of another site; or the page again for an invalid ISBN" },
  },
  handle({ query: { returnTo, isbn } }, context) {
    // Q453: no open redirect.
    const place = toLocalPath(returnTo, baseUrl(context));
    if (place === undefined) {
      const text = { key: "validation.local_url" } as const;
      throw validationFailed([invalid(["query", "returnTo"], text, { input: returnTo })]);
    }
    const canonical = isbn === undefined ? undefined : toCanonicalIsbn(isbn);
    if (canonical === undefined) return scannerPage(place, isbn);
    const address = place.replaceAll(PLACEHOLDER, () => canonical);
    return redirect(303, address);
  },
});
