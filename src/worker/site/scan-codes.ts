import { crc32, deflateSync } from "node:zlib";
import { encode } from "uqr";
import * as z from "zod";
import { joinBytes } from "../../catalog/bytes.ts";
import { validationFailed } from "../http/errors.ts";
import { baseUrl, operation } from "../http/operation.ts";
import { toLocalPath } from "../http/redirect-target.ts";
import { TYPED_ISBN_LENGTH_MAX, toCanonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { redirect } from "../http/reply.ts";
import { invalid } from "../http/input-failures.ts";
import { scannerPage } from "./scanner-page.ts";

const QR_ADDRESS_LENGTH_MAX = 1000;
/** Side of a module in pixels, and the quiet zone in modules that scanners need. */
const SCALE = 8;
const BORDER = 4;

export const qrCode = operation({
  id: "qrCode",
  summary: "Get the address of a page as a QR code",
  tag: "service",
  query: { path: z.string().default("/").describe("Path of the page, with its query") },
  responses: {
    200: { description: "PNG image, black and white", contentType: "image/png" },
    422: { description: "Not a path of this site, or too long" },
  },
  handle({ query: { path } }, context) {
    const base = baseUrl(context);
    // Q450: codes only lead to this site.
    const place = path.startsWith("/") ? toLocalPath(path, base) : undefined;
    const address = place === undefined ? undefined : base + place;
    if (address === undefined || address.length > QR_ADDRESS_LENGTH_MAX) {
      const text = { key: "validation.local_path", values: { most: QR_ADDRESS_LENGTH_MAX } } as const;
      throw validationFailed([invalid(["query", "path"], text, { input: path })]);
    }
    const { data } = encode(address, { ecc: "M", border: BORDER });
    return {
      status: 200,
      body: new Blob([blackAndWhitePng(data, SCALE)]).stream(),
      contentType: "image/png",
      cacheControl: "public, max-age=86400",
    };
  },
});

/** First bytes of every PNG (RFC 2083, 3.1). */
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const encoder = new TextEncoder();

/** Encodes modules, true for black, as a PNG with one bit per pixel. An image library would take megabytes. */
function blackAndWhitePng(rows: readonly (readonly boolean[])[], scale: number): Uint8Array<ArrayBuffer> {
  const width = (rows[0]?.length ?? 0) * scale;
  const height = rows.length * scale;
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  // One bit per pixel, greyscale; the remaining three bytes have no other valid values.
  header.setUint8(8, 1);
  const lines = rows.flatMap((row) => Array.from({ length: scale }, () => pixelLine(row, scale)));
  return joinBytes([
    Uint8Array.from(SIGNATURE),
    pngChunk("IHDR", new Uint8Array(header.buffer)),
    pngChunk("IDAT", deflateSync(joinBytes(lines))),
    pngChunk("IEND", new Uint8Array()),
  ]);
}

/** Encodes a line of pixels after its filter type (0: none); black is 0. */
function pixelLine(row: readonly boolean[], scale: number): Uint8Array {
  const pixels = row.length * scale;
  const bytes = new Uint8Array(1 + Math.ceil(pixels / 8)).fill(0xff, 1);
  for (let x = 0; x < pixels; x += 1) {
    if (row[Math.floor(x / scale)] !== true) continue;
    const at = 1 + (x >> 3);
    bytes[at] = (bytes[at] ?? 0) & ~(0x80 >> (x & 7));
  }
  return bytes;
}

function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const named = joinBytes([encoder.encode(type), data]);
  const bytes = new DataView(new ArrayBuffer(named.length + 8));
  bytes.setUint32(0, data.length);
  new Uint8Array(bytes.buffer).set(named, 4);
  bytes.setUint32(named.length + 4, crc32(named));
  return new Uint8Array(bytes.buffer);
}

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
