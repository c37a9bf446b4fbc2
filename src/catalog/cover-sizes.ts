/** The sizes in which covers are shown, the smallest first, and the boxes that they have to fit into, in pixels. */
export const COVER_BOXES = {
  S: { width: 116, height: 58 },
  M: { width: 180, height: 360 },
  L: { width: 500, height: 500 },
} as const;

export type CoverSize = keyof typeof COVER_BOXES;

// The compiler takes the names of members for any texts.
export const COVER_SIZES = Object.keys(COVER_BOXES) as readonly CoverSize[];

/** The size of which the smaller ones are made. */
export const LARGEST_COVER: CoverSize = "L";

/** A size in an address, as a part of a regular expression. */
export const COVER_SIZE_PATTERN = `[${COVER_SIZES.join("")}]`;
