// Renditions of covers: sizes, orientation and transparency.
import { describe, expect, it } from "vitest";
import { checkImage } from "../../../src/worker/covers/check-image.ts";
import { fittingSize } from "../../../src/worker/covers/pixels.ts";
import { type Renditions, makeRenditions } from "../../../src/worker/covers/make-renditions.ts";
import { Photon } from "../../../src/worker/covers/photon.ts";
import { COVER_BOXES, COVER_SIZES } from "../../../src/catalog/cover-sizes.ts";
import { exif } from "../../support/covers/images.ts";
import {
  type Colour,
  drawnPng,
  extendedChunk,
  frameChunk,
  gifImage,
  joined,
  jpegImage,
  losslessChunk,
  lossyChunk,
  pngImage,
  riffChunk,
  webpOf,
} from "../../support/covers/real-images.ts";
import { english } from "../../../src/catalog/texts.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const RED: Colour = [255, 0, 0, 255];
const GREEN: Colour = [0, 255, 0, 255];
const BLUE: Colour = [0, 0, 255, 255];
const WHITE: Colour = [255, 255, 255, 255];
const NOTHING: Colour = [0, 0, 0, 0];

function made(bytes: Bytes): Renditions | undefined {
  const image = checkImage(bytes);
  if ("key" in image) throw new Error(english(image));
  return makeRenditions(image);
}

const photon = new Photon();

/** The pixels of a JPEG file. */
function shown(file: Bytes): { size: string; at: (x: number, y: number) => string } {
  return photon.decode([file], ({ bytes, width, height }) => {
    const copy = bytes.slice();
    return {
      size: `${width}x${height}`,
      // The nearest of the colours that are drawn here.
      at: (x, y) => {
        const [red = 0, green = 0, blue = 0] = copy.subarray((y * width + x) * 4);
        const name = [red, green, blue].map((value) => (value > 127 ? 1 : 0)).join("");
        return { "000": "black", "100": "red", "010": "green", "001": "blue", "111": "white" }[name] ?? name;
      },
    };
  });
}

const sizesOf = (renditions: Renditions | undefined): string[] => {
  if (renditions === undefined) throw new Error("it cannot be unpacked");
  return COVER_SIZES.map((size) => shown(renditions[size]).size);
};
const sizes = (bytes: Bytes): string[] => sizesOf(made(bytes));

describe("makeRenditions: sizes", () => {
  it.each([
    [400, 600, "38x58 180x270 333x500"],
    [500, 800, "36x58 180x288 312x500"],
    [2000, 100, "116x5 180x9 500x25"],
    [100, 50, "100x50 100x50 100x50"],
    [1, 1, "1x1 1x1 1x1"],
    [2500, 2, "116x1 180x1 500x1"],
    [2, 2500, "1x58 1x360 1x500"],
  ])("of %i x %i are %s", (width, height, expected) => {
    expect(sizes(jpegImage(width, height)).join(" ")).toBe(expected);
    expect(sizes(pngImage(width, height)).join(" ")).toBe(expected);
  });

  it("are the same for every kind of image", () => {
    const files = [
      jpegImage(300, 450, { components: 3 }),
      jpegImage(300, 450, { components: 4 }),
      jpegImage(300, 450, { components: 3, progressive: true }),
      pngImage(300, 450, { colour: 0, depth: 16 }),
      pngImage(300, 450, { colour: 6, depth: 16 }),
      pngImage(300, 450, { colour: 3, depth: 1 }),
      gifImage(300, 450),
      gifImage(300, 450, { frames: 3 }),
      gifImage(300, 450, { left: 10, top: 10, frameWidth: 20, frameHeight: 20 }),
      webpOf(lossyChunk(300, 450)),
      webpOf(losslessChunk(300, 450)),
      webpOf(extendedChunk(300, 450, 16), losslessChunk(300, 450, true)),
      webpOf(
        extendedChunk(300, 450, 16),
        riffChunk("ALPH", joined([0], new Uint8Array(300 * 450))),
        lossyChunk(300, 450),
      ),
      webpOf(extendedChunk(300, 450, 2), frameChunk(300, 450, lossyChunk(300, 450)), frameChunk(1, 1)),
    ];
    for (const file of files) {
      const renditions = made(file);
      expect(sizesOf(renditions).join(" ")).toBe("38x58 180x270 300x450");
      for (const size of COVER_SIZES) expect(renditions?.[size].subarray(0, 3).toHex()).toBe("ffd8ff");
    }
  });

  it("never grow, and keep their sides in relation", () => {
    for (let seed = 1; seed < 500; seed += 1) {
      const image = { width: ((seed * 7919) % 3000) + 1, height: ((seed * 104_729) % 3000) + 1 };
      for (const size of COVER_SIZES) {
        const box = COVER_BOXES[size];
        const { width, height } = fittingSize(image, box);
        expect([width, height].every((side) => Number.isInteger(side) && side >= 1)).toBe(true);
        expect(
          width <= Math.min(box.width, image.width) && height <= Math.min(box.height, image.height),
        ).toBe(true);
        // One side fills the box, or the image is smaller than it.
        expect(width === box.width || height === box.height || width === image.width).toBe(true);
      }
    }
  });
});

describe("makeRenditions: content", () => {
  it("shows the whole image", () => {
    const file = drawnPng(520, 520, (x, y) => (y < 260 ? (x < 260 ? RED : GREEN) : x < 260 ? BLUE : WHITE));
    const renditions = made(file);
    for (const size of COVER_SIZES) {
      const { at } = shown(renditions?.[size] ?? file);
      const side = COVER_BOXES[size].height;
      const end = Math.min(side, COVER_BOXES[size].width) - 5;
      expect([at(4, 4), at(end, 4), at(4, end), at(end, end)]).toEqual(["red", "green", "blue", "white"]);
    }
  });

  it("keeps its place when a large image is averaged first", () => {
    const file = drawnPng(2047, 511, (x, y) => (x < 1024 ? RED : y < 256 ? GREEN : BLUE));
    const { at } = shown(made(file)?.L ?? file);
    expect([at(247, 62), at(253, 59), at(253, 65), at(499, 0), at(499, 123)]).toEqual([
      "red",
      "green",
      "blue",
      "green",
      "blue",
    ]);
  });

  it("is white where the image is transparent", () => {
    const file = drawnPng(400, 400, (x) => (x < 200 ? NOTHING : RED));
    const { at } = shown(made(file)?.M ?? file);
    expect([at(5, 90), at(175, 90)]).toEqual(["white", "red"]);
    const all = shown(made(webpOf(losslessChunk(50, 50, true)))?.S ?? file);
    expect(all.at(20, 20)).toBe("white");
  });

  it("turns WebP files", () => {
    const turned = webpOf(extendedChunk(60, 30, 8), lossyChunk(60, 30), riffChunk("EXIF", exif(6).slice(10)));
    expect(checkImage(turned)).toMatchObject({ width: 30, height: 60, orientation: 6 });
    expect(sizes(turned)[2]).toBe("30x60");
  });
});
