// Photographs that are too large to be unpacked in the worker: Cloudflare's image service (here that of the local runtime)
// makes them smaller first.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { storesOf } from "../../../src/worker/http/bindings.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import {
  type CheckedImage,
  LARGE_PIXELS_MAX,
  LARGE_SIDE_MAX,
  checkImage,
} from "../../../src/worker/covers/check-image.ts";
import {
  ALONE_PIXELS,
  coverRenditions,
  makeRenditions,
  LARGE_AT_ONCE_MAX,
  REDUCED_BYTES_MAX,
  REDUCED_SIDE,
  REDUCE_MS,
} from "../../../src/worker/covers/make-renditions.ts";
import { Photon } from "../../../src/worker/covers/photon.ts";
import type { Pixels } from "../../../src/worker/covers/pixels.ts";
import { ROOM_LOOK_MS, ROOM_WAIT_MS } from "../../../src/worker/http/room.ts";
import { COVER_SIZES } from "../../../src/catalog/cover-sizes.ts";
import { exif, jpeg, png } from "../../support/covers/images.ts";
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
  webpOf,
} from "../../support/covers/real-images.ts";
import { imageFile, toStore } from "../../support/worker/cover-store.ts";
import { testService } from "../../support/worker/service.ts";
import { english } from "../../../src/catalog/texts.ts";

type Bytes = Uint8Array<ArrayBuffer>;
const stores = storesOf(env);
const service = testService();
const without = testService({ LARGE_IMAGES: "off" });
const PHOTOGRAPH = jpegImage(3024, 4032, { components: 3 });

function large(bytes: Bytes): CheckedImage {
  const image = checkImage(bytes, stores);
  if ("key" in image) throw new Error(english(image));
  expect(image.isLarge).toBe(true);
  return image;
}

/** Checks an image, and has the image service make it smaller as if it were large. */
function asLarge(bytes: Bytes): CheckedImage {
  const image = checkImage(bytes, stores);
  if ("key" in image) throw new Error(english(image));
  return { ...image, isLarge: true };
}

const made = (bytes: Bytes) => coverRenditions(asLarge(bytes), stores);
const photon = new Photon();

/** Decodes a JPEG file; maps pixels to the nearest of the colours drawn here. */
function shown(file: Bytes): { size: string; at: (x: number, y: number) => string } {
  return photon.decode([file], ({ bytes, width, height }) => {
    const copy = bytes.slice();
    const at = (x: number, y: number): string => {
      const name = [...copy.subarray((y * width + x) * 4).subarray(0, 3)].map((value) => +(value > 127));
      return (
        { "000": "black", "100": "red", "010": "green", "001": "blue", "111": "white" }[name.join("")] ?? ""
      );
    };
    return { size: `${width}x${height}`, at };
  });
}

/** A picture in four quarters. */
function quarters(width: number, height: number, colours: readonly number[]): Pixels {
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    const [left = 0, right = 0] = y < height / 2 ? colours : colours.slice(2);
    pixels.fill(left, row, row + width / 2);
    pixels.fill(right, row + width / 2, row + width);
  }
  return { bytes: new Uint8Array(pixels.buffer), width, height };
}

/** Red, green, blue, white as they lie in memory. */
const [RED, GREEN, BLUE, WHITE] = [0xff0000ff, 0xff00ff00, 0xffff0000, 0xffffffff];

/** PNG rows of pixels in four channels. */
function rowsOf({ bytes, width, height }: Pixels): Bytes {
  const rows = new Uint8Array((1 + width * 4) * height);
  for (let y = 0; y < height; y += 1) {
    rows.set(bytes.subarray(y * width * 4, (y + 1) * width * 4), y * (1 + width * 4) + 1);
  }
  return rows;
}

describe("POST /b/upload2 with a photograph of 12 megapixels", () => {
  it("stores the original and renditions of all sizes", async () => {
    const response = await toStore(service, "/b/upload2", { data: imageFile(PHOTOGRAPH), olid: "OL1M" });
    const { id } = await response.json<{ id: number }>();
    expect(response.status).toBe(200);
    expect(new Uint8Array(await (await service.fetch(`/b/id/${id}.jpg`)).arrayBuffer())).toEqual(PHOTOGRAPH);
    expect(await service.json(`/b/id/${id}.json`)).toMatchObject({ width: 3024, height: 4032 });
    const sizes = ["S", "M", "L"].map(async (size) => {
      const image = await service.fetch(`/b/id/${id}-${size}.jpg`);
      return shown(new Uint8Array(await image.arrayBuffer())).size;
    });
    expect(await Promise.all(sizes)).toEqual(["43x58", "180x240", "375x500"]);
  });

  it("refuses it with the reason if large images are off", async () => {
    const response = await toStore(without, "/b/upload2", { data: imageFile(PHOTOGRAPH), olid: "OL1M" });
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        code: 3,
        message: "Invalid Image",
        detail: expect.stringMatching(/^The image has 3024 × 4032 pixels, more than 61\d{5} in total$/),
      },
    ]);
    expect(settingsOf({ ...env, LARGE_IMAGES: "on" }).LARGE_IMAGES).toBe(true);
    expect(storesOf({ ...env, LARGE_IMAGES: "off" }).images).toBeUndefined();
  });
});

