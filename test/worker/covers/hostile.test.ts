// Images made to break decoders: a clear refusal, little memory, and no effect on the next image.
import { deflateSync } from "node:zlib";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { storesOf, systemSources } from "../../../src/worker/http/bindings.ts";
import { COVER_MEMORY_BYTES, NO_IMAGE_FILE, checkImage } from "../../../src/worker/covers/check-image.ts";
import { CHUNKS_MAX, JPEG_SCANS_MAX } from "../../../src/worker/covers/image-parts.ts";
import { makeRenditions, renderWith } from "../../../src/worker/covers/make-renditions.ts";
import { PHOTON_FAILURES_MAX, Photon } from "../../../src/worker/covers/photon.ts";
import { storeCover } from "../../../src/worker/covers/store-cover.ts";
import { exif } from "../../support/covers/images.ts";
import { LARGEST_IMAGES } from "../../support/covers/largest-images.ts";
import {
  extendedChunk,
  frameChunk,
  gifImage,
  joined,
  jpegImage,
  losslessChunk,
  lossyChunk,
  pngChunk,
  pngImage,
  riffChunk,
  webpOf,
} from "../../support/covers/real-images.ts";
import { english } from "../../../src/catalog/texts.ts";

type Bytes = Uint8Array<ArrayBuffer>;
const MEGABYTE = 1_000_000;
/** Bytes that an image of a hundred pixels a side, and some data around it, may take. */
const SMALL = 16 * MEGABYTE;
/** A quarter of the memory that an image may take. */
const QUARTER = COVER_MEMORY_BYTES / 4;

/** A colour profile, or a text, of many bytes out of few. */
const bomb = (name: string, head: readonly number[]): Bytes =>
  pngChunk(name, joined(head, deflateSync(new Uint8Array(20 * MEGABYTE), { level: 9 })));
const NAMED = [97, 0, 0];

/** Changes a file where some bytes stand first. */
function changed(file: Bytes, at: readonly number[], offset: number, bytes: readonly number[]): Bytes {
  const copy = file.slice();
  const found = copy.findIndex((_, index) => at.every((byte, more) => copy[index + more] === byte));
  if (found < 0) throw new Error("it does not stand there");
  copy.set(bytes, found + offset);
  return copy;
}

const jpegSize = (file: Bytes, height: number, width: number): Bytes =>
  changed(file, [0xff, 0xc0], 5, [height >> 8, height & 255, width >> 8, width & 255]);
const half = (file: Bytes): Bytes => file.slice(0, file.length >> 1);
const text = (content: string): Bytes => joined(new TextEncoder().encode(content));

/** Refused by what their first bytes say. */
const AT_SIGHT: readonly (readonly [string, () => Bytes])[] = [
  [
    "a PNG of Apple's own kind",
    () => joined(pngImage(5, 5).subarray(0, 8), pngChunk("CgBI", [0, 0, 0, 0]), pngImage(5, 5).subarray(8)),
  ],
  [
    "a JPEG with a megabyte of EXIF data and no size",
    () =>
      joined(
        [0xff, 0xd8],
        ...Array.from({ length: 16 }, () => exif(9, { entries: 65_535 })),
        new Uint8Array(MEGABYTE),
      ),
  ],
];

