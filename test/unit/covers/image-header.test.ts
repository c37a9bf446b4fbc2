import { describe, expect, it } from "vitest";
import {
  COVER_BYTES,
  COVER_MEMORY_BYTES,
  COVER_SIDE_MAX,
  checkImage,
  readImageHeader,
} from "../../../src/worker/covers/check-image.ts";
import { exif, frame, gif, jpeg, jpegOf, png, segment, webp } from "../../support/covers/images.ts";
import { english } from "../../../src/catalog/texts.ts";

/** Damaged files to read. */
const ROUNDS = 3000;

const sizeOf = (bytes: Uint8Array): string => {
  const header = readImageHeader(bytes);
  return header === undefined ? "none" : `${header.contentType} ${header.width}x${header.height}`;
};

function twelveBits(): Uint8Array<ArrayBuffer> {
  const file = jpegOf(frame(600, 900, 0xc1));
  file[file.indexOf(0xc1) + 3] = 12;
  return file;
}

describe("the header of an image", () => {
  it.each([
    ["JPEG", jpeg(600, 900), "image/jpeg 600x900"],
    ["progressive JPEG", jpegOf(frame(70_000 % 65_536, 65_535, 0xc2)), "image/jpeg 4464x65535"],
    ["JPEG with a thumbnail in its data", jpeg(600, 900, segment(0xe2, frame(1, 1))), "image/jpeg 600x900"],
    ["JPEG with Huffman tables first", jpeg(600, 900, segment(0xc4, [1, 2, 3])), "image/jpeg 600x900"],
    ["JPEG with filled markers", jpeg(600, 900, [0xff, 0xff, 0xff, 0xff, 0x01]), "image/jpeg 600x900"],
    ["PNG", png(70_000, 3), "image/png 70000x3"],
    ["GIF", gif(600, 900), "image/gif 600x900"],
    ["old GIF", gif(600, 900, "87a"), "image/gif 600x900"],
    ["WebP", webp.lossy(600, 900), "image/webp 600x900"],
    ["lossless WebP", webp.lossless(16_384, 900), "image/webp 16384x900"],
    ["lossless WebP like a lossy one", webp.lossless(600, 1653, [0x2a]), "image/webp 600x1653"],
    ["extended WebP", webp.extended(100_000, 900), "image/webp 100000x900"],
  ])("%s", (_, bytes, size) => expect(sizeOf(bytes)).toBe(size));

  it.each([1, 2, 3, 4, 0, 9])("a JPEG with orientation %i is not rotated", (orientation) => {
    expect(sizeOf(jpeg(600, 900, exif(orientation)))).toBe("image/jpeg 600x900");
  });

  it.each([5, 6, 7, 8])("a JPEG with orientation %i is rotated", (orientation) => {
    expect(sizeOf(jpeg(600, 900, exif(orientation)))).toBe("image/jpeg 900x600");
    expect(sizeOf(jpeg(600, 900, exif(orientation, { little: true })))).toBe("image/jpeg 900x600");
  });

  it("ignores broken EXIF data", () => {
    const whole = exif(6);
    for (let length = 4; length < whole.length - 8; length += 1) {
      const part = segment(0xe1, whole.slice(4, length));
      expect(sizeOf(jpeg(600, 900, part))).toMatch(/^image\/jpeg (600x900|900x600)$/);
    }
    expect(sizeOf(jpeg(600, 900, exif(1, { entries: 65_535 })))).toBe("image/jpeg 600x900");
  });
});