describe("coverRenditions of a large image", () => {
  it.each([
    ["a JPEG", () => jpegImage(1280, 960), "77x58 180x135 500x375"],
    [
      "a progressive JPEG",
      () => jpegImage(1280, 960, { progressive: true, data: new Uint8Array((160 * 120) / 4) }),
      "77x58 180x135 500x375",
    ],
    ["a JPEG in four colours", () => jpegImage(1000, 1200, { components: 4 }), "48x58 180x216 416x500"],
    ["a PNG of 16 bits", () => pngImage(1000, 1200, { depth: 16 }), "48x58 180x216 416x500"],
    ["a PNG of two colours", () => pngImage(1200, 1200, { colour: 3, depth: 1 }), "58x58 180x180 500x500"],
    ["a very wide PNG", () => pngImage(2400, 200), "116x9 180x15 500x41"],
    [
      "an animated WebP",
      () =>
        webpOf(
          extendedChunk(1200, 1000, 2),
          frameChunk(1200, 1000, lossyChunk(1200, 1000)),
          frameChunk(1, 1),
        ),
      "70x58 180x150 500x416",
    ],
    ["a GIF of two frames", () => gifImage(1200, 1000, { frames: 2 }), "70x58 180x150 500x416"],
    ["a WebP", () => webpOf(lossyChunk(1200, 1000)), "70x58 180x150 500x416"],
  ])("fit %s", async (_, file, expected) => {
    const renditions = await made(file());
    const sizes = COVER_SIZES.map((size) => renditions && shown(renditions[size]).size);
    expect(sizes.join(" ")).toBe(expected);
  });

  it("drop all metadata", async () => {
    const note = [0xff, 0xfe, 0, 8, ...new TextEncoder().encode("secret")];
    const file = joined([0xff, 0xd8], exif(1), note, jpegImage(1280, 960).subarray(2));
    const renditions = await made(file);
    for (const size of COVER_SIZES) {
      const text = new TextDecoder("latin1").decode(renditions?.[size]);
      expect([text.includes("Exif"), text.includes("secret")]).toEqual([false, false]);
    }
  });

  it.each(["once", "progressive"])("send the image service the image alone, stored %s", async (kind) => {
    const data = new Uint8Array((160 * 120) / 4);
    const picture = jpegImage(1280, 960, kind === "once" ? {} : { progressive: true, data });
    // As telephones write it: where the further image is, and then that one, and a film.
    const index = [0xff, 0xe2, 0, 6, ...new TextEncoder().encode("MPF\0")];
    const film = new TextEncoder().encode("....ftypmp42 where I live");
    const file = joined([0xff, 0xd8], exif(6), index, picture.subarray(2), jpegImage(80, 60), film);
    const sent: Promise<Uint8Array>[] = [];
    const { images } = answering(pngImage(1000, 750));
    const { input } = images;
    images.input = (stream) => {
      const [first, second] = stream.tee();
      sent.push(new Response(first).bytes());
      return input(second);
    };
    const renditions = await coverRenditions(asLarge(file), { images });
    expect(await Promise.all(sent)).toEqual([picture]);
    expect(renditions && shown(renditions.L).size).toBe("375x500");
    const { L } = (await made(file)) ?? {};
    expect(L && shown(L).size).toBe("375x500");
  });

  it("show transparency on white", async () => {
    const { L } = (await made(webpOf(extendedChunk(1200, 1000, 16), losslessChunk(1200, 1000, true)))) ?? {};
    expect(L && shown(L).at(100, 100)).toBe("white");
    const rows = rowsOf(quarters(1200, 1000, [RED, 0x0000ff00, 0x40000000, WHITE]));
    const mixed = (await made(pngImage(1200, 1000, { colour: 6, rows })))?.L;
    const { at } = shown(mixed ?? rows);
    // A black that is a quarter opaque comes out as a light grey.
    expect([at(5, 5), at(490, 5), at(5, 400), at(490, 400)]).toEqual(["red", "white", "white", "white"]);
  });
});

