import { encode } from "uqr";
import * as z from "zod";
import { baseUrl } from "../../context.ts";
import { validationFailed } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { ownAddress } from "../../site/own-address.ts";
import { blackAndWhitePng } from "../../site/png.ts";

/** Longest address that a code is made of, in characters. */
export const QR_ADDRESS_LENGTH_MAX = 1000;
/** Side of a square, in pixels, and the white squares around the code that scanners need. */
const SCALE = 8;
const BORDER = 4;

/** `GET /qrcode?path=/works/OL1W`: the address of a page as a QR code (lookup.md 17.1). */
export const qrCode = operation({
  id: "qrCode",
  summary: "The address of a page of this service as a QR code",
  tag: "service",
  query: { path: z.string().default("/").describe("Path of the page, with its query") },
  responses: {
    200: { description: "A PNG, black and white", contentType: "image/png" },
    422: { description: "No path of this site, or too long a one" },
  },
  handle({ query: { path } }, context) {
    const base = baseUrl(context);
    // Q450: codes lead to this site and nowhere else.
    const place = path.startsWith("/") ? ownAddress(path, base) : undefined;
    const address = place === undefined ? undefined : base + place;
    if (address === undefined || address.length > QR_ADDRESS_LENGTH_MAX) {
      const msg = `Value error, a path on this site of at most ${QR_ADDRESS_LENGTH_MAX} characters is expected`;
      throw validationFailed([{ type: "value_error", loc: ["query", "path"], msg, input: path }]);
    }
    const { data } = encode(address, { ecc: "M", border: BORDER });
    return {
      status: 200,
      body: new Blob([blackAndWhitePng(data, SCALE)]).stream(),
      contentType: "image/png",
      cacheControl: "public, max-age=86400",
      headers: { "X-Content-Type-Options": "nosniff" },
    };
  },
});
