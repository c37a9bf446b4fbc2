import { inflateSync } from "node:zlib";
import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();

/** The squares of a PNG of one bit a pixel, as `uqr` has them: true is black. Throws for any other PNG. */
function squares(png: Uint8Array, scale: number): boolean[][] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const text = (at: number): string => String.fromCharCode(...png.subarray(at, at + 4));
  expect([...png.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  expect([...png.subarray(24, 29)]).toEqual([1, 0, 0, 0, 0]);
  const size = view.getUint32(33);
  expect([text(12), text(37), text(41 + size + 8)]).toEqual(["IHDR", "IDAT", "IEND"]);
  const lines = inflateSync(png.subarray(41, 41 + size));
  const bytes = 1 + Math.ceil(width / 8);
  expect(lines.length).toBe(bytes * height);
  const isBlack = (x: number, y: number): boolean =>
    (((lines[y * bytes + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 0;
  return Array.from({ length: height / scale }, (_, row) =>
    Array.from({ length: width / scale }, (_unused, column) =>
      isBlack(column * scale + scale - 1, row * scale),
    ),
  );
}

describe("GET /qrcode", () => {
  it.each([
    ["", "/"],
    ["?path=/works/OL1W", "/works/OL1W"],
    ["?path=/search?q=a%26page=2", "/search?q=a&page=2"],
    [`?path=/${"x".repeat(900)}`, `/${"x".repeat(900)}`],
  ])("%j encodes the address", async (query, path) => {
    const response = await service.fetch(`/qrcode${query}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("image/png");
    const png = new Uint8Array(await response.arrayBuffer());
    expect(squares(png, 8)).toEqual(encode(ORIGIN + path, { ecc: "M", border: 4 }).data);
  });

  it.each([
    "//evil.test/",
    "/\\evil.test",
    "https://evil.test/",
    "evil",
    "/.//evil.test",
    `/${"x".repeat(2000)}`,
  ])("refuses %j", async (path) => {
    const response = await service.fetch(`/qrcode?path=${encodeURIComponent(path)}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc: ["query", "path"], input: path }] });
  });
});