describe("renditions of a rotated or mirrored image", () => {
  /** The corners as they are stored, for the upright one: red, green, blue, white. */
  const STORED: Readonly<Record<number, readonly number[]>> = {
    1: [RED, GREEN, BLUE, WHITE],
    2: [GREEN, RED, WHITE, BLUE],
    3: [WHITE, BLUE, GREEN, RED],
    4: [BLUE, WHITE, RED, GREEN],
    5: [RED, BLUE, GREEN, WHITE],
    6: [GREEN, WHITE, RED, BLUE],
    7: [WHITE, GREEN, BLUE, RED],
    8: [BLUE, RED, WHITE, GREEN],
  };

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("is upright in all sizes for orientation %i", async (orientation) => {
    const [width, height] = orientation >= 5 ? [900, 1200] : [1200, 900];
    const stored = quarters(width, height, STORED[orientation] ?? []);
    const picture = photon.jpeg(stored, 90);
    const files = [
      joined(picture.subarray(0, 2), exif(orientation), picture.subarray(2)),
      pngImage(width, height, {
        colour: 6,
        rows: rowsOf(stored),
        chunks: [pngChunk("eXIf", exif(orientation).slice(10))],
      }),
    ];
    for (const file of files) {
      const image = asLarge(file);
      expect(image).toMatchObject({ width: 1200, height: 900, orientation });
      // By the image service, and in the worker.
      const both = [await coverRenditions(image, stores), makeRenditions({ ...image, isLarge: false })];
      for (const [renditions, size] of both.flatMap((one) =>
        COVER_SIZES.map((name) => [one, name] as const),
      )) {
        const { size: is, at } = shown(renditions?.[size] ?? file);
        const [right = 0, bottom = 0] = is.split("x").map((side) => Number(side) - 5);
        expect([at(4, 4), at(right, 4), at(4, bottom), at(right, bottom)]).toEqual([
          "red",
          "green",
          "blue",
          "white",
        ]);
        expect(right).toBeGreaterThan(bottom);
      }
    }
  });
});

describe("checkImage of large images", () => {
  it.each([
    ["too many pixels", () => jpeg(9000, 7300), `${LARGE_PIXELS_MAX} in total`],
    ["too long a side", () => png(LARGE_SIDE_MAX + 1, 3000), `${LARGE_SIDE_MAX} on one side`],
    ["a side beyond all", () => png(60_000, 60_000), "16383 on one side"],
  ])("refuses %s", (_, file, problem) => {
    const image = checkImage(file(), stores);
    expect("key" in image && english(image)).toMatch(
      new RegExp(`^The image has \\d+ × \\d+ pixels, more than ${problem}$`),
    );
  });

  it("marks only images as large that do not fit into the worker", () => {
    expect(checkImage(png(2000, 3000), stores)).toMatchObject({ isLarge: false });
    expect(checkImage(png(8000, 8000), stores)).toMatchObject({ isLarge: true });
  });
});

describe("POST /b/upload2 with a broken large image", () => {
  it.each([
    ["a PNG with fewer rows than it says", () => pngImage(4000, 3000, { rows: new Uint8Array(9999) })],
    ["a PNG cut in half", () => pngImage(4000, 3000).slice(0, 10_000)],
    ["a JPEG whose image does not begin", () => PHOTOGRAPH.slice(0, 300)],
    ["a JPEG in too many passes", () => jpegImage(4000, 3000, { progressive: true, scans: 51 })],
    ["a WebP smaller than its image", () => webpOf(extendedChunk(4000, 3000), lossyChunk(20, 20))],
    ["a GIF with fewer pixels than it says", () => gifImage(4000, 3000, { pixels: 100 })],
  ])("answers 400 and stores nothing for %s", async (_, file) => {
    const before = (await env.COVERS.list()).objects.length;
    const response = await toStore(service, "/b/upload2", { data: imageFile(file()), olid: "OL1M" });
    expect([response.status, await response.json()]).toEqual([400, { code: 3, message: "Invalid Image" }]);
    expect((await env.COVERS.list()).objects.length).toBe(before);
  });
});

/** Fakes an image service. */
function serviceOf(output: () => Promise<{ image: () => ReadableStream }>): { images: ImagesBinding } {
  const transformer = { transform: () => transformer, output };
  return { images: { input: () => transformer } as unknown as ImagesBinding };
}