/** They look like images. */
const BROKEN: readonly (readonly [string, () => Bytes])[] = [
  ["a JPEG cut in half", () => half(jpegImage(600, 900, { components: 3 }))],
  ["a PNG cut in half", () => half(pngImage(600, 900))],
  ["a GIF cut in half", () => half(gifImage(60, 90))],
  ["a WebP cut in half", () => half(webpOf(lossyChunk(60, 90)))],
  ["a JPEG that is a header alone", () => jpegSize(jpegImage(600, 900).slice(0, 200), 900, 600)],
  ["a PNG with fewer rows than it says", () => pngImage(500, 500, { rows: new Uint8Array(1000) })],
  ["a PNG whose checksum is wrong", () => changed(pngImage(50, 50), [73, 68, 65, 84], 8, [1, 2, 3])],
  ["a PNG with a filter that does not exist", () => pngImage(50, 50, { rows: new Uint8Array(7550).fill(9) })],
  ["a PNG without an image", () => joined(pngImage(5, 5).subarray(0, 33), pngChunk("IEND", []))],
  [
    "a PNG whose second size is larger",
    () => pngImage(5, 5, { chunks: [pngImage(4000, 1000).slice(8, 33)] }),
  ],
  [
    "a GIF whose frame exceeds its screen",
    () => gifImage(10, 10, { frameWidth: 4000, frameHeight: 4000, pixels: 10 }),
  ],
  ["a GIF whose frame begins outside", () => gifImage(10, 10, { left: 10, frameWidth: 1, frameHeight: 1 })],
  ["a GIF with fewer pixels than it says", () => gifImage(300, 300, { pixels: 100 })],
  ["a GIF without a frame", () => joined(gifImage(9, 9).subarray(0, 25), [0x3b])],
  [
    "a WebP that begins between two images",
    () => changed(webpOf(lossyChunk(60, 90)), [0x9d, 0x01, 0x2a], -3, [1]),
  ],
  ["a lossless WebP without its signature", () => changed(webpOf(losslessChunk(60, 90)), [0x2f], 0, [0])],
  [
    "a WebP whose image is of another kind",
    () => changed(webpOf(extendedChunk(60, 90), lossyChunk(60, 90)), [0x9d, 0x01, 0x2a], -3, [0x2f, 0, 0, 0]),
  ],
  ["a WebP smaller than its image", () => webpOf(extendedChunk(20, 20), lossyChunk(2000, 2000))],
  ["a WebP larger than its image", () => webpOf(extendedChunk(2000, 2000), lossyChunk(20, 20))],
  [
    "an animation whose frame is larger than it says",
    () => webpOf(extendedChunk(20, 20, 2), frameChunk(20, 20, lossyChunk(2000, 2000))),
  ],
  ["an animation without a frame's image", () => webpOf(extendedChunk(20, 20, 2), frameChunk(20, 20))],
  [
    "a WebP chunk that says it has four gigabytes",
    () => joined(webpOf(extendedChunk(20, 20)), text("VP8 "), [255, 255, 255, 255]),
  ],
  [
    "a JPEG in more passes than anybody needs",
    () => jpegImage(800, 800, { progressive: true, scans: JPEG_SCANS_MAX + 1 }),
  ],
  ["a JPEG with two sizes", () => joined(jpegImage(16, 16).slice(0, 140), jpegImage(4000, 1000).slice(2))],
];

/** They hold much that is not their image: only the image is looked at. */
const HARMLESS: readonly (readonly [string, () => Bytes])[] = [
  ["a PNG with a colour profile of 20 MB", () => pngImage(100, 100, { chunks: [bomb("iCCP", NAMED)] })],
  ["a PNG with 20 MB of further rows", () => pngImage(100, 100, { rows: new Uint8Array(20 * MEGABYTE) })],
  [
    "a PNG with 9 MB of text",
    () => pngImage(100, 100, { chunks: [pngChunk("tEXt", new Uint8Array(9 * MEGABYTE).fill(65))] }),
  ],
  ["a GIF with many frames", () => gifImage(100, 100, { frames: 300 })],
  ["a GIF whose frame goes on", () => gifImage(100, 100, { pixels: 200_000 })],
  [
    "an animation with broken later frames",
    () =>
      webpOf(extendedChunk(100, 100, 2), frameChunk(100, 100, lossyChunk(100, 100)), frameChunk(9999, 9999)),
  ],
  [
    "a WebP with a colour profile of 9 MB",
    () =>
      webpOf(
        extendedChunk(100, 100, 32),
        riffChunk("ICCP", new Uint8Array(9 * MEGABYTE)),
        lossyChunk(100, 100),
      ),
  ],
  ["a JPEG followed by a page", () => joined(jpegImage(100, 100), text("<html><script>alert(1)</script>"))],
  ["a JPEG without data, which is grey", () => jpegImage(100, 100, { data: new Uint8Array() })],
];

/** Renders a file and measures the memory used. */
function made(file: Bytes): { large: string | undefined; memory: number } {
  const image = checkImage(file);
  if ("key" in image) throw new Error(english(image));
  const photon = new Photon();
  const large = renderWith(photon, image)?.L;
  return { large: large && sizeOf(large), memory: photon.memoryBytes };
}

function sizeOf(file: Bytes): string {
  const image = checkImage(file);
  return "key" in image ? english(image) : `${image.contentType} ${image.width}x${image.height}`;
}

