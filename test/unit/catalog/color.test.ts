import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CONTRAST_MIN, SURFACES, contrastOf, readableColor } from "../../../src/catalog/color.ts";
import { DEFAULT_COLORS } from "../../../src/worker/http/pages/reader.ts";

const style = readFileSync(`${import.meta.dirname}/../../../public/static/carrel.css`, "utf8");
/** Colours of a custom property of the style sheet, with six digits. */
function colorsNamed(name: string): string[] {
  const [, light = "", dark = ""] =
    new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(style) ?? [];
  return [light, dark].map((color) => (color.length === 4 ? color.replace(/[\da-f]/g, "$&$&") : color));
}

it("SURFACES and DEFAULT_COLORS are those of the style sheet", () => {
  const surfaces = ["paper", "card", "new", "old", "on-lamp"].map(colorsNamed);
  expect(SURFACES).toEqual({
    light: surfaces.map(([light]) => light),
    dark: surfaces.map(([, dark]) => dark),
  });
  expect(Object.values(DEFAULT_COLORS)).toEqual(colorsNamed("lamp"));
});

it.each([
  ["#175a45", "light", "#175a45"],
  ["#000000", "light", "#000000"],
  ["#7fcfb0", "dark", "#7fcfb0"],
  ["#ffff00", "light", "#696900"],
  ["#ffffff", "light", "#656565"],
  ["#175a45", "dark", "#81a59a"],
  ["#000000", "dark", "#9e9e9e"],
] as const)("the nearest colour to %s that can be read on %s pages is %s", (color, scheme, nearest) => {
  expect(readableColor(color, scheme)).toBe(nearest);
  expect(contrastOf(nearest, scheme)).toBeGreaterThanOrEqual(CONTRAST_MIN);
});

it("contrastOf is that of WCAG, with the least favourable surface", () => {
  // Black on #fadcdc, the darkest light surface by luminance.
  expect(contrastOf("#000000", "light")).toBeCloseTo(16.3, 0);
  expect(contrastOf("#ffffff", "dark")).toBeCloseTo(12.2, 0);
});