const answering = (file: Bytes) =>
  serviceOf(() => Promise.resolve({ image: () => new Response(file).body ?? new ReadableStream() }));
const failing = (error: Error) =>
  serviceOf(() => {
    throw error;
  });

describe("coverRenditions with a failing image service", () => {
  const image = large(PHOTOGRAPH);
  const UNAVAILABLE = { status: 503, headers: { "Retry-After": "60" } };

  beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

  it("makes nothing of an unreadable image", async () => {
    const unreadable = Object.assign(new Error("ERROR 9520: Unsupported"), { code: 9520 });
    expect(await coverRenditions(image, failing(unreadable))).toBeUndefined();
  });

  it("makes nothing of an image that the local service cannot read", async () => {
    const failed =
      "Unexpected error response 500: Error: VipsJpeg: premature end\n    at Sharp.toBuffer (file)";
    const error = Object.assign(new Error(failed), { code: 9523 });
    expect(await coverRenditions(image, failing(error))).toBeUndefined();
  });

  it.each([
    [
      "an upstream 503",
      () => Object.assign(new Error("Unexpected error response 503: upstream"), { code: 9523 }),
    ],
    [
      "an internal error",
      () => Object.assign(new Error("Unexpected error response 500: internal error"), { code: 9523 }),
    ],
    [
      "a missing Sharp library",
      () =>
        Object.assign(new Error("IMAGES_TRANSFORM_ERROR 9523: The Sharp library is not available, check"), {
          code: 9523,
        }),
    ],
    ["a reached limit", () => Object.assign(new Error("ERROR 9422"), { code: 9422 })],
    ["a lost connection", () => new Error("Network connection lost.")],
  ])("answers 503 after %s", async (_, error) => {
    await expect(coverRenditions(image, failing(error()))).rejects.toMatchObject(UNAVAILABLE);
  });

  it("times out", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const waiting = coverRenditions(
      image,
      serviceOf(() => new Promise(() => undefined)),
    );
    const refused = expect(waiting).rejects.toMatchObject(UNAVAILABLE);
    await vi.advanceTimersByTimeAsync(REDUCE_MS);
    vi.useRealTimers();
    await refused;
  });

  it.each([
    ["another image", () => jpegImage(750, 900)],
    ["one that is turned", () => pngImage(1000, 750)],
    ["one that is still large", () => PHOTOGRAPH],
    ["no image", () => new Uint8Array(10)],
    ["more than is read", () => new Uint8Array(REDUCED_BYTES_MAX + 1)],
  ])("makes nothing of a response with %s", async (_, file) => {
    expect(await coverRenditions(image, answering(file()))).toBeUndefined();
  });

  it("accepts rounded sizes", async () => {
    for (const width of [749, 750, 751]) {
      const renditions = await coverRenditions(image, answering(pngImage(width, REDUCED_SIDE)));
      expect(renditions && shown(renditions.L).size).toBe("375x500");
    }
  });
});

describe("coverRenditions of many large images", () => {
  const small = asLarge(pngImage(1200, 100));
  it.each<[string, CheckedImage, [number, number], number]>([
    ["some megapixels", small, [1000, 83], LARGE_AT_ONCE_MAX],
    ["20 megapixels", { ...small, width: 5000, height: ALONE_PIXELS / 5000 }, [1000, 800], LARGE_AT_ONCE_MAX],
    ["64 megapixels", { ...small, width: 8000, height: 8000 }, [1000, 1000], 1],
  ])("resizes a few of %s at a time, and refuses others after a while", async (_, image, size, atOnce) => {
    let [running, most] = [0, 0];
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = serviceOf(async () => {
      running += 1;
      most = Math.max(most, running);
      await promise;
      running -= 1;
      return { image: () => new Response(pngImage(...size)).body ?? new ReadableStream() };
    });
    const all = Array.from({ length: atOnce + 3 }, () => coverRenditions(image, slow));
    await vi.waitFor(() => expect(running).toBe(atOnce));
    const wait = vi.spyOn(scheduler, "wait").mockResolvedValue();
    await expect(coverRenditions(image, slow)).rejects.toMatchObject({
      status: 503,
      headers: { "Retry-After": "10" },
    });
    expect(wait.mock.calls.length).toBeGreaterThanOrEqual(ROOM_WAIT_MS / ROOM_LOOK_MS);
    wait.mockRestore();
    resolve();
    expect((await Promise.all(all)).every((one) => one !== undefined)).toBe(true);
    expect(most).toBe(atOnce);
  });
});