describe("hostile images", () => {
  it.each(AT_SIGHT)("refuse by its header: %s", (_, file) => {
    expect(checkImage(file())).toBe(NO_IMAGE_FILE);
  });

  it.each(BROKEN)("refuse when unpacking: %s", (_, file) => {
    expect(typeof checkImage(file())).toBe("object");
    const { large, memory } = made(file());
    expect(large).toBeUndefined();
    expect(memory).toBeLessThan(SMALL);
    // The next one is not worse off.
    const image = checkImage(file());
    expect("key" in image ? english(image) : makeRenditions(image)).toBeUndefined();
    const next = checkImage(jpegImage(10, 10));
    expect("key" in next ? english(next) : sizeOf(makeRenditions(next)?.S ?? file())).toBe(
      "image/jpeg 10x10",
    );
  });

  it.each(HARMLESS)("cost no more than their image: %s", (_, file) => {
    const { large, memory } = made(file());
    expect(large).toBe("image/jpeg 100x100");
    expect(memory).toBeLessThan(SMALL);
  });

  it("take no more memory than the header announces", () => {
    for (const file of [LARGEST_IMAGES.jpeg, LARGEST_IMAGES.png16]) {
      const { large, memory } = made(file());
      expect(large).toMatch(/^image\/jpeg (499|500)x500$/);
      expect(memory).toBeLessThanOrEqual(COVER_MEMORY_BYTES);
    }
  });

  it("are given up after CHUNKS_MAX chunks", () => {
    const thousand = joined(...Array.from({ length: 1000 }, () => pngChunk("teSt", [])));
    const chunks = Array.from({ length: CHUNKS_MAX / 1000 }, () => thousand);
    expect(made(pngImage(5, 5, { chunks })).large).toBeUndefined();
  });
});

/** Images of a quarter of the largest size that break off in different ways. */
const LARGE_BROKEN: readonly (readonly [string, () => Bytes])[] = [
  ["a JPEG", () => jpegImage(1000, 1450, { components: 3 }).slice(0, 15_000)],
  ["a progressive JPEG", () => jpegImage(1000, 1250, { components: 3, progressive: true }).slice(0, 10_000)],
  ["a PNG", () => pngImage(1000, 1450, { colour: 6, rows: new Uint8Array(1000) })],
  ["a GIF", () => gifImage(500, 1000, { pixels: 250 })],
];

describe("Photon", () => {
  it.each(LARGE_BROKEN)("fails at many images without taking more memory: %s", (_, file) => {
    const broken = checkImage(file());
    const next = checkImage(jpegImage(900, 700, { components: 3 }));
    if ("key" in broken || "key" in next) throw new Error("refused at sight");
    const photon = new Photon();
    for (let count = 1; count < PHOTON_FAILURES_MAX; count += 1) {
      expect(renderWith(photon, broken)).toBeUndefined();
      expect(photon.isUsable).toBe(true);
    }
    expect(photon.memoryBytes).toBeLessThanOrEqual(QUARTER);
    // Other images come out as they do of an instance that nothing has happened to.
    expect(renderWith(photon, next)).toEqual(renderWith(new Photon(), next));
    expect(renderWith(photon, broken)).toBeUndefined();
    expect(photon.isUsable).toBe(false);
  });

  it("reuses one instance for good and broken images", () => {
    const instances = vi.spyOn(WebAssembly, "Instance");
    const files = [jpegImage(60, 80), half(jpegImage(60, 80, { components: 3 }))];
    for (let count = 0; count < 20; count += 1) {
      for (const file of files) {
        const image = checkImage(file);
        if (!("key" in image)) makeRenditions(image);
      }
    }
    expect(instances.mock.calls.length).toBeLessThanOrEqual(1);
    instances.mockRestore();
  });
});

describe("storeCover", () => {
  it("does not store a broken image", async () => {
    const jobs = { stores: storesOf(env), sources: systemSources };
    const image = checkImage(half(jpegImage(600, 900)));
    if ("key" in image) throw new Error(english(image));
    const cover = { category: "b", olid: "OL1M", image, sourceUrl: null, author: null, ip: null } as const;
    expect(await storeCover(jobs, cover)).toBeUndefined();
    expect((await env.COVERS.list()).objects).toEqual([]);
    expect(await env.CATALOG.prepare("SELECT count(*) AS count FROM cover").first("count")).toBe(0);
  });
});
