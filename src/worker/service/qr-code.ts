import { crc32, deflateSync } from "node:zlib";
import { encode } from "uqr";
import * as z from "zod";
import { joinedBytes } from "../../catalog/bytes.ts";
import { validationFailed } from "../http/errors.ts";
import { baseUrl, operation } from "../http/operation.ts";
import { ownAddress } from "./own-address.ts";

/** Longest address that a code is made of, in characters. */
const QR_ADDRESS_LENGTH_MAX = 1000;
/** Side of a square, in pixels, and the white squares around the code that scanners need. */
const SCALE = 8;
const BORDER = 4;

/** `GET /qrcode?path=/works/OL1W`: the address of a page as a QR code. */
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
    };
  },
});

/** First bytes of every PNG (RFC 2083, 3.1). */
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const encoder = new TextEncoder();

/**
 * A picture of black and white squares as a PNG, one bit a pixel: `rows` tell which squares are black, `scale` is the
 * side of one in pixels. Small enough to need no image library, which would take tens of megabytes for it.
 */
function blackAndWhitePng(rows: readonly (readonly boolean[])[], scale: number): Uint8Array<ArrayBuffer> {
  const width = (rows[0]?.length ?? 0) * scale;
  const height = rows.length * scale;
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  // One bit a pixel, shades of grey; the three others are the only ones that there are.
  header.setUint8(8, 1);
  const lines = rows.flatMap((row) => Array.from({ length: scale }, () => line(row, scale)));
  return joinedBytes([
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("IDAT", deflateSync(joinedBytes(lines))),
    chunk("IEND", new Uint8Array()),
  ]);
}

/** A line of pixels behind the number of its filter, none: black is 0. */
function line(row: readonly boolean[], scale: number): Uint8Array {
  const pixels = row.length * scale;
  const bytes = new Uint8Array(1 + Math.ceil(pixels / 8)).fill(0xff, 1);
  for (let x = 0; x < pixels; x += 1) {
    if (row[Math.floor(x / scale)] !== true) continue;
    const at = 1 + (x >> 3);
    bytes[at] = (bytes[at] ?? 0) & ~(0x80 >> (x & 7));
  }
  return bytes;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const named = joinedBytes([encoder.encode(type), data]);
  const bytes = new DataView(new ArrayBuffer(named.length + 8));
  bytes.setUint32(0, data.length);
  new Uint8Array(bytes.buffer).set(named, 4);
  bytes.setUint32(named.length + 4, crc32(named));
  return new Uint8Array(bytes.buffer);
}
