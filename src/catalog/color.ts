/** Colour of sRGB as `#rrggbb`. */
export const COLOR = /^#[\da-f]{6}$/;

/** Lowest contrast between text and its background (WCAG 2.2, 1.4.3, level AA). */
export const CONTRAST_MIN = 4.5;

/**
 * Colours of `public/static/carrel.css` on or below which the accent colour is read: paper, card, added and removed text, and the
 * text of buttons.
 */
export const SURFACES = {
  light: ["#faf7f0", "#fffdf8", "#d8f0da", "#fadcdc", "#ffffff"],
  dark: ["#15181a", "#1d2124", "#173d22", "#4d1d1d", "#0d1f18"],
} as const;
export type ColorScheme = keyof typeof SURFACES;

/** Returns the lowest contrast between a colour and the surfaces of a scheme, from 1 to 21. */
export function contrastOf(color: string, scheme: ColorScheme): number {
  const own = luminanceOf(color);
  const ratios = SURFACES[scheme].map((surface) => {
    const other = luminanceOf(surface);
    return (Math.max(own, other) + 0.05) / (Math.min(own, other) + 0.05);
  });
  return Math.min(...ratios);
}

const STEPS = 255;

/**
 * Returns the nearest colour that can be read in a scheme: mixed with as little black (light) or white (dark) as possible. A
 * colour that can be read stays as it is.
 */
export function readableColor(color: string, scheme: ColorScheme): string {
  const end = scheme === "light" ? 0 : 255;
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = channelsOf(color).map((value) => Math.round(value + ((end - value) * step) / STEPS));
    const candidate = `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
    if (contrastOf(candidate, scheme) >= CONTRAST_MIN) return candidate;
  }
  return scheme === "light" ? "#000000" : "#ffffff";
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** Returns the relative luminance of WCAG 2.2, from 0 to 1. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
