// Images at the bounds of what is taken, in their full size.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { storesOf } from "../../../src/worker/http/bindings.ts";
import { COVER_MEMORY_BYTES, checkImage } from "../../../src/worker/covers/check-image.ts";
import { coverRenditions, renderWith } from "../../../src/worker/covers/make-renditions.ts";
import { Photon } from "../../../src/worker/covers/photon.ts";
import { LARGEST_IMAGES } from "../../support/covers/largest-images.ts";
import {
  extendedChunk,
  frameChunk,
  gifImage,
  jpegImage,
  lossyChunk,
  pngImage,
  webpOf,
} from "../../support/covers/real-images.ts";

const stores = storesOf(env);

function sizeOf(file: Uint8Array<ArrayBuffer> | undefined): string {
  const image = checkImage(file ?? new Uint8Array());
  return typeof image === "string" ? image : `${image.width}x${image.height}`;
}

describe("the smaller sizes of a large image", () => {
  it.each([
    ["a JPEG of fifty million pixels", () => jpegImage(8160, 6120), "500x375"],
    [
      "a progressive JPEG",
      () => jpegImage(4000, 3000, { progressive: true, data: new Uint8Array((500 * 375) / 4) }),
      "500x375",
    ],
    ["a JPEG in four colours", () => jpegImage(2500, 3000, { components: 4 }), "416x500"],
    ["a PNG of 16 bits", () => pngImage(2500, 3000, { depth: 16 }), "416x500"],
    ["a PNG of two colours", () => pngImage(8000, 8000, { colour: 3, depth: 1 }), "500x500"],
    ["a very wide PNG", () => pngImage(12_000, 1000), "500x41"],
    ["a GIF of two frames", () => gifImage(3000, 2500, { frames: 2 }), "500x416"],
    [
      "an animated WebP",
      () =>
        webpOf(
          extendedChunk(3000, 2500, 2),
          frameChunk(3000, 2500, lossyChunk(3000, 2500)),
          frameChunk(1, 1),
        ),
      "500x416",
    ],
  ])("%s", async (_, file, expected) => {
    const image = checkImage(file(), stores);
    if (typeof image === "string") throw new Error(image);
    expect(image.isLarge).toBe(true);
    expect(sizeOf((await coverRenditions(image, stores))?.L)).toBe(expected);
  });
});

it("unpacking an image takes no more memory than its header says", () => {
  for (const file of Object.values(LARGEST_IMAGES)) {
    const image = checkImage(file());
    if (typeof image === "string") throw new Error(image);
    const photon = new Photon();
    expect(sizeOf(renderWith(photon, image)?.L)).toMatch(/^(499|500)x500$/);
    expect(photon.memoryBytes).toBeLessThanOrEqual(COVER_MEMORY_BYTES);
  }
});
