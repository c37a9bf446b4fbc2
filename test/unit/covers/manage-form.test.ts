import { describe, expect, it } from "vitest";
import type { FormField } from "../../../src/catalog/editing/form-fields.ts";
import { readArrangement } from "../../../src/worker/covers/manage-images.ts";
import { RECORD_IMAGES_MAX, applyArrangement } from "../../../src/worker/covers/record-images.ts";

const fields = (text: string): FormField[] =>
  text.split(" ").map((part): FormField => {
    const [name = "", value = ""] = part.split("=");
    return [name, value.replaceAll("+", " ")];
  });
const images = (text: string): readonly number[] => readArrangement(fields(text)).images;

describe("readArrangement", () => {
  it.each([
    ["image=7 image=5 image=-", [7, 5]],
    ["image=7 image=- image=5", [7]],
    ["image=- image=7", []],
    ["image=7 image=7 image=05 image=- image=x", [7, 5]],
    ["image--0=7 image--1=5 image--2=-", [7, 5]],
    ["image=1 image=2 image=3 image=- position-1=3 position-2=1 position-3=2", [2, 3, 1]],
    ["image=1 image=2 image=3 image=- position-3=1 position-9=0", [3, 1, 2]],
    ["image=1 image=2 image=- position-1=2 position-2=1.5", [2, 1]],
    ["image=1 image=2 image=- position-1=x position-2=", [1, 2]],
    ["image=1 image=2 image=- position-1=1 position-2=1", [1, 2]],
    ["image=1 image=2 image=3 image=- position-1=1 position-2=2 position-3=1 shown=1+2+3", [3, 1, 2]],
    ["image=1 image=2 image=3 image=- position-1=3 position-2=2 position-3=3 shown=1+2+3", [2, 3, 1]],
    ["image=1 image=3 image=- position-1=1 position-2=2 position-3=2 shown=1+2+3", [1, 3]],
  ])("%s", (text, expected) => {
    expect(images(text)).toEqual(expected);
  });

  it.each(["image=7", "x=-", "image=a image=-", "image=-1 image=-", "image=0 image=-", "image= image=-"])(
    "%s is refused",
    (text) => {
      expect(() => images(text)).toThrow(expect.objectContaining({ status: 422 }));
    },
  );

  it("has a limit", () => {
    const many = (count: number): string =>
      `${Array.from({ length: count }, (_, index) => `image=${index + 1}`).join(" ")} image=-`;
    expect(images(many(RECORD_IMAGES_MAX)).length).toBe(RECORD_IMAGES_MAX);
    expect(() => images(many(RECORD_IMAGES_MAX + 1))).toThrow();
  });

  it("reads the covers that were shown", () => {
    expect(readArrangement(fields("image=-")).displayed).toBeUndefined();
    expect(readArrangement(fields("image=- shown=")).displayed).toEqual(new Set());
    expect(readArrangement(fields("image=- shown=7+5+x+-1")).displayed).toEqual(new Set([7, 5]));
  });
});

describe("applyArrangement", () => {
  it("is the wanted order without the shown covers", () => {
    expect(applyArrangement([9, 5, 7], { images: [7], displayed: undefined })).toEqual([7]);
  });

  it("Q415: keeps covers added meanwhile", () => {
    expect(applyArrangement([9, 5, 7], { images: [7], displayed: new Set([5, 7]) })).toEqual([9, 7]);
    expect(applyArrangement([9, 5, 7], { images: [7, 9], displayed: new Set([5, 7]) })).toEqual([7, 9]);
  });
});
