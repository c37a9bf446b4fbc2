import * as z from "zod";
import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { validationFailed } from "../http/errors.ts";
import { baseUrl, operation } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { form } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";
import { ownAddress } from "./own-address.ts";

/** What stands for the ISBN in the address to go to. */
const PLACEHOLDER = "$$$";
/** Where a scanned ISBN leads unless the link says so: to its book. */
const TO_BOOK = `/isbn/${PLACEHOLDER}`;
/** Longest text that is looked at for an ISBN, in characters. */
const TYPED_ISBN_LENGTH_MAX = 100;

/** `GET /barcodescanner`: page that reads an ISBN off a book and goes where the link says with it. */
export const barcodeScanner = operation({
  id: "barcodeScanner",
  summary:
    "Page: scans the barcode of a book, and redirects to the book or to the caller's URL with the ISBN",
  tag: "service",
  query: {
    returnTo: z.string().default(TO_BOOK).describe("Address on this site with `$$$` in the ISBN's place"),
    isbn: z.string().max(TYPED_ISBN_LENGTH_MAX).optional().describe("What was scanned or typed"),
  },
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "Where the ISBN is wanted" },
    422: { description: "A URL of another site; or the page again, for an invalid ISBN" },
  },
  handle({ query: { returnTo, isbn } }, context) {
    // Q453: a link cannot lead from here to another site.
    const place = ownAddress(returnTo, baseUrl(context));
    if (place === undefined) {
      const msg = "Value error, an address on this site is expected";
      throw validationFailed([{ type: "value_error", loc: ["query", "returnTo"], msg, input: returnTo }]);
    }
    const canonical = isbn === undefined ? undefined : canonicalIsbn(isbn);
    if (canonical === undefined) return scannerPage(place, isbn);
    const address = place.replaceAll(PLACEHOLDER, () => canonical);
    return redirect(303, address);
  },
});

/**
 * Scans bar codes by the browser's own means where it has some; without them, and without scripts, ISBNs are typed. `wrong`
 * was typed, and is none.
 */
function scannerPage(returnTo: string, wrong?: string): Reply {
  const typed = form({
    action: "/barcodescanner",
    method: "get",
    fields: [
      { name: "returnTo", label: "", type: "hidden", value: returnTo },
      {
        name: "isbn",
        label: "ISBN",
        required: true,
        value: wrong,
        maxlength: 100,
        hint: say("scan.hint"),
        ...(wrong === undefined ? {} : { error: say("scan.wrong") }),
      },
    ],
    submit: say("scan.find"),
  });
  const body = markup`<section id="scanner" aria-label="${say("scan.camera")}" hidden>
<p>${say("scan.hold")}</p>
<p><button type="button" id="scan-start">${say("scan.start")}</button> <button type="button" id="scan-stop" hidden>${say("scan.stop")}</button></p>
<video id="scan-picture" width="480" height="360" playsinline muted hidden aria-label="${say("scan.picture")}"></video>
</section>
<p id="scan-status" role="status"></p>
${typed}`;
  return page({
    title: say("scan.title"),
    body,
    script: "/static/scanner.js",
    status: wrong === undefined ? 200 : 422,
    headers: { "Permissions-Policy": "camera=(self)" },
  });
}