describe("files that are not images", () => {
  it.each([
    ["nothing", new Uint8Array()],
    ["a byte", new Uint8Array([0xff])],
    ["text", new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["a page called an image", new TextEncoder().encode("<html>GIF89a")],
    ["no width", jpeg(0, 900)],
    ["no height", png(600, 0)],
    ["a JPEG whose image comes before its size", jpegOf(segment(0xda, [0]), frame(600, 900))],
    ["a lossless JPEG, which takes more memory than any", jpegOf(frame(600, 900, 0xc3))],
    ["a JPEG of another JPEG's changes", jpegOf(frame(600, 900, 0xc5))],
    ["a JPEG with arithmetic coding", jpegOf(frame(600, 900, 0xc9))],
    ["a JPEG of twelve bits a colour", twelveBits()],
    ["a JPEG that ends before its size", jpegOf([0xff, 0xd9], frame(600, 900))],
    ["a segment without a length", jpegOf([0xff, 0xe0, 0, 1], frame(600, 900))],
    ["a segment beyond the end", jpegOf([0xff, 0xe0, 0xff, 0xff], frame(600, 900))],
    ["something between segments", jpegOf([7], frame(600, 900))],
    [
      "filling without end",
      jpegOf(
        Array.from({ length: 2000 }, () => 0xff),
        frame(600, 900),
      ),
    ],
    ["segments without end", jpegOf(...Array.from({ length: 2000 }, () => segment(0xe0)), frame(600, 900))],
    ["a GIF of another version", gif(600, 900, "90a")],
    ["a PNG that begins otherwise", png(600, 900).fill(0, 12, 16)],
    ["a WebP of another kind", webp.lossy(600, 900).fill(0x41, 12, 16)],
    ["a sound", webp.lossy(600, 900).fill(0x41, 8, 12)],
    ["a PNG that begins with another byte", png(600, 900).fill(0x47, 0, 1)],
  ])("%s", (_, bytes) => expect(sizeOf(bytes)).toBe("none"));

  it("refuses a truncated header without an error", () => {
    for (const whole of [jpeg(600, 900), png(600, 900), gif(600, 900), ...wholeWebps()]) {
      for (let length = 0; length < 10; length += 1) expect(sizeOf(whole.slice(0, length))).toBe("none");
      for (let length = 10; length < whole.length; length += 1) readImageHeader(whole.slice(0, length));
    }
  });

  it("accepts changed bytes without an error", () => {
    let random = 1;
    const next = (limit: number): number => (random = (random * 48_271) % 2_147_483_647) % limit;
    const kinds = [jpeg(600, 900, exif(6)), png(600, 900), gif(600, 900), ...wholeWebps()];
    let images = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const bytes = kinds[round % kinds.length]?.slice() ?? new Uint8Array();
      for (let change = 0; change <= next(4); change += 1) bytes[next(bytes.length)] = next(256);
      if (readImageHeader(bytes.subarray(0, next(bytes.length + 1))) !== undefined) images += 1;
    }
    expect(images).toBeGreaterThan(ROUNDS / 25);
  });

  function wholeWebps(): Uint8Array<ArrayBuffer>[] {
    return [webp.lossy(600, 900), webp.lossless(600, 900), webp.extended(600, 900)];
  }
});

describe("an image that may be stored", () => {
  const problemOf = (bytes: Uint8Array<ArrayBuffer>): string | undefined => {
    const image = checkImage(bytes);
    return "key" in image ? english(image) : undefined;
  };

  it("is within the size limits", () => {
    expect(checkImage(png(2000, 3000))).toMatchObject({ contentType: "image/png", width: 2000 });
    expect(problemOf(png(4_294_967_295, 4_294_967_295))).toMatch(/more than 16383 on one side$/);
    expect(checkImage(png(COVER_SIDE_MAX, 100))).toMatchObject({ height: 100 });
    expect(problemOf(png(100, COVER_SIDE_MAX + 1))).toBe(
      `The image has 100 × ${COVER_SIDE_MAX + 1} pixels, more than ${COVER_SIDE_MAX} on one side`,
    );
    expect(problemOf(new Uint8Array([1, 2, 3]))).toBe("Not a valid image file");
    const large = new Uint8Array(COVER_BYTES + 1);
    large.set(png(1, 1));
    expect(problemOf(large)).toBe(`The image has more than ${COVER_BYTES} bytes`);
    expect(problemOf(large.slice(1, 1))).toBe("Not a valid image file");
    expect(checkImage(large.slice(0, COVER_BYTES))).toMatchObject({ width: 1, height: 1 });
  });

  /** Pixels of the largest square of a kind that is accepted. */
  function pixelsOf(file: (side: number) => Uint8Array<ArrayBuffer>): number {
    let [accepted, refused] = [1, COVER_SIDE_MAX + 1];
    while (refused - accepted > 1) {
      const side = Math.floor((accepted + refused) / 2);
      if ("key" in checkImage(file(side))) refused = side;
      else accepted = side;
    }
    return accepted * accepted;
  }

  it("can be decoded within the memory limit", () => {
    const kinds: readonly (readonly [bytesOfPixel: number, (side: number) => Uint8Array<ArrayBuffer>])[] = [
      [13.5, (side) => jpeg(side, side)],
      [15.5, (side) => jpegOf(frame(side, side, 0xc2))],
      [12.5, (side) => png(side, side)],
      [15, (side) => gif(side, side)],
      [15.5, (side) => webp.lossy(side, side)],
    ];
    for (const [bytesOfPixel, file] of kinds) {
      const pixels = pixelsOf(file);
      expect(pixels * bytesOfPixel).toBeLessThanOrEqual(COVER_MEMORY_BYTES);
      expect((Math.sqrt(pixels) + 1) ** 2 * bytesOfPixel).toBeGreaterThan(COVER_MEMORY_BYTES - 1000);
    }
    // A long file is there three times, which leaves less for its pixels.
    const long = new Uint8Array(COVER_BYTES);
    long.set(png(2500, 2500));
    expect(checkImage(long.slice(0, 100))).toMatchObject({ width: 2500 });
    expect(problemOf(long)).toMatch(/^The image has 2500 × 2500 pixels, more than \d+ in total$/);
  });
});
